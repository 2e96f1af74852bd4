"""Tests of the transformation."""
