"""The page of each code, `CODE.md` beside this module, and pages on topics by their own names."""

from pathlib import Path

from verify.codes import CODES, Code

_FOLDER = Path(__file__).parent
TOPICS = {
    "gradient": "what the real Enzyme makes of a file, run and compared",
    "gpu-async-region": "is that pass correct on branches and cycles?",
    "reduce": "how a file with a finding gets small, and what stays",
    "replay": "running a counterexample here, on a GPU or elsewhere",
    "validate-your-pass": "a pass of your own, in ten minutes",
}


class UnknownCodeError(LookupError):
    """There is no page for what was asked."""


def codes_with_pages() -> list[Code]:
    """The codes that have a page, which are those that checks can report, in order."""
    return [code for code in CODES.values() if (_FOLDER / f"{code.code}.md").is_file()]


def find_code(text: str) -> str:
    """The code that `text` names by its code or its name, in any case."""
    wanted = text.strip().lower().replace("_", "-")
    for code in codes_with_pages():
        if wanted in (code.code.lower(), code.name):
            return code.code
    raise UnknownCodeError(f"unknown code `{text}`; the codes are:")


def find_page(text: str) -> str:
    """The page that `text` names: a topic, or a code or its name in any case."""
    topic = text.strip().lower()
    return topic if topic in TOPICS else find_code(text)


def read_page(name: str) -> str:
    """The page of a code or topic in Markdown."""
    return (_FOLDER / f"{name}.md").read_text(encoding="utf-8")
