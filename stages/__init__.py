"""This project's stages: what pipeline.yaml may say, and the artifacts made for each program.

May import mgc, autograd and pipeline; only dodo.py imports it.
"""
