"""Suites of properties: Python files beside the suite's `run`, with functions named test_PROPERTY(work).

Each function gets a fresh directory of its own. Marked with @core, it is also run at that level; with @full, only
there. With arguments, only properties that contain one of them are tested.
"""

import importlib
import sys
import traceback

import suite


class Failed(Exception):
    """What a test protects does not hold."""


class Skipped(Exception):
    """This machine cannot tell."""


def core(function):
    """Marks a test for the level `core`."""
    function.level = "core"
    return function


def full(function):
    """Marks a test that takes long."""
    function.level = "full"
    return function


def check(condition, why, ended=None):
    if not condition:
        said = f"\nstatus {ended.status}\n{suite.text(ended.out)}{suite.text(ended.err)}" if ended else ""
        raise Failed(f"{why}{said}")


def _all_below(here):
    for path in sorted(here.glob("*.py")):
        module = importlib.import_module(path.stem)
        for name, function in vars(module).items():
            if name.startswith("test_") and function.__module__ == module.__name__:
                yield name.removeprefix("test_"), function


def _is_wanted(name, function):
    if not suite.reaches(getattr(function, "level", "normal")):
        return False
    return len(sys.argv) == 1 or any(word in name for word in sys.argv[1:])


def _run(test):
    name, function = test
    try:
        function(suite.fresh(name))
        suite.ok(name)
    except Skipped as reason:
        suite.skip(name, reason)
    except Failed as why:
        suite.not_ok(name, str(why).splitlines()[0], str(why))
    except Exception as error:  # one test must not take the others with it
        suite.not_ok(name, repr(error), traceback.format_exc())


def run_all(here):
    """Runs the tests of the files in this directory."""
    suite.in_parallel(_run, [test for test in _all_below(here) if _is_wanted(*test)])
