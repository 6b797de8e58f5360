//! Steps as straight code over machine words, so that tests run without a
//! solver and without touching terms.

use cairn_summary::{Space, Transition};
use cairn_term::{Op, Pool, TermId};
use num_bigint::BigInt;
use rustc_hash::FxHashMap;

/// A state: the values of the variables of the space, in order.
pub type State = Box<[i128]>;

#[derive(Copy, Clone, Debug)]
enum Instr {
    Const(i128),
    Var(u32),
    Unknown(u32),
    Add(u32, u32),
    Mul(u32, u32),
    Div(u32, u32),
    Mod(u32, u32),
    Le(u32, u32),
    Eq(u32, u32),
    Not(u32),
    And(u32, u32),
    Or(u32, u32),
    Ite(u32, u32, u32),
}

/// A transition to be run.
#[derive(Clone, Debug)]
pub struct Code {
    instrs: Vec<Instr>,
    guard: u32,
    assign: Vec<(u32, u32)>,
    /// The unknowns, in the order in which their values are given.
    pub unknowns: Vec<TermId>,
}

/// What running a transition gives.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ran {
    To(State),
    /// The guard does not hold.
    Blocked,
    /// A number left the machine's words.
    Lost,
}

impl Code {
    /// `None` if there is an operation that has no code.
    pub fn new(pool: &Pool, space: &Space, t: &Transition) -> Option<Code> {
        let unknowns = t.unknowns(pool, space);
        let vars = space.vars().iter().enumerate().map(|(i, &v)| (v, Instr::Var(i as u32)));
        let others = unknowns.iter().enumerate().map(|(i, &u)| (u, Instr::Unknown(i as u32)));
        let leaves: FxHashMap<TermId, Instr> = vars.chain(others).collect();
        let mut code = Code { instrs: Vec::new(), guard: 0, assign: Vec::new(), unknowns };
        let mut regs = FxHashMap::default();
        code.guard = code.compile(pool, t.guard, &leaves, &mut regs)?;
        for (i, v) in space.vars().iter().enumerate() {
            if let Some(&value) = t.assign.get(v) {
                let r = code.compile(pool, value, &leaves, &mut regs)?;
                code.assign.push((i as u32, r));
            }
        }
        Some(code)
    }

    fn compile(
        &mut self,
        pool: &Pool,
        root: TermId,
        leaves: &FxHashMap<TermId, Instr>,
        regs: &mut FxHashMap<TermId, u32>,
    ) -> Option<u32> {
        // Arguments come before what uses them.
        for t in pool.reachable(&[root]) {
            if regs.contains_key(&t) {
                continue;
            }
            let r = match leaves.get(&t) {
                Some(&leaf) => self.push(leaf),
                None => self.operation(pool, t, regs)?,
            };
            regs.insert(t, r);
        }
        regs.get(&root).copied()
    }

    fn operation(&mut self, pool: &Pool, t: TermId, regs: &FxHashMap<TermId, u32>) -> Option<u32> {
        let args: Vec<u32> =
            pool.args(t).iter().map(|a| regs.get(a).copied()).collect::<Option<Vec<u32>>>()?;
        let fold = |code: &mut Code, make: fn(u32, u32) -> Instr| {
            let mut args = args.iter().copied();
            let first = args.next()?;
            Some(args.fold(first, |a, b| code.push(make(a, b))))
        };
        Some(match (pool.op(t), &args[..]) {
            (Op::Bool(b), _) => self.push(Instr::Const(b.into())),
            (Op::Number(_), _) => {
                let n = i128::try_from(pool.as_int(t)?).ok()?;
                self.push(Instr::Const(n))
            }
            (Op::Add, _) => fold(self, Instr::Add)?,
            (Op::Mul, _) => fold(self, Instr::Mul)?,
            (Op::And, _) => fold(self, Instr::And)?,
            (Op::Or, _) => fold(self, Instr::Or)?,
            (Op::Not, &[a]) => self.push(Instr::Not(a)),
            (Op::Div, &[a, b]) => self.push(Instr::Div(a, b)),
            (Op::Mod, &[a, b]) => self.push(Instr::Mod(a, b)),
            (Op::Le, &[a, b]) => self.push(Instr::Le(a, b)),
            (Op::Eq, &[a, b]) => self.push(Instr::Eq(a, b)),
            (Op::Ite, &[c, a, b]) => self.push(Instr::Ite(c, a, b)),
            _ => return None,
        })
    }

    fn push(&mut self, instr: Instr) -> u32 {
        self.instrs.push(instr);
        self.instrs.len() as u32 - 1
    }

    /// Runs the step in a state, with values of its unknowns.
    pub fn run(&self, state: &[i128], unknowns: &[i128], regs: &mut Vec<i128>) -> Ran {
        match self.evaluate(state, unknowns, regs) {
            None => Ran::Lost,
            Some(()) if regs[self.guard as usize] == 0 => Ran::Blocked,
            Some(()) => {
                let mut next: State = state.into();
                for &(v, r) in &self.assign {
                    next[v as usize] = regs[r as usize];
                }
                Ran::To(next)
            }
        }
    }

    fn evaluate(&self, state: &[i128], unknowns: &[i128], regs: &mut Vec<i128>) -> Option<()> {
        regs.clear();
        for &i in &self.instrs {
            let r = |n: u32| regs[n as usize];
            let value = match i {
                Instr::Const(c) => c,
                Instr::Var(v) => state[v as usize],
                Instr::Unknown(u) => unknowns.get(u as usize).copied()?,
                Instr::Add(a, b) => r(a).checked_add(r(b))?,
                Instr::Mul(a, b) => r(a).checked_mul(r(b))?,
                // Division by zero is any number to the solvers, and guarded in programs.
                Instr::Div(a, b) => r(a).checked_div_euclid(r(b)).unwrap_or(0),
                Instr::Mod(a, b) => r(a).checked_rem_euclid(r(b)).unwrap_or(r(a)),
                Instr::Le(a, b) => (r(a) <= r(b)).into(),
                Instr::Eq(a, b) => (r(a) == r(b)).into(),
                Instr::Not(a) => (r(a) == 0).into(),
                Instr::And(a, b) => r(a) & r(b),
                Instr::Or(a, b) => r(a) | r(b),
                Instr::Ite(c, a, b) => {
                    if r(c) != 0 {
                        r(a)
                    } else {
                        r(b)
                    }
                }
            };
            regs.push(value);
        }
        Some(())
    }
}

/// A number of the solver's as a machine word.
pub fn word(n: &BigInt) -> Option<i128> {
    i128::try_from(n).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn a_step_runs_or_is_blocked() {
        let mut pool = Pool::new();
        let (x, y, u) = (pool.int_var("x"), pool.int_var("y"), pool.int_var("u"));
        let space = Space::new(vec![x, y]);
        let guard = cairn_term::parse::term(&mut pool, "(and (< x 10) (>= u 0))").expect("a term");
        let next =
            cairn_term::parse::term(&mut pool, "(ite (= (mod x 2) 0) (+ x u) (- x 3))").expect("a term");
        let t = Transition { guard, assign: BTreeMap::from([(y, next)]) };
        let code = Code::new(&pool, &space, &t).expect("code");
        assert_eq!(code.unknowns, [u]);
        let mut regs = Vec::new();
        assert_eq!(code.run(&[4, 0], &[5], &mut regs), Ran::To([4, 9].into()));
        assert_eq!(code.run(&[3, 0], &[5], &mut regs), Ran::To([3, 0].into()));
        assert_eq!(code.run(&[10, 0], &[5], &mut regs), Ran::Blocked);
        assert_eq!(code.run(&[4, 0], &[-1], &mut regs), Ran::Blocked);
        assert_eq!(code.run(&[4, 0], &[i128::MAX], &mut regs), Ran::Lost);
    }
}
