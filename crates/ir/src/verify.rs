//! The verifier: what every program must satisfy, from the front end, a pass or a text.
//!
//! Rules, by number:
//!
//! Tables
//!  1. Every id (in operations, expressions, data, bodies, labels, types) names a row of its table.
//!  2. A place other than `Place::NONE` names a file of the program.
//!  3. Every location, edge, local variable and local object is listed once, in the body of the
//!     function it belongs to.
//!  4. Lists of edges in and out of a location agree with the edges' ends, which lie in one function.
//!  5. Types for people do not contain themselves.
//!
//! Data
//!  6. A variable has no owner exactly if it is global; its initial value is a constant of its type.
//!  7. An object has an owner exactly if it is local; it is uninitialised exactly if it is local;
//!     its alignment is a power of two.
//!  8. Static data lies within its object, sorted, without overlap; addresses are 1 to 8 bytes wide.
//!  9. Constants fit their type, and a variable has the type that expressions think it has.
//!
//! Functions
//! 10. A function with a body has one parameter variable per parameter of its signature, of that
//!     type; one without a body has none. A variadic one ends in a pointer parameter.
//! 11. The entry differs from the exit; nothing leaves the exit; exactly the `Return`s lead to it.
//! 12. A label's location lies in its function. The program's entry function has a body.
//!
//! Shape
//! 13. A location other than the exit has one edge, or two `Assume`s on the same condition with
//!     opposite outcomes; or it has none, and then only traps and calls lead to it.
//! 14. Both edges of a branch name the same decision with opposite outcomes, or neither names one;
//!     no other edge does; decisions are numbered below `Program::branches`.
//!
//! Operations
//! 15. An edge uses global variables and objects and those of its own function only.
//! 16. Operands have the types that the operation asks for.
//! 17. Calls agree with the signature of the callee; what never returns has no result.
//! 18. `Begin` and `End` name local objects.
//! 19. Temporaries are assigned before every use.

use std::fmt;

use cairn_base::EntityRef;
use cairn_value::{IntTy, Ty};
use fixedbitset::FixedBitSet;

use crate::assigned::unassigned_reads;
use crate::graph::{Blocks, Graph};
use crate::{
    AllocKind, Callee, DType, EdgeId, Expr, ExprId, FuncId, Init, LocId, ObjId, ObjKind, Op, Place, Program,
    Reloc, RelocTarget, Signature, VarId, VarKind,
};

#[cfg(test)]
mod tests;

/// A broken rule: its number in the list above, what breaks it, and how.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    pub rule: u8,
    /// The id of what breaks the rule (`e5`, `v3`), or `program`.
    pub at: String,
    pub message: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rule {} at {}: {}", self.rule, self.at, self.message)
    }
}

/// Checks all rules. Ids that name nothing (rule 1) end the check early, as nothing else could be
/// said about such a program.
pub fn verify(p: &Program) -> Result<(), Vec<Violation>> {
    let mut v = Verifier { p, found: Vec::new() };
    v.ids();
    if v.found.is_empty() {
        v.places();
        v.lists();
        v.types_for_people();
        v.globals();
        v.objects();
        v.constants();
        v.functions();
        v.labels();
        v.locations();
        v.operations();
    }
    // Temporaries are followed along paths, which needs a graph that holds together.
    if v.found.is_empty() {
        v.temporaries();
    }
    if v.found.is_empty() { Ok(()) } else { Err(v.found) }
}

/// Verifies in debug builds, after a pass.
pub fn debug_verify(p: &Program, pass: &str) {
    if cfg!(debug_assertions)
        && let Err(found) = verify(p)
    {
        let list: Vec<String> = found.iter().take(20).map(Violation::to_string).collect();
        panic!("program does not verify after {pass}:\n{}", list.join("\n"));
    }
}

struct Verifier<'p> {
    p: &'p Program,
    found: Vec<Violation>,
}

impl Verifier<'_> {
    fn fail(&mut self, rule: u8, at: impl ToString, message: impl Into<String>) {
        self.found.push(Violation { rule, at: at.to_string(), message: message.into() });
    }

    fn check(&mut self, ok: bool, rule: u8, at: impl ToString, message: &str) {
        if !ok {
            self.fail(rule, at, message);
        }
    }

    /// Rule 1.
    fn ids(&mut self) {
        let p = self.p;
        let var = |v: VarId| p.vars.is_valid(v);
        let obj = |o: ObjId| p.objects.is_valid(o);
        let func = |f: FuncId| p.funcs.is_valid(f);
        let loc = |l: LocId| p.locs.is_valid(l);
        let expr = |e: ExprId| (e.as_u32() as usize) < p.exprs.len();
        let message = "names something that does not exist";
        for (e, node) in p.exprs.iter() {
            let ok = match node {
                Expr::Var(v) => var(v),
                Expr::Addr(o) => obj(o),
                Expr::Func(f) => func(f),
                Expr::Label(l) => p.labels.is_valid(l),
                _ => true,
            };
            self.check(ok, 1, e, message);
        }
        for (v, x) in &p.vars {
            let init = match x.kind {
                VarKind::Global { init } => expr(init),
                _ => true,
            };
            let ok = x.owner.is_none_or(func) && init && x.dtype.is_none_or(|t| p.dtypes.is_valid(t));
            self.check(ok, 1, v, message);
        }
        for (o, x) in &p.objects {
            let ok = x.owner.is_none_or(func) && x.dtype.is_none_or(|t| p.dtypes.is_valid(t));
            let relocs = match &x.init {
                Init::Static(data) => &data.relocs[..],
                _ => &[],
            };
            let target = |r: &Reloc| match r.target {
                RelocTarget::Object(o) => obj(o),
                RelocTarget::Func(f) => func(f),
                RelocTarget::Label(l) => p.labels.is_valid(l),
            };
            self.check(ok && relocs.iter().all(target), 1, o, message);
        }
        for (f, x) in &p.funcs {
            let body = x.body.as_ref().is_none_or(|b| {
                loc(b.entry)
                    && loc(b.exit)
                    && b.locs.iter().copied().all(loc)
                    && b.edges.iter().all(|&e| p.edges.is_valid(e))
                    && b.vars.iter().copied().all(var)
                    && b.objects.iter().copied().all(obj)
            });
            self.check(body && x.params.iter().copied().all(var), 1, f, message);
        }
        for (l, x) in &p.locs {
            let edges = x.out.iter().chain(&x.inn).all(|&e| p.edges.is_valid(e));
            self.check(func(x.func) && edges, 1, l, message);
        }
        for (e, x) in &p.edges {
            let mut ok = loc(x.src) && loc(x.dst) && x.op.def().is_none_or(var);
            x.op.each_expr(|e| ok &= expr(e));
            ok &= match &x.op {
                Op::Begin { obj: o } | Op::End { obj: o } => obj(*o),
                Op::Call { callee: Callee::Func(f), .. } => func(*f),
                _ => true,
            };
            self.check(ok, 1, e, message);
        }
        for (l, x) in &p.labels {
            self.check(func(x.func) && loc(x.loc), 1, l, message);
        }
        for (t, x) in &p.dtypes {
            let ok = match x {
                DType::Scalar { .. } => true,
                DType::Array { elem, .. } => p.dtypes.is_valid(*elem),
                DType::Record { fields, .. } => fields.iter().all(|f| p.dtypes.is_valid(f.ty)),
            };
            self.check(ok, 1, t, message);
        }
        self.check(p.entry.is_none_or(func), 1, "program", message);
    }

    /// Rule 2.
    fn places(&mut self) {
        let p = self.p;
        let ok = |place: Place| place.is_none() || p.files.is_valid(place.file);
        let message = "its place is in no file of the program";
        for (v, x) in &p.vars {
            self.check(ok(x.place) && ok(x.scope), 2, v, message);
        }
        for (o, x) in &p.objects {
            self.check(ok(x.place) && ok(x.scope), 2, o, message);
        }
        for (f, x) in &p.funcs {
            self.check(ok(x.place), 2, f, message);
        }
        for (l, x) in &p.locs {
            self.check(x.loop_stmt.is_none_or(ok), 2, l, message);
        }
        for (e, x) in &p.edges {
            self.check(ok(x.place), 2, e, message);
        }
    }

    /// Rules 3 and 4.
    fn lists(&mut self) {
        let p = self.p;
        let mut locs = vec![0u32; p.locs.len()];
        let mut edges = vec![0u32; p.edges.len()];
        let mut vars = vec![0u32; p.vars.len()];
        let mut objects = vec![0u32; p.objects.len()];
        for (f, func) in &p.funcs {
            let Some(body) = &func.body else { continue };
            for &l in &body.locs {
                locs[l.index()] += 1;
                self.check(p.locs[l].func == f, 3, l, "is listed in the body of another function");
            }
            for &e in &body.edges {
                edges[e.index()] += 1;
                let ok = p.locs[p.edges[e].src].func == f;
                self.check(ok, 3, e, "is listed in the body of another function");
            }
            for &v in &body.vars {
                vars[v.index()] += 1;
                self.check(p.vars[v].owner == Some(f), 3, v, "is listed in the body of another function");
            }
            for &o in &body.objects {
                objects[o.index()] += 1;
                self.check(p.objects[o].owner == Some(f), 3, o, "is listed in the body of another function");
            }
        }
        let message = "is not listed exactly once";
        for l in p.locs.keys() {
            self.check(locs[l.index()] == 1, 3, l, message);
        }
        for e in p.edges.keys() {
            self.check(edges[e.index()] == 1, 3, e, message);
        }
        for (v, x) in &p.vars {
            self.check(vars[v.index()] == u32::from(x.owner.is_some()), 3, v, message);
        }
        for (o, x) in &p.objects {
            self.check(objects[o.index()] == u32::from(x.owner.is_some()), 3, o, message);
        }
        let (mut outs, mut inns) = (vec![0u32; p.edges.len()], vec![0u32; p.edges.len()]);
        for (l, loc) in &p.locs {
            for &e in &loc.out {
                outs[e.index()] += 1;
                self.check(p.edges[e].src == l, 4, e, "leaves another location than the one that lists it");
            }
            for &e in &loc.inn {
                inns[e.index()] += 1;
                self.check(p.edges[e].dst == l, 4, e, "enters another location than the one that lists it");
            }
        }
        for (e, edge) in &p.edges {
            let once = outs[e.index()] == 1 && inns[e.index()] == 1;
            self.check(once, 4, e, "is not listed once at its source and once at its target");
            let one = p.locs[edge.src].func == p.locs[edge.dst].func;
            self.check(one, 4, e, "leads into another function");
        }
    }

    /// Rule 5, by taking away types whose parts are all gone until none is left.
    fn types_for_people(&mut self) {
        let p = self.p;
        let parts = |t| match &p.dtypes[t] {
            DType::Scalar { .. } => vec![],
            DType::Array { elem, .. } => vec![*elem],
            DType::Record { fields, .. } => fields.iter().map(|f| f.ty).collect(),
        };
        let mut missing: Vec<usize> = p.dtypes.keys().map(|t| parts(t).len()).collect();
        let mut users = vec![Vec::new(); p.dtypes.len()];
        for t in p.dtypes.keys() {
            parts(t).into_iter().for_each(|part| users[part.index()].push(t));
        }
        let mut work: Vec<_> = p.dtypes.keys().filter(|t| missing[t.index()] == 0).collect();
        let mut done = 0;
        while let Some(t) = work.pop() {
            done += 1;
            for &user in &users[t.index()] {
                missing[user.index()] -= 1;
                if missing[user.index()] == 0 {
                    work.push(user);
                }
            }
        }
        if done < p.dtypes.len()
            && let Some(t) = p.dtypes.keys().find(|t| missing[t.index()] > 0)
        {
            self.fail(5, t, "contains itself");
        }
    }

    /// Rule 6.
    fn globals(&mut self) {
        let p = self.p;
        for (v, var) in &p.vars {
            let VarKind::Global { init } = var.kind else {
                self.check(var.owner.is_some(), 6, v, "belongs to no function but is not global");
                continue;
            };
            self.check(var.owner.is_none(), 6, v, "is global but belongs to a function");
            self.check(p.ty(init) == var.ty, 6, v, "has an initial value of another type");
            let mut constant = p.exprs.is_total(init);
            p.exprs.each_var(init, &mut |_| constant = false);
            self.check(constant, 6, v, "has an initial value that is not constant");
        }
    }

    /// Rules 7 and 8.
    fn objects(&mut self) {
        for (o, object) in &self.p.objects {
            let local = object.kind == ObjKind::Local;
            self.check(
                local == object.owner.is_some(),
                7,
                o,
                "has an owner but is not local, or the reverse",
            );
            self.check(object.align.is_power_of_two(), 7, o, "has an alignment that is no power of two");
            let uninit = object.init == Init::Uninit;
            self.check(local == uninit, 7, o, "is static without contents or local with contents");
            let Init::Static(data) = &object.init else { continue };
            let mut ranges: Vec<(u64, u64)> =
                data.bytes.iter().map(|(at, bytes)| (*at, bytes.len() as u64)).collect();
            let relocs: Vec<(u64, u64)> =
                data.relocs.iter().map(|r| (r.offset, u64::from(r.bytes))).collect();
            let sorted = |r: &[(u64, u64)]| r.windows(2).all(|w| w[0].0 < w[1].0);
            self.check(sorted(&ranges) && sorted(&relocs), 8, o, "has data that is not sorted");
            self.check(
                relocs.iter().all(|r| (1..=8).contains(&r.1)),
                8,
                o,
                "has an address of a wrong width",
            );
            self.check(ranges.iter().all(|r| r.1 > 0), 8, o, "has empty data");
            ranges.extend(relocs);
            ranges.sort_unstable();
            let ends: Vec<Option<u64>> = ranges.iter().map(|r| r.0.checked_add(r.1)).collect();
            let within = ends.iter().all(|end| end.is_some_and(|end| end <= object.size));
            self.check(within, 8, o, "has data outside its size");
            let disjoint =
                ends.iter().zip(ranges.iter().skip(1)).all(|(end, next)| end.is_some_and(|e| e <= next.0));
            self.check(disjoint, 8, o, "has data that overlaps");
        }
    }

    /// Rule 9.
    fn constants(&mut self) {
        let p = self.p;
        for (e, node) in p.exprs.iter() {
            let ok = match node {
                Expr::Int(ty, bits) => (1..=128).contains(&ty.bits) && bits & !ty.mask() == 0,
                Expr::Float(ty, bits) => ty.bits() == 128 || bits >> ty.bits() == 0,
                Expr::Ptr(at) => p.model.ptr_bits() == 64 || at >> p.model.ptr_bits() == 0,
                Expr::Var(v) => p.ty(e) == p.vars[v].ty,
                _ => true,
            };
            self.check(ok, 9, e, "is a constant wider than its type, or a variable of another type");
        }
    }

    /// Rules 10 and 11.
    fn functions(&mut self) {
        let p = self.p;
        let mut is_param = FixedBitSet::with_capacity(p.vars.len());
        for (f, func) in &p.funcs {
            let sig = &func.sig;
            let last_is_ptr = sig.params.last() == Some(&Ty::Ptr);
            self.check(!sig.variadic || last_is_ptr, 10, f, "is variadic without a last pointer parameter");
            let Some(body) = &func.body else {
                self.check(func.params.is_empty(), 10, f, "has no body but parameter variables");
                continue;
            };
            for &v in &func.params {
                let ok = p.vars[v].kind == VarKind::Param
                    && p.vars[v].owner == Some(f)
                    && !is_param.put(v.index());
                self.check(ok, 10, v, "is listed as a parameter but is none of this function, or twice");
            }
            let types: Vec<Ty> = func.params.iter().map(|&v| p.vars[v].ty).collect();
            self.check(types == sig.params, 10, f, "has parameters of other types than its signature");
            let own = p.locs[body.entry].func == f && p.locs[body.exit].func == f;
            self.check(own && body.entry != body.exit, 11, f, "has no two ends of its own");
            self.check(p.locs[body.exit].out.is_empty(), 11, f, "goes on after its exit");
            for &e in &body.edges {
                let edge = &p.edges[e];
                let returns = matches!(edge.op, Op::Return { .. });
                let ok = returns == (edge.dst == body.exit);
                self.check(
                    ok,
                    11,
                    e,
                    "returns elsewhere than to the exit, or enters the exit without returning",
                );
            }
        }
        for (v, var) in &p.vars {
            let ok = (var.kind == VarKind::Param) == is_param.contains(v.index());
            self.check(ok, 10, v, "is a parameter that its function does not list");
        }
    }

    /// Rule 12.
    fn labels(&mut self) {
        let p = self.p;
        for (l, label) in &p.labels {
            self.check(p.locs[label.loc].func == label.func, 12, l, "stands in another function");
        }
        let ok = p.entry.is_none_or(|f| p.funcs[f].body.is_some());
        self.check(ok, 12, "program", "starts in a function without a body");
    }

    /// Rules 13 and 14.
    fn locations(&mut self) {
        let p = self.p;
        for (l, loc) in &p.locs {
            let out: Vec<_> = loc.out.iter().map(|&e| &p.edges[e]).collect();
            let exit = p.funcs[loc.func].body.as_ref().map(|b| b.exit);
            match out[..] {
                [] => {
                    let ends = |e: &EdgeId| matches!(p.edges[*e].op, Op::Trap(_) | Op::Call { .. });
                    let ok = exit == Some(l) || loc.inn.iter().all(ends);
                    self.check(ok, 13, l, "is a dead end that an ordinary operation leads to");
                }
                [edge] => {
                    self.check(edge.branch.is_none(), 14, l, "names a decision on a single edge");
                }
                [a, b] => {
                    let paired = match (&a.op, &b.op) {
                        (Op::Assume { cond: x, holds: s }, Op::Assume { cond: y, holds: t }) => {
                            x == y && s != t
                        }
                        _ => false,
                    };
                    self.check(paired, 13, l, "has two edges that are no branch");
                    let decided = match (a.branch, b.branch) {
                        (None, None) => true,
                        (Some(x), Some(y)) => {
                            x.id == y.id && x.taken != y.taken && x.id.as_u32() < p.branches
                        }
                        _ => false,
                    };
                    self.check(decided, 14, l, "names its decision wrongly");
                }
                _ => self.fail(13, l, "has more than two edges"),
            }
        }
    }

    /// Rules 15 to 18.
    fn operations(&mut self) {
        let p = self.p;
        let homes = Homes::new(p);
        for (e, edge) in &p.edges {
            let f = p.locs[edge.src].func;
            let mut home = edge.op.def().is_none_or(|v| p.vars[v].owner.is_none_or(|o| o == f));
            edge.op.each_expr(|x| home &= homes.allows(x, f));
            if let Op::Begin { obj } | Op::End { obj } = edge.op {
                let object = &p.objects[obj];
                self.check(object.kind == ObjKind::Local, 18, e, "begins or ends what is not local");
                home &= object.owner.is_none_or(|o| o == f);
            }
            self.check(home, 15, e, "uses a variable or object of another function");
            self.types(e, &edge.op, &p.funcs[f].sig);
        }
    }

    /// Rules 16 and 17 for one edge.
    fn types(&mut self, e: EdgeId, op: &Op, own: &Signature) {
        let p = self.p;
        let size = Ty::Int(IntTy::size(p.model));
        let ty = |x: ExprId| p.ty(x);
        let is_ptr = |x: ExprId| ty(x) == Ty::Ptr;
        let field = |ty: Ty, bit: u8, width: u8| match ty {
            Ty::Int(i) => bit < 8 && (1..=i.bits).contains(&width),
            _ => false,
        };
        let ok = match op {
            Op::Nop | Op::Begin { .. } | Op::End { .. } | Op::Input { .. } | Op::Trap(_) => true,
            Op::Assign { dst, value } => p.vars[*dst].ty == ty(*value),
            Op::Assume { cond, .. } => ty(*cond) == Ty::Bool,
            Op::Load { dst, addr } => is_ptr(*addr) && p.vars[*dst].ty != Ty::Bool,
            Op::Store { addr, value } => is_ptr(*addr) && ty(*value) != Ty::Bool,
            Op::LoadBits { dst, addr, bit, width } => is_ptr(*addr) && field(p.vars[*dst].ty, *bit, *width),
            Op::StoreBits { addr, bit, width, value } => is_ptr(*addr) && field(ty(*value), *bit, *width),
            Op::Copy { dst, src, size: n, .. } => is_ptr(*dst) && is_ptr(*src) && ty(*n) == size,
            Op::Fill { dst, byte, size: n } => is_ptr(*dst) && ty(*byte).int().is_some() && ty(*n) == size,
            Op::Alloc { dst, size: n, .. } => p.vars[*dst].ty == Ty::Ptr && ty(*n) == size,
            Op::Free { ptr, kind } => is_ptr(*ptr) && *kind != AllocKind::Alloca,
            Op::Return { value } => value.is_none_or(|v| Some(ty(v)) == own.ret),
            Op::Call { dst, callee, args } => {
                let builtin;
                let sig = match callee {
                    Callee::Func(f) => &p.funcs[*f].sig,
                    Callee::Ptr { target, sig } => {
                        self.check(is_ptr(*target), 17, e, "calls what is no pointer");
                        &**sig
                    }
                    Callee::Builtin(b) => {
                        builtin = b.signature(p.model);
                        &builtin
                    }
                };
                let types: Vec<Ty> = args.iter().map(|&a| ty(a)).collect();
                self.check(
                    types == sig.params,
                    17,
                    e,
                    "passes arguments of other types than the callee takes",
                );
                let result = dst.is_none_or(|v| sig.ret == Some(p.vars[v].ty));
                self.check(result, 17, e, "takes a result of another type than the callee gives");
                true
            }
        };
        self.check(ok, 16, e, "has operands of wrong types");
    }

    /// Rule 19.
    fn temporaries(&mut self) {
        let p = self.p;
        for f in p.funcs.keys() {
            let Some(g) = Graph::new(p, f) else { continue };
            let blocks = Blocks::new(p, &g);
            for (e, v) in unassigned_reads(p, &g, &blocks) {
                let ok = p.vars[v].kind != VarKind::Temp;
                self.check(ok, 19, e, &format!("reads {v}, a temporary that may not be assigned yet"));
            }
        }
    }
}

/// For each expression, the one function whose locals it mentions.
struct Homes(Vec<Home>);

#[derive(Copy, Clone, PartialEq)]
enum Home {
    Anywhere,
    In(FuncId),
    Nowhere,
}

impl Homes {
    /// Operands come before what is made of them.
    fn new(p: &Program) -> Homes {
        let mut homes = Vec::with_capacity(p.exprs.len());
        let of = |owner: Option<FuncId>| owner.map_or(Home::Anywhere, Home::In);
        for (e, node) in p.exprs.iter() {
            let home = match node {
                Expr::Var(v) => of(p.vars[v].owner),
                Expr::Addr(o) => of(p.objects[o].owner),
                _ => p.exprs.children(e).into_iter().fold(Home::Anywhere, |home, c| {
                    match (home, homes[c.as_u32() as usize]) {
                        (Home::Anywhere, h) | (h, Home::Anywhere) => h,
                        (x, y) if x == y => x,
                        _ => Home::Nowhere,
                    }
                }),
            };
            homes.push(home);
        }
        Homes(homes)
    }

    fn allows(&self, e: ExprId, f: FuncId) -> bool {
        matches!(self.0[e.as_u32() as usize], Home::Anywhere) || self.0[e.as_u32() as usize] == Home::In(f)
    }
}
