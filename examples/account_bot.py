"""A bot of one's own that plays the seats of an account: python account_bot.py https://table.example TOKEN

The token comes from the account's page. The bot moves wherever it is its turn, and looks again every few seconds.
"""

import sys
import time
import uuid

import httpx

import franchise


def take_turns(server: httpx.Client) -> int:
    """Make one move at every table where it is this account's turn; how many that were."""
    waiting = [table for table in server.get("/api/me").raise_for_status().json()["tables"] if table["your_turn"]]
    for table in waiting:
        path = f"/api/tables/{table['id']}"
        game = franchise.Game.from_text(server.get(f"{path}/record").raise_for_status().text)
        move = franchise.bots.make("casual", seed=len(game.actions)).choose(game)
        version = server.get(path).raise_for_status().json()["version"]
        order = {"version": version, "move": str(move), "move_id": uuid.uuid4().hex}
        answer = server.post(f"{path}/moves", json=order)
        if answer.status_code != 409:  # else somebody else has moved: look again later
            answer.raise_for_status()
    return len(waiting)


if __name__ == "__main__":
    address, token = sys.argv[1:]
    with httpx.Client(base_url=address, headers={"Authorization": f"Bearer {token}"}) as server:
        while True:
            if not take_turns(server):
                time.sleep(5)
