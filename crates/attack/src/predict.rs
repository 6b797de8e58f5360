//! What the symbolic reading says an execution does.
//!
//! For given values of all inputs, the steps of the execution are those of the
//! log whose condition holds. What depends on a variable that is no input cannot
//! be predicted: the value of such a step is left open, and behind a decision of that
//! kind everything is.

use cairn_core::{InputValue, Trace};
use cairn_encode::float::is_usual;
use cairn_encode::{InputVar, ObligationKind, StepKind, Unrolled};
use cairn_ir::{BinOp, EdgeId, Expr, ExprId, Op as IrOp, Program, Ty};
use cairn_term::{Assignment, Evaluator, Op, Pool, TermId, Value};
use rustc_hash::FxHashSet;

use crate::checks::Checks;
use crate::observe::is_telling;

/// The steps of one execution, as far as they are known.
pub struct Predicted {
    pub steps: Vec<(EdgeId, Option<Value>)>,
    pub end: Ending,
    pub trace: Trace,
}

/// What comes behind the last step.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// The execution is over.
    Over,
    /// This edge is undefined.
    Undefined(EdgeId),
    /// That is not known.
    Open,
}

/// The log of an unrolling, made ready for looking at single executions.
pub struct Oracle<'a> {
    program: &'a Program,
    pub pool: Pool,
    pub unrolled: &'a Unrolled,
    steps: Vec<Planned>,
    /// Each visit of a check.
    pub visits: Vec<(usize, TermId)>,
    /// Terms that depend on something that is no input.
    open: Vec<bool>,
    /// Edges whose operation looks at addresses as numbers.
    layout: FxHashSet<EdgeId>,
    usual: Vec<TermId>,
}

struct Planned {
    edge: EdgeId,
    when: TermId,
    what: What,
}

enum What {
    Done(Option<TermId>),
    Parted(TermId),
}

impl<'a> Oracle<'a> {
    pub fn new(program: &'a Program, mut pool: Pool, unrolled: &'a Unrolled, checks: &Checks) -> Oracle<'a> {
        let (mut steps, mut visits) = (Vec::new(), Vec::new());
        let log = unrolled.log.as_ref();
        for step in log.iter().flat_map(|l| &l.steps) {
            let what = match &step.kind {
                StepKind::Done(value) => What::Done(*value),
                StepKind::Parted(on) => What::Parted(on.term(&mut pool)),
            };
            steps.push(Planned { edge: step.edge, when: step.guard.term(&mut pool), what });
        }
        for visit in log.iter().flat_map(|l| &l.visits) {
            if let Some(check) = checks.find(visit.at, visit.call) {
                visits.push((check, visit.guard.term(&mut pool)));
            }
        }
        let open = open_terms(&pool, unrolled);
        let edges: FxHashSet<EdgeId> = steps.iter().map(|s| s.edge).collect();
        // Where a program says where its objects lie, addresses are known.
        let placed = program.places_objects();
        let looks = |e: &EdgeId| !placed && looks_at_addresses(program, *e);
        let layout = edges.into_iter().filter(looks).collect();
        let terms = (0..pool.len()).map(|n| TermId::from_u32(n as u32));
        let usual = terms.filter(|&t| is_usual(&pool, t)).collect();
        Oracle { program, pool, unrolled, steps, visits, open, layout, usual }
    }

    /// How many terms a prediction has to evaluate, about.
    pub fn size(&self) -> usize {
        self.pool.len()
    }

    /// The choices that the executor makes as processors do: true in every execution to compare.
    pub fn usual(&self) -> impl Iterator<Item = TermId> {
        self.usual.iter().copied()
    }

    /// Does the value of a term depend on something that is no input?
    pub fn is_open(&self, t: TermId) -> bool {
        self.open.get(index(t)).copied().unwrap_or(true)
    }

    /// The execution for these values, and the checks it comes to.
    pub fn predict(&self, values: &Assignment) -> (Predicted, Vec<usize>) {
        let mut eval = Evaluator::new(&self.pool, values);
        let mut inputs = Vec::new();
        for i in &self.unrolled.inputs {
            if eval.holds(i.when) {
                let bits = pattern(&eval.eval(i.term)).unwrap_or(0);
                inputs.push(InputValue { name: i.name, ty: i.ty, bits, place: i.place });
            }
        }
        let mut steps = Vec::new();
        let mut end = None;
        for step in &self.steps {
            if !eval.holds(step.when) {
                continue;
            }
            if self.is_open(step.when) || self.layout.contains(&step.edge) {
                end = Some(Ending::Open);
                break;
            }
            match step.what {
                What::Parted(on) if self.is_open(on) => {
                    end = Some(Ending::Open);
                    break;
                }
                What::Parted(_) => {}
                What::Done(value) => {
                    if is_telling(&self.program.edges[step.edge].op, self.program) {
                        let known = value.filter(|&t| !self.is_open(t));
                        steps.push((step.edge, known.map(|t| eval.eval(t))));
                    }
                }
            }
        }
        let end = end.unwrap_or_else(|| self.ending(&mut eval));
        let reached = self.visits.iter().filter(|v| eval.holds(v.1)).map(|v| v.0).collect();
        (Predicted { steps, end, trace: Trace { inputs, births: Vec::new() } }, reached)
    }

    fn ending(&self, eval: &mut Evaluator<'_>) -> Ending {
        if self.unrolled.stopped {
            return Ending::Open;
        }
        let met = self.unrolled.obligations.iter().find(|o| eval.holds(o.when));
        match met {
            None => Ending::Over,
            Some(o) if self.is_open(o.when) => Ending::Open,
            Some(o) => match o.kind {
                ObligationKind::Undefined(_) | ObligationKind::DivisionByZero => Ending::Undefined(o.edge),
                _ => Ending::Open,
            },
        }
    }

    /// Gives objects the bases that the values of the inputs say.
    pub fn place(&self, values: &mut Assignment) {
        for base in &self.unrolled.bases {
            if let Some(Value::Bits(width, bits)) = values.get(&base.said).cloned() {
                values.insert(base.upper, Value::bits(width - base.low, bits >> base.low));
            }
        }
    }

    /// All inputs of all executions.
    pub fn inputs(&self) -> &'a [InputVar] {
        &self.unrolled.inputs
    }
}

/// The pattern of a scalar.
pub fn pattern(value: &Value) -> Option<u128> {
    match value {
        Value::Bits(_, b) | Value::Float(_, b) => Some(*b),
        Value::Bool(b) => Some((*b).into()),
        _ => None,
    }
}

fn index(t: TermId) -> usize {
    t.as_u32() as usize
}

/// For every term, whether it depends on a variable that is no input. Arguments come before the
/// terms they are in. A pointer that is an input (a variable that is not assigned) leads to an object
/// by the numbers of this reading, which are not the executor's: that is open, too.
fn open_terms(pool: &Pool, unrolled: &Unrolled) -> Vec<bool> {
    let scalars = unrolled.inputs.iter().filter(|i| i.ty != Ty::Ptr);
    let mut inputs: FxHashSet<TermId> = scalars.map(|i| i.term).collect();
    // Bases are as inputs say, unless they are computed from others.
    let said = unrolled.bases.iter().filter(|b| inputs.contains(&b.said)).map(|b| b.upper);
    let bases: Vec<TermId> = said.collect();
    inputs.extend(bases);
    let mut open: Vec<bool> = Vec::with_capacity(pool.len());
    for n in 0..pool.len() {
        let t = TermId::from_u32(n as u32);
        let is = match pool.op(t) {
            Op::Var(_) => !inputs.contains(&t) && !is_usual(pool, t),
            // What is open about a NaN is as usual, so that the rest of its argument does not matter.
            Op::FpToBits => {
                pool.args(t).first().is_some_and(|&a| open.get(index(a)).copied().unwrap_or(true))
            }
            _ => pool.args(t).iter().any(|&a| open.get(index(a)).copied().unwrap_or(true)),
        };
        open.push(is);
    }
    open
}

/// Does an operation depend on where objects lie?
fn looks_at_addresses(program: &Program, e: EdgeId) -> bool {
    let mut work: Vec<ExprId> = Vec::new();
    let op = &program.edges[e].op;
    op.each_expr(|x| work.push(x));
    // Freeing itself does not; pointers in memory are looked at where they are read as other types.
    if let IrOp::Free { .. } = op {
        return false;
    }
    while let Some(x) = work.pop() {
        let of_pointer = match program.exprs.get(x) {
            Expr::Cast(Ty::Int(_), a) | Expr::Binary(BinOp::Lt | BinOp::Le, a, _) => program.ty(a) == Ty::Ptr,
            Expr::Cast(Ty::Ptr, a) => program.ty(a) != Ty::Ptr,
            _ => false,
        };
        if of_pointer {
            return true;
        }
        work.extend(program.exprs.children(x));
    }
    false
}
