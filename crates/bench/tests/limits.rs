//! Fake tools under real limits: shell scripts that spin, allocate, fork, lie
//! and tell the truth.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use cairn_base::Cancel;
use cairn_bench::{
    BenchError, Config, Limits, Observer, Plan, Row, Rule, Status, Template, cases, report, run,
};

struct Silent;

impl Observer for Silent {}

struct Bench {
    dir: tempfile::TempDir,
    limits: Limits,
}

impl Bench {
    fn new(tasks: &[(&str, bool)]) -> Bench {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("set")).unwrap();
        fs::write(dir.path().join("set/p.c"), "int main(void) { return 0; }\n").unwrap();
        for (name, expected) in tasks {
            let text = format!(
                "format_version: '2.0'\ninput_files: p.c\nproperties:\n  - property_file: unreach-call.prp\n    \
                 expected_verdict: {expected}\noptions: {{language: C, data_model: ILP32}}\n"
            );
            fs::write(dir.path().join("set").join(format!("{name}.yml")), text).unwrap();
        }
        let limits = Limits {
            cpu: Some(Duration::from_secs(20)),
            wall: Some(Duration::from_secs(30)),
            memory: Some(1 << 30),
        };
        Bench { dir, limits }
    }

    fn at(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// A plan with one configuration for each script.
    fn plan(&self, scripts: &[(&str, &str)]) -> Plan {
        let configs = scripts.iter().map(|(name, text)| {
            let script = self.at(&format!("{name}.sh"));
            fs::write(&script, text).unwrap();
            Config {
                name: (*name).to_owned(),
                template: Template::parse(&format!("sh {} {{task}} {{tmp}}", script.display())).unwrap(),
                rule: Rule::Cairn,
            }
        });
        Plan {
            cases: cases(&[self.at("set").display().to_string()], "unreach-call").unwrap().cases,
            configs: configs.collect(),
            limits: self.limits.clone(),
            jobs: 2,
            out: self.at("out"),
        }
    }

    fn run(&self, scripts: &[(&str, &str)]) -> Vec<Row> {
        run(&self.plan(scripts), true, &Cancel::default(), &Silent).unwrap()
    }

    fn one(&self, script: &str) -> Row {
        let mut rows = self.run(&[("tool", script)]);
        assert_eq!(rows.len(), 1);
        rows.remove(0)
    }
}

const TRUE: &str = "echo 'Verdict: TRUE'\n";
const FALSE: &str = "echo 'Verdict: FALSE (unreach-call)'; exit 10\n";

/// Is any process running whose arguments hold this text?
fn running(mark: &str) -> bool {
    let pids = fs::read_dir("/proc").unwrap().flatten().map(|e| e.path().join("cmdline"));
    pids.into_iter().any(|p| fs::read_to_string(p).is_ok_and(|c| c.contains(mark)))
}

#[test]
fn a_spinning_tool_is_ended_at_its_cpu_limit() {
    let mut bench = Bench::new(&[("a", true)]);
    bench.limits.cpu = Some(Duration::from_millis(700));
    let row = bench.one("while :; do :; done\n");
    assert_eq!((row.status, row.verdict.as_str()), (Status::Timeout, "timeout"));
    assert!(row.cpu >= Duration::from_millis(650) && row.cpu < Duration::from_secs(3), "{row:?}");
}

#[test]
fn cpu_time_of_children_counts() {
    let mut bench = Bench::new(&[("a", true)]);
    bench.limits.cpu = Some(Duration::from_millis(800));
    let row = bench.one("(while :; do :; done) & (while :; do :; done) & wait\n");
    assert_eq!(row.status, Status::Timeout, "{row:?}");
    // Children that ended and were waited for count too.
    bench.limits.cpu = Some(Duration::from_secs(20));
    fs::remove_dir_all(bench.at("out")).unwrap();
    let row = bench.one(&format!("sh -c 'i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done'\n{TRUE}"));
    assert_eq!(row.status, Status::CorrectTrue);
    assert!(row.cpu >= Duration::from_millis(50), "{row:?}");
}

#[test]
fn a_sleeping_tool_is_ended_at_its_wall_limit() {
    let mut bench = Bench::new(&[("a", true)]);
    bench.limits.wall = Some(Duration::from_millis(300));
    let start = Instant::now();
    let row = bench.one("sleep 60\n");
    assert_eq!((row.status, row.verdict.as_str()), (Status::Timeout, "timeout (wall)"));
    assert!(start.elapsed() < Duration::from_secs(20) && row.cpu < Duration::from_secs(1), "{row:?}");
}

#[test]
fn a_tool_that_allocates_is_ended_at_its_memory_limit() {
    let mut bench = Bench::new(&[("a", true)]);
    bench.limits.memory = Some(100 << 20);
    // `tail` keeps the line that has no end.
    let row = bench.one("head -c 4000000000 /dev/zero | tail -n 1 | wc -c; echo 'Verdict: TRUE'\n");
    assert_eq!((row.status, row.verdict.as_str()), (Status::OutOfMemory, "out of memory"), "{row:?}");
    assert!(row.memory >= 100 << 20, "{row:?}");
}

#[test]
fn nothing_that_a_tool_started_is_left() {
    let mut bench = Bench::new(&[("a", true)]);
    // A child in the background when the tool ends by itself, and one in a session of its own.
    let tag = std::process::id();
    let (first, second) = (format!("86{tag}.25"), format!("87{tag}.25"));
    let row = bench.one(&format!("sleep {first} &\nsetsid sleep {second} &\nsleep 0.3\n{TRUE}"));
    assert_eq!(row.status, Status::CorrectTrue);
    assert!(!running(&first) && !running(&second));
    bench.limits.wall = Some(Duration::from_millis(400));
    fs::remove_dir_all(bench.at("out")).unwrap();
    let row = bench
        .one(&format!("(sh -c 'sleep {first}; :' &) ; setsid sh -c 'sleep {second}; :' & wait; sleep 50\n"));
    assert_eq!(row.status, Status::Timeout);
    assert!(!running(&first) && !running(&second));
}

#[test]
fn verdicts_are_judged_and_logged() {
    let bench = Bench::new(&[("bad", false), ("good", true)]);
    let rows = bench.run(&[("yes", TRUE), ("no", FALSE), ("crash", "kill -SEGV $$\n"), ("mute", "exit 3\n")]);
    let got: Vec<String> = rows
        .iter()
        .map(|r| format!("{} {} {}", Path::new(&r.task).file_stem().unwrap().display(), r.config, r.status))
        .collect();
    assert_eq!(
        got,
        [
            "bad yes wrong true",
            "bad no correct false",
            "bad crash error",
            "bad mute error",
            "good yes correct true",
            "good no wrong false",
            "good crash error",
            "good mute error"
        ]
    );
    assert_eq!(rows[2].verdict, "error(killed by signal 11)");
    assert_eq!(rows[3].verdict, "error(no verdict, exit code 3)");
    let log = fs::read_to_string(bench.at("out").join(Plan::log_of(&rows[0]))).unwrap();
    assert!(log.starts_with("$ sh ") && log.ends_with("Verdict: TRUE\n"), "{log}");
    let plan =
        bench.plan(&[("yes", TRUE), ("no", FALSE), ("crash", "kill -SEGV $$\n"), ("mute", "exit 3\n")]);
    let page = fs::read_to_string(report::write(&plan, &rows).unwrap()).unwrap();
    for row in &rows {
        let log = Plan::log_of(row).display().to_string();
        assert!(page.contains(&format!("href=\"{log}\"")), "{log}");
    }
    for file in ["cactus.svg", "scatter-no.svg", "scatter-mute.svg"] {
        assert!(bench.at("out").join(file).is_file(), "{file}");
    }
    // The folders of runs are gone.
    let logs = fs::read_dir(bench.at("out/logs/yes")).unwrap().flatten();
    assert!(logs.into_iter().all(|e| e.path().extension().is_some_and(|x| x == "log")));
}

/// Counts runs, and gives up after some.
struct Counting<'a> {
    runs: Mutex<usize>,
    give_up: Option<(usize, &'a Cancel)>,
}

impl Observer for Counting<'_> {
    fn finished(&self, _: &Row) {
        let mut runs = self.runs.lock().unwrap();
        *runs += 1;
        if let Some((after, cancel)) = self.give_up
            && *runs >= after
        {
            cancel.raise();
        }
    }
}

#[test]
fn an_interrupted_benchmark_goes_on_where_it_stopped() {
    let names: Vec<String> = (0..8).map(|i| format!("t{i}")).collect();
    let tasks: Vec<(&str, bool)> = names.iter().map(|n| (n.as_str(), true)).collect();
    let bench = Bench::new(&tasks);
    let mut plan = bench.plan(&[("tool", TRUE)]);
    plan.jobs = 1;
    let cancel = Cancel::default();
    let counting = Counting { runs: Mutex::default(), give_up: Some((3, &cancel)) };
    assert_eq!(run(&plan, false, &cancel, &counting).unwrap().len(), 3);

    // Without --resume the results are not touched; a torn line is made anew.
    assert!(
        matches!(run(&plan, false, &Cancel::default(), &Silent), Err(BenchError::Plan(m)) if m.contains("--resume"))
    );
    let path = plan.results_file();
    let bytes = fs::read(&path).unwrap();
    fs::write(&path, &bytes[..bytes.len() - 5]).unwrap();
    let counting = Counting { runs: Mutex::default(), give_up: None };
    let rows = run(&plan, true, &Cancel::default(), &counting).unwrap();
    assert_eq!((rows.len(), *counting.runs.lock().unwrap()), (8, 6));
    let again = run(&plan, true, &Cancel::default(), &counting).unwrap();
    let told = |rows: &[Row]| -> Vec<_> { rows.iter().map(|r| (r.task.clone(), r.status)).collect() };
    assert_eq!(told(&again), told(&rows));
    assert_eq!(*counting.runs.lock().unwrap(), 6);

    // Another limit makes other results.
    plan.limits.cpu = Some(Duration::from_secs(1));
    assert!(
        matches!(run(&plan, true, &Cancel::default(), &Silent), Err(BenchError::Plan(m)) if m.contains("tool"))
    );
}

#[test]
fn an_interrupt_ends_what_runs() {
    let bench = Bench::new(&[("a", true), ("b", true)]);
    let cancel = Cancel::default();
    let mark = format!("88{}.25", std::process::id());
    let plan = bench.plan(&[("tool", &format!("sleep {mark}\n"))]);
    let start = Instant::now();
    let rows = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(300));
            cancel.raise();
        });
        run(&plan, false, &cancel, &Silent).unwrap()
    });
    assert!(rows.is_empty() && start.elapsed() < Duration::from_secs(20));
    assert!(!running(&mark));
}

#[test]
fn what_cannot_be_written_or_run_is_said() {
    let bench = Bench::new(&[("a", true)]);
    let mut plan = bench.plan(&[("tool", TRUE)]);
    plan.out = bench.at("set/p.c").join("out");
    let error = run(&plan, false, &Cancel::default(), &Silent).unwrap_err();
    assert!(matches!(&error, BenchError::Output(m) if m.starts_with("cannot write ")), "{error}");
    let mut plan = bench.plan(&[("tool", TRUE)]);
    plan.configs[0].template = Template::parse("/no/such/tool {file}").unwrap();
    let error = run(&plan, false, &Cancel::default(), &Silent).unwrap_err();
    assert!(error.to_string().contains("cannot run /no/such/tool"), "{error}");
    let mut plan = bench.plan(&[("tool", TRUE)]);
    plan.configs.push(plan.configs[0].clone());
    assert!(
        run(&plan, true, &Cancel::default(), &Silent).unwrap_err().to_string().contains("two configurations")
    );
}
