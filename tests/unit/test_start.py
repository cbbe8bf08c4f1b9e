"""What a start costs and what the public names are, seen from processes of their own."""

from __future__ import annotations

import ast
import inspect
import pkgutil
import sys
from pathlib import Path

import pytest

import ndcg
from command import python_process

SOURCE = Path(ndcg.__file__).parent
# Prints the modules that the code before it has brought in.
LOADED = "print(sorted(set(sys.modules) - before))"


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """Two small files."""
    folder = tmp_path_factory.mktemp("pair")
    (folder / "q").write_text("q1 0 a 1\nq1 0 b 0\n", encoding="utf-8")
    (folder / "r").write_text("q1 Q0 a 1 2.0 t\nq1 Q0 b 2 1.0 t\n", encoding="utf-8")
    return str(folder / "q"), str(folder / "r")


def loaded(code: str) -> set[str]:
    """The modules that a fresh interpreter loads for this code."""
    start = "import sys; before = set(sys.modules)"
    return set(ast.literal_eval(python_process(f"{start}\n{code}\n{LOADED}").splitlines()[-1]))


def command(*arguments: str) -> set[str]:
    """The modules that a command loads."""
    return loaded(f"from ndcg.cli.main import main\nassert main({list(arguments)!r}) == 0")


def tops(modules: set[str]) -> set[str]:
    """The packages that modules belong to."""
    return {name.partition(".")[0] for name in modules}


def foreign(modules: set[str]) -> set[str]:
    """The packages that are neither ours nor the standard library's."""
    return tops(modules) - {"ndcg"} - set(sys.stdlib_module_names)


# -- what is loaded --------------------------------------------------------------------------------


def test_importing_the_package_loads_nothing_but_itself() -> None:
    assert loaded("import ndcg") <= {"ndcg", "ndcg._version", "__future__"}


def test_importing_the_package_with_its_plain_names_loads_no_numpy() -> None:
    modules = loaded("import ndcg; ndcg.AXES, ndcg.Convention(), ndcg.PRESETS, ndcg.DataError")
    assert foreign(modules) == set()


@pytest.mark.parametrize("arguments", [(), ("--help",), ("--version",)])
def test_help_and_version_load_next_to_nothing(arguments: tuple[str, ...]) -> None:
    modules = command(*arguments)
    assert foreign(modules) == set()
    heavy = {"argparse", "re", "json", "pathlib", "dataclasses", "typing", "ndcg.convention"}
    assert modules & heavy == set()


@pytest.mark.parametrize("arguments", [("eval", "--help"), ("presets",), ("presets", "trec_eval")])
def test_helps_and_presets_load_no_numpy(arguments: tuple[str, ...]) -> None:
    assert foreign(command(*arguments)) == set()


@pytest.mark.parametrize("arguments", [("measures",), ("measures", "nDCG")])
def test_measures_load_no_rich(arguments: tuple[str, ...]) -> None:
    assert foreign(command(*arguments)) <= {"numpy"}


def test_a_mistake_in_the_options_is_found_without_numpy() -> None:
    code = "from ndcg.cli.main import main\nassert main(['eval', 'q', 'r', '--frobnicate']) == 2"
    assert foreign(loaded(code)) == set()


@pytest.mark.parametrize("name", ["json", "jsonl", "csv", "tsv", "markdown", "trec"])
def test_machine_formats_load_numpy_alone(name: str, pair: tuple[str, str]) -> None:
    assert foreign(command("eval", *pair, "--format", name)) == {"numpy"}


@pytest.mark.parametrize("name", ["json", "csv", "tsv"])
def test_no_format_loads_the_csv_module(name: str, pair: tuple[str, str]) -> None:
    assert "csv" not in command("eval", *pair, "--format", name)


def test_a_table_brings_rich_and_nothing_of_it_that_colours_code(pair: tuple[str, str]) -> None:
    modules = command("eval", *pair)
    assert {"numpy", "rich"} <= foreign(modules)
    assert not {name for name in modules if name.startswith(("pygments.", "markdown_it"))}


def test_a_file_without_compression_loads_no_decompressor(pair: tuple[str, str]) -> None:
    assert not command("eval", *pair, "--json") & {"gzip", "zstandard"}


EVALUATED = """
import ndcg
ev = ndcg.evaluate({"q": {"a": 1, "b": 0}}, {"q": {"a": 2.0, "b": 1.0}}, ["nDCG@10", "AP"])
assert ev["nDCG@10"].mean == 1.0
"""


def test_a_dictionary_is_evaluated_with_numpy_alone() -> None:
    modules = loaded(EVALUATED)
    assert foreign(modules) == {"numpy"}
    assert not modules & {"csv", "json", "argparse", "tempfile", "gzip", "difflib"}
    assert not {name for name in modules if name.startswith(("ndcg.cli", "ndcg.reports"))}


def test_a_dictionary_is_evaluated_without_the_costly_parts_of_numpy() -> None:
    costly = {"numpy.ma", "numpy.random", "numpy.fft", "numpy.testing", "numpy.polynomial"}
    # Older NumPys bring some of them along by themselves.
    assert loaded(EVALUATED) & costly <= loaded("import numpy")


# -- public names ----------------------------------------------------------------------------------


def public_functions() -> list[str]:
    """The public names that are functions."""
    return [name for name in ndcg.__all__ if inspect.isfunction(getattr(ndcg, name))]


def test_every_public_name_resolves_and_is_listed() -> None:
    assert ndcg.__all__ == sorted(ndcg.__all__, key=lambda name: (not name.isupper(), name))
    assert dir(ndcg) == sorted(ndcg.__all__)
    for name in ndcg.__all__:
        assert getattr(ndcg, name) is getattr(ndcg, name)


def test_a_name_that_is_not_public_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'ndcg' has no attribute 'metric'"):
        _ = ndcg.metric  # type: ignore[attr-defined]


def test_star_import_brings_exactly_the_public_names() -> None:
    code = "from ndcg import *\nprint(sorted(n for n in dir() if n in __import__('ndcg').__all__))"
    assert ast.literal_eval(python_process(code)) == sorted(ndcg.__all__)


BEFORE = [
    "",
    "import ndcg.cli.main",
    "import ndcg.evaluation",
    "import ndcg.evaluation.results, ndcg.presets, ndcg.convention, ndcg.measures.registry",
    "import ndcg.evaluation.simple, ndcg.stores.arrays",
    "from ndcg.cli.main import main; main(['presets', 'ndcg'])",
]


@pytest.mark.parametrize("before", BEFORE)
def test_functions_stay_functions_and_can_be_called_twice(before: str) -> None:
    assert public_functions() == [
        "ceiling",
        "check",
        "compare",
        "dcg",
        "evaluate",
        "explain",
        "gate",
        "ndcg",
        "reconcile",
        "trust",
    ]
    code = f"""
import inspect
{before}
import ndcg
for _ in range(2):
    ev = ndcg.evaluate({{"q": {{"a": 1}}}}, {{"q": {{"a": 1.0}}}})
    assert ev["nDCG@10"].mean == 1.0
    assert inspect.isfunction(ndcg.evaluate)
    assert ndcg.check({{"q": {{"a": 1}}}}).exit_code == 0
    assert ndcg.dcg([2, 0, 3], k=3) == 6.5
    assert ndcg.ndcg([1, 0], judged=[1, 0]) == 1.0
    assert inspect.isfunction(ndcg.ndcg) and inspect.isfunction(ndcg.dcg)
import ndcg.cli.main, ndcg.cli.eval_command, ndcg.evaluation, ndcg.reports
from ndcg import dcg, evaluate, ndcg as function
assert ndcg.ndcg is function and ndcg.dcg is dcg
assert ndcg.evaluate is evaluate and inspect.isfunction(evaluate)
for name in ndcg.__all__:
    assert not inspect.ismodule(getattr(ndcg, name)), name
"""
    python_process(code)


def test_no_module_bears_the_name_of_a_public_name() -> None:
    modules = {name for _, name, _ in pkgutil.walk_packages([str(SOURCE)], "ndcg.")}
    assert modules & {f"ndcg.{name}" for name in ndcg.__all__} == set()


def test_the_table_of_homes_agrees_with_the_names_and_the_type_checkers_imports() -> None:
    assert set(ndcg._HOME) | {"__version__"} == set(ndcg.__all__)
    tree = ast.parse((SOURCE / "__init__.py").read_text("utf-8"))
    (guarded,) = (
        node
        for node in tree.body
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
    )
    imports = {
        alias.name: statement.module
        for statement in guarded.body
        if isinstance(statement, ast.ImportFrom)
        for alias in statement.names
    }
    assert imports == ndcg._HOME


def test_the_version_is_that_of_the_distribution() -> None:
    from importlib.metadata import version

    assert ndcg.__version__ == version("ndcg")


def test_types_are_shipped() -> None:
    assert (SOURCE / "py.typed").exists()


# -- the package as it is run ----------------------------------------------------------------------


def test_python_warnings_are_errors_nowhere_in_an_evaluation(pair: tuple[str, str]) -> None:
    code = f"""
import warnings
warnings.simplefilter("error")
from ndcg.cli.main import main
for name in ("table", "json", "csv", "tsv", "jsonl", "markdown", "trec"):
    assert main(["eval", {pair[0]!r}, {pair[1]!r}, "--format", name, "--quiet"]) == 0
"""
    python_process(code)


def test_optimised_python_checks_its_input_all_the_same() -> None:
    import subprocess

    code = "import ndcg; ndcg.evaluate({'q': {'a': 'x'}}, {'q': {'a': 1.0}})"
    done = subprocess.run(
        [sys.executable, "-OO", "-c", code], capture_output=True, timeout=60, check=False
    )
    assert b"error[E26 grade]" in done.stderr


def test_no_module_asserts_what_comes_from_outside() -> None:
    for path in SOURCE.rglob("*.py"):
        tree = ast.parse(path.read_text("utf-8"))
        assert not [node for node in ast.walk(tree) if isinstance(node, ast.Assert)], path
