//! The search for inputs: some at random, some that lead to checks which those
//! did not reach, and variations of what did.

use cairn_base::Budget;
use cairn_core::replay::failure;
use cairn_core::{LoopProof, Proof, Sole, Task};
use cairn_encode::{Bounds, InputVar, Log, Obligation, ObligationKind, Unroller};
use cairn_ir::{Bits, Program};
use cairn_smt::{Answer, Solver};
use cairn_term::{Assignment, Pool, TermId, Value};
use rustc_hash::FxHashSet;

use crate::checks::Checks;
use crate::compare::compare;
use crate::observe;
use crate::pick::Picker;
use crate::predict::Oracle;
use crate::{Attack, CheckReport, Contradiction, Effort, Reach};

/// Turns of a loop to follow where the proof says how many there are.
const MOST_TURNS: u32 = 24;
/// Steps to log and to compare in one execution.
const LOGGED: usize = 40_000;
/// Steps of one run; of the sole run of a program that takes no inputs.
const RUN: u64 = 100_000;
const LONGEST: u64 = 10_000_000;
/// Different executions that the solver is asked to lead to one check.
const WAYS: u32 = 2;
/// Inputs that are asked to have a value of our choice.
const WISHES: usize = 3;

pub fn search(task: &Task, reading: &Program, proof: &Proof, effort: &Effort, budget: &Budget) -> Attack {
    let checks = Checks::new(&task.program, task.entry);
    let mut pool = Pool::new();
    let log = Log::new(checks.locations(), LOGGED);
    let unroller = Unroller::new(reading, &mut pool, bounds(proof, effort), budget.clone());
    let unrolled = unroller.logged(log).run(task.entry);
    let mut search = Search {
        task,
        effort,
        budget,
        reached: vec![false; checks.all.len()],
        impossible: vec![false; checks.all.len()],
        checks: &checks,
        picker: Picker::new(&task.program),
        solver: cairn_smt::standard(),
        tried: FxHashSet::default(),
        good: Vec::new(),
        questions: 0,
        steps: 0,
        longest: RUN,
        partial: false,
        evaluated: 0,
        attack: Attack::default(),
    };
    let mut oracle = Oracle::new(reading, pool, &unrolled, &checks);
    let complete = match &proof.sole {
        Some(sole) => search.run_alone(&oracle, sole),
        None => {
            search.run(&mut oracle);
            search.is_complete(&mut oracle)
        }
    };
    search.report(complete)
}

/// As far as the proof says that loops go, within reason.
fn bounds(proof: &Proof, effort: &Effort) -> Bounds {
    let of = proof.loops.iter().map(|(&head, how)| {
        let turns = match how {
            LoopProof::Bound(n) => n.saturating_add(1).clamp(effort.turns, MOST_TURNS),
            LoopProof::Invariant { k, .. } => k.saturating_add(1).clamp(effort.turns, MOST_TURNS),
        };
        (head, turns)
    });
    Bounds {
        of: of.collect(),
        computed: 4096,
        terms: effort.terms,
        recursion: effort.turns + 1,
        ..Bounds::turns(effort.turns)
    }
}

/// Does the input say where an object lies (see `cairn_core::addresses`)?
fn is_address(i: &InputVar) -> bool {
    i.name.starts_with('&')
}

struct Search<'a> {
    task: &'a Task,
    effort: &'a Effort,
    budget: &'a Budget,
    checks: &'a Checks,
    reached: Vec<bool>,
    /// The solver found no execution within the bounds.
    impossible: Vec<bool>,
    picker: Picker,
    solver: Box<dyn Solver>,
    /// The inputs of the runs so far.
    tried: FxHashSet<Vec<Bits>>,
    /// Values that lead to a check.
    good: Vec<Assignment>,
    questions: u32,
    steps: u64,
    /// Steps of one run.
    longest: u64,
    /// The sole run was too long to be watched to its end: nothing is known of checks it did not reach.
    partial: bool,
    evaluated: usize,
    attack: Attack,
}

impl Search<'_> {
    fn run(&mut self, oracle: &mut Oracle<'_>) {
        for _ in 0..self.effort.runs / 3 {
            let values = self.complete(oracle, Assignment::default());
            if !self.goes_on(oracle) || self.attempt(oracle, values, false).is_none() {
                break;
            }
        }
        for check in 0..self.checks.all.len() {
            for way in 0..WAYS {
                let asked = self.reached[check] || self.impossible[check];
                if asked || self.questions >= self.effort.questions || !self.goes_on(oracle) {
                    break;
                }
                if let Some(model) = self.ask(oracle, check, way > 0) {
                    let values = self.complete(oracle, model);
                    self.attempt(oracle, values, false);
                }
            }
        }
        // Others like those that lead to a check.
        for n in 0..4 * self.effort.runs as usize {
            if self.good.is_empty() || oracle.inputs().is_empty() || !self.goes_on(oracle) {
                break;
            }
            let mut values = self.good[n % self.good.len()].clone();
            for _ in 0..1 + self.picker.below(3) {
                let i = self.picker.below(oracle.inputs().len());
                let InputVar { term, ty, .. } = oracle.inputs()[i];
                if !is_address(&oracle.inputs()[i]) {
                    values.insert(term, self.picker.value(ty));
                }
            }
            self.attempt(oracle, values, true);
        }
    }

    /// Runs the one execution that there is. Did it come to its end, so that checks it has not reached are
    /// not reached at all?
    fn run_alone(&mut self, oracle: &Oracle<'_>, sole: &Sole) -> bool {
        self.longest = sole.steps.saturating_add(1).min(LONGEST);
        let values = self.complete(oracle, Assignment::default());
        self.attempt(oracle, values, false);
        let whole = sole.steps < self.longest && self.steps >= sole.steps;
        self.impossible.fill(whole);
        self.partial = !whole;
        whole
    }

    fn goes_on(&self, oracle: &Oracle<'_>) -> bool {
        self.attack.contradiction.is_none()
            && self.attack.runs < self.effort.runs
            && self.steps < self.effort.steps
            && (self.attack.runs < 4 || self.evaluated + oracle.size() < self.effort.evaluations)
            && self.budget.exceeded().is_none()
    }

    /// Values for all inputs: those that are given, and any for the rest.
    fn complete(&mut self, oracle: &Oracle<'_>, mut values: Assignment) -> Assignment {
        let mut layout = self.picker.layout();
        for i in oracle.inputs() {
            values.entry(i.term).or_insert_with(|| match is_address(i) {
                true => layout.next(i.ty),
                false => self.picker.value(i.ty),
            });
        }
        oracle.place(&mut values);
        values.extend(oracle.usual().map(|t| (t, Value::Bool(true))));
        values
    }

    /// Runs the program on these values, unless that has been done; with `only_good` only if they
    /// lead to a check. `None` if there is nothing to vary: the program takes no inputs.
    fn attempt(&mut self, oracle: &Oracle<'_>, values: Assignment, only_good: bool) -> Option<()> {
        let (said, reached) = oracle.predict(&values);
        self.evaluated += oracle.size();
        if only_good && reached.is_empty() {
            return Some(());
        }
        let inputs: Vec<Bits> = said.trace.inputs.iter().map(|i| i.bits).collect();
        if !self.tried.insert(inputs) {
            return Some(());
        }
        let most = self.effort.steps.max(self.longest);
        let steps = self.longest.min(most - self.steps.min(most));
        let budget = Budget { max_steps: steps, ..self.budget.clone() };
        let most = said.steps.len() + 1;
        let did = observe::run(self.task, &said.trace, self.checks, &mut self.reached, most, budget);
        self.steps += did.count.max(1);
        self.attack.runs += 1;
        let fails = failure(&self.task.property, &did.end).map(|report| {
            let what =
                format!("the proof says that no execution fails, but this one does: {}", report.message);
            (what, report.place)
        });
        let differs = || compare(self.task, &said, &did).map(|d| (d.what, d.place));
        if let Some((what, place)) = fails.or_else(differs) {
            self.attack.contradiction = Some(Contradiction { what, place, inputs: did.inputs });
            return Some(());
        }
        if !reached.is_empty() {
            self.good.push(values);
        }
        (!did.inputs.is_empty() || !oracle.inputs().is_empty()).then_some(())
    }

    /// Asks for inputs that lead to a check, perhaps with some of them at boundaries.
    fn ask(&mut self, oracle: &mut Oracle<'_>, check: usize, wishing: bool) -> Option<Assignment> {
        let ways: Vec<TermId> = oracle.visits.iter().filter(|v| v.0 == check).map(|v| v.1).collect();
        let any = oracle.pool.or(&ways);
        let mut assumptions = vec![any];
        let mut answer = self.question(oracle, &assumptions);
        if answer == Answer::Unsat {
            self.impossible[check] = true;
        }
        let mut model = None;
        if answer == Answer::Sat {
            let vars = oracle.pool.free_vars(&[any]);
            model = self.solver.model(&oracle.pool, &vars).ok();
            let related: Vec<InputVar> =
                oracle.inputs().iter().filter(|i| vars.contains(&i.term)).cloned().collect();
            for _ in 0..if wishing { WISHES.min(related.len()) } else { 0 } {
                let wished = &related[self.picker.below(related.len())];
                if is_address(wished) {
                    continue;
                }
                let InputVar { term, ty, .. } = *wished;
                let value = self.picker.value(ty);
                let value = oracle.pool.value(&value);
                assumptions.push(oracle.pool.eq(term, value));
                answer = self.question(oracle, &assumptions);
                match answer {
                    Answer::Sat => model = self.solver.model(&oracle.pool, &vars).ok().or(model),
                    _ => {
                        assumptions.pop();
                    }
                }
            }
        }
        model
    }

    fn question(&mut self, oracle: &Oracle<'_>, assumptions: &[TermId]) -> Answer {
        self.questions += 1;
        if assumptions.iter().all(|&t| oracle.pool.as_bool(t) == Some(true)) {
            return Answer::Sat;
        }
        if assumptions.iter().any(|&t| oracle.pool.as_bool(t) == Some(false)) {
            return Answer::Unsat;
        }
        let budget = Budget { max_steps: self.effort.conflicts, ..self.budget.clone() };
        self.solver.check(&oracle.pool, assumptions, &budget)
    }

    /// Has every execution been followed to its end?
    fn is_complete(&mut self, oracle: &mut Oracle<'_>) -> bool {
        if self.reached.iter().all(|&r| r) || oracle.unrolled.stopped || self.attack.contradiction.is_some() {
            return false;
        }
        let is_open = |o: &&Obligation| {
            use ObligationKind::{Gap, Recursion, Unwind};
            matches!(o.kind, Unwind { .. } | Recursion { .. } | Gap(_))
        };
        let open: Vec<TermId> = oracle.unrolled.obligations.iter().filter(is_open).map(|o| o.when).collect();
        let any = oracle.pool.or(&open);
        self.question(oracle, &[any]) == Answer::Unsat
    }

    fn report(self, complete: bool) -> Attack {
        let status = |n: usize| match (self.reached[n], complete && self.impossible[n]) {
            (true, _) => Reach::Reached,
            (false, true) => Reach::Never,
            (false, false) => Reach::NotFound,
        };
        let report = |(n, check): (usize, &crate::checks::Check)| CheckReport {
            place: check.place,
            status: status(n),
        };
        let known = |(n, _): &(usize, &crate::checks::Check)| self.reached[*n] || !self.partial;
        let mut checks: Vec<CheckReport> =
            self.checks.all.iter().enumerate().filter(known).map(report).collect();
        // Several branches may make one check: it is reached if one of them is.
        checks.sort_by_key(|c| (c.place.file, c.place.line, c.place.col, c.status));
        checks.dedup_by_key(|c| c.place);
        Attack { checks, ..self.attack }
    }
}
