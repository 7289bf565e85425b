"""Lines that a block shows longer, or with other numbers, in the file's order are these lines; or there is doubt."""

from redraft.edit.request import Request
from redraft.reading import merged

MODEL = "class User < Base\n  has_many :posts\n  validates :email, presence: true\n\n  def a\n    1\n  end\nend\n"
LONGER = "  has_many :posts, dependent: :destroy\n"
STEPS = (
    "jobs:\n  steps:\n    - uses: a/checkout@v3\n    - uses: a/python@v4\n"
    "      with:\n        python: 3\n    - run: make\n"
)
TOTAL = (
    "class Cart\n{\n    public decimal Total()\n    {\n        decimal sum = Sum();\n        return sum;\n    }\n}\n"
)


def written(path: str, file: str, words: str, code: str) -> str | None:
    result = merged(Request(file, f"{words}\n\n```\n{code}```\n", "", path))
    return result.output if result.status == "applied" else None


def test_a_line_with_more_behind_a_comma_above_a_marker() -> None:
    code = f"class User < Base\n{LONGER}  validates :email, presence: true\n\n  # ...\nend\n"
    assert written("user.rb", MODEL, "Add what goes:", code) == MODEL.replace("  has_many :posts\n", LONGER)


def test_a_new_line_below_longer_ones() -> None:
    valid = "  validates :email, presence: true, uniqueness: true\n"
    code = f"class User < Base\n{LONGER}{valid}\n  scope :admins, -> {{ all }}\n\n  # ...\nend\n"
    expected = f"class User < Base\n{LONGER}{valid}\n  scope :admins, -> {{ all }}\n\n  def a\n    1\n  end\nend\n"
    assert written("user.rb", MODEL, "Add uniqueness, and a scope:", code) == expected


def test_another_symbol_takes_no_line() -> None:
    code = "class User < Base\n  has_many :comments, dependent: :destroy\n\n  # ...\nend\n"
    assert "has_many :posts\n" in (written("user.rb", MODEL, "Add a relation:", code) or MODEL)


def test_several_lines_with_other_versions_above_one_that_stays() -> None:
    code = "    - uses: a/checkout@v4\n    - uses: a/python@v5\n      with:\n        python: 3\n        cache: pip\n"
    expected = STEPS.replace("v4", "v5").replace("v3", "v4").replace("python: 3\n", "python: 3\n        cache: pip\n")
    assert written("ci.yml", STEPS, "Update the actions and cache pip:", code) == expected


def test_a_function_of_one_expression_takes_the_place_of_its_body() -> None:
    code = "public decimal Total() => items.Sum(item => item.Price);\n"
    text = written("Cart.cs", TOTAL, "A sum over the price of all items is shorter:", code)
    assert text == f"class Cart\n{{\n    {code}}}\n"


def test_a_prototype_with_an_arrow_is_no_body() -> None:
    file = "function on(call: () => void): void {\n  a();\n  b();\n  c();\n}\n"
    assert written("a.ts", file, "Here it is:", "declare function on(call: () => void): void;\n") is None
