//! Any SMT-LIB 2 solver as a process of its own.
//!
//! The dialogue is strict: after each question an `echo` is asked for, and
//! whatever comes before it must be exactly one reply of the expected form.
//! Anything else (an error, a second answer, silence, the end of the process)
//! is a failure; the process is then killed, and the next question starts a new
//! one that is told everything again.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use cairn_base::Budget;
use cairn_term::print::Script;
use cairn_term::sexp::Tree;
use cairn_term::{Assignment, Pool, TermId, parse};
use rustc_hash::FxHashMap;

use crate::stack::Stack;
use crate::{Answer, Solver, Why, limit_of};

/// How often the budget is looked at while waiting.
const PERIOD: Duration = Duration::from_millis(5);

/// A reply of this length in bytes is no reply.
const MAX_REPLY: usize = 1 << 28;

const DONE: &str = "cairn-done";

/// A program and its arguments, which must make it read SMT-LIB 2 from its standard input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    pub name: String,
    pub path: String,
    pub args: Vec<String>,
}

impl Program {
    pub fn new(name: &str, path: &str, args: &[&str]) -> Program {
        Program { name: name.into(), path: path.into(), args: args.iter().map(|&a| a.into()).collect() }
    }

    pub fn z3(path: &str) -> Program {
        Program::new("z3-pipe", path, &["-in", "-smt2"])
    }

    pub fn bitwuzla(path: &str) -> Program {
        Program::new("bitwuzla", path, &["--lang", "smt2", "--produce-models", "--produce-unsat-assumptions"])
    }

    pub fn cvc5(path: &str) -> Program {
        Program::new("cvc5", path, &["--lang", "smt2", "--incremental", "--produce-models"])
    }
}

pub struct Pipe {
    program: Program,
    stack: Stack,
    session: Option<Session>,
    core: Vec<TermId>,
    satisfiable: bool,
}

struct Session {
    process: Process,
    script: Script,
    /// What the process is to be told before anything else.
    opening: String,
    /// Scopes open on the other side, and assertions told in each (the outermost first).
    told: Vec<Vec<TermId>>,
}

/// A running program. Threads of their own write to it and read from it, so that it can neither
/// block us nor be blocked; they end with it.
struct Process {
    child: Child,
    input: Sender<String>,
    lines: Receiver<String>,
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Process {
    fn start(program: &Program) -> Result<Process, Why> {
        let mut child = Command::new(&program.path)
            .args(&program.args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|e| Why::Failed(format!("{}: {e}", program.path)))?;
        let (Some(mut stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(Why::Failed("the process has no pipes".into()));
        };
        let (input, to_write) = channel::<String>();
        let (read, lines) = channel();
        std::thread::spawn(move || {
            for text in to_write {
                if stdin.write_all(text.as_bytes()).and_then(|()| stdin.flush()).is_err() {
                    break;
                }
            }
        });
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines() {
                if !line.is_ok_and(|line| read.send(line).is_ok()) {
                    break;
                }
            }
        });
        Ok(Process { child, input, lines })
    }

    /// Sends commands; the reply is everything up to the echo that is asked for after them.
    fn ask(&mut self, mut text: String, budget: &Budget) -> Result<String, Why> {
        text.push_str(&format!("(echo \"{DONE}\")\n"));
        if self.input.send(text).is_err() {
            return Err(Why::Failed("the process does not listen".into()));
        }
        let mut reply = String::new();
        loop {
            match self.lines.recv_timeout(PERIOD) {
                Ok(line) if line.trim().trim_matches('"') == DONE => return Ok(reply.trim().to_owned()),
                Ok(line) => {
                    if reply.len() + line.len() > MAX_REPLY {
                        return Err(Why::Failed("the process talks without end".into()));
                    }
                    reply.push_str(&line);
                    reply.push('\n');
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Why::Failed(format!("the process ended after {:?}", shortened(&reply))));
                }
            }
            if budget.exceeded().is_some() {
                return Err(limit_of(budget));
            }
        }
    }
}

/// Runs a script in a process of its own and returns what it prints.
pub fn run(program: &Program, script: String, budget: &Budget) -> Result<String, Why> {
    Process::start(program)?.ask(script, budget)
}

impl Pipe {
    pub fn new(program: Program) -> Pipe {
        Pipe { program, stack: Stack::default(), session: None, core: Vec::new(), satisfiable: false }
    }

    /// Asks and waits; a session that does not answer as it should is ended.
    fn ask(
        &mut self,
        pool: &Pool,
        budget: &Budget,
        question: impl FnOnce(&mut Script) -> String,
    ) -> Result<String, Why> {
        let mut session = match self.session.take() {
            Some(session) => session,
            None => Session::start(&self.program)?,
        };
        let mut text = std::mem::take(&mut session.opening);
        session.catch_up(&mut text, pool, &self.stack);
        text.push_str(&question(&mut session.script));
        let reply = session.process.ask(text, budget)?;
        self.session = Some(session);
        Ok(reply)
    }

    fn try_check(&mut self, pool: &Pool, assumptions: &[TermId], budget: &Budget) -> Result<Answer, Why> {
        let mut literals: FxHashMap<String, TermId> = FxHashMap::default();
        let reply = self.ask(pool, budget, |script| {
            let mut text = String::new();
            let mut names = Vec::new();
            for &t in assumptions {
                let literal = script.literal(&mut text, pool, t);
                literals.insert(literal.clone(), t);
                names.push(literal);
            }
            if names.is_empty() {
                text.push_str("(check-sat)\n");
            } else {
                text.push_str(&format!("(check-sat-assuming ({}))\n", names.join(" ")));
            }
            text
        })?;
        match reply.as_str() {
            "sat" => Ok(Answer::Sat),
            "unsat" => {
                if !assumptions.is_empty() {
                    self.core = self.failed(pool, &literals, budget)?;
                }
                Ok(Answer::Unsat)
            }
            "unknown" => Ok(Answer::Unknown(Why::Incomplete("it says unknown".into()))),
            other => {
                self.session = None;
                Err(Why::Failed(format!("it replied {:?}", shortened(other))))
            }
        }
    }

    /// The assumptions the solver says it used.
    fn failed(
        &mut self,
        pool: &Pool,
        literals: &FxHashMap<String, TermId>,
        budget: &Budget,
    ) -> Result<Vec<TermId>, Why> {
        let reply = self.ask(pool, budget, |_| "(get-unsat-assumptions)\n".into())?;
        let nonsense = || Why::Failed(format!("its core is {:?}", shortened(&reply)));
        let tree = Tree::parse(&reply).map_err(|_| nonsense())?;
        let [root] = *tree.roots() else { return Err(nonsense()) };
        let mut core = Vec::new();
        // Names are compared without the bars of quoted symbols, which solvers may add or drop.
        let plain = |text: &str| text.replace('|', "");
        for &node in tree.list(root).ok_or_else(nonsense)? {
            let text = match (tree.atom(node), tree.atoms(node).as_deref()) {
                (Some(name), _) => name.to_owned(),
                (_, Some(["not", name])) => format!("(not {name})"),
                _ => return Err(nonsense()),
            };
            let found = literals.iter().find(|(name, _)| plain(name) == plain(&text));
            core.push(*found.ok_or_else(nonsense)?.1);
        }
        core.sort_unstable();
        Ok(core)
    }
}

impl Session {
    fn start(program: &Program) -> Result<Session, Why> {
        let opening = "(set-option :print-success false)\n(set-option :produce-models true)\n\
             (set-option :produce-unsat-assumptions true)\n(set-logic ALL)\n";
        Ok(Session {
            process: Process::start(program)?,
            script: Script::new(),
            opening: opening.into(),
            told: vec![Vec::new()],
        })
    }

    /// The commands that bring the other side's stack up to ours.
    fn catch_up(&mut self, text: &mut String, pool: &Pool, stack: &Stack) {
        let wanted: Vec<&[TermId]> = stack.scopes().collect();
        let agrees = |(told, wanted): &(&Vec<TermId>, &&[TermId])| told.as_slice() == **wanted;
        let mut same = self.told.iter().zip(&wanted).take_while(agrees).count();
        // The innermost scope that differs may only have grown.
        if let (Some(told), Some(wanted)) = (self.told.get(same), wanted.get(same))
            && wanted.starts_with(told)
        {
            same += 1;
        }
        while self.told.len() > same.max(1) {
            self.script.pop(text);
            self.told.pop();
        }
        for (depth, scope) in wanted.iter().enumerate() {
            if depth >= self.told.len() {
                self.script.push(text);
                self.told.push(Vec::new());
            }
            let known = self.told[depth].len();
            for &t in scope.get(known..).unwrap_or_default() {
                self.script.assert(text, pool, t);
                self.told[depth].push(t);
            }
        }
    }
}

fn shortened(text: &str) -> String {
    text.chars().take(200).collect()
}

impl Solver for Pipe {
    fn name(&self) -> &str {
        &self.program.name
    }

    fn push(&mut self) {
        self.stack.push();
    }

    fn pop(&mut self) {
        self.stack.pop();
    }

    fn assert(&mut self, _: &Pool, t: TermId) {
        self.stack.assert(t);
    }

    fn check(&mut self, pool: &Pool, assumptions: &[TermId], budget: &Budget) -> Answer {
        self.core.clear();
        self.satisfiable = false;
        if budget.exceeded().is_some() {
            return Answer::Unknown(limit_of(budget));
        }
        let answer = self.try_check(pool, assumptions, budget).unwrap_or_else(Answer::Unknown);
        self.satisfiable = answer == Answer::Sat;
        answer
    }

    fn model(&mut self, pool: &Pool, vars: &[TermId]) -> Result<Assignment, Why> {
        let mut assignment = Assignment::default();
        if !self.satisfiable || self.session.is_none() {
            return Err(Why::Failed("there is no model".into()));
        }
        // A declaration would end the model, so only what is declared already can be asked for. The
        // rest does not matter.
        let known: Vec<(TermId, String)> = {
            let session = self.session.as_ref();
            vars.iter().filter_map(|&v| Some((v, session?.script.declared(v)?.to_owned()))).collect()
        };
        if known.is_empty() {
            return Ok(assignment);
        }
        let names: Vec<&str> = known.iter().map(|(_, name)| name.as_str()).collect();
        let question = format!("(get-value ({}))\n", names.join(" "));
        // Printing a model is quick; a process that does not is stuck.
        let budget = Budget::default().with_time(Duration::from_secs(60));
        let reply = self.ask(pool, &budget, |_| question)?;
        let nonsense = |e: &dyn std::fmt::Display| Why::Failed(format!("its model: {e}"));
        let tree = Tree::parse(&reply).map_err(|e| nonsense(&e))?;
        let pairs = match *tree.roots() {
            [root] => tree.list(root).unwrap_or_default(),
            _ => return Err(nonsense(&"not one list")),
        };
        if pairs.len() != known.len() {
            return Err(nonsense(&"a value is missing"));
        }
        // Reading values makes terms, for which the pool is only lent.
        let mut scratch = Pool::new();
        for (&(v, _), &pair) in known.iter().zip(pairs) {
            let Some(&[_, value]) = tree.list(pair) else { return Err(nonsense(&"not a pair")) };
            let value = parse::read_value(&mut scratch, &tree, value).map_err(|e| nonsense(&e))?;
            let value =
                value.adopt(pool, pool.sort_id_of(v)).ok_or_else(|| nonsense(&"a value of another sort"))?;
            assignment.insert(v, value);
        }
        Ok(assignment)
    }

    fn core(&self) -> &[TermId] {
        &self.core
    }
}
