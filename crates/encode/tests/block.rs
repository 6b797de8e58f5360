//! Large blocks: the formula of a small program, blocks against executions of random
//! programs, and blocks composed against an unrolling.

use cairn_base::{Budget, DataModel};
use cairn_cfront::{Input, Options, compile};
use cairn_encode::block::{Block, block};
use cairn_encode::state::State;
use cairn_encode::walk::Cycle;
use cairn_encode::wto::{Wto, order};
use cairn_encode::{Bounds, ObligationKind, Stepper, Unroller};
use cairn_ir::{FuncId, LocId, Program, VarId, verify};
use cairn_sem::{Captured, End, Executor, Given};
use cairn_term::{Assignment, Evaluator, Pool, TermId, Value};
use fastrand::Rng;
use rustc_hash::{FxHashMap, FxHashSet};

fn entry() -> FuncId {
    FuncId::from_u32(0)
}

fn l(n: u32) -> LocId {
    LocId::from_u32(n)
}

fn of_text(text: &str) -> Program {
    let p = cairn_ir::text::parse(text).unwrap_or_else(|e| panic!("{e}"));
    verify(&p).unwrap_or_else(|v| panic!("{v:#?}"));
    p
}

/// A diamond behind an assumption, in a loop.
const DIAMOND: &str = "program LP64
global g.0: u8 = 0u8
func main.0 (u8) -> u8 {
  entry l0 exit l7
  params x.1
  param x.1: u8
  l0:
    e0 -> l1: nop
  l1:
    e1 -> l2: when x.1 < 100u8
    e2 -> l6: unless x.1 < 100u8
  l2:
    e3 -> l3: when g.0 == 0u8
    e4 -> l4: unless g.0 == 0u8
  l3:
    e5 -> l5: x.1 := x.1 + 1u8
  l4:
    e6 -> l5: x.1 := x.1 + g.0
  l5:
    e7 -> l1: g.0 := 7u8 / x.1
  l6:
    e8 -> l7: return x.1
  l7:
}
";

/// The generic block from the head of a loop is the transition formula that one writes by hand.
#[test]
fn a_block_from_the_generic_state_is_a_transition_formula() {
    let p = of_text(DIAMOND);
    let mut pool = Pool::new();
    let mut stepper = Stepper::new(&p, &mut pool);
    let start = stepper.start(entry());
    let generic = stepper.generic(&start, entry(), 0, &|_| false).expect("all objects are known");
    let found = block(&mut stepper, l(1), generic.clone(), &|at| at == l(1)).expect("cut");
    let Block { ends, obligations, inputs } = found;
    assert_eq!(ends.keys().copied().collect::<Vec<_>>(), [l(1), l(7)]);
    assert!(inputs.is_empty());

    let (g, x) = (VarId::from_u32(0), VarId::from_u32(1));
    let (g0, x0) = (generic.globals[&g], generic.locals[&x]);
    let [zero, one, seven, most] = [0, 1, 7, 100].map(|n| pool.bits(8, n));
    let stays = pool.bv_ult(x0, most);
    let unset = pool.eq(g0, zero);
    let (up, more) = (pool.bv_add(x0, one), pool.bv_add(x0, g0));
    let x1 = pool.ite(unset, up, more);
    let by_zero = pool.eq(x1, zero);
    let not = pool.not(by_zero);
    let goes_round = pool.and(&[stays, not]);
    let fails = pool.and(&[stays, by_zero]);
    let g1 = pool.bv_udiv(seven, x1);
    let leaves = pool.not(stays);

    let round = &ends[&l(1)];
    let when = round.guard.term(&mut pool);
    assert_same(&pool, [g0, x0], when, goes_round);
    assert_eq!((round.locals[&x], round.globals[&g]), (x1, g1));
    let out = &ends[&l(7)];
    assert_eq!(out.guard.term(&mut pool), leaves);
    assert_eq!((out.locals[&x], out.globals[&g]), (x0, g0));
    assert_eq!(out.result, Some(x0));
    let [o] = &obligations[..] else { panic!("{obligations:?}") };
    assert_eq!(o.kind, ObligationKind::DivisionByZero);
    assert_same(&pool, [g0, x0], o.when, fails);
}

/// Two conditions over two bytes hold for the same values.
fn assert_same(pool: &Pool, vars: [TermId; 2], a: TermId, b: TermId) {
    for n in 0..1 << 16 {
        let at = vars.into_iter().zip([n & 255, n >> 8]).map(|(v, n)| (v, Value::bits(8, n))).collect();
        let mut eval = Evaluator::new(pool, &at);
        assert_eq!(eval.holds(a), eval.holds(b), "{} and {}", pool.text(a), pool.text(b));
    }
}

#[test]
fn a_cycle_without_a_cut_point_is_refused() {
    let p = of_text(DIAMOND);
    let mut pool = Pool::new();
    let mut stepper = Stepper::new(&p, &mut pool);
    let start = stepper.start(entry());
    assert_eq!(block(&mut stepper, l(0), start.clone(), &|_| false).unwrap_err(), Cycle(l(1)));
    // Any location of the cycle will do.
    let found = block(&mut stepper, l(0), start, &|at| at == l(5)).expect("cut");
    // The parameter is 1, and so no execution leaves.
    assert_eq!(found.ends.keys().copied().collect::<Vec<_>>(), [l(5)]);
}

/// Random programs over bytes, with loops that end after a few turns.
struct Maker {
    rng: Rng,
    text: String,
    loops: u32,
    /// Whether there are arrays.
    memory: bool,
}

impl Maker {
    fn program(seed: u64, memory: bool) -> Program {
        let mut m = Maker { rng: Rng::with_seed(seed), text: String::new(), loops: 0, memory };
        m.text.push_str(
            "extern void reach_error(void); extern unsigned char __VERIFIER_nondet_uchar(void);\n\
             unsigned char a, b; unsigned char m[4] = {1, 2, 3, 4};\nint main(void) {\n\
             unsigned char c = __VERIFIER_nondet_uchar(), d = 3, i0 = 0, i1 = 0, i2 = 0;\n",
        );
        m.statements(6, 2);
        m.text.push_str("return (unsigned char)(a ^ c + d * b);\n}\n");
        let input = Input::Text { name: "t.c".into(), text: m.text.clone() };
        match compile(&[input], &Options::with_model(DataModel::Lp64), None) {
            Ok(c) => c.program,
            Err(_) => panic!("{}", m.text),
        }
    }

    fn value(&mut self) -> String {
        let pick = self.rng.usize(0..if self.memory { 6 } else { 5 });
        match pick {
            0 => self.rng.u8(..).to_string(),
            5 => format!("m[{} & 3]", ["a", "c"][self.rng.usize(0..2)]),
            n => ["a", "b", "c", "d"][n - 1].into(),
        }
    }

    fn expression(&mut self) -> String {
        let op = ["+", "-", "*", "/", "%", "^", "&"][self.rng.usize(0..7)];
        format!("{} {op} {}", self.value(), self.value())
    }

    fn condition(&mut self) -> String {
        let op = ["<", "==", "!=", "<="][self.rng.usize(0..4)];
        format!("{} {op} {}", self.value(), self.value())
    }

    fn statements(&mut self, most: usize, depth: u32) {
        for _ in 0..self.rng.usize(1..=most) {
            let x = ["a", "b", "c", "d"][self.rng.usize(0..4)];
            let line = match self.rng.usize(0..12) {
                0 => format!("{x} = __VERIFIER_nondet_uchar();"),
                1 => format!("if ({} && {}) reach_error();", self.condition(), self.condition()),
                2 if self.memory => format!("m[{} & 3] = {};", x, self.expression()),
                3..=5 if depth > 0 => {
                    let condition = self.condition();
                    self.text.push_str(&format!("if ({condition}) {{\n"));
                    self.statements(3, depth - 1);
                    self.text.push_str("} else {\n");
                    self.statements(2, depth - 1);
                    "}".into()
                }
                6 | 7 if depth > 0 && self.loops < 3 => {
                    let i = format!("i{}", self.loops);
                    self.loops += 1;
                    let condition = self.condition();
                    self.text.push_str(&format!("for ({i} = 0; {i} < 3 && {condition}; {i}++) {{\n"));
                    self.statements(2, depth - 1);
                    "}".into()
                }
                _ => format!("{x} = {};", self.expression()),
            };
            self.text.push_str(&line);
            self.text.push('\n');
        }
    }
}

/// How an execution ends.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Outcome {
    Error,
    Undefined,
    Exit(u128),
}

fn run(p: &Program, bytes: &[u8]) -> Outcome {
    let inputs = bytes.iter().map(|&b| Given::Bits(b.into())).collect();
    let options = cairn_sem::Options { inputs, ..Default::default() };
    let budget = Budget { max_steps: 1_000_000, ..Budget::default() };
    match Executor::new(p, options, budget).run(&mut Captured::default()).end {
        End::Exit(n) => Outcome::Exit(n as u128),
        End::ErrorReached(_) => Outcome::Error,
        End::Undefined(_) => Outcome::Undefined,
        other => panic!("{other:?}"),
    }
}

fn heads(elements: &[Wto], found: &mut FxHashSet<LocId>) {
    for element in elements {
        if let Wto::Loop(head, body) = element {
            found.insert(*head);
            heads(body, found);
        }
    }
}

/// The inputs of an execution: those whose condition holds take the bytes in order.
fn given<'i>(
    pool: &Pool,
    inputs: impl IntoIterator<Item = &'i cairn_encode::InputVar>,
    bytes: &[u8],
) -> Assignment {
    let mut at = Assignment::default();
    let mut bytes = bytes.iter();
    for i in inputs {
        if Evaluator::new(pool, &at).holds(i.when) {
            at.insert(i.term, Value::bits(8, (*bytes.next().expect("enough bytes")).into()));
        }
    }
    at
}

/// All executions as blocks between the heads of loops: the blocks, in an order in which executions
/// pass them.
fn blocks(p: &Program, stepper: &mut Stepper<'_, '_>, heads: &FxHashSet<LocId>) -> Vec<Block> {
    let entry = p.entry.expect("an entry");
    let body = p.funcs[entry].body.as_ref().expect("a body");
    let mut work = vec![(body.entry, stepper.start(entry))];
    let mut found = Vec::new();
    let mut at = 0;
    while let Some((from, start)) = work.get(at).cloned() {
        at += 1;
        assert!(at < 5000, "loops end after a few turns");
        let next = block(stepper, from, start, &|l| heads.contains(&l)).expect("loops are cut");
        work.extend(next.ends.iter().filter(|(l, _)| heads.contains(l)).map(|(l, s)| (*l, s.clone())));
        found.push(next);
    }
    found
}

fn outcome(kind: &ObligationKind) -> Outcome {
    match kind {
        ObligationKind::Error(_) => Outcome::Error,
        ObligationKind::DivisionByZero | ObligationKind::Undefined(_) => Outcome::Undefined,
        other => panic!("{other:?}"),
    }
}

/// Blocks from cut point to cut point, starting in the entry's state, are all executions: as the
/// executor has them, and as an unrolling has them.
#[test]
fn composed_blocks_are_the_executions_and_the_unrolling() {
    let mut seen: FxHashMap<Outcome, u32> = FxHashMap::default();
    for seed in 0..150 {
        let p = Maker::program(seed, true);
        let entry = p.entry.expect("an entry");
        let mut cuts = FxHashSet::default();
        heads(&order(&p, entry), &mut cuts);
        let mut pool = Pool::new();
        let mut stepper = Stepper::new(&p, &mut pool);
        let found = blocks(&p, &mut stepper, &cuts);
        let exit = p.funcs[entry].body.as_ref().expect("a body").exit;
        let returned: Vec<(TermId, TermId)> = found
            .iter()
            .filter_map(|b| b.ends.get(&exit))
            .map(|s| (s.guard.term(&mut pool), s.result.expect("main returns a value")))
            .collect();
        let mut other = Pool::new();
        let unrolled = Unroller::new(&p, &mut other, Bounds::turns(12), Budget::default()).run(entry);
        assert!(!unrolled.stopped);
        let mut rng = Rng::with_seed(seed);
        for _ in 0..40 {
            let bytes: Vec<u8> = (0..64).map(|_| if rng.bool() { rng.u8(..6) } else { rng.u8(..) }).collect();
            let wanted = run(&p, &bytes);
            *seen.entry(wanted).or_default() += 1;

            let at = given(&pool, found.iter().flat_map(|b| &b.inputs), &bytes);
            let mut eval = Evaluator::new(&pool, &at);
            let mut met: Vec<Outcome> = found
                .iter()
                .flat_map(|b| &b.obligations)
                .filter(|o| eval.holds(o.when))
                .map(|o| outcome(&o.kind))
                .collect();
            for &(when, result) in &returned {
                if eval.holds(when) {
                    met.push(Outcome::Exit(eval.eval(result).as_bits().expect("a number")));
                }
            }
            assert_eq!(met, [wanted], "seed {seed}, {bytes:?}");

            let at = given(&other, &unrolled.inputs, &bytes);
            let mut eval = Evaluator::new(&other, &at);
            let mut met = unrolled.obligations.iter().filter(|o| eval.holds(o.when));
            let first = met.next().map(|o| outcome(&o.kind));
            assert_eq!(first, Some(wanted).filter(|w| !matches!(w, Outcome::Exit(_))), "seed {seed}");
            assert!(met.next().is_none());
        }
    }
    let exits: u32 = seen.iter().filter(|(o, _)| matches!(o, Outcome::Exit(_))).map(|(_, n)| n).sum();
    assert!(exits > 1000 && seen[&Outcome::Error] > 300 && seen[&Outcome::Undefined] > 300, "{seen:?}");
}

/// A block from the generic state with the values of a state put in for the symbols is the block from
/// that state: transition formulas compose.
#[test]
fn a_generic_block_applied_to_a_state_is_the_block_from_it() {
    let mut compared = 0;
    for seed in 1000..1150 {
        let p = Maker::program(seed, false);
        let entry = p.entry.expect("an entry");
        let mut cuts = FxHashSet::default();
        heads(&order(&p, entry), &mut cuts);
        let mut pool = Pool::new();
        let mut stepper = Stepper::new(&p, &mut pool);
        let body = p.funcs[entry].body.as_ref().expect("a body");
        let start = stepper.start(entry);
        let is_cut = |l: LocId| cuts.contains(&l);
        let first = block(&mut stepper, body.entry, start, &is_cut).expect("loops are cut");
        for (&head, state) in first.ends.iter().filter(|(l, _)| cuts.contains(l)) {
            let generic = stepper.generic(state, entry, 0, &|_| false).expect("objects are known");
            let formula = block(&mut stepper, head, generic.clone(), &is_cut).expect("loops are cut");
            // Inputs of both are named by count: from the same count on they have the same names.
            if !formula.inputs.is_empty() {
                continue;
            }
            let direct = block(&mut stepper, head, state.clone(), &is_cut).expect("loops are cut");
            let pool = stepper.pool();
            let vars = |s: &State| -> FxHashMap<VarId, TermId> {
                s.globals.iter().chain(&s.locals).map(|(&v, &t)| (v, t)).collect()
            };
            let values = vars(state);
            let map: FxHashMap<TermId, TermId> =
                vars(&generic).into_iter().filter_map(|(v, t)| Some((t, *values.get(&v)?))).collect();
            let before = state.guard.term(pool);
            let mut rng = Rng::with_seed(seed);
            for (end, reached) in &formula.ends {
                let when = reached.guard.term(pool);
                let when = pool.substitute(when, &map);
                let when = pool.and(&[before, when]);
                let there = direct.ends.get(end);
                let really = there.map_or(Pool::FALSE, |s| s.guard.term(pool));
                let pairs: Vec<(TermId, TermId)> = there.map_or_else(Vec::new, |there| {
                    let after = vars(there);
                    let pairs = vars(reached).into_iter().filter_map(|(v, t)| Some((t, *after.get(&v)?)));
                    pairs.map(|(t, value)| (pool.substitute(t, &map), value)).collect()
                });
                for _ in 0..30 {
                    let bytes: Vec<u8> = (0..16).map(|_| rng.u8(..8)).collect();
                    let at = given(pool, &first.inputs, &bytes);
                    let mut eval = Evaluator::new(pool, &at);
                    let goes = eval.holds(when);
                    assert_eq!(goes, eval.holds(really), "seed {seed}");
                    if goes {
                        compared += 1;
                        for &(a, b) in &pairs {
                            assert_eq!(eval.eval(a), eval.eval(b), "seed {seed}");
                        }
                    }
                }
            }
        }
    }
    assert!(compared > 500, "{compared}");
}
