//! Constants that stand for the state of the program at a place: the value of each
//! variable of each function on the stack, of each piece of memory, and what is
//! about to be returned. Interpolants speak of these, and so apply to every state
//! that comes to the place.

use std::rc::Rc;

use cairn_absint::{Mods, PointsTo};
use cairn_base::{Budget, DataModel};
use cairn_encode::Caller;
use cairn_encode::object::{Content, Found, Ground, MemoryPiece};
use cairn_encode::pointer::Instance;
use cairn_encode::step::generic;
use cairn_ir::{FuncId, Program, Ty, VarId};
use cairn_term::{Op, Pool, TermId};
use imbl::OrdMap;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::machine::{Config, Frame, Machine};
use cairn_smt::chain::Chain;

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Symbol {
    Global(VarId),
    /// Of the function at this depth of the stack.
    Local(u32, VarId),
    Piece(MemoryPiece),
    Result,
}

pub struct Symbols {
    globals: OrdMap<VarId, TermId>,
    locals: FxHashMap<(FuncId, u32), OrdMap<VarId, TermId>>,
    meaning: FxHashMap<TermId, Option<Symbol>>,
    /// Static objects that no operation changes.
    constant: FxHashSet<Instance>,
}

impl Symbols {
    /// `start` is where executions start: all objects it has are static.
    pub fn new(m: &mut Machine<'_, '_>, start: &Config, budget: &Budget) -> Symbols {
        let mut symbols = Symbols {
            globals: OrdMap::new(),
            locals: FxHashMap::default(),
            meaning: FxHashMap::default(),
            constant: constant(m, start, budget),
        };
        symbols.globals = generic::globals(m.program, m.pool());
        symbols.meaning.extend(symbols.globals.iter().map(|(&v, &t)| (t, Some(Symbol::Global(v)))));
        symbols
    }

    fn locals(&mut self, m: &mut Machine<'_, '_>, f: FuncId, depth: u32) -> OrdMap<VarId, TermId> {
        if let Some(known) = self.locals.get(&(f, depth)) {
            return known.clone();
        }
        let locals = generic::locals(m.program, m.pool(), f, depth);
        self.meaning.extend(locals.iter().map(|(&v, &t)| (t, Some(Symbol::Local(depth, v)))));
        self.locals.insert((f, depth), locals.clone());
        locals
    }

    /// The symbol of a variable of the function at a depth, or of a global one.
    pub fn variable(&mut self, m: &mut Machine<'_, '_>, f: FuncId, depth: u32, v: VarId) -> Option<TermId> {
        if let Some(&t) = self.globals.get(&v) {
            return Some(t);
        }
        self.locals(m, f, depth).get(&v).copied()
    }

    /// What a constant means, if it is a symbol.
    pub fn meaning(&mut self, pool: &Pool, t: TermId) -> Option<Symbol> {
        if let Some(known) = self.meaning.get(&t) {
            return *known;
        }
        let Op::Var(v) = pool.op(t) else { return None };
        let symbol = MemoryPiece::named(pool.var_name(v).as_str()).map(Symbol::Piece);
        self.meaning.insert(t, symbol);
        symbol
    }

    /// Is it the symbol of a pointer?
    pub fn is_pointer(&mut self, program: &Program, pool: &Pool, t: TermId) -> bool {
        match self.meaning(pool, t) {
            Some(Symbol::Global(v) | Symbol::Local(_, v)) => program.vars[v].ty == Ty::Ptr,
            Some(Symbol::Piece(MemoryPiece::Cell { ty, .. })) => ty == Ty::Ptr,
            _ => false,
        }
    }

    /// The state at the place of a configuration in which every value is the symbol for it. `None` if
    /// it is not certain there which objects are alive.
    pub fn generic(&mut self, m: &mut Machine<'_, '_>, c: &Config) -> Option<Config> {
        let mut g = c.clone();
        g.state.guard = Default::default();
        g.state.globals = self.globals.clone();
        g.state.locals = self.locals(m, c.func, c.depth);
        if let Some(result) = c.state.result {
            let sort = m.pool().sort_id_of(result);
            let term = generic::result(m.pool(), c.func, sort);
            self.meaning.insert(term, Some(Symbol::Result));
            g.state.result = Some(term);
        }
        g.state.memory = generic::memory(m.pool(), &c.state.memory, &|i| self.constant.contains(&i))?;
        let frames: Vec<(u32, Frame)> = c.frames().map(|(d, f)| (d, f.clone())).collect();
        let mut up = None;
        for (depth, frame) in frames.into_iter().rev() {
            let locals = self.locals(m, frame.func, depth);
            let caller = Caller { locals, ..frame.caller };
            up = Some(Rc::new(Frame { caller, up, ..frame }));
        }
        g.callers = up;
        Some(g)
    }

    /// The value of a symbol in a configuration. `None` if there is nothing of that kind.
    fn value(&mut self, m: &mut Machine<'_, '_>, symbol: Symbol, c: &Config) -> Option<TermId> {
        let (found, ty) = match symbol {
            Symbol::Global(v) => (c.state.globals.get(&v).copied(), m.program.vars[v].ty),
            Symbol::Local(depth, v) if depth == c.depth => {
                (c.state.locals.get(&v).copied(), m.program.vars[v].ty)
            }
            Symbol::Local(depth, v) => {
                let frame = c.frames().find(|(d, _)| *d == depth)?.1;
                (frame.caller.locals.get(&v).copied(), m.program.vars[v].ty)
            }
            Symbol::Piece(piece) => return m.stepper.piece(piece, &c.state),
            Symbol::Result => return c.state.result,
        };
        Some(found.unwrap_or_else(|| {
            // Never assigned.
            let pool = m.pool();
            let sort = cairn_encode::expr::sort(pool, ty);
            pool.fresh("indeterminate", sort)
        }))
    }

    /// The values of the symbols in a term in a configuration.
    pub fn values(
        &mut self,
        m: &mut Machine<'_, '_>,
        chain: &mut Chain<'_>,
        t: TermId,
        c: &Config,
    ) -> Option<Vec<(TermId, TermId)>> {
        let vars = chain.vars(m.pool(), t);
        let mut values = Vec::new();
        for &v in vars.iter() {
            if let Some(symbol) = self.meaning(m.pool(), v) {
                let untouched = is_untouched(symbol, c, m.program.model);
                let value = if untouched { v } else { self.value(m, symbol, c)? };
                values.push((v, value));
            }
        }
        Some(values)
    }

    /// A term over symbols as one about a configuration.
    pub fn at(
        &mut self,
        m: &mut Machine<'_, '_>,
        chain: &mut Chain<'_>,
        t: TermId,
        c: &Config,
    ) -> Option<TermId> {
        let mut values = self.values(m, chain, t, c)?;
        values.retain(|(symbol, value)| symbol != value);
        if values.is_empty() {
            return Some(t);
        }
        let mut map: FxHashMap<TermId, TermId> = values.into_iter().collect();
        Some(m.pool().substitute_memo(t, &mut map))
    }

    /// Does a term speak of anything but symbols?
    pub fn speaks_of_inputs(&mut self, pool: &Pool, chain: &mut Chain<'_>, t: TermId) -> bool {
        chain.vars(pool, t).iter().any(|&v| self.meaning(pool, v).is_none())
    }
}

/// Is it a piece of an object of a generic state where nothing has been written?
fn is_untouched(symbol: Symbol, c: &Config, model: DataModel) -> bool {
    let Symbol::Piece(MemoryPiece::Cell { instance, at, ty }) = symbol else { return false };
    match c.state.memory.get(&instance).map(|o| &o.content) {
        Some(content @ Content::Cells { ground: Ground::Named(i), .. }) => {
            *i == instance && content.find(at, ty, model) == Found::Ground
        }
        _ => false,
    }
}

/// Static objects that nothing is written to.
fn constant(m: &mut Machine<'_, '_>, start: &Config, budget: &Budget) -> FxHashSet<Instance> {
    let program = m.program;
    let points_to = PointsTo::new(program, budget);
    let mods = Mods::new(program, &points_to);
    let mut found = FxHashSet::default();
    for (o, object) in program.objects.iter().filter(|(_, o)| o.owner.is_none()) {
        if !matches!(object.init, cairn_ir::Init::Static(_)) {
            continue;
        }
        let changed = mods.function(start.func).written.may_be(cairn_absint::AbstractObject::Object(o));
        if (object.kind == cairn_ir::ObjKind::Const || !changed)
            && let Some(i) = m.stepper.static_instance(o)
        {
            found.insert(i);
        }
    }
    found
}
