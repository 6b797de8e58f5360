//! All executions that are at one place, as one state.

use std::rc::Rc;

use cairn_encode::expr::sort;
use cairn_ir::{FuncId, ObjId, Program, Ty, VarId};
use cairn_term::{Pool, TermId};
use imbl::OrdMap;
use imbl::ordmap::DiffItem;

use crate::address::{Instance, Space};
use crate::bytes::{Bytes, Content};
use crate::path::Path;

/// An instance in a state.
#[derive(Clone, Debug)]
pub struct Object {
    /// Whether it is alive.
    pub live: TermId,
    pub content: Content,
}

impl PartialEq for Object {
    fn eq(&self, other: &Object) -> bool {
        self.live == other.live && self.content.same(&other.content)
    }
}

/// What an instance is in all states.
#[derive(Clone, Debug)]
pub struct Info {
    /// 64 bits.
    pub size: TermId,
    pub constant: Option<u64>,
    pub heap: bool,
    pub writable: bool,
    pub func: Option<FuncId>,
    /// What its address is a multiple of.
    pub align: u32,
    /// The bytes of a string literal.
    pub literal: Option<Rc<[u8]>>,
}

impl Info {
    /// Something of this size (64 bits) that is not allocated and cannot be written.
    pub fn plain(size: TermId) -> Info {
        Info { size, constant: None, heap: false, writable: false, func: None, align: 1, literal: None }
    }
}

#[derive(Clone, Debug, Default)]
pub struct State {
    pub path: Path,
    pub globals: OrdMap<VarId, TermId>,
    /// Variables of the running activation.
    pub locals: OrdMap<VarId, TermId>,
    /// Addresses of the local objects of the running activation that have begun.
    pub frame: OrdMap<ObjId, TermId>,
    pub memory: OrdMap<Instance, Object>,
    /// Whether there may be live objects beside those in `memory`: allocations of earlier turns of
    /// a loop that was cut. Nothing is known of what they hold.
    pub elsewhere: Elsewhere,
    /// What the running function returns.
    pub result: Option<TermId>,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Elsewhere(pub TermId);

impl Default for Elsewhere {
    fn default() -> Elsewhere {
        Elsewhere(Pool::FALSE)
    }
}

/// A new value of a type, of which nothing is known.
pub fn unknown(pool: &mut Pool, space: &Space, ty: Ty, hint: &str) -> TermId {
    let s = sort(pool, ty);
    let t = pool.fresh(hint, s);
    if matches!(ty, Ty::Int(_)) {
        space.note_number(t);
    }
    t
}

/// One state for the executions of both.
pub fn merge(program: &Program, pool: &mut Pool, space: &Space, a: State, b: State) -> State {
    let (path, cond) = Path::join(&a.path, &b.path, pool);
    let globals = vars(program, pool, space, cond, &a.globals, &b.globals);
    let locals = vars(program, pool, space, cond, &a.locals, &b.locals);
    let mut frame = b.frame.clone();
    for (&o, &x) in &a.frame {
        // Where its lifetime has not begun, no execution uses its address.
        let address = b.frame.get(&o).map_or(x, |&y| pool.ite(cond, x, y));
        frame.insert(o, address);
    }
    let mut memory = b.memory.clone();
    if !a.memory.ptr_eq(&b.memory) {
        for (i, x, y) in changes(&a.memory, &b.memory) {
            let not = pool.not(cond);
            let both = match (x, y) {
                (Some(x), Some(y)) => Object {
                    live: pool.ite(cond, x.live, y.live),
                    content: Bytes::merge(pool, cond, &x.content, &y.content),
                },
                (Some(x), None) => Object { live: pool.and(&[cond, x.live]), content: x.content },
                (None, Some(y)) => Object { live: pool.and(&[not, y.live]), content: y.content },
                (None, None) => continue,
            };
            memory.insert(i, both);
        }
    }
    let elsewhere = Elsewhere(pool.ite(cond, a.elsewhere.0, b.elsewhere.0));
    let result = match (a.result, b.result) {
        (Some(x), Some(y)) => Some(pool.ite(cond, x, y)),
        // A function that returns no value on one path: using it there is undefined.
        (x, y) => x.or(y),
    };
    State { path, globals, locals, frame, memory, elsewhere, result }
}

type Change<K, V> = (K, Option<V>, Option<V>);

fn changes<K: Ord + Clone, V: Clone + PartialEq>(a: &OrdMap<K, V>, b: &OrdMap<K, V>) -> Vec<Change<K, V>> {
    a.diff(b)
        .map(|d| match d {
            DiffItem::Add(k, y) => (k.clone(), None, Some(y.clone())),
            DiffItem::Remove(k, x) => (k.clone(), Some(x.clone()), None),
            DiffItem::Update { old: (k, x), new: (_, y) } => (k.clone(), Some(x.clone()), Some(y.clone())),
        })
        .collect()
}

fn vars(
    program: &Program,
    pool: &mut Pool,
    space: &Space,
    cond: TermId,
    a: &OrdMap<VarId, TermId>,
    b: &OrdMap<VarId, TermId>,
) -> OrdMap<VarId, TermId> {
    let mut out = b.clone();
    if a.ptr_eq(b) {
        return out;
    }
    for (v, x, y) in changes(a, b) {
        // Not assigned on one way: any value there.
        let mut known = |t: Option<TermId>| match t {
            Some(t) => t,
            None => unknown(pool, space, program.vars[v].ty, "unset"),
        };
        let (x, y) = (known(x), known(y));
        out.insert(v, pool.ite(cond, x, y));
    }
    out
}
