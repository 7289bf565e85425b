"""In: windows and changes. Out: requests in the shape in which editors send them, written for these tests."""

from typing import Any

WINDOW = "def area(w, h):\n    return w * h\n\n\nprint(area(width, 2))\n"
NEW = WINDOW.replace("area(width, 2)", "area(w, 2)")


def zed_sweep(window: str = WINDOW, path: str = "src/shape.py", other: str = "w = 3\n") -> str:
    """Related file, last change, the window before it, now, and anew; no mark of the cursor."""
    return (
        f"<|file_sep|>src/sizes.py\n{other}"
        f"<|file_sep|>{path}.diff\noriginal:\nwidth = 3\nupdated:\nw = 3\n"
        f"<|file_sep|>original/{path}\n{window}<|file_sep|>current/{path}\n{window}<|file_sep|>updated/{path}\n"
    )


def cursortab_sweep(window: str = WINDOW, cursor: int = 20, path: str = "shape.py") -> str:
    """The file, the last change, the window with its lines, the cursor, and its unchanged head written already."""
    lines = f"{path}:1:{window.count(chr(10))}"
    head = window[: window.rfind("\n", 0, cursor) + 1]
    return (
        f"<|file_sep|>{path}\n{window}<|file_sep|>{path}.diff\noriginal:\nwidth = 3\nupdated:\nw = 3\n"
        f"<|file_sep|>original/{lines}\n{window}"
        f"<|file_sep|>current/{lines}\n{window[:cursor]}<|cursor|>{window[cursor:]}"
        f"<|file_sep|>updated/{lines}\n{head}"
    )


def qwen(prefix: str = "def area(w, h):\n    return ", suffix: str = "\n\nprint(area(2, 3))\n") -> str:
    return f"<|fim_prefix|>{prefix}<|fim_suffix|>{suffix}<|fim_middle|>"


def zeta1(window: str = WINDOW) -> str:
    at = window.index("print")
    return (
        "### Instruction:\nRewrite the excerpt.\n\n"
        "### User Edits:\n\nUser edited shape.py:\n```diff\n-width\n+w\n```\n\n"
        f"### User Excerpt:\n\n```shape.py\n<|start_of_file|>\n<|editable_region_start|>\n{window[:at]}"
        f"<|user_cursor_is_here|>{window[at:]}<|editable_region_end|>\n```\n\n### Response:\n"
    )


def zeta2(window: str = WINDOW) -> str:
    at = window.index("print")
    return (
        "<[fim-suffix]>\nclose()\n<[fim-prefix]><filename>edit_history\n--- a/shape.py\n+++ b/shape.py\n-width\n+w\n\n"
        f"<filename>shape.py\nopen()\n<<<<<<< CURRENT\n{window[:at]}<|user_cursor|>{window[at:]}=======\n<[fim-middle]>"
    )


def zeta21(window: str = WINDOW) -> str:
    at = window.index("print")
    return (
        "<[fim-suffix]>\nclose()\n<[fim-prefix]><filename>edit_history\n--- a/shape.py\n+++ b/shape.py\n-width\n+w\n\n"
        f"<filename>shape.py\nopen()\n<|marker_1|>{window[:at]}<|marker_2|><|user_cursor|>{window[at:]}<|marker_3|>\n"
        "<[fim-middle]>"
    )


ZED: dict[str, Any] = {"model": "sweep-next-edit", "max_tokens": 512, "stop": ["<|file_sep|>", "</s>"]}
CURSORTAB: dict[str, Any] = {
    "model": "sweep-next-edit-0.5B",
    "temperature": 0,
    "max_tokens": 2048,
    "top_k": 50,
    "stop": ["<|file_sep|>", "<|endoftext|>"],
    "n": 1,
    "echo": False,
    "stream": False,
}
ZED_FIM: dict[str, Any] = {
    "model": "qwen2.5-coder",
    "max_tokens": 64,
    "stop": ["<|endoftext|>", "<|fim_prefix|>", "<|fim_middle|>", "<|fim_suffix|>"],
}
LLAMA_VIM: dict[str, Any] = {
    "input_prefix": "def area(w, h):\n",
    "input_suffix": "\n\nprint(area(2, 3))\n",
    "input_extra": [{"text": "w = 3\n", "time": [1, 2], "filename": "sizes.py"}],
    "prompt": "    return ",
    "n_predict": 128,
    "n_indent": 4,
    "top_k": 40,
    "top_p": 0.99,
    "stream": False,
    "samplers": ["top_k", "top_p", "infill"],
    "cache_prompt": True,
    "t_max_prompt_ms": 500,
    "t_max_predict_ms": 60000,
    "response_fields": ["content", "timings/prompt_n", "timings/predicted_ms", "truncated", "tokens_cached"],
}
