"""All checks, and how they are run: by item, which is a program or a subject of its own."""

from __future__ import annotations

from math import inf
from time import perf_counter
from typing import TYPE_CHECKING

from checks.check import Case, Draw, OwnCheck, ProgramCheck, Setting
from checks.comparison import Settled
from checks.properties import (
    adjoint_identity,
    between_slopes,
    chosen_loss,
    complex_step,
    descents_by_hand,
    every_line_compiles,
    every_matrix,
    expected_values,
    finite_differences,
    flat_comparison,
    forward_by_hand,
    forward_slopes,
    hand_derived,
    ieee_at_poles,
    linear_size,
    listing_form,
    literal_bits,
    literals_once,
    loss_falls,
    malformed_ir,
    names_kept,
    no_unused_let,
    nothing_stretched,
    optimized_algebra,
    optimized_gradients,
    optimized_training,
    random_losses,
    refused_directions,
    refused_operations,
    refused_requests,
    regressions,
    relu_at_zero,
    rule_adjoints,
    rule_slopes,
    second_derivative,
    shared_ties,
    six_digits,
    small_descent,
    stepped_training,
    tied_maxima,
    told_apart,
    training_losses,
    training_parameters,
    unknown_sizes,
    zeros_on_request,
)
from checks.verdict import Finding, Verdict
from checks.writing import Unanswered

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from checks.check import Check
    from checks.programs import Program
    from checks.subject import Subject

CHECKS: tuple[Check, ...] = (
    finite_differences.check,
    complex_step.check,
    rule_slopes.check,
    rule_slopes.check_square,
    optimized_gradients.check,
    optimized_gradients.check_rules,
    optimized_algebra.check,
    optimized_algebra.check_products,
    optimized_algebra.check_softmax,
    tied_maxima.check,
    relu_at_zero.check,
    flat_comparison.check,
    ieee_at_poles.check,
    between_slopes.check,
    between_slopes.check_small,
    shared_ties.check,
    optimized_gradients.check_golden,
    hand_derived.check,
    expected_values.check,
    stepped_training.check,
    training_losses.check,
    training_parameters.check,
    loss_falls.check,
    optimized_training.check,
    small_descent.check,
    descents_by_hand.check,
    refused_requests.check,
    refused_requests.check_several,
    refused_requests.check_zeros,
    refused_operations.check,
    refused_directions.check,
    malformed_ir.check,
    malformed_ir.check_literals,
    adjoint_identity.check,
    forward_slopes.check,
    rule_adjoints.check,
    rule_adjoints.check_square,
    forward_by_hand.check,
    six_digits.check,
    every_line_compiles.check,
    second_derivative.check,
    no_unused_let.check,
    linear_size.check,
    literal_bits.check,
    literals_once.check,
    listing_form.check,
    listing_form.check_descents,
    listing_form.check_forward,
    told_apart.check,
    names_kept.check,
    chosen_loss.check,
    every_matrix.check,
    zeros_on_request.check,
    unknown_sizes.check,
    nothing_stretched.check,
    random_losses.check,
    random_losses.check_optimized,
    regressions.check,
)


def items(programs: Iterable[Program]) -> list[str]:
    """Return what there is to run: the names of the programs, then those of the other items."""
    own = dict.fromkeys(check.item for check in CHECKS if isinstance(check, OwnCheck))
    return [*(program.name for program in programs), *own]


def run(
    item: str, programs: Sequence[Program], subject: Subject, draw: Draw | None = None
) -> list[Verdict]:
    """Return the verdicts of an item's checks; KeyError if there is no such item.

    What is no verdict propagates: a crash of the subject, or of a check.
    """
    verdicts = (run_check(check, item, programs, subject, draw) for check in checks_of(item))
    return [verdict for verdict in verdicts if verdict is not None]


def checks_of(item: str) -> list[Check]:
    """Return the checks of an item; those of programs are tried on every program."""
    own = [check for check in CHECKS if isinstance(check, OwnCheck) and check.item == item]
    return [*own] or [check for check in CHECKS if isinstance(check, ProgramCheck)]


def run_check(
    check: Check,
    item: str,
    programs: Sequence[Program],
    subject: Subject,
    draw: Draw | None = None,
) -> Verdict | None:
    """Return the verdict of one check on one item, or None where the check does not apply."""
    if isinstance(check, OwnCheck):
        setting = Setting(subject, draw or Draw())
        return _verdict(check, item, lambda: check.run(setting))
    case = Case({program.name: program for program in programs}[item], subject)
    return _verdict(check, item, lambda: check.run(case))


def _verdict(check: Check, item: str, find: Callable[[], Finding | None]) -> Verdict | None:
    start = perf_counter()
    try:
        finding = find()
    except Settled as settled:
        finding = settled.finding
    except Unanswered as unanswered:
        finding = _unanswered(unanswered)
    seconds = perf_counter() - start
    if finding is None:
        return None
    return Verdict(
        id=check.id,
        group=check.group,
        title=check.title,
        program=item,
        passed=finding.passed,
        elements=finding.elements,
        worst=finding.worst,
        tolerance=finding.tolerance,
        reason=finding.reason,
        detail=finding.detail,
        seconds=seconds,
        cause=finding.cause,
    )


def _unanswered(unanswered: Unanswered) -> Finding:
    return Finding(
        passed=False,
        elements=0,
        worst=inf,
        tolerance=0.0,
        reason="a program that can be differentiated is neither refused nor written wrongly",
        detail=f"{unanswered.cause}: {unanswered.message}",
        cause=unanswered.cause,
    )
