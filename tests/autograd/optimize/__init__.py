"""Tests of `autograd -O`."""
