"""The rows of the table of gradients."""

from stages.gradients import gradient_rows


def test_small_matrices_are_shown_in_full_and_the_loss_once() -> None:
    gradients = {"w": [[4.0, -0.5], [1 / 3, 1e-9]], "x": [[2.0]]}
    assert gradient_rows({"loss": 26.0, "gradients": gradients}) == [
        ["26", "w", "[[4, -0.5],\n [0.333333, 1e-09]]"],
        ["", "x", "[[2]]"],
    ]


def test_larger_matrices_are_shown_as_shape_and_norm() -> None:
    gradients = {"a": [[3.0] * 7], "b": [[1.0]] * 16, "c": [[1.0]] * 17, "d": [[[3.0], [4.0]]]}
    assert [row[2] for row in gradient_rows({"loss": 0.5, "gradients": gradients})] == [
        "1x7, norm 7.93725",
        "[" + ",\n ".join(["[1]"] * 16) + "]",
        "17x1, norm 4.12311",
        "1x2x1, norm 5",
    ]
