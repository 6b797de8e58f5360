//! The symbolic reading against the concrete one: what the formulas say can
//! happen is executed, and what they say cannot happen must not be expected.

use std::time::Duration;

use cairn_base::{Budget, DataModel};
use cairn_cfront::{Input, Options, compile};
use cairn_encode::{Bounds, ObligationKind, Unrolled, Unroller};
use cairn_ir::Program;
use cairn_sem::{Captured, End, Executor, Given};
use cairn_smt::auto::Auto;
use cairn_smt::{Answer, Solver};
use cairn_term::{Evaluator, Pool, TermId, Value};

#[derive(PartialEq, Eq, Debug)]
enum Verdict {
    Safe,
    /// With inputs that the executor confirmed.
    Unsafe,
    Unknown(String),
}

fn program(input: Input, model: DataModel) -> Program {
    match compile(&[input], &Options::with_model(model), None) {
        Ok(c) => c.program,
        Err(r) => {
            panic!("{}", r.diagnostics.iter().map(|d| d.message.clone()).collect::<Vec<_>>().join("; "))
        }
    }
}

fn unroll(p: &Program, pool: &mut Pool, turns: u32) -> Unrolled {
    let bounds = Bounds { terms: 2_000_000, ..Bounds::turns(turns) };
    let budget = Budget::default().with_time(Duration::from_secs(20));
    Unroller::new(p, pool, bounds, budget).run(p.entry.expect("an entry"))
}

/// Asks for an execution with `when`; its inputs if there is one.
fn execution(pool: &Pool, u: &Unrolled, when: TermId) -> Result<Option<Vec<Given>>, String> {
    let mut solver = Auto::new();
    solver.assert(pool, when);
    let budget = Budget::default().with_time(Duration::from_secs(20));
    match solver.check(pool, &[], &budget) {
        Answer::Unsat => Ok(None),
        Answer::Unknown(why) => Err(why.to_string()),
        Answer::Sat => {
            let mut roots: Vec<TermId> = u.inputs.iter().flat_map(|i| [i.term, i.when]).collect();
            roots.push(when);
            let model = solver.model(pool, &pool.free_vars(&roots)).map_err(|w| w.to_string())?;
            let mut eval = Evaluator::new(pool, &model);
            assert!(eval.holds(when), "the model does not satisfy the formula");
            let mut values = Vec::new();
            for i in &u.inputs {
                if eval.holds(i.when) {
                    values.push(match eval.eval(i.term) {
                        Value::Bits(_, b) | Value::Float(_, b) => Given::Bits(b),
                        Value::Bool(b) => Given::Bits(b.into()),
                        other => panic!("an input of value {other:?}"),
                    });
                }
            }
            Ok(Some(values))
        }
    }
}

fn verdict(p: &Program, turns: u32) -> Verdict {
    let mut pool = Pool::new();
    let u = unroll(p, &mut pool, turns);
    if u.stopped {
        return Verdict::Unknown("the unrolling was stopped".into());
    }
    let mut open = None;
    for o in &u.obligations {
        let found = match o.kind {
            ObligationKind::Error(_)
            | ObligationKind::Unwind { .. }
            | ObligationKind::Recursion { .. }
            | ObligationKind::Gap(_) => execution(&pool, &u, o.when),
            _ => continue,
        };
        match (found, &o.kind) {
            (Ok(None), _) => {}
            (Ok(Some(inputs)), ObligationKind::Error(_)) => {
                let options = cairn_sem::Options { inputs, ..Default::default() };
                let budget = Budget { max_steps: 10_000_000, ..Budget::default() };
                return match Executor::new(p, options, budget).run(&mut Captured::default()).end {
                    End::ErrorReached(_) => Verdict::Unsafe,
                    // A value that was never set: any value to the formula, an end to the run.
                    End::Undefined(r) => Verdict::Unknown(format!("the run is undefined: {}", r.message)),
                    other => panic!("the run does not confirm the error: {other:?}"),
                };
            }
            (Ok(Some(_)), kind) => open = Some(format!("{kind:?}")),
            (Err(why), _) => open = Some(why),
        }
    }
    open.map_or(Verdict::Safe, Verdict::Unknown)
}

fn of_text(text: &str, model: DataModel, turns: u32) -> Verdict {
    let text = format!("extern void reach_error(void);\n{text}");
    verdict(&program(Input::Text { name: "t.c".into(), text }, model), turns)
}

fn check(text: &str, expected: &Verdict) {
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        assert_eq!(&of_text(text, model, 12), expected, "in {model}:\n{text}");
    }
}

const NONDET: &str =
    "extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void);\n";

#[test]
fn arithmetic_wraps() {
    check(
        &format!(
            "{NONDET}int main(void){{int x=__VERIFIER_nondet_int(); if (x+1<x) reach_error(); return 0;}}"
        ),
        &Verdict::Unsafe,
    );
    check(
        &format!(
            "{NONDET}int main(void){{unsigned char x=__VERIFIER_nondet_int(); if (x*2>510) reach_error(); return 0;}}"
        ),
        &Verdict::Safe,
    );
}

#[test]
fn loops_are_unrolled_and_cut_off() {
    let sum = |n: u32, k: u32| {
        format!(
            "{NONDET}int main(void){{int s=0; for(int i=0;i<{n};i++) s+=i; if (s!={k}) reach_error(); return 0;}}"
        )
    };
    check(&sum(5, 10), &Verdict::Safe);
    check(&sum(5, 11), &Verdict::Unsafe);
    // Constants decide when this loop ends: the bound of 12 turns does not matter.
    check(&sum(50, 1225), &Verdict::Safe);
    // An input decides here.
    let upto = |n: u32| {
        format!(
            "{NONDET}int main(void){{unsigned n=__VERIFIER_nondet_uint(), s=0; if (n>{n}) return 0; for(unsigned i=0;i<n;i++) s++; if (s!=n) reach_error(); return 0;}}"
        )
    };
    check(&upto(11), &Verdict::Safe);
    assert!(matches!(of_text(&upto(12), DataModel::Lp64, 12), Verdict::Unknown(_)));
}

#[test]
fn pointers_and_arrays() {
    let body = |guard: &str| {
        format!(
            "{NONDET}int g[4]; struct s {{ char c; int x; }} t;
            int main(void) {{
                unsigned i = __VERIFIER_nondet_uint(); int a = 3, b = 5;
                if (i >= 4) return 0;
                g[i] = 7; int *p = i & 1 ? &a : &b; *p += g[i]; t.x = a + b;
                if ({guard}) reach_error();
                return 0;
            }}"
        )
    };
    check(&body("t.x != 15"), &Verdict::Safe);
    check(&body("a == 10"), &Verdict::Unsafe);
    check(&body("g[0] + g[1] + g[2] + g[3] != 7"), &Verdict::Safe);
}

#[test]
fn large_arrays_are_array_terms() {
    let body = |k: u32| {
        format!(
            "{NONDET}int g[100000];
            int main(void) {{
                unsigned i = __VERIFIER_nondet_uint(), j = __VERIFIER_nondet_uint();
                if (i >= 100000 || j >= 100000) return 0;
                g[i] = 1; g[j] = 2;
                if (g[i] == {k}) reach_error();
                return 0;
            }}"
        )
    };
    check(&body(3), &Verdict::Safe);
    check(&body(1), &Verdict::Unsafe);
}

#[test]
fn functions_and_their_pointers() {
    let body = |k: u32| {
        format!(
            "{NONDET}static int inc(int x) {{ return x + 1; }} static int twice(int x) {{ return 2 * x; }}
            static int fact(int n) {{ return n <= 1 ? 1 : n * fact(n - 1); }}
            int main(void) {{
                int (*f)(int) = __VERIFIER_nondet_int() ? inc : twice;
                int r = f(5) + fact(4);
                if (r == {k}) reach_error();
                return 0;
            }}"
        )
    };
    check(&body(30), &Verdict::Unsafe);
    check(&body(34), &Verdict::Unsafe);
    check(&body(31), &Verdict::Safe);
}

#[test]
fn the_heap_and_the_library() {
    check(
        &format!(
            "{NONDET}void *malloc(typeof(sizeof 0)); void *memset(void *, int, typeof(sizeof 0));
            void free(void *); typeof(sizeof 0) strlen(const char *);
            int main(void) {{
                char *p = malloc(8); memset(p, 'a', 7); p[7] = 0;
                unsigned i = __VERIFIER_nondet_uint(); if (i < 7) p[i] = 0;
                if (strlen(p) > 7 || (i < 7 && strlen(p) != i)) reach_error();
                free(p); return 0;
            }}"
        ),
        &Verdict::Safe,
    );
}
