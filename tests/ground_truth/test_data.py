from itertools import islice

import pytest

from ground_truth import attention_data, transformer_data
from ground_truth.literal_text import Matrix, matrix_text
from ground_truth.random_numbers import draws, weights
from tests.ground_truth.reference import reference


def test_a_draw_is_the_state_after_the_step() -> None:
    first, second = 1103515245 + 12345, (1103515245 * 1103527590 + 12345) % 2**31
    assert list(islice(draws(1), 2)) == [first / 2**31, second / 2**31]


def test_weights_are_drawn_row_by_row_from_one_stream() -> None:
    stream = draws(7)
    flat = [number for row in weights(stream, 2, 3, 0.5) for number in row]
    assert flat == [round(draw - 0.5, 2) for draw in islice(draws(7), 6)]
    assert next(stream) == list(islice(draws(7), 7))[-1]


@pytest.mark.parametrize(
    ("name", "parameters"),
    [("h33", attention_data.parameters()), ("h35", transformer_data.parameters())],
)
def test_parameters_are_those_of_the_reference(name: str, parameters: dict[str, Matrix]) -> None:
    expected = reference(name).params
    assert list(expected) == [f"{each}0" for each in parameters]
    for matrix, wanted in zip(parameters.values(), expected.values(), strict=True):
        # As text, because -0.0 == 0.0.
        assert [list(map(float, row)) for row in matrix] == wanted
        assert repr([list(map(float, row)) for row in matrix]) == repr(wanted)


def test_a_label_is_the_strongest_token_of_its_sequence() -> None:
    assert [attention_data.label(each) for each in ([4, 0, 2, 3], [4, 4, 0, 4], [2, 1, 3, 3])] == [
        3,
        0,
        1,
    ]


def test_every_token_of_chapter_33_belongs_to_one_sequence() -> None:
    data = attention_data.data()
    assert [sum(column) for column in zip(*data["g"], strict=True)] == [1] * 96
    assert [sum(row) for row in data["g"]] == [4] * 24


def test_the_sequences_of_chapter_35_differ_and_repeat_three_tokens() -> None:
    sequences = transformer_data.sequences()
    assert len({tuple(each) for each in sequences}) == len(sequences) == 16
    for sequence in sequences:
        assert sequence[:4] == sequence[3:]


def test_the_mask_shows_a_row_its_own_sequence_up_to_itself() -> None:
    mask = transformer_data.data()["mk"]
    seen = [[column for column, entry in enumerate(row) if entry == 0] for row in mask]
    assert seen[:8] == [list(range(row + 1)) for row in range(7)] + [[7]]
    assert seen[111] == list(range(105, 112))
    assert {entry for row in mask for entry in row} == {0, -1000000000}


def test_positions_2_to_5_predict_the_next_token() -> None:
    data = transformer_data.data()
    assert [row[0] for row in data["mr"][:7]] == [0, 0, 1, 1, 1, 1, 0]
    for row in range(112):
        following = data["x"][row + 1] if data["mr"][row] == [1] else [0, 0, 0, 0]
        assert data["y"][row] == following


def test_positions_are_waves_of_four_digits() -> None:
    positions = transformer_data.data()["ps"]
    assert positions[0] == [0, 1] * 4
    assert positions[1][:4] == [0.8415, 0.5403, 0.5332, 0.846]
    assert positions[7:14] == positions[:7]


def test_a_matrix_is_written_without_losing_a_bit() -> None:
    assert matrix_text([[1, -0.0], [0.1 + 0.2, 1e-9]]) == (
        "[[1, -0.0], [0.30000000000000004, 1e-09]]"
    )
