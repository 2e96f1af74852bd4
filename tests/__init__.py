"""Tests: folders mirror the packages, and a package's tests may use its private names."""
