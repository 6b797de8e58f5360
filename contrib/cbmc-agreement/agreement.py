#!/usr/bin/env python3
"""How far do Cairn and CBMC's own regression tests agree?

Takes a checkout of https://github.com/diffblue/cbmc and looks at every
regression/cbmc/*/test.desc that runs one C file without options and expects
`VERIFICATION SUCCESSFUL` or `VERIFICATION FAILED` (tests that CBMC itself marks
as KNOWNBUG or FUTURE are left out). `cairn check` decides each file for the
property `assert`; the answers are compared. Tests that expect CBMC's standard
checks to fail (pointers, bounds, division, preconditions of the library) are no
assertions: with `--cbmc` each disagreement is also put to CBMC without these
checks.

    agreement.py CHECKOUT --cairn target/release/cairn [--cbmc cbmc] [--time 3]
        [--jobs 2] [--reasons reasons.tsv] [--markdown FILE]

`--reasons` names a file of lines `test<TAB>reason`; they are joined to the table of
what does not agree. Exit code 1: some disagreement has no reason.
"""

import argparse
import concurrent.futures
import pathlib
import re
import subprocess
import sys
from dataclasses import dataclass


@dataclass
class Test:
    name: str
    file: pathlib.Path
    expected: str  # SUCCESSFUL, FAILED
    ours: str = ""
    why: str = ""
    cbmc: str = ""

    def agrees(self):
        return (self.ours, self.expected) in (("TRUE", "SUCCESSFUL"), ("FALSE", "FAILED"))

    def state(self):
        if self.agrees():
            return "agree"
        return "differ" if self.ours in ("TRUE", "FALSE") else "unknown"


def plain_tests(checkout):
    """The tests with one C file, no options, and a plain expectation."""
    for desc in sorted((checkout / "regression" / "cbmc").glob("*/test.desc")):
        lines = desc.read_text(errors="replace").splitlines()
        if len(lines) < 4 or re.search("KNOWNBUG|FUTURE|THOROUGH", lines[0]) or lines[2].strip():
            continue
        file = desc.parent / lines[1].strip()
        if file.suffix != ".c" or not file.is_file():
            continue
        wanted = lines[3:]
        if "--" in wanted:
            wanted = wanted[: wanted.index("--")]
        found = [re.fullmatch(r"\^?VERIFICATION (SUCCESSFUL|FAILED)\$?", line.strip()) for line in wanted]
        found = [m.group(1) for m in found if m]
        if len(found) == 1:
            yield Test(desc.parent.name, file, found[0])


def run(command, folder, seconds):
    try:
        done = subprocess.run(
            command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=seconds, errors="replace"
        )
        return done.stdout + done.stderr
    except subprocess.TimeoutExpired:
        return ""


def decide(test, args):
    # CBMC knows its primitives without a header.
    text = run(
        [args.cairn, "check", "--property", "assert", "--time", str(args.time), test.file.name],
        test.file.parent,
        args.time * 4 + 20,
    )
    verdict = re.search(r"^Verdict: (\w+)(?: \((.*)\))?$", text, re.M)
    test.ours, reason = (verdict.group(1), verdict.group(2) or "") if verdict else ("NONE", "no verdict")
    if test.ours not in ("TRUE", "FALSE"):
        detail = re.search(r"(?:error|unsupported|[Ww]hy unknown): (.*)", text)
        test.why = f"{reason}: {detail.group(1)}" if detail else reason
    if args.cbmc and test.state() == "differ":
        text = run([args.cbmc, "--no-standard-checks", "--unwind", "20", test.file.name], test.file.parent, 60)
        verdict = re.search(r"^VERIFICATION (\w+)", text, re.M)
        test.cbmc = verdict.group(1) if verdict else "none"
    return test


def table(head, rows):
    lines = [head, ["---"] * len(head)]
    lines += [[f"`{row[0]}`"] + [cell.replace("|", "\\|") for cell in row[1:]] for row in rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", type=pathlib.Path)
    parser.add_argument("--cairn", default="cairn")
    parser.add_argument("--cbmc")
    parser.add_argument("--time", type=float, default=3)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--reasons", type=pathlib.Path)
    parser.add_argument("--markdown", type=pathlib.Path)
    args = parser.parse_args()
    # Commands run in the folders of the tests.
    for tool in ("cairn", "cbmc"):
        given = getattr(args, tool)
        if given and pathlib.Path(given).exists():
            setattr(args, tool, str(pathlib.Path(given).resolve()))
    tests = list(plain_tests(args.checkout))
    if not tests:
        sys.exit(f"{args.checkout}: no regression/cbmc/*/test.desc with a plain expectation")
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        tests = list(pool.map(lambda t: decide(t, args), tests))
    reasons = {}
    if args.reasons:
        for line in args.reasons.read_text().splitlines():
            if line and not line.startswith("#"):
                name, _, reason = line.partition("\t")
                reasons[name] = reason
    count = {state: sum(t.state() == state for t in tests) for state in ("agree", "differ", "unknown")}
    figures = f"{len(tests)} tests: {count['agree']} agree, {count['unknown']} unknown, {count['differ']} differ"
    rows = {state: [] for state in ("differ", "unknown")}
    for t in tests:
        if not t.agrees():
            rows[t.state()].append((t.name, t.expected, t.ours, t.cbmc, reasons.get(t.name) or t.why))
    print("\n".join("\t".join(row) for row in rows["differ"] + rows["unknown"]))
    print(figures)
    if args.markdown:
        differ = table(("test", "expected", "Cairn", "CBMC without standard checks", "reason"), rows["differ"])
        unknown = table(("test", "expected", "Cairn", "reason"), [row[:3] + row[4:] for row in rows["unknown"]])
        args.markdown.write_text(f"{figures}.\n\n{differ}\n{unknown}")
    unexplained = [t.name for t in tests if t.state() == "differ" and t.name not in reasons]
    if unexplained:
        sys.exit(f"without a reason: {', '.join(unexplained)}")


if __name__ == "__main__":
    main()
