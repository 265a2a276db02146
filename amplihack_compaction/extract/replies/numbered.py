"""Which of the model's numbered questions a prompt answers: "1 ses 2 yes 3 monthly"."""

import re
from collections import Counter

from amplihack_compaction.extract.replies.choices import options_in
from amplihack_compaction.extract.replies.questions import TEXT_CHARS
from amplihack_compaction.text.strings import one_line

# Who answers more than that writes a text of his own.
_ANSWERS_CHARS = 600
_ANSWER_CHARS = 160
_LEAST_ANSWERS = 2
_NUMBER = re.compile(r"(?:^|(?<=[\s,;]))\(?(?P<label>[1-9])[.):]?(?=\s)")
_EDGES = " \t\n,;.:–—-"


def numbered_answers(prompt: str, text: str) -> list[tuple[str, str]]:
    """Return the questions of a text's numbered list with a prompt's answers to them.

    There are none where the numbers of the answers are not clear.
    """
    if len(prompt) > _ANSWERS_CHARS or "?" not in text:
        return []
    found = list(_NUMBER.finditer(prompt))
    if len(found) < _LEAST_ANSWERS:
        return []
    questions = {
        label: asked for label, asked in options_in(text[-TEXT_CHARS:]) if asked.endswith("?")
    }
    found = [each for each in found if each["label"] in questions]
    labels = [each["label"] for each in found]
    clear = labels == sorted(labels) and max(Counter(labels).values(), default=0) == 1
    if len(found) < _LEAST_ANSWERS or not clear or prompt[: found[0].start()].strip(_EDGES):
        return []
    ends = [*(each.start() for each in found[1:]), len(prompt)]
    answers = (
        (questions[each["label"]], one_line(prompt[each.end() : end].strip(_EDGES), _ANSWER_CHARS))
        for each, end in zip(found, ends, strict=True)
    )
    return [(asked, answer) for asked, answer in answers if answer]
