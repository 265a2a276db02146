"""Sets of forged voices, pasted texts and real ones, each in two halves."""
