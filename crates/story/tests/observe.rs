//! What an observer is told of a run.

use cairn_base::Budget;
use cairn_cfront::{Input, compile};
use cairn_ir::{Bits, EdgeId, FuncId, LocId, Op, Program};
use cairn_sem::{Captured, Executor, Observer, Options, View, Window, Written};

#[derive(Default)]
struct Log {
    entered: Vec<String>,
    left: Vec<Option<Bits>>,
    heads: u32,
    /// Values of `i` after the edges that assign it.
    assigned: Vec<Bits>,
    /// Which way the branches of `main` went.
    taken: Vec<bool>,
    stored: Vec<(u64, i64)>,
    skipped: u64,
}

impl Observer for Log {
    fn enter(&mut self, view: &View<'_, '_>, func: FuncId) {
        self.entered.push(view.program().funcs[func].name.to_string());
    }

    fn leave(&mut self, _: &View<'_, '_>, _: EdgeId, result: Option<Bits>) {
        self.left.push(result);
    }

    fn head(&mut self, _: &View<'_, '_>, _: LocId) {
        self.heads += 1;
    }

    fn edge(&mut self, view: &View<'_, '_>, edge: EdgeId, written: Option<Written>) {
        let p: &Program = view.program();
        match p.edges[edge].op {
            Op::Assign { dst, .. } if p.vars[dst].name.as_str() == "i" => {
                self.assigned.extend(view.var(dst));
            }
            Op::Assume { holds, .. } => self.taken.push(holds),
            Op::Store { .. } => {
                let w = written.expect("a store writes");
                self.stored.push((w.size, view.pointee(w.pointer).expect("an object").offset));
            }
            _ => {}
        }
    }

    fn skipped(&mut self, _: &View<'_, '_>, steps: u64) {
        self.skipped += steps;
    }
}

fn watch(text: &str, window: Window) -> (Log, u64) {
    let input = Input::Text { name: "t.c".into(), text: text.into() };
    let compiled = compile(&[input], &cairn_cfront::Options::default(), None)
        .unwrap_or_else(|r| panic!("{:?}", r.diagnostics));
    let executor = Executor::new(&compiled.program, Options::default(), Budget::default());
    let mut log = Log::default();
    let watched = executor.run_observed(&mut Captured::default(), window, &mut log);
    let plain = executor.run(&mut Captured::default());
    assert_eq!((&watched.end, watched.steps), (&plain.end, plain.steps), "watching changes nothing");
    (log, plain.steps)
}

const PROGRAM: &str = "static short cell[4];\nstatic int next(int x) { return x + 1; }\nint main(void) {\n  \
     int i = 0;\n  while (i < 3) { cell[i] = 7; i = next(i); i = i * 1; }\n  return i;\n}\n";

#[test]
fn edges_calls_and_loops() {
    let (log, _) = watch(PROGRAM, Window::ALL);
    assert_eq!(log.entered, ["main", "next", "next", "next"]);
    assert_eq!(log.left, [Some(1), Some(2), Some(3), Some(3)]);
    assert_eq!(log.heads, 4);
    assert_eq!(log.taken, [true, true, true, false]);
    assert_eq!(log.stored, [(2, 0), (2, 2), (2, 4)]);
    assert_eq!(log.assigned.first(), Some(&0));
    assert_eq!(log.assigned.last(), Some(&3));
}

#[test]
fn windows() {
    let program = "int main(void) { unsigned i = 0; while (i < 100000) i++; return 0; }\n";
    let (all, steps) = watch(program, Window::ALL);
    assert_eq!((all.heads, all.skipped), (100_001, 0));
    let (some, _) = watch(program, Window { first: 1000, from: steps - 1000 });
    assert!((500..2500).contains(&some.heads), "{}", some.heads);
    assert!(some.skipped > steps - 2100 && some.skipped < steps, "{} of {steps}", some.skipped);
    assert_eq!(some.assigned.last(), Some(&100_000));
}
