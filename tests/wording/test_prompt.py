"""What somebody at the table can do, in words."""

from franchise import Game
from franchise.wording.language import language
from franchise.wording.prompt import prompt_of


def keys(game: Game) -> list[str]:
    """The buttons of the player to move, by their keys."""
    prompt = prompt_of(game, language("en"), live=True, acts=True, several=False, is_bot=False, free=False)
    return [button.key for button in prompt.buttons]


def test_a_bonus_tile_comes_last_so_that_the_other_buttons_keep_their_numbers() -> None:
    game = Game(2, 1)
    for move in ("start Memphis", "start Indianapolis"):
        game.play(move)
    assert keys(game) == ["d", "e"]
    for move in ("expand Charlotte", "done", "end", "done", "end"):  # nobody may use one in their first turn
        game.play(move)
    assert keys(game) == ["d", "e", "c"]
    game.play("done")
    assert keys(game) == ["e", "c"]
