"""The text as tokens, a character each, and the batch of a step."""

import hashlib

import torch

from examples.train_lm.errors import InputError

_STEPS_PER_SEED = 1_000_003  # a prime: no two small pairs of seed and step share a generator's seed


class Text:
    """Characters by number.

    Attributes:
        name: where it is from.
        tokens: int64 [characters].
        vocabulary: the characters that occur, sorted; a token is an index into it.
        digest: SHA-256 of its UTF-8 bytes.
    """

    def __init__(self, name: str, content: str):
        self.name = name
        self.vocabulary = "".join(sorted(set(content)))
        numbers = {character: number for number, character in enumerate(self.vocabulary)}
        self.tokens = torch.tensor([numbers[character] for character in content], dtype=torch.int64)
        self.digest = hashlib.sha256(content.encode()).hexdigest()

    def batch(self, seed: int, step: int, size: int, context: int) -> tuple[torch.Tensor, torch.Tensor]:
        """Tokens of `size` random pieces, and the tokens that follow each, [size, context].

        The pieces depend on the arguments alone, so that a resumed run, and each of several processes, draws the
        right ones.
        """
        generator = torch.Generator().manual_seed(seed * _STEPS_PER_SEED + step)
        starts = torch.randint(len(self.tokens) - context, (size, 1), generator=generator)
        pieces = self.tokens[starts + torch.arange(context + 1)]
        return pieces[:, :-1], pieces[:, 1:]


def read(path: str, name: str, context: int) -> Text:
    """The text of a UTF-8 file; InputError where there is none, or one without a piece of `context` characters."""
    try:
        with open(path, encoding="utf-8") as file:
            content = file.read()
    except OSError as error:
        raise InputError(f"--text={name} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"--text={name} is no UTF-8 text: {error.reason} at byte {error.start}") from error
    if len(content) <= context:
        raise InputError(f"--text={name} has {len(content)} characters; expected more than --context, {context}")
    return Text(name, content)
