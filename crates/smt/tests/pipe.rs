//! Processes that misbehave, and processes that do not.

mod common;

use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use cairn_base::{Budget, Limit};
use cairn_smt::log::Log;
use cairn_smt::pipe::{Pipe, Program};
use cairn_smt::sat::Sat;
use cairn_smt::shield::Shield;
use cairn_smt::{Answer, Solver, Why};
use cairn_term::{Pool, SortId};
use common::{budget, z3_program};

fn directory(name: &str) -> PathBuf {
    let dir = std::env::temp_dir().join(format!("cairn-smt-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    dir
}

/// A solver that is a shell script.
fn script(name: &str, body: &str) -> Program {
    let path = directory(name).join("solver.sh");
    std::fs::write(&path, format!("#!/bin/sh\n{body}\n")).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    Program::new(name, path.to_str().unwrap(), &[])
}

fn answer(program: Program) -> Answer {
    let mut pool = Pool::new();
    let x = pool.var("x", SortId::BOOL);
    let mut solver = Pipe::new(program);
    solver.assert(&pool, x);
    solver.check(&pool, &[], &Budget::default().with_time(Duration::from_secs(2)))
}

#[test]
fn nonsense_is_no_answer() {
    let scripts = [
        ("dies", "exit 1"),
        ("dies-later", "read line; kill -SEGV $$"),
        ("error", "while read l; do case $l in *echo*) echo '(error \"no\")'; echo cairn-done;; esac; done"),
        ("chatter", "while read l; do case $l in *echo*) echo hello; echo sat; echo cairn-done;; esac; done"),
        ("twice", "while read l; do case $l in *echo*) echo sat; echo unsat; echo cairn-done;; esac; done"),
        ("prefix", "while read l; do case $l in *echo*) echo saturated; echo cairn-done;; esac; done"),
        ("answers-then-dies", "read l; echo unsat; exit 0"),
        ("empty", "while read l; do case $l in *echo*) echo cairn-done;; esac; done"),
    ];
    for (name, body) in scripts {
        let got = answer(script(name, body));
        assert!(matches!(got, Answer::Unknown(Why::Failed(_))), "{name}: {got:?}");
    }
    let got = answer(Program::new("missing", "/nonexistent/solver", &[]));
    assert!(matches!(got, Answer::Unknown(Why::Failed(_))), "{got:?}");
}

#[test]
fn silence_ends_with_the_budget() {
    for (name, body) in [("silent", "cat > /dev/null"), ("deaf", "sleep 1000")] {
        let start = Instant::now();
        assert_eq!(answer(script(name, body)), Answer::Unknown(Why::Limit(Limit::Time)), "{name}");
        assert!(start.elapsed() < Duration::from_secs(5));
    }
}

/// A process that has been told a lot and does not read cannot block us.
#[test]
fn a_process_that_does_not_read_does_not_block() {
    let mut pool = Pool::new();
    let sort = pool.bits_sort(32);
    let mut solver = Pipe::new(script("stuck", "sleep 1000"));
    for n in 0..20_000 {
        let x = pool.var(&format!("x{n}"), sort);
        let t = pool.is_negative(x);
        solver.assert(&pool, t);
    }
    let start = Instant::now();
    let answer = solver.check(&pool, &[], &Budget::default().with_time(Duration::from_secs(1)));
    assert_eq!(answer, Answer::Unknown(Why::Limit(Limit::Time)));
    assert!(start.elapsed() < Duration::from_secs(5));
}

#[test]
fn a_wrong_model_is_found_out() {
    let body = "while read l; do case $l in *check-sat*) echo sat;; *get-value*) echo '((x false))';; esac
        case $l in *echo*) echo cairn-done;; esac; done";
    let mut pool = Pool::new();
    let x = pool.var("x", SortId::BOOL);
    let mut solver = Shield::new(Pipe::new(script("liar", body)));
    solver.assert(&pool, x);
    let answer = solver.check(&pool, &[], &budget());
    assert!(matches!(&answer, Answer::Unknown(Why::Failed(why)) if why.contains("violates")), "{answer:?}");
}

struct Panicking;

impl Solver for Panicking {
    fn name(&self) -> &str {
        "panicking"
    }
    fn push(&mut self) {}
    fn pop(&mut self) {}
    fn assert(&mut self, _: &Pool, _: cairn_term::TermId) {}
    fn check(&mut self, _: &Pool, _: &[cairn_term::TermId], _: &Budget) -> Answer {
        panic!("out of luck")
    }
    fn model(&mut self, _: &Pool, _: &[cairn_term::TermId]) -> Result<cairn_term::Assignment, Why> {
        Ok(Default::default())
    }
    fn core(&self) -> &[cairn_term::TermId] {
        &[]
    }
}

#[test]
fn a_panic_is_no_answer() {
    let pool = Pool::new();
    let mut solver = Shield::new(Panicking);
    for _ in 0..2 {
        let answer = solver.check(&pool, &[], &budget());
        assert!(
            matches!(&answer, Answer::Unknown(Why::Failed(w)) if w.contains("out of luck")),
            "{answer:?}"
        );
    }
}

#[test]
fn logged_queries_are_complete_scripts() {
    let Some(z3) = z3_program() else { return };
    let dir = directory("log");
    let mut pool = Pool::new();
    let sort = pool.bits_sort(8);
    let (x, y) = (pool.var("x y", sort), pool.var("let", sort));
    let sum = pool.bv_add(x, y);
    let (less, more) = (pool.bv_ult(sum, x), pool.bv_ult(y, sum));
    let mut solver = Log::new(Sat::new(), &dir);
    solver.assert(&pool, less);
    assert_eq!(solver.check(&pool, &[more], &budget()), Answer::Unsat);
    solver.push();
    assert_eq!(solver.check(&pool, &[], &budget()), Answer::Sat);
    assert_eq!(solver.trouble, None);
    for (file, expected) in [("query-00001.smt2", "unsat"), ("query-00002.smt2", "sat")] {
        let text = std::fs::read_to_string(dir.join(file)).unwrap();
        assert!(text.contains(&format!(":status {expected}")), "{text}");
        let reply = cairn_smt::pipe::run(&z3, text.clone(), &budget()).unwrap();
        assert_eq!(reply, expected, "{text}");
    }
    let mut solver = Log::new(Sat::new(), std::path::Path::new("/proc/nowhere"));
    assert_eq!(solver.check(&pool, &[], &budget()), Answer::Sat);
    assert!(solver.trouble.is_some());
}
