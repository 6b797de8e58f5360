//! The generic state of a place: every value is a symbol, a constant that stands for
//! whatever the state holds there. What an operation, a path or a block does to the
//! generic state is what it does to all states: its transition formula, and read
//! backwards its weakest precondition. Havoc is the same for some values only.
//!
//! Symbols of memory are [`MemoryPiece`]s; those of variables are named here.

use cairn_ir::{FuncId, Program, VarId};
use cairn_term::{Pool, SortId, TermId};
use imbl::OrdMap;

use super::Stepper;
use crate::expr::sort;
use crate::object::{Content, Ground, MemoryPiece};
use crate::pointer::Instance;
use crate::state::{Object, State};

/// The symbols of all global variables.
pub fn globals(program: &Program, pool: &mut Pool) -> OrdMap<VarId, TermId> {
    let all = program.vars.iter().filter(|(_, var)| var.owner.is_none());
    all.map(|(v, var)| (v, symbol(pool, &format!("global {v}"), var.ty))).collect()
}

/// The symbols of the variables of a function, at this depth of the call stack.
pub fn locals(program: &Program, pool: &mut Pool, f: FuncId, depth: u32) -> OrdMap<VarId, TermId> {
    let all = program.funcs[f].body.iter().flat_map(|b| &b.vars);
    all.map(|&v| (v, symbol(pool, &format!("local {depth} {v}"), program.vars[v].ty))).collect()
}

/// The symbol of what a function is about to return.
pub fn result(pool: &mut Pool, f: FuncId, sort: SortId) -> TermId {
    pool.var(&format!("result {f}"), sort)
}

fn symbol(pool: &mut Pool, name: &str, ty: cairn_ir::Ty) -> TermId {
    let sort = sort(pool, ty);
    pool.var(name, sort)
}

/// Memory with the objects of another state, in which every piece is a symbol, but for objects that
/// are `constant`, which hold what they hold there. `None` if it is not certain which are alive.
pub fn memory(
    pool: &mut Pool,
    like: &OrdMap<Instance, Object>,
    constant: &dyn Fn(Instance) -> bool,
) -> Option<OrdMap<Instance, Object>> {
    let mut memory = OrdMap::new();
    for (&instance, object) in like {
        if object.live != Pool::TRUE {
            return None;
        }
        let content = match &object.content {
            content if constant(instance) => content.clone(),
            Content::Array { elem, .. } => {
                let whole = MemoryPiece::Whole { instance, elem: *elem };
                Content::Array { elem: *elem, array: whole.term(pool) }
            }
            Content::Cells { .. } => Content::new(Ground::Named(instance)),
        };
        memory.insert(instance, Object { live: Pool::TRUE, content });
    }
    Some(memory)
}

impl Stepper<'_, '_> {
    /// The generic state of a place in a function: no condition, the objects of a state that is
    /// there, and a symbol for every value. `None` if it is not certain there which objects
    /// are alive, or which instance a local object stands for.
    pub fn generic(
        &mut self,
        like: &State,
        f: FuncId,
        depth: u32,
        constant: &dyn Fn(Instance) -> bool,
    ) -> Option<State> {
        if like.frame.values().any(|&address| !self.pool.is_constant(address)) {
            return None;
        }
        let memory = memory(self.pool, &like.memory, constant)?;
        let result = like.result.map(|r| {
            let sort = self.pool.sort_id_of(r);
            result(self.pool, f, sort)
        });
        Some(State {
            guard: Default::default(),
            globals: globals(self.program, self.pool),
            locals: locals(self.program, self.pool, f, depth),
            memory,
            frame: like.frame.clone(),
            result,
        })
    }

    /// Havoc: these variables and objects have any value from now on. Objects stay alive.
    pub fn havoc(&mut self, vars: &[VarId], objects: &[Instance], s: &mut State) {
        for &v in vars {
            let sort = sort(self.pool, self.program.vars[v].ty);
            let t = self.pool.fresh("unknown", sort);
            self.assign(v, t, s);
        }
        for i in objects {
            if let Some(o) = s.memory.get(i) {
                let object = Object { live: o.live, content: Content::new(Ground::Indeterminate) };
                s.memory.insert(*i, object);
            }
        }
    }
}
