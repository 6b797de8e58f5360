//! `cairn bench` as a user meets it, with shell scripts in the place of tools;
//! and the tool-info module for BenchExec, where that is installed.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use cairn_dev::oracle;

struct Set(tempfile::TempDir);

impl Set {
    fn new() -> Set {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("p.c"), "int main(void) { return 0; }\n").unwrap();
        for (name, expected) in [("bad", false), ("good", true)] {
            let text = format!(
                "format_version: '2.0'\ninput_files: p.c\nproperties:\n  - {{property_file: unreach-call.prp, \
                 expected_verdict: {expected}}}\noptions: {{language: C, data_model: ILP32}}\n"
            );
            fs::write(dir.path().join(format!("{name}.yml")), text).unwrap();
        }
        fs::write(dir.path().join("tool.sh"), "case $1 in *bad*) echo BUG;; *) echo SAFE;; esac\n").unwrap();
        fs::write(dir.path().join("slow.sh"), "echo started > started; sleep 100\n").unwrap();
        Set(dir)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn command(&self, line: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cairn"));
        command.arg("bench").args(line.split(' ')).current_dir(self.0.path());
        command
    }

    fn bench(&self, line: &str) -> (i32, String, String) {
        let Output { status, stdout, stderr } = self.command(line).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (status.code().unwrap_or(-1), text(stdout), text(stderr))
    }
}

#[test]
fn tables_are_written_and_resumed() {
    let set = Set::new();
    fs::write(
        set.path("bench.yaml"),
        "tasks: [good.yml, bad.yml]\nout: out\nlimits: {time: 20}\ntools:\n  - name: tool\n    command: \
         'sh tool.sh {task}'\n    verdicts: ['true:^SAFE$', 'false:^BUG$']\n",
    )
    .unwrap();
    let (code, out, err) = set.bench("--file bench.yaml --limit 1");
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    let (code, out, err) = set.bench("--file bench.yaml --resume");
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    assert!(out.contains("score") && out.ends_with("Results: out/results.html\n"), "{out}");
    let rows = fs::read_to_string(set.path("out/results.tsv")).unwrap();
    assert_eq!(rows.lines().filter(|l| l.contains("correct")).count(), 2, "{rows}");
    assert!(set.path("out/results.html").is_file() && set.path("out/cactus.svg").is_file());
    let (code, _, err) = set.bench("--file bench.yaml");
    assert_eq!(code, 1);
    assert!(err.contains("--resume"), "{err}");
}

#[test]
fn wrong_verdicts_have_an_exit_code() {
    let set = Set::new();
    let mut command = set.command(". --verdict t=true:SAFE");
    let output = command.args(["--tool", "t=echo SAFE"]).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(10), "{text}");
    assert!(text.contains("wrong: t says true, expected false: ./bad.yml"), "{text}");
}

#[test]
fn mistakes_are_one_line() {
    let set = Set::new();
    fs::write(set.path("broken.yml"), "format_version: '2.0'\ninput_files: none.c\n").unwrap();
    for (line, code, part) in [
        ("broken.yml", 2, "broken.yml: the input file none.c does not exist"),
        ("missing.yml", 2, "missing.yml: cannot be read"),
        ("good.yml --property no-overflow", 2, "none of these tasks"),
        ("good.yml --tool x=run", 1, "say how its verdict is read"),
        ("good.yml --tool cbmc={nothing}", 1, "is no placeholder"),
        ("good.yml --verdict y=cbmc", 1, "no tool is named `y`"),
        ("good.yml --config a --config a", 1, "two configurations are named `a`"),
        ("good.yml --tool cbmc=/no/such/tool --out o", 1, "cannot run /no/such/tool"),
        ("good.yml --out p.c", 1, "cannot write p.c"),
        ("good.yml --out /dev/full/x", 1, "cannot write /dev/full/x"),
        ("--file none.yml", 1, "none.yml: cannot be read"),
    ] {
        let (got, out, err) = set.bench(line);
        assert_eq!((got, out.as_str()), (code, ""), "{line}: {err}");
        assert!(
            err.starts_with("error: ") && err.contains(part) && err.lines().count() == 1,
            "{line}: {err}"
        );
    }
}

#[test]
fn ctrl_c_ends_the_tools_and_writes_what_is_there() {
    let set = Set::new();
    let mut command = set.command("good.yml --verdict slow=true:x --out out");
    command.args(["--tool", "slow=sh slow.sh"]).stdout(Stdio::piped());
    let child = command.spawn().unwrap();
    let start = Instant::now();
    while !set.path("started").exists() && start.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(20));
    }
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(5), "{text}");
    assert!(text.contains("1 runs are missing") && set.path("out/results.html").is_file(), "{text}");
    assert!(start.elapsed() < Duration::from_secs(90));
}

/// Runs only where benchexec is importable.
#[test]
fn benchexec_understands_the_tool_info_module() {
    let check = oracle::root().join("contrib/benchexec/check");
    let output = Command::new(&check).env("CAIRN", env!("CARGO_BIN_EXE_cairn")).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    match output.status.code() {
        Some(77) => eprintln!("skipped: {}", text.trim()),
        Some(0) => {}
        _ => panic!("{text}{}", String::from_utf8_lossy(&output.stderr)),
    }
}
