"""Make up any number of messages whose words are spread as in real sessions.

Words follow Zipf's law, as in any language; beside them stand paths, identifiers that are shared
by a few messages, ones that are in a single message, numbers, and now and then Chinese.
"""

import random
from collections.abc import Iterator
from itertools import accumulate

from amplihack_compaction.store.messages import StoredMessage

KINDS = ("prompt", "answer", "tool_call", "tool_output", "tool_output", "tool_call", "answer")
ROLES = {"prompt": "user", "answer": "assistant", "tool_call": "assistant", "tool_output": "tool"}
_WORDS = 60_000
_SENTENCES = 120_000
_COMMON = (
    "the to of a and in is it that for error test file not with this on be are as function return"
    " import value name data line type path run fix add use new get set list key user token"
).split()
_HAN = "会话压缩存储数据库索引查询错误测试文件路径函数返回值用户设置端口配置消息历史记录"


class Speech:
    """A vocabulary and sentences made of it; the same for the same seed."""

    def __init__(self, seed: int = 7) -> None:
        self.random = random.Random(seed)
        letters = "etaoinshrdlucmfwypvbgkjqxz"
        weights = [1 / (place + 2) for place in range(len(letters))]
        made = {
            "".join(self.random.choices(letters, weights, k=self.random.randint(3, 11)))
            for _ in range(_WORDS)
        }
        self.words = _COMMON + sorted(made)
        cumulative = list(accumulate(1 / (place + 1) for place in range(len(self.words))))
        chosen = self.random.choices(self.words, cum_weights=cumulative, k=12 * _SENTENCES)
        self.sentences = [" ".join(chosen[at : at + 12]) for at in range(0, len(chosen), 12)]

    def text(self, number: int) -> str:
        """Return the text of a message: about 570 characters, the mean of the real ones."""
        pick = self.random.randrange
        parts = [self.sentences[pick(_SENTENCES)] for _ in range(6)]
        parts.append(
            f"src/{self.words[pick(3000)]}/{self.words[pick(3000)]}_{pick(500)}.py:{pick(900)}"
        )
        parts.append(f"handle{self.words[pick(20000)].title()}Event only_{number:x}_here")
        if number % 50 == 0:
            parts.append("".join(self.random.choices(_HAN, k=12)))
        return "\n".join(parts)

    def messages(self, first: int, count: int) -> "Iterator[StoredMessage]":
        """Yield messages with the numbers from `first` on."""
        for number in range(first, first + count):
            kind = KINDS[number % len(KINDS)]
            day = f"2026-{1 + number // 90_000 % 12:02}-{1 + number // 3_200 % 28:02}"
            yield StoredMessage(
                ROLES[kind],
                self.text(number),
                kind,
                "Bash" if kind.startswith("tool") else "",
                tokens=200,
                turn=number // len(KINDS),
                said_at=f"{day}T10:00:00.000Z",
                uuid=f"{number:x}",
                place=number * 1000,
            )

    def queries(self, count: int, most: int) -> "Iterator[str]":
        """Yield what people look for among messages up to the number `most`."""
        pick = self.random.randrange
        for number in range(count):
            word = self.words[40 + pick(5000)]
            yield (
                word,
                f"{word} {self.words[40 + pick(5000)]}",
                f"only_{pick(most):x}_here",
                f"handle{self.words[pick(20000)].title()}Event",
                self.words[pick(20000)].title() + "Event",
                f"src/{self.words[pick(3000)]}",
                f"{self.words[pick(40)]} {word}",
                f'"{" ".join(self.sentences[pick(_SENTENCES)].split()[3:6])}"',
                _HAN[pick(20) : 25][:2],
                self.words[pick(40)],
            )[number % 10]
