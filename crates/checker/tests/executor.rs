//! The checker's reading of programs against the executor's: random programs of
//! assignments, branches, arrays, pointers, structures and bounded loops are run
//! with random inputs, and the checker must agree that just this result comes
//! out for these inputs.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Duration;

use cairn_base::{Budget, DataModel};
use cairn_cfront::{Input, Options, compile};
use cairn_checker::{Rejection, check};
use cairn_core::{LoopProof, Proof, Property, Task};
use cairn_ir::dom::Dominators;
use cairn_ir::graph::Graph;
use cairn_ir::loops::Loops;
use cairn_sem::{Captured, End, Executor, Given};
use fastrand::Rng;

const HEADER: &str = "extern void reach_error(void); extern unsigned __VERIFIER_nondet_uint(void);\n\
    extern void *malloc(__SIZE_TYPE__); extern void free(void *);\n\
    struct pair { short lo; unsigned f : 7; int g : 9; long hi; };\n\
    static unsigned table[4] = { 3, 1, 4, 159 }; static struct pair global = { -2, 5, -6, 7 };\n\
    static unsigned mix(unsigned *p, unsigned n) { *p ^= n << 3; return *p + n; }\n\
    static long far(struct pair q, int n) { q.hi += n; return q.hi * 3 + q.lo; }\n";

struct Maker {
    rng: Rng,
    text: String,
    depth: u32,
    loops: u32,
}

impl Maker {
    fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.rng.usize(..of.len())]
    }

    fn place(&mut self) -> String {
        match self.rng.u32(..9) {
            0 => self.pick(&["a", "b", "c"]).to_owned(),
            1 => format!("v[({}) & 7]", self.leaf()),
            2 => format!("table[({}) % 4u]", self.leaf()),
            3 => "*p".to_owned(),
            4 => format!("s.{}", self.pick(&["lo", "f", "g", "hi"])),
            5 => format!("global.{}", self.pick(&["lo", "f", "g", "hi"])),
            6 => format!("h[({}) & 3].{}", self.leaf(), self.pick(&["lo", "f", "hi"])),
            7 => format!("bytes[({}) & 15]", self.leaf()),
            _ => "x".to_owned(),
        }
    }

    fn leaf(&mut self) -> String {
        match self.rng.u32(..6) {
            0 => format!("{}u", self.rng.u32(..300)),
            1 => format!("({})", self.rng.i32(-40..40)),
            2 => "x".to_owned(),
            _ => self.pick(&["a", "b", "c"]).to_owned(),
        }
    }

    fn expr(&mut self, depth: u32) -> String {
        if depth == 0 {
            return if self.rng.bool() { self.leaf() } else { self.place() };
        }
        let (l, r) = (self.expr(depth - 1), self.expr(depth - 1));
        match self.rng.u32(..10) {
            0 => format!("({l} / (({r}) | 1u))"),
            1 => format!("({l} << (({r}) & 7))"),
            2 => format!("({l} < {r} ? {} : {r})", self.leaf()),
            3 => format!("(({l}) && ({r}))"),
            4 => format!("((signed char)({l}) - ({r}))"),
            5 => format!("((unsigned long)({l}) >> (({r}) & 15))"),
            n => format!("({l} {} {r})", ["+", "-", "*", "^"][(n - 6) as usize]),
        }
    }

    fn statement(&mut self) {
        let indent = "  ".repeat(self.depth as usize);
        self.text.push_str(&indent);
        match self.rng.u32(..12) {
            0 if self.depth < 3 => {
                let c = self.expr(1);
                let _ = writeln!(self.text, "if ({c}) {{");
                self.block();
                let _ = writeln!(self.text, "{indent}}} else {{");
                self.block();
                let _ = writeln!(self.text, "{indent}}}");
            }
            1 if self.depth < 3 && self.loops < 2 => {
                self.loops += 1;
                let (i, n) = (self.depth, self.rng.u32(1..4));
                let stop = self.leaf();
                let _ =
                    writeln!(self.text, "for (int i{i} = 0; i{i} < {n}; i{i}++) {{ if ({stop} == 7u) break;");
                self.block();
                let _ = writeln!(self.text, "{indent}}}");
            }
            2 => {
                let (c, at) = (self.leaf_cond(), self.leaf());
                let _ = writeln!(self.text, "p = {c} ? &v[({at}) & 7] : &c;");
            }
            3 => {
                let (at, n) = (self.pick(&["&a", "p", "&table[1]"]), self.leaf());
                let _ = writeln!(self.text, "b += mix({at}, {n});");
            }
            4 => {
                let at = self.leaf();
                let _ = writeln!(self.text, "h[({at}) & 3] = s; s = h[2];");
            }
            5 => {
                let n = self.leaf();
                let _ = writeln!(self.text, "x += far(global, {n});");
            }
            6 => {
                let n = self.leaf();
                let _ = writeln!(self.text, "__builtin_memcpy(bytes + (({n}) & 7), v, 1 + (a & 3));");
            }
            7 => {
                let n = self.leaf();
                let _ = writeln!(self.text, "__builtin_memset(&v[({n}) & 3], b, 6);");
            }
            _ => {
                let (to, value) = (self.place(), self.expr(2));
                let _ = writeln!(self.text, "{to} = {value};");
            }
        }
    }

    fn leaf_cond(&mut self) -> String {
        let (l, r) = (self.leaf(), self.leaf());
        format!("({l} > {r})")
    }

    fn block(&mut self) {
        self.depth += 1;
        for _ in 0..self.rng.u32(1..3) {
            self.statement();
        }
        self.depth -= 1;
    }
}

/// A program with `TAIL` where the result is judged.
fn program(seed: u64) -> String {
    let mut m = Maker { rng: Rng::with_seed(seed), text: String::new(), depth: 1, loops: 0 };
    for _ in 0..7 {
        m.statement();
    }
    let body = m.text;
    format!(
        "{HEADER}int main(void) {{\n  unsigned in1 = __VERIFIER_nondet_uint(), in2 = __VERIFIER_nondet_uint();\n\
        unsigned a = in1, b = in2, c = 1; long x = 2; unsigned v[8] = {{ 9, 8, 7 }}; unsigned *p = &b;\n\
        struct pair s = {{ 1, 2, 3, 4 }}; struct pair h[4] = {{ {{ 5, 6, 7, 8 }} }};\n\
        unsigned char *bytes = malloc(16); if (!bytes) return 0; __builtin_memset(bytes, 3, 16);\n{body}\
        unsigned r = a + 3 * b + 5 * c + (unsigned)x + *p;\n\
        r = r * 7 + v[0] + v[1] * 3 + v[2] * 5 + v[5] + v[7]; r = r * 7 + table[2] + table[3] + s.f + s.g + (unsigned)s.hi;\n\
        r = r * 7 + h[0].lo + h[1].f + (unsigned)h[2].hi + h[3].g + global.f + (unsigned)global.hi + bytes[0] + bytes[7] + bytes[15];\n\
        free(bytes);\n TAIL\n return 0; }}\n"
    )
}

fn task(text: String, model: DataModel) -> Task {
    let input = Input::Text { name: "t.c".into(), text: text.clone() };
    match compile(&[input], &Options::with_model(model), None) {
        Ok(c) => Task::new(c.program, Property::default(), cairn_core::Options::default()).expect("a task"),
        Err(r) => panic!("{}\n{text}", r.diagnostics[0].message),
    }
}

fn result(text: &str, inputs: [u32; 2], model: DataModel) -> Option<u32> {
    let t = task(text.replace("TAIL", "return (int)r;"), model);
    let given = inputs.iter().map(|&n| Given::Bits(n.into())).collect();
    let options = cairn_sem::Options { inputs: given, ..Default::default() };
    let executor = Executor::new(&t.program, options, Budget { max_steps: 1_000_000, ..Budget::default() });
    match executor.run(&mut Captured::default()).end {
        End::Exit(code) => Some(code as u32),
        End::Undefined(_) => None,
        other => panic!("{other:?}\n{text}"),
    }
}

fn verdict(text: String, model: DataModel) -> Result<(), Rejection> {
    let t = task(text, model);
    let p = &t.program;
    let mut loops = BTreeMap::new();
    for f in p.funcs.keys() {
        let Some(g) = Graph::new(p, f) else { continue };
        let dom = Dominators::forward(&g);
        loops.extend(Loops::new(p, &g, &dom).loops.values().map(|l| (l.header, LoopProof::Bound(20))));
    }
    let proof = Proof {
        exprs: p.exprs.clone(),
        loops,
        recursion: BTreeMap::new(),
        contracts: BTreeMap::new(),
        cuts: Default::default(),
        sole: None,
    };
    let budget = Budget::default().with_time(Duration::from_secs(20));
    check(p, t.entry, &proof, &|| cairn_smt::standard(), &budget).map(|_| ())
}

#[test]
fn results_are_those_of_the_executor() {
    let mut compared = 0;
    for seed in 0..60 {
        let model = if seed % 2 == 0 { DataModel::Lp64 } else { DataModel::Ilp32 };
        let text = program(seed);
        let mut rng = Rng::with_seed(seed ^ 0xabcd);
        let inputs = [rng.u32(..), rng.u32(..50)];
        let Some(r) = result(&text, inputs, model) else { continue };
        compared += 1;
        let [x, y] = inputs;
        let given = format!("in1 == {x}u && in2 == {y}u");
        let other = text.replace("TAIL", &format!("if ({given} && r != {r}u) reach_error();"));
        if let Err(e) = verdict(other, model) {
            panic!("another result than {r} for {inputs:?} in {model} (seed {seed}): {e:?}\n{text}");
        }
        let this = text.replace("TAIL", &format!("if ({given} && r == {r}u) reach_error();"));
        match verdict(this, model) {
            Err(Rejection::Wrong { what, .. }) => assert!(what.contains("error"), "{what}"),
            other => panic!("not {r} for {inputs:?} in {model} (seed {seed}): {other:?}\n{text}"),
        }
    }
    assert!(compared > 30, "only {compared} programs were defined");
}
