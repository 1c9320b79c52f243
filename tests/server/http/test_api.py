"""The JSON API: every answer it gives, over a real database."""

import asyncio
from typing import Any

import pytest

from franchise import Game, Options
from franchise.engine.setups import drawn_order
from server.running_servers import ApiPlayer, InProcessServer, contents

# Two people, turn by turn: `expand` to `end` is one turn.
OPENING = ("start Memphis", "start Raleigh")


async def two(server: InProcessServer, *moves: str, **more: Any) -> ApiPlayer:
    """A table of two people, past the choice of starting towns."""
    table = await server.create("human", "human", **more)
    await table.play(*OPENING, *moves)
    return table


# --- tables ---


async def test_a_table_is_created_with_one_secret_for_each_human_seat(server: InProcessServer) -> None:
    created = (await server.create("human", "open", "human")).created
    assert set(created["tokens"]) == {"0", "2"}
    assert created["version"] == 0
    tokens = [seat["token"] for seat in created["seats"]]
    assert tokens == [created["tokens"]["0"], None, created["tokens"]["2"]]
    assert len(set(created["tokens"].values())) == 2
    assert [seat["taken"] for seat in created["seats"]] == [True, False, True]


async def test_the_answer_to_create_says_where_the_table_is(server: InProcessServer) -> None:
    seats = [{"kind": "human", "name": "Ann"}, {"kind": "bot", "level": "casual"}]
    answer = await server.client.post("/api/tables", json={"seats": seats})
    assert answer.status_code == 201
    state = (await server.client.get(answer.headers["location"])).json()
    assert (state["id"], state["seats"][0]["name"]) == (answer.json()["id"], "Ann")
    assert [seat["level"] for seat in state["seats"]] == [None, "casual"]


async def test_no_secret_is_ever_told_again_or_stored(server: InProcessServer, database: str) -> None:
    table = await server.create("human", "human")
    shown = str(await table.get(0))
    assert not any(token in shown for token in table.tokens.values())
    tokens = list(table.tokens.values())
    content = contents(database)
    assert "human" in content
    assert not any(token in content for token in tokens)


async def test_the_set_up_follows_from_options_and_seed(server: InProcessServer) -> None:
    table = await server.create("human", "human", "human", options={"milestones": True, "regions": "mixed"}, seed=5)
    state = await table.get()
    assert state["view"] == Game(3, 5, Options(milestones=True, regions="mixed")).view()
    assert state["options"]["regions"] == "mixed"


async def test_legal_moves_are_told_to_the_seat_to_move_alone(server: InProcessServer) -> None:
    table = await server.create("human", "human")
    expected = [str(action) for action in Game(2, 7).legal_actions()]
    assert (await table.get(1))["legal"] == expected
    assert (await table.get(0))["legal"] == (await table.get())["legal"] == []
    assert [(await table.get(seat))["yours"] for seat in (0, 1, None)] == [[0], [1], []]


async def test_lists_show_public_tables_only(server: InProcessServer) -> None:
    await server.create("human", "open")
    joinable = await server.create("human", "open", public=True)
    live = await server.create("human", "human", public=True)
    lists = (await server.client.get("/api/tables")).json()
    assert [table["id"] for table in lists["open"]] == [joinable.id]
    assert lists["open"][0]["open_seats"] == [1]
    assert [table["id"] for table in lists["live"]] == [live.id]


async def test_bots_are_listed(server: InProcessServer) -> None:
    bots = (await server.client.get("/api/bots")).json()["bots"]
    assert {"newcomer", "casual", "regular", "expert"} <= {bot["name"] for bot in bots}


WRONG_TABLES: dict[str, dict[str, Any]] = {
    "one seat": {"seats": [{"kind": "human"}]},
    "six seats": {"seats": [{"kind": "human"}] * 6},
    "no seats": {},
    "an unknown kind of seat": {"seats": [{"kind": "human"}, {"kind": "cat"}]},
    "an unknown level": {"seats": [{"kind": "human"}, {"kind": "bot", "level": "genius"}]},
    "a program as a level": {"seats": [{"kind": "human"}, {"kind": "bot", "level": "program:true"}]},
    "a long name": {"seats": [{"kind": "human", "name": "x" * 41}, {"kind": "bot"}]},
    "a control character in a name": {"seats": [{"kind": "human", "name": "a\x1bb"}, {"kind": "bot"}]},
    "an unknown option": {"seats": [{"kind": "human"}] * 2, "options": {"weather": True}},
    "options that contradict": {"seats": [{"kind": "human"}] * 2, "options": {"city_tiles": {"Denver": 5}}},
    "a seed that is no number": {"seats": [{"kind": "human"}] * 2, "seed": "seven"},
    "a record that does not hold": {"seats": [{"kind": "human"}] * 2, "record": "franchise 1\nplayers 2\nmoves\nend"},
    "a record of more players": {"seats": [{"kind": "human"}] * 2, "record": Game(3, 1).to_text()},
    "a clock without time": {"seats": [{"kind": "human"}] * 2, "clock": {"kind": "live", "minutes": 0}},
}


async def test_a_table_that_cannot_be_is_refused_with_the_reason(server: InProcessServer) -> None:
    for what, body in WRONG_TABLES.items():
        answer = await server.client.post("/api/tables", json=body)
        assert answer.status_code == 422, what
        assert set(answer.json()) == {"error", "detail"}, what
        assert answer.json()["detail"].endswith("."), what


async def test_what_is_not_json_is_refused_in_the_same_shape(server: InProcessServer) -> None:
    answer = await server.client.post("/api/tables", content="{", headers={"Content-Type": "application/json"})
    assert (answer.status_code, answer.json()["error"]) == (422, "malformed")


async def test_an_unknown_table_is_404_on_every_path(server: InProcessServer) -> None:
    orders: dict[str, dict[str, Any]] = {
        "moves": {"version": 0, "move": "end", "move_id": "x"},
        "undo": {"version": 0, "move_id": "x"},
        "seats/0": {},
        "chat": {"text": "hello"},
        "rematch": {},
        "back": {},
    }
    answers = [
        await server.client.get(f"/api/tables/nowhere{path}")
        for path in ("", "/record", "/events", "/preview?move=end", "/chat")
    ] + [
        await server.client.post(f"/api/tables/nowhere/{path}", json=body, headers={"Authorization": "Bearer x"})
        for path, body in orders.items()
    ]
    assert [(answer.status_code, answer.json()["error"]) for answer in answers] == [(404, "no_such_table")] * 11


async def test_an_unknown_path_and_method_are_answered_in_json(server: InProcessServer) -> None:
    assert (await server.client.get("/api/chairs")).json()["error"] == "not_found"
    answer = await server.client.put("/api/tables", json={})
    assert (answer.status_code, answer.json()["error"]) == (405, "not_allowed")


# --- moves ---


async def test_a_move_is_answered_with_what_it_caused(server: InProcessServer) -> None:
    table = await server.create("human", "human")
    answer = await table.move("START memphis")
    assert answer.status_code == 200
    moved = answer.json()
    assert (moved["version"], moved["move"], moved["seat"]) == (1, "start Memphis", 1)
    assert moved["events"] == [
        {"kind": "start", "seat": 1, "place": "Memphis", "amount": 0, "text": "Red starts in Memphis."}
    ]
    game = Game(2, 7)
    game.play("start Memphis")
    assert moved["view"] == game.view()
    assert moved["legal"] == []


async def test_a_move_needs_a_token(server: InProcessServer) -> None:
    table = await server.create("human", "human")
    order = {"version": 0, "move": "start Memphis", "move_id": "x"}
    answer = await table.post("moves", None, **order)
    assert (answer.status_code, answer.json()["error"]) == (401, "no_token")
    assert answer.headers["www-authenticate"] == "Bearer"
    basic = await server.client.post(f"{table.path}/moves", json=order, headers={"Authorization": "Basic abc"})
    assert basic.status_code == 401
    assert (await table.get())["version"] == 0


async def test_a_foreign_token_and_the_other_seat_get_403(server: InProcessServer) -> None:
    table, other = await server.create("human", "human"), await server.create("human", "human")
    order = {"version": 0, "move": "start Memphis", "move_id": "x"}
    headers = {"Authorization": f"Bearer {other.tokens[1]}"}
    answer = await server.client.post(f"{table.path}/moves", json=order, headers=headers)
    assert (answer.status_code, answer.json()["error"]) == (403, "not_your_seat")
    answer = await table.post("moves", 0, **order)
    assert (answer.status_code, answer.json()["error"]) == (403, "not_your_turn")
    assert (await table.get())["version"] == 0


@pytest.mark.parametrize("version", [0, 7])
async def test_a_stale_version_gets_409_with_the_current_state(server: InProcessServer, version: int) -> None:
    table = await server.create("human", "human")
    await table.play("start Memphis")
    answer = await table.post("moves", 0, version=version, move="start Raleigh", move_id="x")
    assert (answer.status_code, answer.json()["error"]) == (409, "stale")
    state, current = answer.json()["state"], await table.get(0)
    del state["clock"]["now"], current["clock"]["now"]
    assert state == current
    assert state["legal"]


async def test_an_illegal_move_gets_422_with_the_reason_and_changes_nothing(server: InProcessServer) -> None:
    table = await two(server)
    before = await table.get()
    answer = await table.move("end")
    assert (answer.status_code, answer.json()["error"]) == (422, "illegal_move")
    assert "end belongs to phase 3" in answer.json()["detail"]
    answer = await table.move("expand Atlantis 3")
    assert answer.status_code == 422
    assert "'atlantis' is not a location" in answer.json()["detail"]
    after = await table.get()
    assert (after["version"], after["view"]) == (before["version"], before["view"])


MALFORMED: dict[str, dict[str, Any]] = {
    "no move": {"version": 0, "move_id": "x"},
    "no version": {"move": "end", "move_id": "x"},
    "no move_id": {"version": 0, "move": "end"},
    "an empty move_id": {"version": 0, "move": "end", "move_id": ""},
    "a long move_id": {"version": 0, "move": "end", "move_id": "x" * 65},
    "a move_id that cannot be printed": {"version": 0, "move": "end", "move_id": "\x01"},
    "a negative version": {"version": -1, "move": "end", "move_id": "x"},
    "a version no table has": {"version": 10**30, "move": "end", "move_id": "x"},
    "a move that is a list": {"version": 0, "move": ["end"], "move_id": "x"},
    "a long move": {"version": 0, "move": "x" * 1000, "move_id": "x"},
}


async def test_a_malformed_move_is_refused_with_the_reason(server: InProcessServer) -> None:
    table = await server.create("human", "human")
    for what, body in MALFORMED.items():
        answer = await table.post("moves", 1, **body)
        assert answer.status_code == 422, what
        assert set(answer.json()) == {"error", "detail"}, what
    assert (await table.get())["version"] == 0


async def test_the_same_move_id_again_gives_the_same_answer_and_no_second_move(new_server: Any) -> None:
    async with new_server() as server:
        table = await two(server)
        state = await table.get(0)
        order = {"version": state["version"], "move": "done", "move_id": "once"}
        first = await table.post("moves", 0, **order)
        await table.play("end")
        again = await table.post("moves", 0, **order)
        assert (first.status_code, again.status_code) == (200, 200)
        assert again.json() == first.json()
        different = await table.post("moves", 0, **order | {"move": "cash", "version": 99})
        assert different.json() == first.json()
        assert (await table.get())["version"] == state["version"] + 2
        path, headers, (order, first) = f"{table.path}/moves", table.bearer(0), (order, first.json())

    async with new_server() as server:
        again = await server.client.post(path, json=order, headers=headers)
        assert again.json() == first


async def test_two_requests_with_one_move_id_at_the_same_instant_make_one_move(server: InProcessServer) -> None:
    table = await two(server)
    version = (await table.get())["version"]
    order = {"version": version, "move": "done", "move_id": "once"}
    answers = await asyncio.gather(*(table.post("moves", 0, **order) for _ in range(8)))
    assert [answer.status_code for answer in answers] == [200] * 8
    assert all(answer.json() == answers[0].json() for answer in answers)
    assert (await table.get())["version"] == version + 1


async def test_two_moves_at_the_same_instant_leave_one(server: InProcessServer) -> None:
    table = await two(server)
    version = (await table.get())["version"]
    answers = await asyncio.gather(
        *(table.post("moves", 0, version=version, move="done", move_id=f"id{n}") for n in range(8))
    )
    assert sorted(answer.status_code for answer in answers) == [200] + [409] * 7
    assert (await table.get())["version"] == version + 1


async def test_a_move_id_of_another_seat_is_refused(server: InProcessServer) -> None:
    table = await server.create("human", "human")
    await table.post("moves", 1, version=0, move="start Memphis", move_id="mine")
    answer = await table.post("moves", 0, version=1, move="start Raleigh", move_id="mine")
    assert answer.status_code == 403


async def test_after_the_end_no_move_is_legal(server: InProcessServer) -> None:
    game = finished()
    table = await server.create("human", "human", record=game.to_text())
    state = await table.get(game.current_player)
    assert (state["over"], state["legal"], state["may_undo"]) == (True, [], False)
    assert tuple(state["result"]["scores"]) == game.result().scores
    answer = await table.move("end")
    assert answer.status_code == 422
    assert "the game is over" in answer.json()["detail"]


def finished() -> Game:
    """A short game of two: nobody expands."""
    game = Game(2, 7)
    for move in OPENING:
        game.play(move)
    while not game.over:
        game.play("done")
        game.play("end")
    return game


# --- undo ---


async def test_undo_takes_back_the_last_move_of_the_turn(server: InProcessServer) -> None:
    table = await two(server)
    before = await table.get(0)
    assert not before["may_undo"]
    await table.play("done")
    after = await table.get(0)
    assert after["may_undo"]
    answer = await table.post("undo", 0, version=after["version"], move_id="back")
    undone = answer.json()
    assert (answer.status_code, undone["version"], undone["took_back"]) == (200, after["version"] + 1, 1)
    assert (undone["view"], undone["legal"]) == (before["view"], before["legal"])


async def test_undo_of_the_turn_goes_back_to_where_it_began(server: InProcessServer) -> None:
    table = await two(server)
    before = await table.get(0)
    await table.move(before["legal"][0])
    await table.play("done")
    version = (await table.get())["version"]
    order = {"version": version, "move_id": "back", "turn": True}
    undone = (await table.post("undo", 0, **order)).json()
    assert (undone["took_back"], undone["view"]) == (2, before["view"])
    assert (await table.post("undo", 0, **order)).json() == undone
    assert (await table.get())["version"] == version + 1


async def test_undo_stops_at_the_start_of_the_turn(server: InProcessServer) -> None:
    table = await two(server, "done", "end")
    state = await table.get()
    answer = await table.post("undo", 1, version=state["version"], move_id="back")
    assert (answer.status_code, answer.json()["error"]) == (422, "nothing_to_undo")
    answer = await table.post("undo", 0, version=state["version"], move_id="back")
    assert (answer.status_code, answer.json()["error"]) == (403, "not_your_turn")
    answer = await table.post("undo", 1, version=0, move_id="back")
    assert answer.status_code == 409
    answer = await table.post("undo", None, version=state["version"], move_id="back")
    assert answer.status_code == 401


async def test_a_move_id_does_not_serve_a_move_and_an_undo(server: InProcessServer) -> None:
    table = await two(server, "done")
    state = await table.get()
    answer = await table.post("undo", 0, version=state["version"], move_id="m3")
    assert (answer.status_code, answer.json()["error"]) == (422, "refused")


async def test_the_moves_of_a_record_are_not_taken_back(server: InProcessServer) -> None:
    game = Game(2, 7)
    for move in (*OPENING, "done"):
        game.play(move)
    table = await server.create("human", "human", record=game.to_text())
    answer = await table.post("undo", 0, version=0, move_id="back")
    assert answer.json()["error"] == "nothing_to_undo"


# --- record and preview ---


async def test_the_record_verifies_and_holds_names_and_moves(server: InProcessServer) -> None:
    seats = [{"kind": "human", "name": "Ann # 1"}, {"kind": "human"}]
    created = (await server.client.post("/api/tables", json={"seats": seats, "seed": 7})).json()
    table = ApiPlayer(server.client, created)
    await table.play(*OPENING, "done")
    answer = await server.client.get(f"{table.path}/record")
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    game = Game.from_text(answer.text)
    assert game.names == ("Ann # 1", "")
    assert [str(action) for action in game.actions] == [*OPENING, "done"]


async def test_a_table_goes_on_from_a_record(server: InProcessServer) -> None:
    game = Game(2, 3, Options(milestones=True), names=["Ann", "Bob"])
    game.play(game.legal_actions()[4])
    table = await server.create("human", "human", record=game.to_text())
    state = await table.get()
    assert state["view"] == game.view()
    assert [seat["name"] for seat in state["seats"]] == ["Ann", "Bob"]
    move = game.legal_actions()[0]
    game.play(move)
    assert (await table.play(str(move)))["view"] == game.view()
    assert (await server.client.get(f"{table.path}/record")).text == game.to_text()


async def test_a_preview_says_what_a_move_would_do_and_changes_nothing(server: InProcessServer) -> None:
    table = await two(server)
    before = await table.get(0)
    move = next(text for text in before["legal"] if text.startswith("expand"))
    answer = await server.client.get(f"{table.path}/preview", params={"move": move})
    outlook = answer.json()
    assert (answer.status_code, outlook["move"], outlook["seat"]) == (200, move, 0)
    assert outlook["cash_after"] == outlook["cash_before"] - outlook["events"][0]["amount"]
    assert [event["kind"] for event in outlook["turn_end"]] == ["open"]
    answer = await server.client.get(f"{table.path}/preview", params={"move": "end"})
    assert (answer.status_code, answer.json()["error"]) == (422, "illegal_move")
    assert (await server.client.get(f"{table.path}/preview")).status_code == 422
    assert (await table.get(0))["view"] == before["view"]


# --- seats ---


async def test_somebody_sits_down_and_plays(server: InProcessServer) -> None:
    table = await server.create("human", "open")
    answer = await table.post("seats/1", None, name="Bob")
    assert answer.status_code == 200
    seated = answer.json()
    assert (seated["seat"], seated["seats"][1]["name"], seated["seats"][1]["taken"]) == (1, "Bob", True)
    assert seated["legal"]
    table.tokens[1] = seated["token"]
    assert (await table.move("start Memphis")).json()["events"][0]["text"] == "Bob starts in Memphis."


async def test_taken_seats_and_seats_of_bots_are_not_to_be_had(server: InProcessServer) -> None:
    table = await server.create("human", "open", "casual")
    first = await server.client.post(f"{table.path}/seats/1")
    assert first.status_code == 200
    for seat in (0, 1, 2):
        answer = await table.post(f"seats/{seat}", None, name="Eve")
        assert (answer.status_code, answer.json()["error"]) == (409, "seat_taken")
        assert answer.json()["state"]["id"] == table.id
    answer = await table.post("seats/3", None)
    assert (answer.status_code, answer.json()["error"]) == (404, "no_such_seat")
    answer = await server.client.post(f"{table.path}/seats/1", json={"name": "a\nb"})
    assert answer.status_code == 422


async def test_one_of_many_who_sit_down_at_once_gets_the_seat(server: InProcessServer) -> None:
    table = await server.create("human", "open")
    answers = await asyncio.gather(*(table.post("seats/1", None, name=f"P{n}") for n in range(6)))
    assert sorted(answer.status_code for answer in answers) == [200] + [409] * 5
    winner = next(answer.json() for answer in answers if answer.status_code == 200)
    assert (await table.get())["seats"][1]["name"] == winner["seats"][1]["name"]


async def test_a_seat_is_left_before_its_first_move(server: InProcessServer) -> None:
    table = await server.create("human", "human")
    answer = await server.client.delete(f"{table.path}/seats/0", headers=table.bearer(1))
    assert answer.status_code == 403
    assert (await server.client.delete(f"{table.path}/seats/0")).status_code == 401
    await table.play("start Memphis")
    answer = await server.client.delete(f"{table.path}/seats/1", headers=table.bearer(1))
    assert (answer.status_code, answer.json()["error"]) == (422, "begun")
    answer = await server.client.delete(f"{table.path}/seats/0", headers=table.bearer(0))
    assert (answer.status_code, answer.json()["seats"][0]["taken"]) == (200, False)
    order = {"version": 1, "move": "start Raleigh", "move_id": "x"}
    assert (await table.post("moves", 0, **order)).status_code == 403


# --- chat ---


async def test_those_who_sit_speak_and_everyone_reads(server: InProcessServer) -> None:
    table = await server.create("human", "human")
    text = "<b>hello</b> & 'bye'"
    answer = await table.post("chat", 0, text=f"  {text} ")
    assert (answer.status_code, answer.json()["text"], answer.json()["name"]) == (201, text, "Blue")
    assert (await table.post("chat", None, text="hello")).status_code == 401
    other = await server.create("human", "human")
    table.tokens[9] = other.tokens[0]
    assert (await table.post("chat", 9, text="hello")).status_code == 403
    messages = (await server.client.get(f"{table.path}/chat")).json()["messages"]
    assert [message["text"] for message in messages] == [text]


async def test_what_cannot_be_said_is_refused(server: InProcessServer) -> None:
    table = await server.create("human", "human")
    for text in ("", "   ", "x" * 501, "two\nlines", "bell\x07"):
        assert (await table.post("chat", 0, text=text)).status_code == 422
    assert (await table.post("chat", 0, text="x" * 500)).status_code == 201


# --- who sits where ---


async def test_the_order_of_seats_is_as_given_unless_a_random_one_is_asked_for(server: InProcessServer) -> None:
    names = ["Ann", "Bob", "Eve", "Dora"]
    body = {"seats": [{"kind": "human", "name": name} for name in names], "seed": 4}
    orders = {}
    for order in (None, "given", "random"):
        made = (await server.client.post("/api/tables", json=body | ({"order": order} if order else {}))).json()
        orders[order] = [seat["name"] for seat in made["seats"]]
        player = ApiPlayer(server.client, made)
        assert (await player.move()).status_code == 200  # every seat's token is at its seat
    assert orders[None] == orders["given"] == names
    assert orders["random"] == [names[number] for number in drawn_order(4, 4)] != names


async def test_an_order_that_is_none_or_a_record_in_random_order_is_refused(server: InProcessServer) -> None:
    seats = [{"kind": "human"}, {"kind": "human"}]
    answer = await server.client.post("/api/tables", json={"seats": seats, "order": "mine"})
    assert answer.status_code == 422
    body = {"seats": seats, "order": "random", "record": finished().to_text()}
    answer = await server.client.post("/api/tables", json=body)
    assert answer.status_code == 422
    assert "A record says who sits where" in answer.text


# --- rematch ---


async def test_a_rematch_draws_the_seats_anew_and_happens_once(server: InProcessServer) -> None:
    seats = [{"kind": "human", "name": "Ann"}, {"kind": "human", "name": "Bob"}]
    body = {"seats": seats, "record": finished().to_text(), "public": True}
    table = ApiPlayer(server.client, (await server.client.post("/api/tables", json=body)).json())
    answer = await table.post("rematch", 0)
    again = answer.json()
    assert (answer.status_code, again["version"], again["over"]) == (200, 0, False)
    assert (again["seating"], [seat["taken"] for seat in again["seats"]]) == ("undrawn", [True, False])  # an offer
    accepted = (await table.post("rematch", 1)).json()
    assert (accepted["id"], accepted["seating"]) == (again["id"], "drawn")
    again = accepted
    names = [seat["name"] for seat in again["seats"]]
    assert sorted(names) == ["Ann", "Bob"]
    assert again["yours"] == [names.index("Bob")]
    assert (await table.get())["rematch"] == again["id"]
    tokens = {str(names.index(name)): table.tokens[seat] for seat, name in enumerate(("Ann", "Bob"))}
    following = ApiPlayer(server.client, again | {"tokens": tokens})
    assert (await following.move()).status_code == 200


async def test_two_rematches_at_the_same_instant_are_one(server: InProcessServer) -> None:
    table = await server.create("human", "human", record=finished().to_text())
    answers = await asyncio.gather(*(table.post("rematch", seat) for seat in (0, 1, 0, 1)))
    assert len({answer.json()["id"] for answer in answers}) == 1


async def test_a_rematch_waits_for_the_end_and_is_for_players(server: InProcessServer) -> None:
    table = await server.create("human", "human")
    answer = await table.post("rematch", 0)
    assert (answer.status_code, answer.json()["error"]) == (409, "not_over")
    assert (await table.post("rematch", None)).status_code == 401


# --- what guards it ---


async def test_every_answer_carries_the_security_headers(server: InProcessServer) -> None:
    for path in ("/api/tables", "/api/tables/nowhere"):
        headers = (await server.client.get(path)).headers
        assert "default-src 'self'" in headers["content-security-policy"]
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"


SENDERS: list[tuple[dict[str, str], int]] = [
    ({"Sec-Fetch-Site": "cross-site"}, 403),
    ({"Sec-Fetch-Site": "same-site"}, 403),
    ({"Sec-Fetch-Site": "same-origin"}, 201),
    ({"Origin": "https://elsewhere.example"}, 403),
    ({"Origin": "null"}, 403),
    ({"Origin": "http://table"}, 201),
    ({"Origin": "https://elsewhere.example", "Authorization": "Bearer x"}, 201),
    ({}, 201),
]


async def test_pages_of_other_sites_cannot_send(server: InProcessServer) -> None:
    body = {"seats": [{"kind": "human"}, {"kind": "human"}]}
    for headers, status in SENDERS:
        answer = await server.client.post("/api/tables", json=body, headers=headers)
        assert answer.status_code == status, headers


async def test_what_is_too_long_is_refused_whether_or_not_it_says_so(server: InProcessServer) -> None:
    table = await server.create("human", "human")

    async def pieces() -> Any:
        for _ in range(40):
            yield b" " * 2048

    for body in (b" " * 70_000, pieces()):
        answer = await server.client.post(f"{table.path}/moves", content=body)
        assert (answer.status_code, answer.json()["error"]) == (413, "too_long")
    answer = await server.client.post("/api/tables", content=b" " * 70_000)
    assert answer.status_code == 422
    answer = await server.client.post("/api/tables", content=b" " * 300_000)
    assert answer.status_code == 413


async def test_openapi_describes_every_route_with_its_answers(server: InProcessServer) -> None:
    spec = (await server.client.get("/openapi.json")).json()
    move = spec["paths"]["/api/tables/{table_id}/moves"]["post"]
    assert set(move["responses"]) == {"200", "400", "401", "403", "404", "409", "413", "422", "429", "503"}
    assert move["operationId"] == "make_move"
    names = [route["operationId"] for path in spec["paths"].values() for route in path.values()]
    assert len(names) == len(set(names))
    conflict = move["responses"]["409"]["content"]["application/json"]["schema"]["$ref"]
    assert "state" in spec["components"]["schemas"][conflict.rpartition("/")[2]]["required"]
    assert "HTTPValidationError" not in spec["components"]["schemas"]
    for path, kind in (("events", "text/event-stream"), ("record", "text/plain")):
        answers = spec["paths"][f"/api/tables/{{table_id}}/{path}"]["get"]["responses"]
        assert {status: list(answer["content"]) for status, answer in answers.items()} == {
            "200": [kind],
            **{code: ["application/json"] for code in ("400", "403", "404", "422", "429", "503")},
        }


async def test_long_answers_are_compressed(server: InProcessServer) -> None:
    table = await server.create("human", "human")
    answer = await server.client.get(table.path, headers={"Accept-Encoding": "gzip"})
    assert answer.headers["content-encoding"] == "gzip"
    assert int(answer.headers["content-length"]) < len(answer.content) / 3
    for accepted in ("identity", "gzip;q=0", "br, gzip ; q=0.0, identity"):
        plain = await server.client.get(table.path, headers={"Accept-Encoding": accepted})
        assert "content-encoding" not in plain.headers, accepted
        assert plain.json()["id"] == answer.json()["id"]
        assert plain.headers["vary"] == answer.headers["vary"] == "Accept-Encoding"
    weighted = await server.client.get(table.path, headers={"Accept-Encoding": "gzip;q=0.5"})
    assert weighted.headers["content-encoding"] == "gzip"
