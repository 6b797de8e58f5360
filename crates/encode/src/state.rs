//! The state of all executions that are at one location.

use cairn_base::Place;
use cairn_ir::{ObjId, Program, RelocTarget, VarId};
use cairn_term::{Pool, TermId};
use imbl::OrdMap;
use imbl::ordmap::DiffItem;

use crate::birth::Births;
use crate::brake::Brake;
use crate::guard::{Guard, Joined};
use crate::object::{Access, Content};
use crate::pointer::{Instance, Pointers};

/// One instance in one state.
#[derive(Clone, Debug)]
pub struct Object {
    /// Under which condition it is alive.
    pub live: TermId,
    pub content: Content,
}

/// What an instance is, in all states.
#[derive(Clone, Debug)]
pub struct Info {
    pub name: String,
    pub place: Place,
    /// A 64-bit term.
    pub size: TermId,
    pub constant_size: Option<u64>,
    /// What its address is a multiple of.
    pub align: u32,
    pub is_heap: bool,
    pub writable: bool,
    /// Functions and labels.
    pub is_code: bool,
}

#[derive(Clone, Debug)]
pub struct State {
    pub guard: Guard,
    pub globals: OrdMap<VarId, TermId>,
    /// Variables of the running function.
    pub locals: OrdMap<VarId, TermId>,
    pub memory: OrdMap<Instance, Object>,
    /// The address of the instance each local object of the running function stands for.
    pub frame: OrdMap<ObjId, TermId>,
    /// What the running function returns, once it does.
    pub result: Option<TermId>,
}

/// What merging needs.
pub struct Merge<'a, 'p> {
    pub program: &'p Program,
    pub pool: &'a mut Pool,
    pub pointers: &'a Pointers,
    pub births: &'a mut Births,
    pub statics: &'a dyn Fn(RelocTarget) -> Instance,
    pub infos: &'a [Info],
    pub brake: &'a Brake,
}

impl Merge<'_, '_> {
    /// One state for the executions of both. `None` if there are none.
    pub fn merge(&mut self, a: State, b: State) -> Option<State> {
        let (guard, cond) = match Guard::join(&a.guard, &b.guard, self.pool) {
            Joined::Either(guard, cond) => (guard, cond),
            Joined::First => return Some(a),
            Joined::Second => return Some(b),
            Joined::Neither => return None,
        };
        let globals = self.vars(cond, &a.globals, &b.globals);
        let locals = self.vars(cond, &a.locals, &b.locals);
        let memory = self.memory(cond, &a.memory, &b.memory);
        let frame = self.frames(cond, &a.frame, &b.frame);
        let result = match (a.result, b.result) {
            (Some(x), Some(y)) => Some(self.pool.ite(cond, x, y)),
            (x, y) => x.or(y),
        };
        Some(State { guard, globals, locals, memory, frame, result })
    }

    fn vars(
        &mut self,
        cond: TermId,
        a: &OrdMap<VarId, TermId>,
        b: &OrdMap<VarId, TermId>,
    ) -> OrdMap<VarId, TermId> {
        if a.ptr_eq(b) {
            return a.clone();
        }
        let mut out = b.clone();
        let changes: Vec<(VarId, Option<TermId>, Option<TermId>)> = a
            .diff(b)
            .map(|d| match d {
                DiffItem::Add(v, y) => (*v, None, Some(*y)),
                DiffItem::Remove(v, x) => (*v, Some(*x), None),
                DiffItem::Update { old: (v, x), new: (_, y) } => (*v, Some(*x), Some(*y)),
            })
            .collect();
        for (v, x, y) in changes {
            let ty = self.program.vars[v].ty;
            let mut or_unknown = |t: Option<TermId>| match t {
                Some(t) => t,
                None => {
                    let sort = crate::expr::sort(self.pool, ty);
                    self.pool.fresh("indeterminate", sort)
                }
            };
            let (x, y) = (or_unknown(x), or_unknown(y));
            let value = self.pool.ite(cond, x, y);
            out.insert(v, value);
        }
        out
    }

    /// An object that begins on one way only is dead on the other: the known instance serves both.
    fn frames(
        &mut self,
        cond: TermId,
        a: &OrdMap<ObjId, TermId>,
        b: &OrdMap<ObjId, TermId>,
    ) -> OrdMap<ObjId, TermId> {
        if a.ptr_eq(b) {
            return a.clone();
        }
        let mut out = b.clone();
        for (o, &x) in a {
            let merged = match b.get(o) {
                Some(&y) => self.pool.ite(cond, x, y),
                None => x,
            };
            out.insert(*o, merged);
        }
        out
    }

    fn memory(
        &mut self,
        cond: TermId,
        a: &OrdMap<Instance, Object>,
        b: &OrdMap<Instance, Object>,
    ) -> OrdMap<Instance, Object> {
        if a.ptr_eq(b) {
            return a.clone();
        }
        let mut out = b.clone();
        let changes: Vec<(Instance, Option<Object>, Option<Object>)> = a
            .diff(b)
            .map(|d| match d {
                DiffItem::Add(i, y) => (*i, None, Some(y.clone())),
                DiffItem::Remove(i, x) => (*i, Some(x.clone()), None),
                DiffItem::Update { old: (i, x), new: (_, y) } => (*i, Some(x.clone()), Some(y.clone())),
            })
            .collect();
        for (i, x, y) in changes {
            if self.brake.pulled() {
                break;
            }
            let merged = match (x, y) {
                (Some(x), Some(y)) => {
                    let live = self.pool.ite(cond, x.live, y.live);
                    let mut access = Access {
                        program: self.program,
                        pool: self.pool,
                        pointers: self.pointers,
                        births: self.births,
                        statics: self.statics,
                        size: self.infos[i.0 as usize].constant_size,
                        brake: self.brake,
                    };
                    Object { live, content: access.merge(cond, &x.content, &y.content) }
                }
                (Some(x), None) => Object { live: self.pool.and(&[cond, x.live]), content: x.content },
                (None, Some(y)) => {
                    let not = self.pool.not(cond);
                    Object { live: self.pool.and(&[not, y.live]), content: y.content }
                }
                (None, None) => continue,
            };
            out.insert(i, merged);
        }
        out
    }
}

impl PartialEq for Object {
    /// Equal if surely the same: used to find what changed between two states.
    fn eq(&self, other: &Object) -> bool {
        self.live == other.live
            && match (&self.content, &other.content) {
                (Content::Cells { cells: a, ground: g }, Content::Cells { cells: b, ground: h }) => {
                    g == h && a.ptr_eq(b)
                }
                (Content::Array { elem: e, array: a }, Content::Array { elem: f, array: b }) => {
                    e == f && a == b
                }
                _ => false,
            }
    }
}
