"""The steps of the README, "How to add a mechanism", followed with the file that it shows."""

import os
import re
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

HOUSE = Path(__file__).parents[2]
STEPS = (HOUSE / "README.md").read_text(encoding="utf-8").split("## How to add a mechanism")[1]

IN_THE_APP = """
from streamlit.testing.v1 import AppTest
from tests.boxes import number_box

app = AppTest.from_file("app.py", default_timeout=120)
app.query_params["mechanism"] = "randomised-response"
app.query_params["eps"] = "7.5"
app.query_params["size"] = "10000"
app.run()
assert not app.exception, app.exception
assert not app.warning, app.warning
assert "Randomised response" in app.selectbox(key="mechanism").options
assert number_box(app, key="randomised-response.epsilon").value == 7.5
assert any("Randomised response: pure DP" in element.value for element in app.markdown)
app.selectbox(key="mechanism").select_index(0).run()
assert not app.exception, app.exception
"""


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """The project with one mechanism more: other rooms are the real ones."""
    house = tmp_path_factory.mktemp("house")
    for room in HOUSE.iterdir():
        if room.name not in ("mechanisms", ".git") and not room.name.endswith("_cache"):
            (house / room.name).symlink_to(room)
    shutil.copytree(
        HOUSE / "mechanisms", house / "mechanisms", ignore=shutil.ignore_patterns("__pycache__")
    )
    # Step 1.
    (name,) = re.findall(r"For instance `(mechanisms/\w+\.py)`", STEPS)
    (code,) = re.findall(r"```python\n(.*?)```", STEPS, flags=re.DOTALL)
    (house / name).write_text(textwrap.dedent("   " + code.lstrip()), encoding="utf-8")
    # Step 2.
    registry = house / "mechanisms" / "__init__.py"
    lines = registry.read_text(encoding="utf-8")
    for before, after in (
        (
            "from mechanisms.santext",
            f"from mechanisms.{Path(name).stem} import RandomisedResponse\n",
        ),
        ("    SanText,\n", "    RandomisedResponse,\n"),
        ('    "SanText",\n', '    "RandomisedResponse",\n'),
    ):
        assert lines.count(before) == 1
        lines = lines.replace(before, after + before)
    registry.write_text(lines, encoding="utf-8")
    return house


def python(house, *arguments):
    run = subprocess.run(
        [sys.executable, *arguments],
        cwd=house,
        env=os.environ | {"PYTHONPATH": str(house), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert run.returncode == 0, run.stdout[-3000:] + run.stderr[-3000:]
    return run.stdout


def test_the_contract_and_the_house_rules_hold_for_it(house):
    # Step 3.
    names = ("mechanisms", "unknown_word", "audit", "architecture")
    tests = [f"tests/test_{name}.py" for name in names]
    said = python(
        house, "-m", "pytest", "-q", "-rA", "-k", "andomised or registered or exported", *tests
    )
    passed = re.findall(r"PASSED \S+::(\w+)\[Randomised response", said)
    assert len(set(passed)) >= 10
    assert "test_every_module_with_a_mechanism_is_registered" in said
    assert "[mechanisms/randomised_response.py]" in said


def test_the_picker_the_link_and_the_promise_on_screen_take_it_from_the_registry(house):
    python(house, "-c", IN_THE_APP)
