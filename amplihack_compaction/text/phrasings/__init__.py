"""The words of work that goes on or turns to other work, and of rules that are taken back."""
