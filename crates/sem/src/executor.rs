//! Running a program from its entry to its end.

use cairn_base::{Budget, Limit};
use cairn_ir::{FuncId, IntTy, Place, Program, Ty};

use crate::machine::{Machine, Tier};
use crate::memory::{Content, Kind, pointer};
use crate::observe::{Observer, Watch, Window};
use crate::outcome::{End, Io, Options, Outcome};
use crate::report::Report;
use crate::stop::{Cause, Stop};

/// Runs a program. One executor can run several times; every run starts afresh.
pub struct Executor<'p> {
    program: &'p Program,
    options: Options,
    budget: Budget,
}

impl<'p> Executor<'p> {
    pub fn new(program: &'p Program, options: Options, budget: Budget) -> Executor<'p> {
        Executor { program, options, budget }
    }

    /// Runs in the interpreter.
    pub fn run(&self, io: &mut dyn Io) -> Outcome {
        self.run_with(io, None)
    }

    /// Runs, leaving hot spots to a faster tier.
    pub fn run_with<'a>(&'a self, io: &'a mut dyn Io, tier: Option<&'a mut dyn Tier>) -> Outcome {
        self.run_watched(io, tier, None)
    }

    /// Runs in the interpreter and shows the steps of a window to an observer.
    pub fn run_observed<'a>(
        &'a self,
        io: &'a mut dyn Io,
        window: Window,
        observer: &'a mut dyn Observer,
    ) -> Outcome {
        self.run_watched(io, None, Some(Watch::new(observer, window)))
    }

    fn run_watched<'a>(
        &'a self,
        io: &'a mut dyn Io,
        tier: Option<&'a mut dyn Tier>,
        watch: Option<Watch<'a>>,
    ) -> Outcome {
        let nothing = |end| Outcome { end, steps: 0, inputs: vec![], unmodelled: vec![], notes: vec![] };
        let entry = match self.program.entry {
            Some(f) if self.program.funcs[f].body.is_some() => f,
            _ => return nothing(End::NoEntry("the program has no function to start in".to_string())),
        };
        let mut machine = match Machine::new(self.program, &self.options, &self.budget, io, tier) {
            Ok(machine) => machine,
            Err(limit) => return nothing(End::Limit(limit, at_start(limit))),
        };
        machine.watch = watch;
        let stop = match machine.enter(entry) {
            Ok(()) => machine.run_to_end(),
            Err(Refused::Stop(stop)) => stop,
            Err(Refused::NoEntry(why)) => return nothing(End::NoEntry(why)),
        };
        machine.outcome(stop)
    }
}

fn at_start(limit: Limit) -> Report {
    Report { kind: None, message: limit_text(limit).to_string(), place: Place::NONE, stack: vec![] }
}

fn limit_text(limit: Limit) -> &'static str {
    match limit {
        Limit::Steps => "the step limit was reached",
        Limit::Time => "the time limit was reached",
        Limit::Memory => "the memory limit was reached",
        Limit::Depth => "too many calls are open",
        Limit::Cancelled => "the run was cancelled",
    }
}

enum Refused {
    Stop(Stop),
    NoEntry(String),
}

impl<S: Into<Stop>> From<S> for Refused {
    fn from(stop: S) -> Refused {
        Refused::Stop(stop.into())
    }
}

impl Machine<'_> {
    /// Opens the first frame: `main()`, `main(argc, argv)` or `main(argc, argv, envp)`.
    fn enter(&mut self, entry: FuncId) -> Result<(), Refused> {
        let f = &self.program.funcs[entry];
        let int = Ty::Int(IntTy::I32);
        let values = match f.sig.params[..] {
            [] => vec![],
            [a] if a == int => vec![self.options.args.len() as u64],
            [a, Ty::Ptr] if a == int => vec![self.options.args.len() as u64, self.argv()?],
            [a, Ty::Ptr, Ty::Ptr] if a == int => {
                vec![self.options.args.len() as u64, self.argv()?, self.vector(&[])?]
            }
            _ => {
                return Err(Refused::NoEntry(format!("'{}' has parameters that no caller supplies", f.name)));
            }
        };
        let code = self.code(entry);
        self.push_frame(code, crate::code::NO_SLOT)?;
        for (i, v) in values.into_iter().enumerate() {
            // SAFETY: the parameters are the first slots of the frame, one each.
            unsafe { *(*self.ctx.frame).base.add(i) = v };
        }
        Ok(())
    }

    fn argv(&mut self) -> Result<u64, Stop> {
        let args: Vec<Vec<u8>> = self.options.args.clone();
        let mut pointers = Vec::new();
        for arg in args {
            let p = self.object([&arg[..], &[0]].concat().len() as u64)?;
            let _ = self.memory.write(p, &[&arg[..], &[0]].concat());
            pointers.push(p);
        }
        self.vector(&pointers)
    }

    /// An array of pointers that ends with null.
    fn vector(&mut self, pointers: &[u64]) -> Result<u64, Stop> {
        let step = self.program.model.ptr_bytes();
        let p = self.object(step * (pointers.len() as u64 + 1))?;
        for (i, &q) in pointers.iter().enumerate() {
            self.write_value(p + step * i as u64, Ty::Ptr, q.into())?;
        }
        Ok(p)
    }

    fn object(&mut self, size: u64) -> Result<u64, Stop> {
        let id = self.memory.create(Kind::Argument, None, size, Content::Zero, 0, None)?;
        self.table_moved();
        Ok(pointer(id, 0))
    }

    fn outcome(mut self, stop: Stop) -> Outcome {
        // SAFETY: the running frame is valid (the lowest one if none was opened).
        let pc = unsafe { (*self.ctx.frame).pc };
        let mut steps = self.steps_at(pc);
        let end = match stop {
            Stop::Exit(code) => {
                let leaked = if self.options.check_leaks { self.memory.live_heap() } else { vec![] };
                if leaked.is_empty() {
                    End::Exit(code)
                } else {
                    End::Undefined(self.undefined(pc, &Cause::Leak { objects: leaked }))
                }
            }
            Stop::Abort => End::Abort(self.report(pc, None, "abort was called".to_string())),
            Stop::Error(what) => End::ErrorReached(self.report(pc, None, what)),
            Stop::AssumptionFailed => {
                End::AssumptionFailed(self.report(pc, None, "an assumption does not hold".to_string()))
            }
            Stop::NoReturn(name) => {
                let message = format!("call of {name}, which has no body and never returns");
                End::NoReturn(self.report(pc, None, message))
            }
            Stop::Limit(limit) => {
                if limit == Limit::Steps {
                    steps = self.budget.max_steps;
                } else if matches!(limit, Limit::Time | Limit::Cancelled) {
                    steps = self.ctx.steps;
                }
                End::Limit(limit, self.report(pc, None, limit_text(limit).to_string()))
            }
            Stop::Undefined(cause) => End::Undefined(self.undefined(pc, &cause)),
        };
        Outcome {
            end,
            steps,
            inputs: std::mem::take(&mut self.inputs.records),
            unmodelled: std::mem::take(&mut self.unmodelled.0),
            notes: std::mem::take(&mut self.notes.0),
        }
    }
}
