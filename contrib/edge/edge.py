#!/usr/bin/env python3
"""The answers at the edge of the program, as a table (docs/edge.md).

    edge.py --cairn target/release/cairn [--time 10] [--only TEXT] > table.md

Every program of programs.tsv is put to every engine, and built by gcc and run with the inputs of the
first run of its expectation file ("fails": an assertion fails or the error function is called). Exit
code 1: some answer is wrong (UNKNOWN is no wrong answer), or one took more than a second longer than it
was given. Needs PyYAML.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import yaml

ENGINES = ("auto", "bmc", "kinduction", "gps", "symex")
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def native(task, files, options):
    """How the program that gcc builds ends. What only the library or the outside decides is not given to it."""
    run, model = task["cairn"]["run"][0], ["-m32"] if "--32" in options else []
    flags = ["-w", "-std=gnu11", "-O0", "-fwrapv", *model, *task["cairn"].get("gcc_flags", [])]
    with tempfile.TemporaryDirectory() as folder:
        program = f"{folder}/program"
        build = ["gcc", *flags, "-o", program, *files, str(ROOT / "tests/support/verifier.c"), "-lm"]
        if subprocess.run(build, capture_output=True).returncode != 0:
            return "does not link"
        env = {"CAIRN_INPUTS": ",".join(run.get("inputs", []))}
        given = run.get("stdin", "").encode()
        try:
            command = [program, *run.get("args", [])]
            done = subprocess.run(command, input=given, capture_output=True, env=env, timeout=10, cwd=folder)
        except subprocess.TimeoutExpired:
            return "no end"
    if done.returncode == 99 or b"Assertion" in done.stderr:
        return "fails"
    return "holds" if done.returncode == 0 else f"ends with {done.returncode}"


def answer(args, engine, options, files):
    command = [args.cairn, "check", "-q", "--engine", engine, "--time", str(args.time), *options, *files]
    start = time.monotonic()
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=args.time * 3 + 30
        )
    except subprocess.TimeoutExpired:
        return "no end", True
    late = time.monotonic() - start > args.time + 1
    found = re.search(r"^Verdict: (\w+)(?: \((.*)\))?$", done.stdout + done.stderr, re.M)
    if not found:
        return f"none (exit code {done.returncode})", late
    verdict, rest = found.group(1), found.group(2) or ""
    if (verdict, rest) == ("UNKNOWN", "unsupported"):
        return "refused", late
    if verdict == "TRUE" and rest:
        return "TRUE (if …)", late
    return verdict, late


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cairn", default=str(ROOT / "target/release/cairn"))
    parser.add_argument("--time", type=int, default=10)
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    wrong = []
    print("| item | program | gcc | before | " + " | ".join(ENGINES) + " |")
    print("|---" * (4 + len(ENGINES)) + "|")
    for line in (pathlib.Path(__file__).parent / "programs.tsv").read_text().splitlines():
        if line.startswith("#") or args.only not in line:
            continue
        item, name, options, before, right = line.split("\t")
        source = ROOT / "tests/programs" / f"{name}.c"
        task = yaml.safe_load(source.with_suffix(".yml").read_text())
        files = task["input_files"] if isinstance(task["input_files"], list) else [task["input_files"]]
        files = [str(source.parent / file) for file in files]
        gcc = native(task, files, options)
        cells = []
        for engine in ENGINES:
            verdict, late = answer(args, engine, options.split(), files)
            allowed = (right, "UNKNOWN") if right != "TRUE" else (right, "TRUE (if …)", "UNKNOWN")
            if verdict not in allowed or late:
                wrong.append(f"{name} by {engine}: {verdict}{', late' if late else ''}")
            cells.append(verdict)
        print(f"| {item} | `{name}` | {gcc} | {before} | " + " | ".join(cells) + " |", flush=True)
    if wrong:
        sys.exit("not as they should be:\n" + "\n".join(wrong))


if __name__ == "__main__":
    main()
