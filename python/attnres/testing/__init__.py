"""What tests of the operator share: one table of cases, inputs, guarded memory, and SPEC's tiling in Python."""
