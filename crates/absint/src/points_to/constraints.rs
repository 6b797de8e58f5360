//! The inclusions that the operations of a program ask for.

use cairn_base::{Budget, EntityRef, Pace};
use cairn_ir::{
    BinOp, Builtin, Callee, EdgeId, Expr, ExprId, FuncId, Init, Op, Program, RelocTarget, Signature, Ty,
    UnOp, VarKind,
};
use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};

use super::solver::{Node, Solver, Token, Trigger};
use super::{AbstractObject, Carried, PointsTo, UNKNOWN};

/// Steps after which the analysis says that everything points anywhere.
const MAX_SOLVER_STEPS: usize = 40_000_000;
/// Steps of the solver between two looks at the budget.
const STEPS_PER_BUDGET_CHECK: u32 = 8;

/// An address as a number that is surely that of no object: null, small numbers and the last
/// page, which programs use for error codes.
pub fn is_no_address(p: &Program, n: u64) -> bool {
    let top = cairn_ir::IntTy::size(p.model).mask() as u64;
    n < 0x1_0000 || n >= top - 0xfff
}

/// What to do for each object that a watched set gets.
#[derive(Clone)]
enum Watch {
    Load(Carried),
    Store(Carried),
    Call(EdgeId),
}

pub struct Generator<'p> {
    p: &'p Program,
    solver: Solver,
    targets: Vec<AbstractObject>,
    numbers: FxHashMap<AbstractObject, Token>,
    /// Node with the address of each target.
    address: Vec<Option<Node>>,
    contents: Vec<[Node; 2]>,
    /// Everything that any object holds, and what every object may hold.
    any_load: Option<[Node; 2]>,
    any_store: Option<[Node; 2]>,
    unknown: Node,
    vars: Vec<Carried>,
    exprs: Vec<Carried>,
    results: Vec<Carried>,
    watches: Vec<Watch>,
    linked: FxHashSet<(EdgeId, FuncId)>,
}

impl<'p> Generator<'p> {
    pub fn new(p: &'p Program) -> Generator<'p> {
        let mut solver = Solver::default();
        let unknown = solver.node();
        solver.add(unknown, UNKNOWN);
        let mut g = Generator {
            p,
            solver,
            targets: Vec::new(),
            numbers: FxHashMap::default(),
            address: vec![Some(unknown)],
            contents: Vec::new(),
            any_load: None,
            any_store: None,
            unknown,
            vars: Vec::new(),
            exprs: Vec::new(),
            results: Vec::new(),
            watches: Vec::new(),
            linked: FxHashSet::default(),
        };
        // Memory that no object of ours stands for holds anything.
        g.contents.push([unknown, unknown]);
        g
    }

    pub fn run(mut self, budget: &Budget) -> PointsTo {
        let p = self.p;
        let is_alloc = |e: &EdgeId| matches!(p.edges[*e].op, Op::Alloc { .. });
        p.objects.keys().for_each(|o| self.target(AbstractObject::Object(o)));
        p.edges.keys().filter(is_alloc).for_each(|e| self.target(AbstractObject::Alloc(e)));
        p.funcs.keys().for_each(|f| self.target(AbstractObject::Func(f)));
        p.labels.keys().for_each(|l| self.target(AbstractObject::Label(l)));
        self.target(AbstractObject::Arguments);
        for v in p.vars.values() {
            let nodes = self.place(Some(v.ty));
            self.vars.push(nodes);
        }
        for f in p.funcs.values() {
            let nodes = self.place(f.sig.ret);
            self.results.push(nodes);
        }
        self.expressions();
        self.statics();
        for e in p.edges.keys() {
            self.edge(e);
        }
        self.solver.collapse();
        let mut pace = Pace::new(budget, STEPS_PER_BUDGET_CHECK);
        let gave_up = loop {
            let Ok(grown) = self.solver.next(&mut pace) else { break true };
            let Some((triggers, tokens)) = grown else { break false };
            for t in triggers {
                self.fire(t, &tokens);
            }
            if self.solver.steps() > MAX_SOLVER_STEPS {
                break true;
            }
        };
        PointsTo {
            targets: self.targets,
            numbers: self.numbers,
            solver: self.solver,
            exprs: self.exprs,
            vars: self.vars,
            contents: self.contents,
            gave_up,
        }
    }

    fn target(&mut self, t: AbstractObject) {
        self.targets.push(t);
        self.numbers.insert(t, self.targets.len() as Token);
        self.address.push(None);
        let contents = [self.solver.node(), self.solver.node()];
        self.contents.push(contents);
    }

    fn address_of(&mut self, t: AbstractObject) -> Option<Node> {
        let number = *self.numbers.get(&t)?;
        let known = self.address[number as usize];
        Some(known.unwrap_or_else(|| {
            let n = self.solver.node();
            self.solver.add(n, number);
            self.address[number as usize] = Some(n);
            n
        }))
    }

    /// Nodes for a value of a type.
    fn place(&mut self, ty: Option<Ty>) -> Carried {
        match ty {
            None | Some(Ty::Bool) => Carried::default(),
            Some(Ty::Ptr) => Carried { address: Some(self.solver.node()), ..Carried::default() },
            Some(_) => Carried {
                address: Some(self.solver.node()),
                difference: Some(self.solver.node()),
                unknown: Some(self.solver.node()),
            },
        }
    }

    fn join(&mut self, a: Option<Node>, b: Option<Node>) -> Option<Node> {
        match (a, b) {
            (Some(a), Some(b)) if a != b => {
                let n = self.solver.node();
                self.solver.include(a, n);
                self.solver.include(b, n);
                Some(n)
            }
            _ => a.or(b),
        }
    }

    fn join_all(&mut self, a: Carried, b: Carried) -> Carried {
        Carried {
            address: self.join(a.address, b.address),
            difference: self.join(a.difference, b.difference),
            unknown: self.join(a.unknown, b.unknown),
        }
    }

    /// The difference of two addresses; nothing if both surely belong to one object.
    fn apart(&mut self, a: Option<Node>, b: Option<Node>) -> Option<Node> {
        let n = self.solver.plural();
        for x in [a, b].into_iter().flatten() {
            self.solver.include(x, n);
        }
        Some(n)
    }

    /// All expressions, operands first.
    fn expressions(&mut self) {
        let users = self.outside_models();
        let all: Vec<(ExprId, Expr)> = self.p.exprs.iter().collect();
        for (id, e) in all {
            let c = self.expr(id, e, users.contains(id.as_u32() as usize));
            self.exprs.push(c);
        }
    }

    /// Expressions that occur outside the models of library functions. Those subtract pointers
    /// only within one object.
    fn outside_models(&self) -> FixedBitSet {
        let mut seen = FixedBitSet::with_capacity(self.p.exprs.len());
        let mut work = Vec::new();
        for e in self.p.edges.values() {
            if !self.p.funcs[self.p.locs[e.src].func].is_model {
                e.op.each_expr(|x| work.push(x));
            }
        }
        while let Some(e) = work.pop() {
            if !seen.put(e.as_u32() as usize) {
                work.extend(self.p.exprs.children(e));
            }
        }
        seen
    }

    fn expr(&mut self, id: ExprId, e: Expr, by_user: bool) -> Carried {
        let of = |g: &Self, x: ExprId| g.exprs[x.as_u32() as usize];
        let pointer = |address| Carried { address, ..Carried::default() };
        match e {
            Expr::Int(..) | Expr::Bool(_) | Expr::Float(..) => Carried::default(),
            Expr::Ptr(n) if is_no_address(self.p, n) => Carried::default(),
            Expr::Ptr(_) => pointer(Some(self.unknown)),
            Expr::Var(v) => self.vars[v.index()],
            Expr::Addr(o) => pointer(self.address_of(AbstractObject::Object(o))),
            Expr::Func(f) => pointer(self.address_of(AbstractObject::Func(f))),
            Expr::Label(l) => pointer(self.address_of(AbstractObject::Label(l))),
            Expr::Unary(UnOp::Neg, a) => {
                let a = of(self, a);
                Carried { difference: self.join(a.difference, a.address), ..a }
            }
            _ if self.p.ty(id) == Ty::Bool => Carried::default(),
            Expr::Unary(_, a) => of(self, a),
            Expr::Binary(BinOp::PtrAdd, a, b) => {
                let (a, b) = (of(self, a), of(self, b));
                let mut address = self.join(a.address, b.difference);
                if a.address.is_none() {
                    address = self.join(address, b.address);
                    address = self.join(address, b.unknown);
                }
                pointer(address)
            }
            Expr::Binary(BinOp::PtrSub, a, b) => {
                let (a, b) = (of(self, a), of(self, b));
                if !by_user || (a.address.is_none() && b.address.is_none()) {
                    return Carried::default();
                }
                Carried { difference: self.apart(a.address, b.address), ..Carried::default() }
            }
            Expr::Binary(BinOp::Sub, a, b) => {
                let (a, b) = (of(self, a), of(self, b));
                let mut difference = self.join(a.difference, b.difference);
                if b.address.is_some() {
                    let apart = self.apart(a.address, b.address);
                    difference = self.join(difference, apart);
                }
                Carried { address: a.address, difference, unknown: self.join(a.unknown, b.unknown) }
            }
            Expr::Binary(_, a, b) => {
                let (a, b) = (of(self, a), of(self, b));
                self.join_all(a, b)
            }
            Expr::Cast(Ty::Ptr, a) => {
                let a = of(self, a);
                let address = self.join(a.address, a.difference);
                pointer(self.join(address, a.unknown))
            }
            Expr::Cast(_, a) => of(self, a),
            Expr::Select(_, a, b) => {
                let (a, b) = (of(self, a), of(self, b));
                self.join_all(a, b)
            }
        }
    }

    /// The value goes to a place of the same type.
    fn flow(&mut self, from: Carried, to: Carried) {
        // A place of a pointer has no difference of its own: what comes as one may be an address.
        let pairs = [
            (from.address, to.address),
            (from.difference, to.difference.or(to.address)),
            (from.unknown, to.unknown.or(to.address)),
        ];
        for (a, b) in pairs {
            if let (Some(a), Some(b)) = (a, b) {
                self.solver.include(a, b);
            }
        }
    }

    fn of(&self, e: ExprId) -> Carried {
        self.exprs[e.as_u32() as usize]
    }

    fn statics(&mut self) {
        let p = self.p;
        for (o, object) in &p.objects {
            let [holds, _] = self.contents[self.numbers[&AbstractObject::Object(o)] as usize];
            match &object.init {
                Init::Static(data) => {
                    for r in &data.relocs {
                        let target = match r.target {
                            RelocTarget::Object(o) => AbstractObject::Object(o),
                            RelocTarget::Func(f) => AbstractObject::Func(f),
                            RelocTarget::Label(l) => AbstractObject::Label(l),
                        };
                        let number = self.numbers[&target];
                        self.solver.add(holds, number);
                    }
                }
                Init::Unknown => self.solver.add(holds, UNKNOWN),
                Init::Uninit => {}
            }
        }
        for (v, var) in &p.vars {
            if let VarKind::Global { init } = var.kind {
                self.flow(self.of(init), self.vars[v.index()]);
            }
        }
        let arguments = self.numbers[&AbstractObject::Arguments];
        self.solver.add(self.contents[arguments as usize][0], arguments);
        for &v in p.entry.iter().flat_map(|&f| &p.funcs[f].params) {
            if p.vars[v].ty == Ty::Ptr
                && let Some(n) = self.vars[v.index()].address
            {
                self.solver.add(n, arguments);
            }
        }
    }

    fn edge(&mut self, e: EdgeId) {
        let p = self.p;
        match &p.edges[e].op {
            Op::Assign { dst, value } => self.flow(self.of(*value), self.vars[dst.index()]),
            Op::Load { dst, addr } | Op::LoadBits { dst, addr, .. } => {
                self.watch(self.of(*addr).address, Watch::Load(self.vars[dst.index()]));
            }
            Op::Store { addr, value } | Op::StoreBits { addr, value, .. } => {
                self.watch(self.of(*addr).address, Watch::Store(self.of(*value)));
            }
            Op::Copy { dst, src, .. } => {
                let address = Some(self.solver.node());
                let between = Carried { address, difference: Some(self.solver.node()), unknown: None };
                self.watch(self.of(*src).address, Watch::Load(between));
                self.watch(self.of(*dst).address, Watch::Store(between));
            }
            Op::Fill { dst, byte, .. } => {
                self.watch(self.of(*dst).address, Watch::Store(self.of(*byte)));
            }
            Op::Alloc { dst, .. } => {
                let number = self.numbers[&AbstractObject::Alloc(e)];
                if let Some(n) = self.vars[dst.index()].address {
                    self.solver.add(n, number);
                }
            }
            Op::Input { dst, .. } => self.any_value(self.vars[dst.index()]),
            Op::Call { callee: Callee::Func(f), .. } => self.link(e, *f),
            Op::Call { callee: Callee::Ptr { target, .. }, .. } => {
                self.watch(self.of(*target).address, Watch::Call(e));
            }
            Op::Call { callee: Callee::Builtin(Builtin::Strtod(_)), args, .. } => {
                self.watch(self.of(args[1]).address, Watch::Store(self.of(args[0])));
            }
            Op::Return { value: Some(value) } => {
                let f = p.locs[p.edges[e].src].func;
                self.flow(self.of(*value), self.results[f.index()]);
            }
            Op::Nop
            | Op::Assume { .. }
            | Op::Begin { .. }
            | Op::End { .. }
            | Op::Free { .. }
            | Op::Call { .. }
            | Op::Return { value: None }
            | Op::Trap(_) => {}
        }
    }

    /// An unknown value is assigned.
    fn any_value(&mut self, to: Carried) {
        if let Some(n) = to.unknown.or(to.address) {
            self.solver.add(n, UNKNOWN);
        }
    }

    fn watch(&mut self, n: Option<Node>, w: Watch) {
        let Some(n) = n else { return };
        self.watches.push(w);
        let t = self.watches.len() as Trigger - 1;
        let known = self.solver.watch(n, t);
        self.fire(t, &known);
    }

    fn fire(&mut self, t: Trigger, tokens: &[Token]) {
        match self.watches[t as usize].clone() {
            Watch::Load(to) => {
                for &o in tokens {
                    let [address, difference] =
                        if o == UNKNOWN { self.all_loads() } else { self.contents[o as usize] };
                    let held =
                        Carried { address: Some(address), difference: Some(difference), unknown: None };
                    self.flow(held, to);
                }
            }
            Watch::Store(value) => {
                for &o in tokens {
                    let [address, difference] =
                        if o == UNKNOWN { self.all_stores() } else { self.contents[o as usize] };
                    // That a number in memory may be unknown is not remembered.
                    let held =
                        Carried { address: Some(address), difference: Some(difference), unknown: None };
                    self.flow(Carried { unknown: None, ..value }, held);
                }
            }
            Watch::Call(e) => {
                for &o in tokens {
                    let sig = self.signature(e);
                    if o == UNKNOWN {
                        let p = self.p;
                        for (f, func) in &p.funcs {
                            if Some(&func.sig) == sig {
                                self.link(e, f);
                            }
                        }
                    } else if let AbstractObject::Func(f) = self.targets[o as usize - 1]
                        && Some(&self.p.funcs[f].sig) == sig
                    {
                        self.link(e, f);
                    }
                }
            }
        }
    }

    fn signature(&self, e: EdgeId) -> Option<&'p Signature> {
        match &self.p.edges[e].op {
            Op::Call { callee: Callee::Ptr { sig, .. }, .. } => Some(sig),
            _ => None,
        }
    }

    fn all_loads(&mut self) -> [Node; 2] {
        if let Some(n) = self.any_load {
            return n;
        }
        let all = [self.solver.node(), self.solver.node()];
        for i in 0..self.contents.len() {
            for (held, all) in self.contents[i].into_iter().zip(all) {
                self.solver.include(held, all);
            }
        }
        *self.any_load.insert(all)
    }

    fn all_stores(&mut self) -> [Node; 2] {
        if let Some(n) = self.any_store {
            return n;
        }
        let all = [self.solver.node(), self.solver.node()];
        for i in 1..self.contents.len() {
            for (held, all) in self.contents[i].into_iter().zip(all) {
                self.solver.include(all, held);
            }
        }
        *self.any_store.insert(all)
    }

    /// A call may enter a function.
    fn link(&mut self, e: EdgeId, f: FuncId) {
        let p = self.p;
        let Op::Call { dst, args, .. } = &p.edges[e].op else { return };
        if !self.linked.insert((e, f)) {
            return;
        }
        let func = &p.funcs[f];
        let dst = dst.map(|d| self.vars[d.index()]);
        if func.body.is_none() {
            if let Some(dst) = dst {
                self.any_value(dst);
            }
            return;
        }
        for (&a, &v) in args.iter().zip(&func.params) {
            self.flow(self.of(a), self.vars[v.index()]);
        }
        if let Some(dst) = dst {
            self.flow(self.results[f.index()], dst);
        }
    }
}
