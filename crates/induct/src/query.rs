//! Questions about an unrolled program, asked of one solver.

use cairn_base::Budget;
use cairn_base::effort::SECOND;
use cairn_core::verdict::{InputValue, Trace};
use cairn_core::{Cx, Why};
use cairn_encode::float::is_usual;
use cairn_encode::{Obligation, ObligationKind, Unrolled};
use cairn_ir::{EdgeId, Program};
use cairn_sem::{Birth, Site};
use cairn_smt::{Answer, Solver};
use cairn_term::{Assignment, Evaluator, Pool, TermId, Value};
use rustc_hash::FxHashMap;

/// The effort that a look for undefined behaviour is worth, for the ledger.
const LEDGER: u64 = 3 * SECOND / 10;
/// Conflicts before obligations are asked for one by one.
const AT_ONCE: u64 = 3000;

/// What came of asking whether some of the obligations can be met.
pub enum Found {
    Nothing,
    /// An execution that meets one, by the values of all variables.
    Execution(Assignment),
    Unknown(cairn_smt::Why),
}

/// Can an obligation of the chosen kinds be met? `None` if that is not seen within so many conflicts.
pub fn glance(
    pool: &mut Pool,
    solver: &mut dyn Solver,
    unrolled: &Unrolled,
    wanted: impl Fn(&Obligation) -> bool,
    conflicts: u64,
    budget: &Budget,
) -> Option<Found> {
    let terms = wanted_terms(unrolled, wanted);
    let any = pool.or(&terms);
    if let Some(known) = settled(pool, any) {
        return Some(known);
    }
    let quick = Budget { max_steps: conflicts, ..budget.clone() };
    match solver.check(pool, &[any], &quick) {
        Answer::Unknown(cairn_smt::Why::Limit(_)) if budget.exceeded().is_none() => None,
        answer => Some(found(pool, solver, unrolled, any, answer, budget)),
    }
}

/// Can an obligation of the chosen kinds be met?
pub fn ask(
    pool: &mut Pool,
    solver: &mut dyn Solver,
    unrolled: &Unrolled,
    wanted: impl Fn(&Obligation) -> bool,
    budget: &Budget,
) -> Found {
    ask_terms(pool, solver, unrolled, &wanted_terms(unrolled, wanted), budget)
}

/// Can one of these conditions on executions hold?
pub fn ask_terms(
    pool: &mut Pool,
    solver: &mut dyn Solver,
    unrolled: &Unrolled,
    terms: &[TermId],
    budget: &Budget,
) -> Found {
    let any = pool.or(terms);
    if let Some(known) = settled(pool, any) {
        return known;
    }
    // All at once is best if it is easy; one after another, each with what the earlier ones taught,
    // if it is not.
    let quick = Budget { max_steps: AT_ONCE, ..budget.clone() };
    let answer = match solver.check(pool, &[any], if terms.len() > 1 { &quick } else { budget }) {
        Answer::Unknown(cairn_smt::Why::Limit(_)) if budget.exceeded().is_none() => {
            one_by_one(pool, solver, terms, budget)
        }
        answer => answer,
    };
    found(pool, solver, unrolled, any, answer, budget)
}

fn wanted_terms(unrolled: &Unrolled, wanted: impl Fn(&Obligation) -> bool) -> Vec<TermId> {
    unrolled.obligations.iter().filter(|o| wanted(o)).map(|o| o.when).collect()
}

/// What needs no solver.
fn settled(pool: &Pool, any: TermId) -> Option<Found> {
    Some(match pool.as_bool(any)? {
        false => Found::Nothing,
        // Any execution will do, but the inputs still need values: none matters.
        true => Found::Execution(Assignment::default()),
    })
}

fn found(
    pool: &Pool,
    solver: &mut dyn Solver,
    unrolled: &Unrolled,
    asked: TermId,
    answer: Answer,
    budget: &Budget,
) -> Found {
    match answer {
        Answer::Unsat => Found::Nothing,
        Answer::Unknown(why) => Found::Unknown(why),
        Answer::Sat => {
            let mut roots: Vec<TermId> = unrolled.inputs.iter().flat_map(|i| [i.term, i.when]).collect();
            roots.extend(unrolled.obligations.iter().map(|o| o.when));
            roots.extend(unrolled.births.iter().flat_map(|b| [b.when, b.size]));
            let vars = pool.free_vars(&roots);
            let first = solver.model(pool, &vars);
            // An execution in which all that is left open is as it is on the machine that will replay
            // it is better, if there is one.
            let mut usual: Vec<TermId> = vars.iter().copied().filter(|&v| is_usual(pool, v)).collect();
            let unusual =
                |model: &Assignment| usual.iter().any(|v| model.get(v) == Some(&Value::Bool(false)));
            let again = if first.as_ref().is_ok_and(unusual) {
                usual.push(asked);
                let quick = Budget { max_steps: AT_ONCE, ..budget.clone() };
                match solver.check(pool, &usual, &quick) {
                    Answer::Sat => solver.model(pool, &vars).ok(),
                    _ => None,
                }
            } else {
                None
            };
            match again.map_or(first, Ok) {
                Ok(model) => Found::Execution(model),
                Err(why) => Found::Unknown(why),
            }
        }
    }
}

/// Asks for each term alone, and keeps as an assertion what cannot be.
fn one_by_one(pool: &mut Pool, solver: &mut dyn Solver, terms: &[TermId], budget: &Budget) -> Answer {
    for &t in terms {
        match solver.check(pool, &[t], budget) {
            Answer::Unsat => {
                let not = pool.not(t);
                solver.assert(pool, not);
            }
            answer => return answer,
        }
    }
    Answer::Unsat
}

/// The inputs of an execution, in order.
pub fn trace(pool: &Pool, unrolled: &Unrolled, model: &Assignment) -> Trace {
    let mut eval = Evaluator::new(pool, model);
    let mut inputs = Vec::new();
    for i in &unrolled.inputs {
        if eval.holds(i.when) {
            let bits = match eval.eval(i.term) {
                Value::Bits(_, b) | Value::Float(_, b) => b,
                Value::Bool(b) => b.into(),
                _ => 0,
            };
            inputs.push(InputValue { name: i.name, ty: i.ty, bits, place: i.place });
        }
    }
    Trace { inputs, births: births(pool, unrolled, model) }
}

/// The contents of uninitialised memory in an execution, where they matter.
fn births(pool: &Pool, unrolled: &Unrolled, model: &Assignment) -> Vec<Birth> {
    let mut eval = Evaluator::new(pool, model);
    let mut counts: FxHashMap<EdgeId, u32> = FxHashMap::default();
    let mut found = Vec::new();
    for b in &unrolled.births {
        if !eval.holds(b.when) {
            continue;
        }
        let birth = unrolled.contents.get(b.id);
        let count = counts.entry(birth.edge).or_default();
        let size = eval.eval(b.size).as_bits().unwrap_or(0) as u64;
        let bytes = birth.bytes(pool, model, size);
        if !bytes.is_empty() {
            found.push(Birth { site: Site::Edge(birth.edge, *count), bytes });
        }
        *count += 1;
    }
    found
}

/// Says for the ledger if executions may meet undefined behaviour: they end there, and a proof does
/// not speak of what they might do afterwards.
pub fn note_undefined(
    pool: &mut Pool,
    solver: &mut dyn Solver,
    unrolled: &Unrolled,
    program: &Program,
    cx: &Cx<'_>,
) {
    let undefined =
        |k: &ObligationKind| matches!(k, ObligationKind::Undefined(_) | ObligationKind::DivisionByZero);
    let budget = cx.budget.with_effort(LEDGER);
    let terms: Vec<TermId> =
        unrolled.obligations.iter().filter(|o| undefined(&o.kind)).map(|o| o.when).collect();
    let any = pool.or(&terms);
    if pool.as_bool(any) == Some(false) {
        return;
    }
    let model = match pool.as_bool(any) {
        Some(_) => Assignment::default(),
        None => match solver.check(pool, &[any], &budget) {
            Answer::Unsat => return,
            Answer::Sat => solver.model(pool, &pool.free_vars(&terms)).unwrap_or_default(),
            Answer::Unknown(_) => {
                cx.note("executions that meet undefined behaviour are not considered beyond it; whether there are any was not decided");
                return;
            }
        },
    };
    if let Some(o) = met(pool, unrolled, &model).find(|o| undefined(&o.kind)) {
        let what = match &o.kind {
            ObligationKind::Undefined(what) => what,
            _ => "division by zero",
        };
        let at = cairn_sem::place_text(program, o.place);
        cx.note(format!(
            "{at}: {what} is possible; executions that meet undefined behaviour are not considered beyond it"
        ));
    }
}

/// The obligations that an execution meets.
pub fn met<'u>(
    pool: &Pool,
    unrolled: &'u Unrolled,
    model: &Assignment,
) -> impl Iterator<Item = &'u Obligation> {
    let mut eval = Evaluator::new(pool, model);
    let met: Vec<_> = unrolled.obligations.iter().filter(|o| eval.holds(o.when)).collect();
    met.into_iter()
}

/// A solver's reason as ours.
pub fn why(reason: &cairn_smt::Why) -> Why {
    match reason {
        cairn_smt::Why::Limit(limit) => Why::limit(*limit),
        cairn_smt::Why::Failed(_) => Why::new("solver failed", reason.to_string()).internal(),
        _ => Why::new("solver gave up", reason.to_string()),
    }
}
