"""Work that was left is taken up again, whatever language says so."""

import pytest

from amplihack_compaction.extract.model import Objective, SessionState, WindowState
from amplihack_compaction.extract.small_talk import takes_up
from amplihack_compaction.ledger.merge import merge_window


@pytest.mark.parametrize(
    ("said", "earlier"),
    [
        ("thx. back to the search now", "implement search with typesense"),
        ("sample files arrived, continue with the importer", "build the importer"),
        ("gut, zurück zur Suche", "Bau die Suche ein"),
        ("super. on reprend la pagination", "on fait la pagination"),
        ("vale, sigamos con los informes", "haz los informes de ventas"),
        ("вернёмся к парсеру выписок", "сделай парсер выписок"),
        ("好，回到找回密码", "做找回密码"),
        ("検索機能に戻って", "検索機能を作って"),
    ],
)
def test_what_goes_back_to_earlier_work_takes_it_up(said: str, earlier: str) -> None:
    assert takes_up(said, earlier)
    assert not takes_up(said, "draw the logo")


def test_what_names_work_anew_does_not_go_back() -> None:
    assert not takes_up("the search is slow", "implement search")
    assert not takes_up("now back to work", "implement search")
    assert not takes_up("perfecto, sigue con lo demás", "perfecto, sigue con lo demás")


def test_work_taken_up_again_is_in_force() -> None:
    turns = (
        Objective(text="implement search", uuid="a", offset=1),
        Objective(text="draw the logo", uuid="b", offset=2),
        Objective(text="drop all that, prod is down", uuid="c", offset=3, switches=True),
        Objective(text="back to the search", uuid="d", offset=4),
    )
    found = WindowState(objectives=turns)
    state = merge_window(SessionState(), found)
    assert state.objective == turns[3]
    assert state.continues == (turns[0], turns[2])
    assert state.past_objectives == (turns[1],)
    assert merge_window(state, found) == state
