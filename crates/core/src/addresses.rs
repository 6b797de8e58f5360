//! Where objects lie in memory is an input of the program.
//!
//! A program may look at addresses as numbers: cast them, order them, compare
//! one past the end of an object with the start of another, find that memory
//! that was freed is handed out again. Nobody promises it a layout, so none may
//! be chosen for it. Behind each birth of an object such a program gets an
//! input, the object's address, and a call of `Builtin::Place` that says so:
//! engines, checker and executor take it for what it is, the trace of an error
//! has it among its inputs, and replaying needs nothing else.
//!
//! What may share its address with other things is not given one, and then nothing is known of it:
//! objects without bytes, labels (gcc gives two of them one address, too), and string literals of which one
//! is the end of the other.
//!
//! Programs that do not look are left as they are. Whether one looks is told by
//! its text where it turns pointers into integers. All else is found by the checker (`cairn_checker`): in
//! its reading of such a program, whatever a layout decides is any value, and a proof that fails for that
//! reason is a reason to ask again.
//!
//! # Why so
//!
//! *Addresses are inputs where they are looked at* (`core::addresses`). Behind each birth of an object stand
//! an input, its base, and `Builtin::Place`, which ends executions in which the object cannot lie there. So
//! traces, replay and engines need nothing new. Pointers stay object and offset; they become base plus offset
//! where they are cast, ordered, compared or stored. An integer becomes a pointer by the base it is visibly
//! built on (with an offset, or marks in the bits that alignment leaves free), otherwise by where the objects
//! lie. A pointer that went through an integer is one to its own object, as gcc has it. What may share its
//! address with others has none: objects without bytes, labels, literals that end alike.

use cairn_base::{Place, Symbol};
use cairn_ir::{
    AllocKind, BinOp, Builtin, Callee, EdgeId, Expr, ExprId, FuncId, Init, IntTy, LocId, ObjId, ObjKind, Op,
    Program, RelocTarget, Ty, VarId, VarKind,
};
use rustc_hash::FxHashSet;

/// More objects that are alive from the start than this are not given addresses one by one: they
/// have some, of which nothing is known.
const STATICS: usize = 100;

/// What malloc promises, and what gcc gives to arrays of variable length.
const ALLOCATED: u32 = 16;

/// Does the user's code turn pointers into integers?
pub fn looks(p: &Program) -> bool {
    let mut work = Vec::new();
    for edge in p.edges.values().filter(|e| !p.funcs[p.locs[e.src].func].is_model) {
        edge.op.each_expr(|x| work.push(x));
    }
    for var in p.vars.values() {
        if let VarKind::Global { init } = var.kind {
            work.push(init);
        }
    }
    let mut seen: FxHashSet<ExprId> = FxHashSet::default();
    while let Some(x) = work.pop() {
        if !seen.insert(x) {
            continue;
        }
        if let Expr::Cast(Ty::Int(_), a) = p.exprs.get(x)
            && p.ty(a) == Ty::Ptr
        {
            return true;
        }
        work.extend(p.exprs.children(x));
    }
    false
}

/// Makes the addresses of all objects that could be looked at inputs.
pub fn place_objects(p: &mut Program, arguments: usize) {
    let seen = Seen::of(p);
    let literals = Literals::of(p);
    let births: Vec<EdgeId> = p.edges.keys().collect();
    for e in births {
        let (what, name, align) = match &p.edges[e].op {
            Op::Begin { obj } if seen.objects.contains(obj) && p.objects[*obj].size > 0 => {
                let o = &p.objects[*obj];
                (Thing::Object(*obj), o.name.to_string(), o.align)
            }
            Op::Alloc { dst, kind, .. } => {
                let name = match kind {
                    AllocKind::Heap => "allocated memory",
                    AllocKind::Alloca => "alloca",
                    AllocKind::Vla => "array of variable length",
                };
                (Thing::Pointer(p.exprs.var(*dst)), name.to_owned(), ALLOCATED)
            }
            _ => continue,
        };
        let last = moves_behind(p, e).unwrap_or(e);
        let place = p.edges[e].place;
        let (mut born, after) = p.open_behind(last);
        if let Op::Alloc { kind: AllocKind::Alloca, size, .. } = p.edges[e].op {
            // Of no bytes: it may lie where others do.
            let none = p.exprs.int(IntTy::size(p.model), 0);
            let cond = p.exprs.binary(BinOp::Eq, size, none);
            let some = p.new_loc(p.locs[after].func);
            p.new_branch(born, cond, after, some, place, false);
            born = some;
        }
        place_at(p, born, after, what, &name, align, place);
    }
    let mut things = seen.statics(p, &literals);
    things.truncate(STATICS);
    place_statics(p, things, arguments);
}

/// Where the library frees another block right behind the allocation of one, as `realloc` does: the new one may
/// lie where the old one was, so that it is placed behind that.
fn moves_behind(p: &Program, e: EdgeId) -> Option<EdgeId> {
    let Op::Alloc { dst, kind: AllocKind::Heap, .. } = p.edges[e].op else { return None };
    let mut at = p.edges[e].dst;
    p.funcs[p.locs[at].func].is_model.then_some(())?;
    let mut seen = FxHashSet::default();
    while seen.insert(at) {
        let &[next] = &p.locs[at].out[..] else { return None };
        let edge = &p.edges[next];
        match &edge.op {
            Op::Free { kind: AllocKind::Heap, .. } => return Some(next),
            Op::Call { .. } | Op::Return { .. } => return None,
            op if op.def() == Some(dst) => return None,
            _ => at = edge.dst,
        }
    }
    None
}

/// What is alive from the start gets its addresses there, behind the inputs that are arguments of the
/// entry function.
fn place_statics(p: &mut Program, things: Vec<(Thing, String, u32)>, arguments: usize) {
    let Some(entry) = p.entry else { return };
    let Some(old) = p.funcs[entry].body.as_ref().map(|b| b.entry) else { return };
    let mut first = p.new_loc(entry);
    let begin = first;
    let rest = if arguments == 0 {
        p.enter_at(entry, first);
        old
    } else {
        // The caller that asks for the arguments is a straight line.
        let mut at = old;
        for _ in 0..arguments {
            let Some(&e) = p.locs[at].out.first() else { return };
            at = p.edges[e].dst;
        }
        p.move_in(at, begin);
        at
    };
    let place = p.funcs[entry].place;
    for (what, name, align) in things {
        let next = p.new_loc(entry);
        place_at(p, first, next, what, &name, align, place);
        first = next;
    }
    // Integers that start with an address get it when it is known.
    let late: Vec<(VarId, ExprId)> = p
        .vars
        .iter()
        .filter_map(|(v, var)| match var.kind {
            VarKind::Global { init } if var.ty != Ty::Ptr && has_address(p, init) => Some((v, init)),
            _ => None,
        })
        .collect();
    for (dst, value) in late {
        first = p.new_step(first, Op::Assign { dst, value }, place);
    }
    p.new_edge(first, rest, Op::Nop, place);
}

/// Does the address of something occur in an expression?
fn has_address(p: &Program, x: ExprId) -> bool {
    match p.exprs.get(x) {
        Expr::Addr(_) | Expr::Func(_) | Expr::Label(_) => true,
        _ => p.exprs.children(x).into_iter().any(|c| has_address(p, c)),
    }
}

/// What an address belongs to.
#[derive(Copy, Clone)]
enum Thing {
    Object(ObjId),
    Func(FuncId),
    Pointer(ExprId),
}

/// Bytes of a page.
const PAGE: i128 = 4096;

/// From `from` to `to`: asks for the address and says that it is the thing's.
fn place_at(p: &mut Program, from: LocId, to: LocId, what: Thing, name: &str, align: u32, place: Place) {
    let func = p.locs[from].func;
    let size = IntTy::size(p.model);
    // The question mark keeps it out of test cases: no caller can choose it.
    let input = Symbol::from(format!("&{name}?").as_str());
    let var = p.new_temp(func, input, Ty::Int(size), place);
    let pointer = match what {
        Thing::Object(o) => p.exprs.addr(o),
        Thing::Func(f) => p.exprs.func(f),
        Thing::Pointer(x) => x,
    };
    let (base, align) = (p.exprs.var(var), p.exprs.int(size, align.into()));
    let given = p.new_step(from, Op::Input { dst: var, name: input }, place);
    // Nothing lies in the first and in the last page, where `SIG_IGN`, `SIG_ERR` and their like are.
    let (least, greatest) = (p.exprs.int(size, PAGE), p.exprs.int(size, -PAGE));
    let (above, below) = (p.exprs.binary(BinOp::Le, least, base), p.exprs.binary(BinOp::Le, base, greatest));
    let cond = p.exprs.binary(BinOp::And, above, below);
    let asked = p.new_step(given, Op::Assume { cond, holds: true }, place);
    let args = Box::new([pointer, base, align]);
    p.new_edge(asked, to, Op::Call { dst: None, callee: Callee::Builtin(Builtin::Place), args }, place);
}

/// Everything whose address is a value somewhere, and not just where an access goes.
#[derive(Default)]
struct Seen {
    objects: FxHashSet<ObjId>,
    funcs: FxHashSet<FuncId>,
}

impl Seen {
    fn of(p: &Program) -> Seen {
        let mut seen = Seen::default();
        for edge in p.edges.values() {
            let accessed = accessed(&edge.op);
            edge.op.each_expr(|x| {
                let mut at = x;
                if accessed.contains(&Some(x)) {
                    while let Expr::Binary(BinOp::PtrAdd, base, offset) = p.exprs.get(at) {
                        seen.value(p, offset);
                        at = base;
                    }
                    if matches!(p.exprs.get(at), Expr::Addr(_)) {
                        return;
                    }
                }
                seen.value(p, at);
            });
        }
        for var in p.vars.values() {
            if let VarKind::Global { init } = var.kind {
                seen.value(p, init);
            }
        }
        for object in p.objects.values() {
            let Init::Static(data) = &object.init else { continue };
            for r in &data.relocs {
                match r.target {
                    RelocTarget::Object(o) => drop(seen.objects.insert(o)),
                    RelocTarget::Func(f) => drop(seen.funcs.insert(f)),
                    RelocTarget::Label(_) => {}
                }
            }
        }
        seen
    }

    fn value(&mut self, p: &Program, x: ExprId) {
        let mut work = vec![x];
        while let Some(x) = work.pop() {
            match p.exprs.get(x) {
                Expr::Addr(o) => drop(self.objects.insert(o)),
                Expr::Func(f) => drop(self.funcs.insert(f)),
                _ => work.extend(p.exprs.children(x)),
            }
        }
    }

    /// Those that are alive from the start, variables first.
    fn statics(&self, p: &Program, literals: &Literals) -> Vec<(Thing, String, u32)> {
        let mut all = Vec::new();
        let own = |o: ObjId| p.objects[o].size > 0 && !literals.may_share(o);
        for kind in [ObjKind::Global, ObjKind::Const] {
            let of = p.objects.iter().filter(|(o, x)| x.kind == kind && self.objects.contains(o) && own(*o));
            all.extend(of.map(|(o, x)| (Thing::Object(o), x.name.to_string(), x.align)));
        }
        let funcs = p.funcs.iter().filter(|(f, _)| self.funcs.contains(f));
        all.extend(funcs.map(|(f, x)| (Thing::Func(f), x.name.to_string(), 1)));
        all
    }
}

/// The string literals of a program, and their bytes.
struct Literals(Vec<(ObjId, Vec<u8>)>);

impl Literals {
    fn of(p: &Program) -> Literals {
        Literals(p.objects.iter().filter_map(|(o, x)| Some((o, x.literal()?))).collect())
    }

    /// May one be the end of the other?
    fn may_share(&self, o: ObjId) -> bool {
        let Some((_, mine)) = self.0.iter().find(|x| x.0 == o) else { return false };
        self.0.iter().any(|(other, bytes)| *other != o && (mine.ends_with(bytes) || bytes.ends_with(mine)))
    }
}

/// Where an operation accesses memory.
fn accessed(op: &Op) -> [Option<ExprId>; 2] {
    match op {
        Op::Load { addr, .. }
        | Op::Store { addr, .. }
        | Op::LoadBits { addr, .. }
        | Op::StoreBits { addr, .. } => [Some(*addr), None],
        Op::Copy { dst, src, .. } => [Some(*dst), Some(*src)],
        Op::Fill { dst, .. } => [Some(*dst), None],
        _ => [None, None],
    }
}
