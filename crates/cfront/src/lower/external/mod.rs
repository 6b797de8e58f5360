//! What is outside: functions that the program calls and nobody defines or models,
//! and objects that it declares `extern` and nobody defines.
//!
//! A function from outside may return anything, and may change what it can reach:
//! memory behind its pointer arguments (unless they point to `const`), and
//! objects that other units can name. It gets a body that does just that, with
//! an input for every value, so that executor, engines and checker need not know,
//! and a failure is replayed with what the outside did. What such a body cannot
//! do (pointers into the program's own memory, calls back into it, chains of
//! pointers) is supposed not to happen; that is noted as an assumption, so that
//! the verdict names it.
//!
//! The names of the inputs say what they are, for people and for the harness:
//!
//! | name | is |
//! |---|---|
//! | `f` | the result of `f` |
//! | `f!` | 1: a call of `f` changes memory, and the changes follow |
//! | `f:arg1` | a value stored behind its first argument, elements in order |
//! | `f:arg1[16]+8` | as above, at offset 8 of elements of 16 bytes |
//! | `extern:g`, `extern:g+4` | a value stored in the object `g` |
//! | `NAME*` | what becomes of a pointer: 0 it stays, 1 null, 2 new memory, 3 it stays and what is behind it changes |
//! | `f*` | the pointer that is returned: 0 null, 1 new memory, 2… that argument |
//! | `NAME->…` | a value in memory behind such a pointer |

mod fill;

use cairn_ctyped::hir::{self, GlobalInit, GlobalKind};
use cairn_ctyped::types::{FuncType, QType, Type, TypeId};
use cairn_ir::{
    self as ir, AllocKind, BinOp, Builtin, Callee, ExprId, FuncId, Init, IntTy, LocId, Op, Place, Signature,
    Site, Ty, Var, VarId, VarKind, sym,
};
use rustc_hash::FxHashMap;

use super::{Cx, Storage};

/// How functions without body and model are read.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub enum Externals {
    /// They do anything that they can.
    #[default]
    Any,
    /// They give any result and have no effect, as the rules of SV-COMP have it.
    Pure,
    /// They are left without a body, and objects without contents: a run that comes to one says so.
    Open,
}

/// So many elements has new memory behind a pointer to a scalar.
const ELEMENTS: u64 = 8;
/// And so many bytes behind a `void *`.
const BYTES: u64 = 32;
/// Memory is followed through so many pointers.
const DEPTH: u8 = 2;
/// Larger objects of the program are left alone, and the verdict says so.
const LARGE: u64 = 2048;

/// The number of elements that an `extern` array without a size has.
pub(super) const OPEN_ARRAY: u64 = 8;

/// What the bodies share.
#[derive(Default)]
pub(super) struct Shared {
    /// Functions that fill memory with any values, by what they fill, how deep, and the inputs' name.
    fillers: FxHashMap<(TypeId, u8, String), FuncId>,
    exported: Option<Exported>,
}

/// What becomes of the objects that other units can name.
#[derive(Clone)]
struct Exported {
    /// The function that changes them, if there are some.
    change: Option<FuncId>,
    /// Those that it leaves alone.
    spared: Vec<String>,
}

impl Cx<'_> {
    fn void_type(&self) -> TypeId {
        self.types.find(&Type::Void).unwrap_or(TypeId::from_u32(0))
    }

    /// Gives every function from outside its body, and makes the function that gives the objects
    /// from outside their values, if there are some.
    pub(super) fn external_world(&mut self, externals: Externals) -> Option<FuncId> {
        if externals == Externals::Open {
            return None;
        }
        let mut shared = Shared::default();
        for (id, func) in self.hir.funcs.iter() {
            let Some(f) = self.funcs[id] else { continue };
            // Names of our own mark places; they are no functions.
            let ours = func.name.starts_with("__cairn_");
            let outside = func.body.is_none() && func.unsupported.is_none() && !func.noreturn && !ours;
            if !outside || !self.unmodelled_names.contains(&func.name) {
                continue;
            }
            if self.unsupported.iter().any(|(g, _)| *g == f) {
                continue;
            }
            let ty = self.func_type(func.ty).clone();
            // What gives a harness a value (here: of a record type) does nothing else.
            let pure = func.pure || super::intrinsic::is_cprover_input(&func.name);
            let externals = if pure { None } else { Some(externals) };
            external_function(self, &mut shared, f, &ty, externals);
        }
        external_objects(self, &mut shared)
    }
}

/// A function that is being made.
pub(super) struct Maker<'c, 'a> {
    cx: &'c mut Cx<'a>,
    shared: &'c mut Shared,
    func: FuncId,
    at: LocId,
    place: Place,
    /// Whose assumptions these are, and how they begin.
    site: Site,
    who: String,
}

/// Makes the body of a function from outside. `externals` is `None` for one that is declared to have
/// no effects.
fn external_function(
    cx: &mut Cx<'_>,
    shared: &mut Shared,
    f: FuncId,
    ty: &FuncType,
    externals: Option<Externals>,
) {
    let (name, sig, place) = {
        let func = &mut cx.prog.funcs[f];
        func.is_model = true;
        (func.name, func.sig.clone(), func.place)
    };
    let (entry, exit) = cx.prog.new_body(f);
    let params = cx.prog.new_params(f, Place::NONE);
    let who = name.to_string();
    let mut m = Maker { cx, shared, func: f, at: entry, place, site: Site::Func(f), who };
    if externals == Some(Externals::Pure) {
        m.suppose("has no effect");
    }
    let hidden = usize::from(m.cx.is_aggregate(ty.ret.id));
    if externals == Some(Externals::Any) {
        m.effects(ty, &sig, &params[hidden..]);
    }
    let value = match (sig.ret, params.first()) {
        (None, Some(&to)) if hidden == 1 => {
            let to = m.cx.prog.exprs.var(to);
            m.fill(to, ty.ret.id, name.as_str(), 0, DEPTH);
            None
        }
        (None, _) => None,
        (Some(Ty::Ptr), _) => Some(m.pointer_result(ty, &params, externals)),
        (Some(scalar), _) => {
            let value = m.input(scalar, name.as_str());
            Some(m.truth_if_bool(ty.ret.id, value))
        }
    };
    let (at, exit) = (m.at, exit);
    cx.prog.new_edge(at, exit, Op::Return { value }, place);
}

/// A function of our own, without result.
fn own_function(cx: &mut Cx<'_>, name: &str, params: Vec<Ty>) -> (FuncId, Vec<VarId>, LocId, LocId) {
    let sig = Signature { params, ret: None, variadic: false };
    let f = cx.prog.new_function(sym(name), sig, Place::NONE);
    let (entry, exit) = cx.prog.new_body(f);
    let params = cx.prog.new_params(f, Place::NONE);
    (f, params, entry, exit)
}

/// The function that gives the objects from outside their values, if there are some.
fn external_objects(cx: &mut Cx<'_>, shared: &mut Shared) -> Option<FuncId> {
    let unknown: Vec<(ir::ObjId, TypeId)> = cx
        .hir
        .globals
        .iter()
        .filter_map(|(id, g)| match (&g.init, cx.globals[id]) {
            (GlobalInit::Extern, Some(Storage::Object(o))) => Some((o, g.ty)),
            _ => None,
        })
        .collect();
    if unknown.is_empty() {
        return None;
    }
    let (f, _, entry, exit) = own_function(cx, "<external objects>", vec![]);
    let mut m =
        Maker { cx, shared, func: f, at: entry, place: Place::NONE, site: Site::Func(f), who: String::new() };
    for (o, ty) in unknown {
        let name = m.cx.prog.objects[o].name;
        m.place = m.cx.prog.objects[o].place;
        m.who = name.to_string();
        // It is filled here, once.
        m.cx.prog.objects[o].init = Init::Static(ir::Data::default());
        m.cx.prog.objects[o].kind = ir::ObjKind::Global;
        let addr = m.cx.prog.exprs.addr(o);
        let input = format!("extern:{name}");
        match m.cx.types.get(ty).clone() {
            Type::Array { elem, .. } if m.cx.types.size_of(ty).is_none() => {
                m.suppose(&format!("has at most {OPEN_ARRAY} elements"));
                m.fill_elements(addr, elem.id, OPEN_ARRAY, &input, 0, DEPTH);
            }
            _ => m.fill(addr, ty, &input, 0, DEPTH),
        }
    }
    let at = m.at;
    cx.prog.new_edge(at, exit, Op::Return { value: None }, Place::NONE);
    Some(f)
}

/// Lets an execution that starts in `entry` begin with a call of `first`.
pub fn begin_with(p: &mut ir::Program, entry: FuncId, first: FuncId) {
    let place = p.funcs[entry].place;
    if p.funcs[entry].body.is_none() {
        return;
    }
    let byte = IntTy::U8;
    let (zero, one) = (p.exprs.int(byte, 0), p.exprs.int(byte, 1));
    // The function may be called again.
    let done = p.new_var(Var {
        name: sym("<begun>"),
        ty: Ty::Int(byte),
        owner: None,
        kind: VarKind::Global { init: zero },
        place: Place::NONE,
        scope: Place::NONE,
        dtype: None,
    });
    let value = p.exprs.var(done);
    let cond = p.exprs.binary(BinOp::Ne, value, zero);
    let (start, fresh, marked) = (p.new_loc(entry), p.new_loc(entry), p.new_loc(entry));
    let Some(old) = p.enter_at(entry, start) else { return };
    p.new_branch(start, cond, old, fresh, place, false);
    p.new_edge(fresh, marked, Op::Assign { dst: done, value: one }, place);
    p.new_edge(marked, old, Op::Call { dst: None, callee: Callee::Func(first), args: Box::new([]) }, place);
}

/// One of the things that the outside may do.
type Way<M> = Box<dyn FnMut(&mut M)>;

impl Maker<'_, '_> {
    /// Notes what the function is supposed to do, or not to do.
    fn suppose(&mut self, what: &str) {
        self.cx.prog.suppose(self.site, format!("{} {what}", self.who));
    }

    fn step(&mut self, op: Op) {
        self.at = self.cx.prog.new_step(self.at, op, self.place);
    }

    fn temp(&mut self, ty: Ty) -> VarId {
        self.cx.prog.new_temp(self.func, self.cx.temp_name, ty, self.place)
    }

    /// A fresh value from outside.
    fn input(&mut self, ty: Ty, name: &str) -> ExprId {
        let value;
        (value, self.at) = self.cx.prog.new_input(self.at, sym(name), ty, self.place);
        value
    }

    /// A `_Bool` is the truth of any byte.
    fn truth_if_bool(&mut self, ty: TypeId, value: ExprId) -> ExprId {
        if !matches!(self.cx.types.get(ty), Type::Bool) {
            return value;
        }
        let x = &mut self.cx.prog.exprs;
        let zero = x.int(IntTy::U8, 0);
        let truth = x.binary(BinOp::Ne, value, zero);
        x.cast(Ty::Int(IntTy::U8), truth)
    }

    /// Takes one of some ways, by the value of `kind`; the first of them for all other values. Goes on
    /// where they meet.
    fn choose(&mut self, kind: ExprId, ways: &mut [&mut dyn FnMut(&mut Self)]) {
        let meet = self.cx.prog.new_loc(self.func);
        for (n, way) in ways.iter_mut().enumerate().rev() {
            let mut other = meet;
            if n > 0 {
                let (here, there) = (self.cx.prog.new_loc(self.func), self.cx.prog.new_loc(self.func));
                let number = self.cx.prog.exprs.int(IntTy::U8, n as i128);
                let cond = self.cx.prog.exprs.binary(BinOp::Eq, kind, number);
                self.cx.prog.new_branch(self.at, cond, here, there, self.place, false);
                self.at = here;
                other = there;
            }
            way(self);
            self.cx.prog.new_edge(self.at, meet, Op::Nop, self.place);
            self.at = other;
        }
    }

    /// Changes what the function can reach.
    fn effects(&mut self, ty: &FuncType, sig: &Signature, params: &[VarId]) {
        let mut targets: Vec<(VarId, QType, String)> = Vec::new();
        let named = params.len() - usize::from(sig.variadic);
        let void = QType::plain(self.cx.void_type());
        for (n, &p) in params[..named].iter().enumerate() {
            let to = match ty.params.get(n).map(|t| self.cx.types.get(*t).clone()) {
                Some(Type::Pointer(to)) => to,
                // A function declared without a prototype may take it for anything.
                None if self.cx.prog.vars[p].ty == Ty::Ptr => void,
                _ => continue,
            };
            if matches!(self.cx.types.get(to.id), Type::Function(_)) {
                self.suppose("calls nothing back");
            } else if !to.is_const {
                targets.push((p, to, format!("{}:arg{}", self.who, n + 1)));
            }
        }
        if sig.variadic {
            self.suppose("changes nothing behind its variable arguments");
        }
        // What it is passed once it might change in any later call.
        if !targets.is_empty() {
            self.suppose("keeps no address it is passed");
        }
        let is_users = |f: &hir::Func| !self.cx.places.is_model(f.span.src) && f.name.as_str() != "main";
        if self.cx.hir.callable.iter().any(|&f| is_users(&self.cx.hir.funcs[f])) {
            self.suppose("calls no function of the program");
        }
        let exported = self.exported_effects();
        if targets.is_empty() && exported.is_none() {
            return;
        }
        let kind = self.input(Ty::Int(IntTy::U8), &format!("{}!", self.who));
        let mut changes = |m: &mut Self| {
            for (p, to, name) in &targets {
                let p = m.cx.prog.exprs.var(*p);
                m.fill_behind(p, *to, name, DEPTH);
            }
            if let Some(f) = exported {
                m.step(Op::Call { dst: None, callee: Callee::Func(f), args: Box::new([]) });
            }
        };
        self.choose(kind, &mut [&mut |_| {}, &mut changes]);
    }

    /// The function that changes what other units can name, if there is such a thing.
    fn exported_effects(&mut self) -> Option<FuncId> {
        let exported = match self.shared.exported.clone() {
            Some(known) => known,
            None => {
                let made = self.change_exported();
                self.shared.exported.insert(made).clone()
            }
        };
        for name in &exported.spared {
            self.suppose(&format!("leaves {name} alone"));
        }
        exported.change
    }

    fn change_exported(&mut self) -> Exported {
        let mut found = Vec::new();
        let mut spared = Vec::new();
        for &id in &self.cx.hir.exported {
            let g = &self.cx.hir.globals[id];
            let own = g.kind == GlobalKind::Named && !self.cx.places.is_model(g.span.src);
            match self.cx.globals[id] {
                Some(storage) if own && !g.is_const && g.size <= LARGE => found.push((id, storage)),
                Some(_) if own && !g.is_const => spared.push(g.name.to_string()),
                _ => {}
            }
        }
        if found.is_empty() {
            return Exported { change: None, spared };
        }
        let (f, _, entry, exit) = own_function(self.cx, "<other units>", vec![]);
        let mut m = Maker {
            cx: self.cx,
            shared: self.shared,
            func: f,
            at: entry,
            place: self.place,
            site: Site::Func(f),
            who: "what is outside".to_owned(),
        };
        found.into_iter().for_each(|(id, storage)| m.change_global(id, storage));
        let at = m.at;
        self.cx.prog.new_edge(at, exit, Op::Return { value: None }, self.place);
        Exported { change: Some(f), spared }
    }

    /// Lets a global of the program have any value.
    fn change_global(&mut self, id: hir::GlobalId, storage: Storage) {
        let g = &self.cx.hir.globals[id];
        let (ty, input) = (g.ty, format!("extern:{}", g.name));
        match storage {
            Storage::Object(o) => {
                let addr = self.cx.prog.exprs.addr(o);
                match (self.cx.types.get(ty).clone(), self.cx.types.size_of(ty)) {
                    (Type::Array { elem, .. }, None) => {
                        self.fill_elements(addr, elem.id, OPEN_ARRAY, &input, 0, DEPTH);
                    }
                    _ => self.fill(addr, ty, &input, 0, DEPTH),
                }
            }
            Storage::Var(v) if self.cx.prog.vars[v].ty == Ty::Ptr => {
                if let Type::Pointer(to) = *self.cx.types.get(ty) {
                    let mut old = |m: &mut Self| m.cx.prog.exprs.var(v);
                    let mut store = |m: &mut Self, value| m.step(Op::Assign { dst: v, value });
                    self.change_pointer(&mut old, to, &input, DEPTH, &mut store);
                }
            }
            Storage::Var(v) => {
                let value = self.input(self.cx.prog.vars[v].ty, &input);
                let value = self.truth_if_bool(ty, value);
                self.step(Op::Assign { dst: v, value });
            }
            Storage::Vla(_) => {}
        }
    }

    /// The pointer that a function returns: null, new memory or an argument.
    fn pointer_result(&mut self, ty: &FuncType, params: &[VarId], externals: Option<Externals>) -> ExprId {
        let name = self.who.clone();
        let to = match *self.cx.types.get(ty.ret.id) {
            Type::Pointer(to) => to,
            _ => QType::plain(self.cx.void_type()),
        };
        let null = self.cx.prog.exprs.ptr(0);
        let dst = self.temp(Ty::Ptr);
        if matches!(self.cx.types.get(to.id), Type::Function(_)) {
            self.suppose("returns no function");
            return null;
        }
        let returned: Vec<VarId> = match externals {
            Some(Externals::Pure) => Vec::new(),
            _ => params.iter().copied().filter(|p| self.cx.prog.vars[*p].ty == Ty::Ptr).collect(),
        };
        let argument = if returned.is_empty() { "null" } else { "null, an argument" };
        let new = self.new_size(to.id).1;
        self.suppose(&format!("returns {argument} or {new}"));
        let kind = self.input(Ty::Int(IntTy::U8), &format!("{name}*"));
        let mut ways: Vec<Way<Self>> = Vec::new();
        let fresh = format!("{name}->");
        ways.push(Box::new(move |m: &mut Self| m.step(Op::Assign { dst, value: null })));
        ways.push(Box::new(move |m: &mut Self| {
            let value = m.new_memory(to, &fresh, DEPTH);
            m.step(Op::Assign { dst, value });
        }));
        for p in returned {
            ways.push(Box::new(move |m: &mut Self| {
                let value = m.cx.prog.exprs.var(p);
                m.step(Op::Assign { dst, value });
            }));
        }
        let mut ways: Vec<&mut dyn FnMut(&mut Self)> =
            ways.iter_mut().map(|w| &mut **w as &mut dyn FnMut(&mut Self)).collect();
        self.choose(kind, &mut ways);
        self.cx.prog.exprs.var(dst)
    }

    /// How many bytes new memory behind a pointer has, and how that is said.
    fn new_size(&self, to: TypeId) -> (u64, String) {
        match self.cx.types.size_of(to) {
            _ if matches!(self.cx.types.get(to), Type::Void) => (BYTES, format!("{BYTES} new bytes")),
            Some(size) if self.cx.types.scalar(to).is_some() => {
                (size * ELEMENTS, format!("{ELEMENTS} new elements"))
            }
            Some(size) => (size.max(1), "one new object".to_owned()),
            None => (1, "a new object".to_owned()),
        }
    }

    /// A fresh object of any contents.
    fn new_memory(&mut self, to: QType, name: &str, depth: u8) -> ExprId {
        let size = IntTy::size(self.cx.prog.model);
        let bytes = self.new_size(to.id).0;
        let size = self.cx.prog.exprs.int(size, bytes.into());
        let dst = self.temp(Ty::Ptr);
        // What is filled has no uninitialised byte, paddings included.
        self.step(Op::Alloc { dst, size, kind: AllocKind::Heap, zeroed: true });
        let pointer = self.cx.prog.exprs.var(dst);
        self.fill_behind(pointer, to, name, depth);
        pointer
    }

    /// Fills all elements from a pointer to the end of its object, by a function of its own.
    fn fill_behind(&mut self, pointer: ExprId, to: QType, name: &str, depth: u8) {
        let callee = Callee::Func(self.filler(to.id, name, depth));
        self.step(Op::Call { dst: None, callee, args: Box::new([pointer]) });
    }

    fn filler(&mut self, to: TypeId, name: &str, depth: u8) -> FuncId {
        let key = (to, depth, name.to_owned());
        if let Some(&known) = self.shared.fillers.get(&key) {
            return known;
        }
        let (f, params, entry, exit) = own_function(self.cx, &format!("<any {name}>"), vec![Ty::Ptr]);
        self.shared.fillers.insert(key, f);
        let mut m = Maker {
            cx: self.cx,
            shared: self.shared,
            func: f,
            at: entry,
            place: self.place,
            site: self.site,
            who: self.who.clone(),
        };
        let pointer = m.cx.prog.exprs.var(params[0]);
        m.every_element(pointer, to, name, depth);
        let (at, place) = (m.at, m.place);
        self.cx.prog.new_edge(at, exit, Op::Return { value: None }, place);
        f
    }

    /// From the pointer to the end of its object.
    fn every_element(&mut self, pointer: ExprId, to: TypeId, name: &str, depth: u8) {
        let size = IntTy::size(self.cx.prog.model);
        let left = self.temp(Ty::Int(size));
        let callee = Callee::Builtin(Builtin::ObjectSize);
        self.step(Op::Call { dst: Some(left), callee, args: Box::new([pointer]) });
        let stride = match self.cx.types.get(to) {
            Type::Void => 1,
            _ => self.cx.types.size_of(to).unwrap_or(0),
        };
        if stride == 0 {
            // Nobody here knows what is in it, so nobody here can look.
            return;
        }
        let left = self.cx.prog.exprs.var(left);
        self.each(left, stride, &mut |m, offset| {
            let x = &mut m.cx.prog.exprs;
            let at = x.binary(BinOp::PtrAdd, pointer, offset);
            if m.cx.types.scalar(to).is_some() || matches!(m.cx.types.get(to), Type::Void) {
                m.fill(at, to, name, 0, depth);
            } else {
                m.fill(at, to, &format!("{name}[{stride}]"), 0, depth);
            }
        });
    }

    /// Steps of `stride` bytes, as long as they fit into `bytes` bytes.
    fn each(&mut self, bytes: ExprId, stride: u64, body: &mut dyn FnMut(&mut Self, ExprId)) {
        let (size, diff) = (IntTy::size(self.cx.prog.model), IntTy::diff(self.cx.prog.model));
        let at = self.temp(Ty::Int(size));
        let zero = self.cx.prog.exprs.int(size, 0);
        self.step(Op::Assign { dst: at, value: zero });
        let head = self.at;
        let (inside, behind) = (self.cx.prog.new_loc(self.func), self.cx.prog.new_loc(self.func));
        let x = &mut self.cx.prog.exprs;
        let (here, step) = (x.var(at), x.int(size, stride.into()));
        let rest = x.binary(BinOp::Sub, bytes, here);
        let cond = x.binary(BinOp::Le, step, rest);
        self.cx.prog.new_branch(head, cond, inside, behind, self.place, false);
        self.at = inside;
        let offset = self.cx.prog.exprs.cast(Ty::Int(diff), here);
        body(self, offset);
        let next = self.cx.prog.exprs.binary(BinOp::Add, here, step);
        self.cx.prog.new_edge(self.at, head, Op::Assign { dst: at, value: next }, self.place);
        self.at = behind;
    }
}
