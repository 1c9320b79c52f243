"""franchise db backup: a copy of a database that is in use."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from franchise.cli import app
from server.running_servers import InProcessServer, contents


def backup(*arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, ["db", "backup", *arguments])
    return done.exit_code, done.output


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
async def test_a_copy_holds_what_was_acknowledged_and_is_used_like_the_original(
    server: InProcessServer, database: str, tmp_path: Path
) -> None:
    copy = tmp_path / "copy.db"

    guest = await server.create("human", "human")
    await guest.play("start Memphis")
    assert backup(str(copy), "--database", database)[0] == 0  # while the server goes on
    await guest.play("start Raleigh")
    table = guest.id
    assert contents(f"sqlite:///{copy}").count("start Memphis") == 1
    assert "start Raleigh" not in contents(f"sqlite:///{copy}")
    assert table in contents(f"sqlite:///{copy}")
    before = copy.read_bytes()
    code, output = backup(str(copy), "--database", database)
    assert (code, "already exists" in output, copy.read_bytes() == before) == (1, True, True)


def test_there_must_be_something_to_copy(tmp_path: Path) -> None:
    code, said = backup(str(tmp_path / "copy.db"), "--database", f"sqlite:///{tmp_path / 'none.db'}")
    assert (code, said.count("\n"), "there is no database" in said) == (1, 1, True)
    (tmp_path / "some.db").touch()
    code, said = backup(str(tmp_path / "nowhere" / "copy.db"), "--database", f"sqlite:///{tmp_path / 'some.db'}")
    assert (code, said.count("\n"), "there is no folder" in said) == (1, 1, True)
    (tmp_path / "some.db").unlink()
    code, said = backup(str(tmp_path / "copy.db"), "--database", "postgresql://localhost/x")
    assert (code, "use pg_dump" in said) == (1, True)
    assert not list(tmp_path.iterdir())


def test_a_name_that_no_file_can_have_is_a_line(tmp_path: Path) -> None:
    name = "x" * 300
    (tmp_path / "some.db").touch()
    for to, database in ((name, "some.db"), ("copy.db", name)):
        code, said = backup(str(tmp_path / to), "--database", f"sqlite:///{tmp_path / database}")
        assert (code, said) == (1, f"franchise db backup: {tmp_path / name}: File name too long\n")


@pytest.mark.parametrize("command", ["archive", "reports"])
def test_a_mistyped_name_is_not_answered_from_a_new_empty_database(command: str, tmp_path: Path) -> None:
    file = tmp_path / "none.db"
    done = CliRunner().invoke(app, ["db", command, "--database", f"sqlite:///{file}"])
    assert (done.exit_code, done.output) == (1, f"franchise db {command}: there is no database {file}\n")
    assert not list(tmp_path.iterdir())
