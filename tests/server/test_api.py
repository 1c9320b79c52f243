"""The JSON API: every answer it gives, over a real database."""

from typing import Any

from server.lives import Server

STARTS = ("start Raleigh", "start Memphis")


def test_a_table_is_created_with_one_secret_for_each_human_seat(serve: Any) -> None:
    async def scene(server: Server) -> None:
        table = await server.create("human", "open", "human")
        created = table.created
        assert set(created["tokens"]) == {"0", "2"}
        assert created["version"] == 0
        assert [seat.get("token") for seat in created["seats"]] == [
            created["tokens"]["0"],
            None,
            created["tokens"]["2"],
        ]
        assert [seat["taken"] for seat in created["seats"]] == [True, False, True]
        assert "token" not in str(await table.get())

    serve(scene)
