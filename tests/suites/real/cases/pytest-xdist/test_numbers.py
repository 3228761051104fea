import os
import threading

import pytest


@pytest.fixture(scope="session")
def place(tmp_path_factory):
    return tmp_path_factory.mktemp("numbers")


@pytest.mark.parametrize("n", range(24))
def test_sum(n, place):
    total = sum(range(n % 5 * 20000))
    (place / f"{n}").write_text(f"{total} {os.getpid()}")
    assert total == n % 5 * 20000 * (n % 5 * 20000 - 1) // 2


@pytest.mark.parametrize("n", range(6))
def test_threads(n):
    found = []
    threads = [threading.Thread(target=found.append, args=(k,)) for k in range(n)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found) == list(range(n))
