"""What the checks of a group have in common. Alone, because what shows verdicts needs no check."""

GROUPS = {
    1: "Every rule against an independent reference",
    2: "Ties and kinks",
    3: "The hand-derived backward passes",
    4: "Training",
    5: "Refusals",
    6: "Forward against reverse",
    7: "Structure of what is written",
    8: "Random programs",
}
