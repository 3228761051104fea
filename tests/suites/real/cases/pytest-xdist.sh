#!/bin/sh
# pytest with three workers: which worker gets which test, in which order they end.
# shows: 30 passed
# level: full
set -eu
here=$(dirname "$0")/pytest-xdist
cp "$here/test_numbers.py" .
PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 -m pytest -n 3 -v -p no:cacheprovider --junitxml=report.xml test_numbers.py | tee out.txt
