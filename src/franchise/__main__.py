"""python -m franchise"""

from franchise.cli import main

if __name__ == "__main__":
    main()
