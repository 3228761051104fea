"""Single files of common formats: pairs made here, by what differs in them."""

import json

from common import check, core, expect, findings, make, result


def bookkeeping(work, a, b, *words, cause=None):
    """Both have the same content, and what differs is told."""
    make(work, a=a, b=b)
    return expect(result(work), "CONTENT-EQUAL", *words, cause=cause)


def payload(work, a, b, level, *words, cause=None):
    make(work, a=a, b=b)
    return expect(result(work), level, *words, cause=cause)


def left_to_others(work, format, whole, damaged):
    """Damage is no error: the next format is asked."""
    make(work, a=whole, b=damaged)
    found = result(work)
    check(found["object"]["format"] != format, f"damaged, and still {format}: {findings(found)}")
    check(found["level"] in ("STRUCTURE-EQUAL", "DIFFERENT"), f"damaged, and {found['level']}")


DOCUMENT = {"name": "x", "list": [1, 2.5, {"deep": True}], "odd key": None}


@core
def test_json_in_another_order_and_layout_has_the_same_content(work):
    mixed = dict(reversed(DOCUMENT.items()))
    bookkeeping(work, json.dumps(DOCUMENT), json.dumps(mixed), "keys", cause="order of entries")
    bookkeeping(work, json.dumps(DOCUMENT), json.dumps(DOCUMENT, indent=1), "blanks")
    bookkeeping(work, '{"a": "\\u0041", "b": 1.0}', '{"a": "A", "b": 1.00}', "escapes")


def test_json_values_are_named_by_their_paths(work):
    other = json.dumps(DOCUMENT).replace("2.5", "3.5")
    payload(work, json.dumps(DOCUMENT), other, "STRUCTURE-EQUAL", "$.list[1]: 2.5, 3.5")
    other = json.dumps(DOCUMENT).replace("true", "false")
    payload(work, json.dumps(DOCUMENT), other, "STRUCTURE-EQUAL", "$.list[2].deep: true, false")
    other = json.dumps({**DOCUMENT, "odd key": 3})
    payload(work, json.dumps(DOCUMENT), other, "DIFFERENT", '$["odd key"]: null, 3')
    payload(work, '{"t": "built 2020-01-01"}', '{"t": "built 2021-07-03"}', "STRUCTURE-EQUAL", "$.t:",
            cause="date or time")


def test_json_elements_that_come_first_do_not_move_the_others(work):
    payload(work, '{"a": [1, 2, 3]}', '{"a": [1, 2, 4, 3]}', "DIFFERENT", "$.a[2]: only in B: 4")
    check(len(findings(result(work))) == 1, "more than one finding")


def test_json_that_is_none_is_text(work):
    for broken in ('{"a": 1, "a": 2}', "{no}", '{"a": 99999999999999999999999}', "[" * 5000 + "]" * 5000):
        left_to_others(work, "JSON", '{"a": 1}', broken)
