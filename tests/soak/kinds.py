"""The kinds of runs. Each takes a job (see worker.py), and compares what comes out with what came out first."""

import hashlib
import os
import stat

import cases


def run(job, *options):
    ended = job.stet("run", "--digest", *options, *job.subject.options, "--", *job.subject.command)
    job.check(not (trouble := job.subject.trouble(ended)), trouble, ended)
    job.same("run", cases.outcome(ended), ended)
    return ended


def run_strictly(job):
    run(job, "--strict-order")


def run_with_log(job):
    run(job, "--log", job.directory / "log")


def save(job):
    run(job, "--save", job.directory / "saved")
    job.same("saved", listing(job.directory / "saved"))


def save_and_compare(job):
    for name in ("a", "b"):
        job.fresh_work()
        run(job, "--save", job.directory / name)
    ended = job.stet("diff", job.directory / "a", job.directory / "b")
    job.check(ended.status == 0, f"stet diff of two results ends with {ended.status}", ended)


def compare_others(job):
    """Two results that differ in one file: stet diff says so, each time in the same words."""
    run(job, "--save", job.directory / "a")
    other = job.directory / "b"
    other.mkdir()
    job.step("cp", "-a", f"{job.directory}/a/.", other)
    (other / "files").mkdir(exist_ok=True)
    (other / "files" / "more").write_text("not in the other\n")
    os.utime(other / "files" / "more", (0, 0))
    ended = job.stet("diff", "../a", "../b")
    job.check(ended.status == 1, f"stet diff of different results ends with {ended.status}", ended)
    job.same("diff", cases.outcome(ended), ended)


def verify(job):
    ended = job.stet("verify", *job.subject.options, "--", *job.subject.command)
    job.check(ended.status == 0, f"stet verify ends with {ended.status}", ended)


def pack_and_rerun(job):
    bundle = job.directory / "bundle.stet"
    packed = job.stet("pack", "-o", bundle, *job.subject.options, "--", *job.subject.command)
    job.same("pack", cases.outcome(packed), packed)
    job.fresh_work()
    again = job.stet("rerun", bundle)
    job.check(again.status == packed.status and b", the same as when it was packed" in again.err,
              f"stet rerun ends with {again.status}", again)
    job.check(again.out == packed.out, "stet rerun: other output", again)


def image(job):
    """Names of images come and go while others start from the same image."""
    tar, name = job.subject.options[1], f"worker{job.worker}"
    imported = job.stet("image", "import", tar, name)
    job.check(imported.status == 0, f"stet image import ends with {imported.status}", imported)
    run(job)
    digest = job.stet("image", "digest", name)
    job.check(digest.status == 0, f"stet image digest ends with {digest.status}", digest)
    job.same("digest", digest.out, digest)
    removed = job.stet("image", "rm", name)
    # The other worker may run from it at this moment.
    job.check(removed.status == 0 or b": is in use" in removed.err, f"stet image rm ends with {removed.status}", removed)
    pruned = job.stet("image", "prune")
    job.check(pruned.status == 0, f"stet image prune ends with {pruned.status}", pruned)
    run(job)


def listing(directory):
    """Names, modes, sizes and contents of a tree, by one hash."""
    hashed = hashlib.sha256()
    for path in sorted(directory.rglob("*")):
        info = path.lstat()
        hashed.update(f"{path.relative_to(directory)} {info.st_mode:o} {info.st_mtime_ns}\n".encode())
        if stat.S_ISREG(info.st_mode):
            hashed.update(path.read_bytes())
        elif stat.S_ISLNK(info.st_mode):
            hashed.update(os.readlink(path).encode())
    return hashed.hexdigest()


# Kind, and how often.
OF_CASES = {run: 50, run_strictly: 5, run_with_log: 4, save: 10, save_and_compare: 6, compare_others: 3, verify: 6,
            pack_and_rerun: 8}
OF_FAILURES = {run: 1, run_strictly: 1}  # of what Stet itself ends, with status 125
OF_IMAGES = {run: 3, save: 1, save_and_compare: 1, verify: 1, pack_and_rerun: 1, image: 4}


def of_case(subject):
    if subject.case.status == 125:
        return OF_FAILURES
    if subject.case.note("bundles", ""):
        return {kind: weight for kind, weight in OF_CASES.items() if kind is not pack_and_rerun}
    return OF_CASES
