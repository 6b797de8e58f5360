//! Z3 as a library: the solver for every sort.
//!
//! The library is loaded and the context made when the first query comes; what
//! is asserted before is only written down.

pub mod library;
mod translate;

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_uint};
use std::mem::ManuallyDrop;
use std::rc::Rc;

use cairn_base::{Budget, Limit};
use cairn_term::{Assignment, Pool, TermId};

use crate::{Answer, Solver, Why, limit_of, watch};
use library::{Ast, Library, Model, SolverPtr};
use translate::{Shared, Translator};

/// Commands between two looks at the budget.
const COMMANDS_PER_BUDGET_CHECK: usize = 32;
/// Prices of work, in thousandths of units of effort: a step of a check, and a scope or an assertion.
const STEP: u64 = 300;
const COMMAND: u64 = 30_000;

/// What was asked for before there was a context.
enum Command {
    Push,
    Pop,
    Assert(TermId),
}

/// Which of Z3's solvers to use.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// The incremental SMT core. Starts quickest.
    Simple,
    /// Z3's own choice: tactics for the first query, the core for further ones.
    Combined,
    /// The incremental SAT-based solver for finite domains (booleans and bit-vectors only).
    FiniteDomain,
}

pub struct Z3 {
    kind: Kind,
    pending: Vec<Command>,
    state: Option<Session>,
    /// Why no query can be answered any more.
    broken: Option<String>,
    core: Vec<TermId>,
}

/// A solver that others of the thread used before, with the context it belongs to and the limit of
/// steps it has.
struct Used {
    solver: SolverPtr,
    shared: Rc<Shared>,
    steps: c_uint,
}

thread_local! {
    /// Solvers that are not in use at the moment, without assertions. To make one and to set up its
    /// theories takes as long as several small questions.
    static IDLE: RefCell<ManuallyDrop<Vec<Used>>> = const { RefCell::new(ManuallyDrop::new(Vec::new())) };
}

/// A solver in the context of the thread.
struct Session {
    translator: Translator,
    solver: SolverPtr,
    /// The last answer was positive: there is a model, which is fetched when it is asked for.
    satisfiable: bool,
    model: Option<Model>,
    /// Constants that stand for assumptions, per open scope (the outermost first).
    proxies: Vec<Vec<(TermId, Ast)>>,
    proxy_count: usize,
    /// Steps that a check may take, as Z3 counts them; 0 if it may take any number.
    steps: c_uint,
    /// All assertions are in a scope that is closed in the end, so that others can use the solver.
    lent: bool,
}

impl Default for Z3 {
    fn default() -> Z3 {
        Z3::new()
    }
}

impl Z3 {
    pub fn new() -> Z3 {
        Z3::with_kind(Kind::Simple)
    }

    pub fn with_kind(kind: Kind) -> Z3 {
        Z3 { kind, pending: Vec::new(), state: None, broken: None, core: Vec::new() }
    }

    /// The version of the library, which this loads.
    pub fn version() -> Result<String, String> {
        let lib = library::get()?;
        // SAFETY: the string is static.
        let text = unsafe { std::ffi::CStr::from_ptr((lib.Z3_get_full_version)()) };
        Ok(text.to_string_lossy().into_owned())
    }

    /// The session, with everything carried out that was written down. A limit may come first: Z3
    /// cannot be interrupted when it opens a scope, and there may be many.
    fn session(&mut self, pool: &Pool, budget: &Budget) -> Result<&mut Session, Why> {
        let session = match &mut self.state {
            Some(session) => session,
            none => {
                // A client that opens scopes asks many small questions. For a single large one Z3 looks at
                // it first and then decides which theories it needs, and how.
                let many = matches!(self.pending.first(), Some(Command::Push));
                let session = library::get().and_then(|lib| match self.kind {
                    Kind::Simple if many => Session::lend(lib),
                    kind => Session::new(lib, kind),
                });
                none.insert(session.map_err(Why::Failed)?)
            }
        };
        budget.effort.charge(self.pending.len() as u64 * COMMAND / 1000);
        for done in 0..self.pending.len() {
            let carried_out = match self.pending[done] {
                _ if done % COMMANDS_PER_BUDGET_CHECK == COMMANDS_PER_BUDGET_CHECK - 1
                    && budget.exceeded().is_some() =>
                {
                    Err(limit_of(budget))
                }
                Command::Push => {
                    session.push();
                    Ok(())
                }
                Command::Pop => {
                    session.pop();
                    Ok(())
                }
                Command::Assert(t) => session.assert(pool, t, budget),
            };
            if let Err(why) = carried_out {
                self.pending.drain(..done);
                return Err(why);
            }
        }
        self.pending.clear();
        Ok(session)
    }

    fn ask(&mut self, pool: &Pool, assumptions: &[TermId], budget: &Budget) -> Result<Answer, Why> {
        let session = self.session(pool, budget)?;
        let (answer, core) = session.check(pool, assumptions, budget)?;
        self.core = core;
        Ok(answer)
    }
}

impl Solver for Z3 {
    fn name(&self) -> &str {
        "z3"
    }

    fn push(&mut self) {
        self.pending.push(Command::Push);
    }

    fn pop(&mut self) {
        // What was never carried out need not be undone.
        let scope = self.pending.iter().rposition(|c| !matches!(c, Command::Assert(_)));
        match scope {
            Some(at) if matches!(self.pending[at], Command::Push) => self.pending.truncate(at),
            _ => self.pending.push(Command::Pop),
        }
    }

    fn assert(&mut self, _: &Pool, t: TermId) {
        self.pending.push(Command::Assert(t));
    }

    fn check(&mut self, pool: &Pool, assumptions: &[TermId], budget: &Budget) -> Answer {
        self.core.clear();
        if let Some(why) = &self.broken {
            return Answer::Unknown(Why::Failed(why.clone()));
        }
        if budget.exceeded().is_some() {
            return Answer::Unknown(limit_of(budget));
        }
        self.ask(pool, assumptions, budget).unwrap_or_else(|why| {
            if let Why::Failed(what) = &why {
                self.broken = Some(what.clone());
            }
            Answer::Unknown(why)
        })
    }

    fn model(&mut self, pool: &Pool, vars: &[TermId]) -> Result<Assignment, Why> {
        let session = self.state.as_mut().filter(|s| s.satisfiable && self.pending.is_empty());
        let Some(session) = session else {
            return Err(Why::Failed("there is no model".into()));
        };
        let model = session.model().map_err(Why::Failed)?;
        let mut assignment = Assignment::default();
        for &v in vars {
            let value = session.translator.value(pool, model, v).map_err(Why::Failed)?;
            assignment.insert(v, value);
        }
        Ok(assignment)
    }

    fn core(&self) -> &[TermId] {
        &self.core
    }
}

impl Session {
    fn new(lib: &'static Library, kind: Kind) -> Result<Session, String> {
        let translator = Translator::new(lib);
        let ctx = translator.ctx;
        // SAFETY: the context is alive; the solver is counted until `drop`.
        let solver = unsafe {
            let solver = match kind {
                Kind::Simple => (lib.Z3_mk_simple_solver)(ctx),
                Kind::Combined => (lib.Z3_mk_solver)(ctx),
                Kind::FiniteDomain => {
                    let name = CString::new("QF_FD").unwrap_or_default();
                    (lib.Z3_mk_solver_for_logic)(ctx, (lib.Z3_mk_string_symbol)(ctx, name.as_ptr()))
                }
            };
            if solver.is_null() {
                translator.error()?;
                return Err("Z3 has no solver for us".into());
            }
            (lib.Z3_solver_inc_ref)(ctx, solver);
            solver
        };
        let session = Session::with(translator, solver);
        session.configure();
        Ok(session)
    }

    fn with(translator: Translator, solver: SolverPtr) -> Session {
        Session {
            translator,
            solver,
            satisfiable: false,
            model: None,
            proxies: vec![Vec::new()],
            proxy_count: 0,
            steps: 0,
            lent: false,
        }
    }

    /// A session with a solver that was used before, if there is one.
    fn lend(lib: &'static Library) -> Result<Session, String> {
        let translator = Translator::new(lib);
        let used = IDLE.with_borrow_mut(|idle| {
            // What belongs to a context that was full goes with it.
            idle.retain(|used| {
                let current = translator.is_of(&used.shared);
                if !current {
                    // SAFETY: counted when it was made; its context is still alive.
                    unsafe { (lib.Z3_solver_dec_ref)(used.shared.ctx, used.solver) };
                }
                current
            });
            idle.pop()
        });
        let mut session = match used {
            Some(used) => {
                let mut session = Session::with(translator, used.solver);
                session.steps = used.steps;
                session
            }
            None => Session::new(lib, Kind::Simple)?,
        };
        session.lent = true;
        // SAFETY: context and solver are alive.
        unsafe { (lib.Z3_solver_push)(session.translator.ctx, session.solver) };
        Ok(session)
    }

    fn push(&mut self) {
        // SAFETY: context and solver are alive.
        unsafe { (self.translator.lib.Z3_solver_push)(self.translator.ctx, self.solver) };
        self.proxies.push(Vec::new());
    }

    fn pop(&mut self) {
        if self.proxies.len() > 1 {
            self.proxies.pop();
            // SAFETY: there is a scope to close.
            unsafe { (self.translator.lib.Z3_solver_pop)(self.translator.ctx, self.solver, 1) };
        }
    }

    fn assert(&mut self, pool: &Pool, t: TermId, budget: &Budget) -> Result<(), Why> {
        let ast = self.translator.term(pool, t, budget)?;
        self.assert_ast(ast).map_err(Why::Failed)
    }

    fn assert_ast(&mut self, ast: Ast) -> Result<(), String> {
        // SAFETY: the expression belongs to the context.
        unsafe { (self.translator.lib.Z3_solver_assert)(self.translator.ctx, self.solver, ast) };
        self.translator.error()
    }

    /// A constant that implies the term in the current scope: assumptions must be constants.
    fn proxy(&mut self, pool: &Pool, t: TermId, budget: &Budget) -> Result<Ast, Why> {
        if let Some(&(_, ast)) = self.proxies.iter().flatten().find(|p| p.0 == t) {
            return Ok(ast);
        }
        let term = self.translator.term(pool, t, budget)?;
        let proxy = self.translator.proxy(self.proxy_count);
        self.proxy_count += 1;
        // SAFETY: all expressions are alive; the implication is used at once.
        let implication = unsafe {
            let (lib, ctx) = (self.translator.lib, self.translator.ctx);
            let not = (lib.Z3_mk_not)(ctx, proxy);
            (lib.Z3_inc_ref)(ctx, not);
            (lib.Z3_mk_or)(ctx, 2, [not, term].as_ptr())
        };
        self.assert_ast(implication).map_err(Why::Failed)?;
        if let Some(scope) = self.proxies.last_mut() {
            scope.push((t, proxy));
        }
        Ok(proxy)
    }

    /// The model of the last positive answer. Many are never looked at, and to make one takes as
    /// long as a small question.
    fn model(&mut self) -> Result<Model, String> {
        if let Some(model) = self.model {
            return Ok(model);
        }
        let (lib, ctx) = (self.translator.lib, self.translator.ctx);
        // SAFETY: the last answer was positive, so there is a model; it is counted.
        unsafe {
            let model = (lib.Z3_solver_get_model)(ctx, self.solver);
            if model.is_null() {
                self.translator.error()?;
                return Err("Z3 has no model".into());
            }
            (lib.Z3_model_inc_ref)(ctx, model);
            self.model = Some(model);
            Ok(model)
        }
    }

    fn forget_model(&mut self) {
        self.satisfiable = false;
        if let Some(model) = self.model.take() {
            // SAFETY: counted when it was taken.
            unsafe { (self.translator.lib.Z3_model_dec_ref)(self.translator.ctx, model) };
        }
    }

    /// The steps of all checks in this context so far, of which Z3 tells the last 32 bits.
    fn count(&self) -> c_uint {
        let (lib, ctx) = (self.translator.lib, self.translator.ctx);
        // SAFETY: the statistics are counted while they are read, and keys are strings that live as long.
        unsafe {
            let stats = (lib.Z3_solver_get_statistics)(ctx, self.solver);
            (lib.Z3_stats_inc_ref)(ctx, stats);
            let found = (0..(lib.Z3_stats_size)(ctx, stats))
                .rev()
                .find(|&n| CStr::from_ptr((lib.Z3_stats_get_key)(ctx, stats, n)) == c"rlimit count")
                .map_or(0, |n| (lib.Z3_stats_get_uint_value)(ctx, stats, n));
            (lib.Z3_stats_dec_ref)(ctx, stats);
            found
        }
    }

    /// From now on a check may take so many steps.
    fn limit(&mut self, steps: c_uint) {
        if steps == self.steps {
            return;
        }
        self.steps = steps;
        self.configure();
    }

    /// Tells Z3 how many steps a check may take, and to leave Ctrl-C alone: during a check it would
    /// take the signal for itself, and the command that was interrupted would not learn of it.
    fn configure(&self) {
        let (lib, ctx) = (self.translator.lib, self.translator.ctx);
        // SAFETY: the parameters are counted while they are used; names end with a zero byte.
        unsafe {
            let name = |text: &CStr| (lib.Z3_mk_string_symbol)(ctx, text.as_ptr());
            let params = (lib.Z3_mk_params)(ctx);
            (lib.Z3_params_inc_ref)(ctx, params);
            (lib.Z3_params_set_uint)(ctx, params, name(c"rlimit"), self.steps);
            (lib.Z3_params_set_bool)(ctx, params, name(c"ctrl_c"), false);
            (lib.Z3_solver_set_params)(ctx, self.solver, params);
            (lib.Z3_params_dec_ref)(ctx, params);
        }
    }

    fn check(
        &mut self,
        pool: &Pool,
        assumptions: &[TermId],
        budget: &Budget,
    ) -> Result<(Answer, Vec<TermId>), Why> {
        self.forget_model();
        // To set another limit takes time, so that those of efforts are powers of two.
        let most = budget
            .effort
            .left()
            .map_or(u64::MAX, |left| (left.saturating_mul(1000) / STEP + 1).next_power_of_two());
        self.limit(c_uint::try_from(budget.max_steps.min(most)).unwrap_or(0));
        let before = if budget.effort.is_counted() { self.count() } else { 0 };
        let proxies =
            assumptions.iter().map(|&t| self.proxy(pool, t, budget)).collect::<Result<Vec<Ast>, Why>>()?;
        let (lib, ctx) = (self.translator.lib, self.translator.ctx);
        let interrupt = {
            let ctx = SendPtr(ctx);
            let stop = lib.Z3_interrupt;
            move || {
                // Captured whole, so that the closure may go to the watchdog's thread.
                let ctx = &ctx;
                // SAFETY: the guard is dropped before the context; interrupting is the one thing
                // another thread may do with it.
                unsafe { stop(ctx.0) }
            }
        };
        let guard = watch::guard(budget, interrupt);
        // SAFETY: the constants belong to the context.
        let result = unsafe {
            (lib.Z3_solver_check_assumptions)(ctx, self.solver, proxies.len() as c_uint, proxies.as_ptr())
        };
        drop(guard);
        if budget.effort.is_counted() {
            budget.effort.charge(u64::from(self.count().wrapping_sub(before)) * STEP / 1000 + 1);
        }
        let mut core = Vec::new();
        let answer = match result {
            1 => {
                self.satisfiable = true;
                Answer::Sat
            }
            -1 => {
                let failed = self.failed();
                core.extend(
                    assumptions.iter().zip(&proxies).filter(|(_, p)| failed.contains(p)).map(|(&t, _)| t),
                );
                Answer::Unsat
            }
            _ if budget.exceeded().is_some() => {
                self.lent = false;
                Answer::Unknown(limit_of(budget))
            }
            _ => {
                // The solver may be in any state now: it is not lent again.
                self.lent = false;
                self.translator.error().map_err(Why::Failed)?;
                // SAFETY: the string is copied at once.
                let why = unsafe { (lib.Z3_solver_get_reason_unknown)(ctx, self.solver) };
                let why = self.translator.text(why);
                let limited = self.steps > 0 && (why.contains("resource") || why.contains("cancel"));
                Answer::Unknown(if limited { Why::Limit(Limit::Steps) } else { Why::Incomplete(why) })
            }
        };
        Ok((answer, core))
    }

    /// The constants in Z3's own core. Equal constants are equal pointers.
    fn failed(&self) -> Vec<Ast> {
        let (lib, ctx) = (self.translator.lib, self.translator.ctx);
        // SAFETY: the vector is counted while it is read.
        unsafe {
            let vector = (lib.Z3_solver_get_unsat_core)(ctx, self.solver);
            (lib.Z3_ast_vector_inc_ref)(ctx, vector);
            let failed =
                (0..(lib.Z3_ast_vector_size)(ctx, vector)).map(|n| (lib.Z3_ast_vector_get)(ctx, vector, n));
            let failed = failed.collect();
            (lib.Z3_ast_vector_dec_ref)(ctx, vector);
            failed
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.forget_model();
        let (lib, ctx) = (self.translator.lib, self.translator.ctx);
        if self.lent && self.translator.error().is_ok() {
            // SAFETY: so many scopes are open: ours, and those of the user.
            unsafe { (lib.Z3_solver_pop)(ctx, self.solver, self.proxies.len() as c_uint) };
            let used = Used { solver: self.solver, shared: self.translator.shared(), steps: self.steps };
            IDLE.with_borrow_mut(|idle| idle.push(used));
            return;
        }
        // SAFETY: counted when it was made; the context goes after it.
        unsafe { (lib.Z3_solver_dec_ref)(ctx, self.solver) }
    }
}

/// A context for the one call that any thread may make.
struct SendPtr(library::Context);

// SAFETY: see `Session::check`.
unsafe impl Send for SendPtr {}
