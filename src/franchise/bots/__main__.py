"""python -m franchise.bots: compile everything the bots need."""

from franchise.bots.levels import ready

if __name__ == "__main__":
    ready()
