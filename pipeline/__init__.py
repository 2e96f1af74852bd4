"""A doit plugin: configuration, artifacts and reporting for any project's task graph.

Holds nothing about the project that uses it, and imports only the standard library, doit,
PyYAML and rich. A dodo.py reads its settings with `pipeline.config`, makes every task with
`pipeline.artifact` and names `pipeline.reporter.StageReporter` in its DOIT_CONFIG.
"""
