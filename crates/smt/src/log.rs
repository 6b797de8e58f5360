//! A decorator that writes every query as an SMT-LIB 2 file of its own.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use cairn_base::Budget;
use cairn_term::print::Script;
use cairn_term::{Assignment, Pool, TermId};

use crate::stack::Stack;
use crate::{Answer, Solver, Why};

pub struct Log<S> {
    inner: S,
    stack: Stack,
    dir: PathBuf,
    count: u32,
    /// The first file that could not be written, and why.
    pub trouble: Option<String>,
}

impl<S: Solver> Log<S> {
    /// Files are called `query-00001.smt2` and so on, in a directory that is made if it is missing.
    pub fn new(inner: S, dir: &Path) -> Log<S> {
        Log { inner, stack: Stack::default(), dir: dir.to_owned(), count: 0, trouble: None }
    }

    fn write(&mut self, name: &str, text: &str) {
        let path = self.dir.join(name);
        let done = fs::create_dir_all(&self.dir).and_then(|()| fs::write(&path, text));
        if let Err(e) = done {
            self.trouble.get_or_insert(format!("{}: {e}", path.display()));
        }
    }
}

/// A query as a script of its own.
fn script(pool: &Pool, assertions: &[TermId], assumptions: &[TermId], status: &str) -> String {
    let mut text = format!("(set-logic ALL)\n(set-info :status {status})\n");
    let mut script = Script::new();
    for &t in assertions.iter().chain(assumptions) {
        script.assert(&mut text, pool, t);
    }
    text.push_str("(check-sat)\n");
    text
}

impl<S: Solver> Solver for Log<S> {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn push(&mut self) {
        self.stack.push();
        self.inner.push();
    }

    fn pop(&mut self) {
        self.stack.pop();
        self.inner.pop();
    }

    fn assert(&mut self, pool: &Pool, t: TermId) {
        self.stack.assert(t);
        self.inner.assert(pool, t);
    }

    fn check(&mut self, pool: &Pool, assumptions: &[TermId], budget: &Budget) -> Answer {
        self.count += 1;
        let name = format!("query-{:05}.smt2", self.count);
        // Written before the query too: it may be the last thing that happens.
        let text = script(pool, self.stack.assertions(), assumptions, "unknown");
        self.write(&name, &text);
        let start = Instant::now();
        let answer = self.inner.check(pool, assumptions, budget);
        let status = match &answer {
            Answer::Sat => "sat",
            Answer::Unsat => "unsat",
            Answer::Unknown(_) => "unknown",
        };
        let text = text.replacen(":status unknown", &format!(":status {status}"), 1);
        let solver = self.inner.name().to_owned();
        let seconds = start.elapsed().as_secs_f64();
        self.write(&name, &format!("{text}; {status} by {solver} after {seconds:.3} s\n"));
        answer
    }

    fn model(&mut self, pool: &Pool, vars: &[TermId]) -> Result<Assignment, Why> {
        self.inner.model(pool, vars)
    }

    fn core(&self) -> &[TermId] {
        self.inner.core()
    }
}
