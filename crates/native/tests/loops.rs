//! Programs built by hand, run in both tiers.

use cairn_base::{Budget, Place, sym};
use cairn_ir::*;
use cairn_native::Native;
use cairn_sem::{Captured, Executor, Options, Outcome};

struct Maker {
    p: Program,
    f: FuncId,
}

impl Maker {
    fn new() -> Maker {
        let mut p = Program::new(DataModel::Lp64);
        let f = function(&mut p, "main", vec![], Some(Ty::I32));
        p.entry = Some(f);
        Maker { p, f }
    }

    fn var(&mut self, name: &str) -> VarId {
        local(&mut self.p, self.f, name, VarKind::Local)
    }

    fn loc(&mut self) -> LocId {
        self.p.new_loc(self.f)
    }

    fn edge(&mut self, src: LocId, op: Op) -> LocId {
        let dst = self.loc();
        self.p.new_edge(src, dst, op, Place::NONE);
        dst
    }

    fn assign(&mut self, src: LocId, dst: VarId, value: ExprId) -> LocId {
        self.edge(src, Op::Assign { dst, value })
    }
}

fn local(p: &mut Program, f: FuncId, name: &str, kind: VarKind) -> VarId {
    p.new_var(Var {
        name: sym(name),
        ty: Ty::I32,
        owner: Some(f),
        kind,
        place: Place::NONE,
        scope: Place::NONE,
        dtype: None,
    })
}

fn function(p: &mut Program, name: &str, params: Vec<Ty>, ret: Option<Ty>) -> FuncId {
    let f = p.funcs.push(Function {
        name: sym(name),
        sig: Signature { params, ret, variadic: false },
        params: vec![],
        body: None,
        place: Place::NONE,
        is_model: false,
        noreturn: false,
    });
    let loc = |p: &mut Program| {
        p.locs.push(Location {
            func: f,
            out: Default::default(),
            inn: Default::default(),
            loop_stmt: None,
            labels: vec![],
        })
    };
    let (entry, exit) = (loc(p), loc(p));
    p.funcs[f].body =
        Some(Body { entry, exit, locs: vec![entry, exit], edges: vec![], vars: vec![], objects: vec![] });
    f
}

fn cpu() -> u64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    text.split(' ').next().unwrap().parse().unwrap()
}

fn both(p: &Program) -> (Outcome, Outcome) {
    let exec = |native: bool| {
        let mut io = Captured::default();
        let mut tier = native.then(|| Native::new(p).unwrap());
        let executor = Executor::new(p, Options::default(), Budget::default());
        let start = cpu();
        let out = executor.run_with(&mut io, tier.as_mut().map(|t| t as &mut dyn cairn_sem::Tier));
        eprintln!("native {native}: {:?} ms {:?} steps {}", (cpu() - start) / 1_000_000, out.end, out.steps);
        out
    };
    (exec(false), exec(true))
}

#[test]
fn nested_loops() {
    let mut m = Maker::new();
    let (i, j, s) = (m.var("i"), m.var("j"), m.var("s"));
    let body = m.p.funcs[m.f].body.clone().unwrap();
    let x = |m: &mut Maker, v: i128| m.p.exprs.int(IntTy::I32, v);
    let zero = x(&mut m, 0);
    let one = x(&mut m, 1);
    let n = x(&mut m, 10_000);
    let (vi, vj, vs) = (m.p.exprs.var(i), m.p.exprs.var(j), m.p.exprs.var(s));
    let a = m.assign(body.entry, i, zero);
    let head = m.assign(a, s, zero);
    let (then, done) = (m.loc(), m.loc());
    let cond = m.p.exprs.binary(BinOp::Lt, vi, n);
    m.p.new_branch(head, cond, then, done, Place::NONE, true);
    let inner = m.assign(then, j, zero);
    let (ithen, idone) = (m.loc(), m.loc());
    let cond = m.p.exprs.binary(BinOp::Lt, vj, n);
    m.p.new_branch(inner, cond, ithen, idone, Place::NONE, true);
    let x1 = m.p.exprs.binary(BinOp::Xor, vi, vj);
    let x1 = m.p.exprs.binary(BinOp::Add, vs, x1);
    let l = m.assign(ithen, s, x1);
    let jj = m.p.exprs.binary(BinOp::Add, vj, one);
    m.p.new_edge(l, inner, Op::Assign { dst: j, value: jj }, Place::NONE);
    let ii = m.p.exprs.binary(BinOp::Add, vi, one);
    m.p.new_edge(idone, head, Op::Assign { dst: i, value: ii }, Place::NONE);
    m.p.new_edge(done, body.exit, Op::Return { value: Some(vs) }, Place::NONE);
    let (a, b) = both(&m.p);
    assert_eq!(a.steps, b.steps);
    assert_eq!(format!("{:?}", a.end), format!("{:?}", b.end));
}

#[test]
fn fib() {
    let mut m = Maker::new();
    let r = m.var("r");
    let body = m.p.funcs[m.f].body.clone().unwrap();
    let f = function(&mut m.p, "fib", vec![Ty::I32], Some(Ty::I32));
    let n = local(&mut m.p, f, "n", VarKind::Param);
    m.p.funcs[f].params.push(n);
    let (x, y) = (local(&mut m.p, f, "x", VarKind::Local), local(&mut m.p, f, "y", VarKind::Local));
    let fb = m.p.funcs[f].body.clone().unwrap();
    let mut g = Maker { p: m.p, f };
    let vn = g.p.exprs.var(n);
    let two = g.p.exprs.int(IntTy::I32, 2);
    let one = g.p.exprs.int(IntTy::I32, 1);
    let cond = g.p.exprs.binary(BinOp::Lt, vn, two);
    let (base, rec) = (g.loc(), g.loc());
    g.p.new_branch(fb.entry, cond, base, rec, Place::NONE, true);
    g.p.new_edge(base, fb.exit, Op::Return { value: Some(vn) }, Place::NONE);
    let n1 = g.p.exprs.binary(BinOp::Sub, vn, one);
    let n2 = g.p.exprs.binary(BinOp::Sub, vn, two);
    let l = g.edge(rec, Op::Call { dst: Some(x), callee: Callee::Func(f), args: [n1].into() });
    let l = g.edge(l, Op::Call { dst: Some(y), callee: Callee::Func(f), args: [n2].into() });
    let (vx, vy) = (g.p.exprs.var(x), g.p.exprs.var(y));
    let sum = g.p.exprs.binary(BinOp::Add, vx, vy);
    g.p.new_edge(l, fb.exit, Op::Return { value: Some(sum) }, Place::NONE);
    let mut m = Maker { p: g.p, f: m.f };
    let c = m.p.exprs.int(IntTy::I32, 35);
    let l = m.edge(body.entry, Op::Call { dst: Some(r), callee: Callee::Func(f), args: [c].into() });
    let vr = m.p.exprs.var(r);
    m.p.new_edge(l, body.exit, Op::Return { value: Some(vr) }, Place::NONE);
    let (a, b) = both(&m.p);
    assert_eq!(a.steps, b.steps);
    assert_eq!(format!("{:?}", a.end), format!("{:?}", b.end));
}

#[test]
fn sieve() {
    let mut m = Maker::new();
    let size = 5_000_000i128;
    let o = m.p.new_object(Object {
        name: sym("a"),
        owner: None,
        kind: ObjKind::Global,
        size: size as u64 * 4,
        align: 4,
        init: Init::Static(Data::default()),
        place: Place::NONE,
        scope: Place::NONE,
        dtype: None,
    });
    let (i, j, s, t, r) = (m.var("i"), m.var("j"), m.var("s"), m.var("t"), m.var("r"));
    let body = m.p.funcs[m.f].body.clone().unwrap();
    let e = |m: &mut Maker, v: i128| m.p.exprs.int(IntTy::I32, v);
    let (zero, one, two, n, rounds) =
        (e(&mut m, 0), e(&mut m, 1), e(&mut m, 2), e(&mut m, size), e(&mut m, 5));
    let (vi, vj, vs, vt, vr) =
        (m.p.exprs.var(i), m.p.exprs.var(j), m.p.exprs.var(s), m.p.exprs.var(t), m.p.exprs.var(r));
    let base = m.p.exprs.addr(o);
    let at = |m: &mut Maker, v: ExprId| {
        let x = m.p.exprs.cast(Ty::Int(IntTy::I64), v);
        let four = m.p.exprs.int(IntTy::I64, 4);
        let x = m.p.exprs.binary(BinOp::Mul, x, four);
        m.p.exprs.binary(BinOp::PtrAdd, base, x)
    };
    let (ai, aj) = (at(&mut m, vi), at(&mut m, vj));
    let l = m.assign(body.entry, s, zero);
    let outer = m.assign(l, r, zero);
    let (go, done) = (m.loc(), m.loc());
    let cond = m.p.exprs.binary(BinOp::Lt, vr, rounds);
    m.p.new_branch(outer, cond, go, done, Place::NONE, true);
    // for (i = 0; i < n; i++) a[i] = 1;
    let head = m.assign(go, i, zero);
    let (then, next) = (m.loc(), m.loc());
    let cond = m.p.exprs.binary(BinOp::Lt, vi, n);
    m.p.new_branch(head, cond, then, next, Place::NONE, true);
    let l = m.edge(then, Op::Store { addr: ai, value: one });
    let ii = m.p.exprs.binary(BinOp::Add, vi, one);
    m.p.new_edge(l, head, Op::Assign { dst: i, value: ii }, Place::NONE);
    // for (i = 2; i < n; i++) if (a[i]) { s++; for (j = i + i; j < n; j += i) a[j] = 0; }
    let head = m.assign(next, i, two);
    let (then, next) = (m.loc(), m.loc());
    m.p.new_branch(head, cond, then, next, Place::NONE, true);
    let l = m.edge(then, Op::Load { dst: t, addr: ai });
    let c = m.p.exprs.binary(BinOp::Ne, vt, zero);
    let (prime, not) = (m.loc(), m.loc());
    m.p.new_branch(l, c, prime, not, Place::NONE, true);
    let ss = m.p.exprs.binary(BinOp::Add, vs, one);
    let l = m.assign(prime, s, ss);
    let twice = m.p.exprs.binary(BinOp::Add, vi, vi);
    let inner = m.assign(l, j, twice);
    let (ithen, idone) = (m.loc(), not);
    let cj = m.p.exprs.binary(BinOp::Lt, vj, n);
    m.p.new_branch(inner, cj, ithen, idone, Place::NONE, true);
    let l = m.edge(ithen, Op::Store { addr: aj, value: zero });
    let jj = m.p.exprs.binary(BinOp::Add, vj, vi);
    m.p.new_edge(l, inner, Op::Assign { dst: j, value: jj }, Place::NONE);
    m.p.new_edge(not, head, Op::Assign { dst: i, value: ii }, Place::NONE);
    let rr = m.p.exprs.binary(BinOp::Add, vr, one);
    m.p.new_edge(next, outer, Op::Assign { dst: r, value: rr }, Place::NONE);
    m.p.new_edge(done, body.exit, Op::Return { value: Some(vs) }, Place::NONE);
    let (a, b) = both(&m.p);
    assert_eq!(a.steps, b.steps);
    assert_eq!(format!("{:?}", a.end), format!("{:?}", b.end));
}
