//! The cursor: the point behind the last operation of the function being built.
//!
//! An edge is kept back until it is known where it leads, so that the last
//! operation of a branch runs straight into the join. Code that nothing reaches
//! has no point at all: operations emitted there vanish.

use cairn_base::{Place, Span};
use cairn_ir::{ExprId, LocId, Op, Ty, VarId};

use super::decision::Branching;
use super::func::Fun;

#[derive(Default)]
pub(super) enum Cursor {
    /// Nothing leads here.
    #[default]
    Dead,
    At(LocId),
    /// Behind an edge whose target is still open.
    Behind {
        src: LocId,
        op: Op,
        place: Place,
    },
}

/// A place to jump to; its location is made by the first jump.
#[derive(Copy, Clone, Default)]
pub(super) struct Target(Option<LocId>);

impl Target {
    pub fn at(loc: LocId) -> Target {
        Target(Some(loc))
    }
}

impl Fun<'_, '_> {
    pub fn is_dead(&self) -> bool {
        matches!(self.cursor, Cursor::Dead)
    }

    pub fn new_loc(&mut self) -> LocId {
        self.cx.prog.new_loc(self.id)
    }

    /// The location at the cursor, if anything reaches it.
    pub fn here(&mut self) -> Option<LocId> {
        match std::mem::take(&mut self.cursor) {
            Cursor::Dead => return None,
            Cursor::At(loc) => self.cursor = Cursor::At(loc),
            Cursor::Behind { src, op, place } => {
                let loc = self.new_loc();
                self.cx.prog.new_edge(src, loc, op, place);
                self.cursor = Cursor::At(loc);
            }
        }
        match self.cursor {
            Cursor::At(loc) => Some(loc),
            _ => None,
        }
    }

    /// A location at the cursor that may be entered from elsewhere too: one that no C label names,
    /// that is no loop's head and not the function's entry. Made even where nothing leads.
    pub fn shared_here(&mut self) -> LocId {
        let loc = match self.cursor {
            Cursor::At(loc) if !self.is_shareable(loc) => {
                let mut fresh = Target::default();
                let new = self.new_loc();
                fresh.0 = Some(new);
                self.jump(&mut fresh);
                new
            }
            _ => match self.here() {
                Some(loc) => loc,
                None => self.new_loc(),
            },
        };
        self.cursor = Cursor::At(loc);
        loc
    }

    /// A location of its own at the cursor, to carry a label.
    pub fn fresh_here(&mut self) -> LocId {
        let loc = self.new_loc();
        self.jump(&mut Target::at(loc));
        self.cursor = Cursor::At(loc);
        loc
    }

    fn is_shareable(&self, loc: LocId) -> bool {
        let l = &self.cx.prog.locs[loc];
        l.labels.is_empty() && l.loop_stmt.is_none() && loc != self.entry
    }

    pub fn emit(&mut self, op: Op, span: Span) {
        let Some(src) = self.here() else { return };
        let place = self.cx.place(span);
        self.last_place = place;
        self.cursor = Cursor::Behind { src, op, place };
    }

    /// Emits an operation behind which nothing happens.
    pub fn emit_end(&mut self, op: Op, span: Span) {
        let Some(src) = self.here() else { return };
        let place = self.cx.place(span);
        let sink = match self.sink {
            Some(sink) => sink,
            None => *self.sink.insert(self.cx.prog.new_loc(self.id)),
        };
        self.cx.prog.new_edge(src, sink, op, place);
        self.cursor = Cursor::Dead;
    }

    pub fn emit_return(&mut self, value: Option<ExprId>, span: Span) {
        let Some(src) = self.here() else { return };
        let place = self.cx.place(span);
        self.cx.prog.new_edge(src, self.exit, Op::Return { value }, place);
        self.cursor = Cursor::Dead;
    }

    /// Goes on at `target`; the cursor is dead afterwards.
    pub fn jump(&mut self, target: &mut Target) {
        match std::mem::take(&mut self.cursor) {
            Cursor::Dead => {}
            Cursor::At(loc) => match target.0 {
                None if self.is_shareable(loc) => target.0 = Some(loc),
                _ => {
                    let dst = self.resolve(target);
                    self.cx.prog.new_edge(loc, dst, Op::Nop, self.last_place);
                }
            },
            Cursor::Behind { src, op, place } => {
                let dst = self.resolve(target);
                self.cx.prog.new_edge(src, dst, op, place);
            }
        }
    }

    /// Continues where the jumps to `target` lead.
    pub fn bind(&mut self, target: Target) {
        debug_assert!(self.is_dead());
        if let Some(loc) = target.0 {
            self.cursor = Cursor::At(loc);
        }
    }

    fn resolve(&mut self, target: &mut Target) -> LocId {
        match target.0 {
            Some(loc) => loc,
            None => *target.0.insert(self.cx.prog.new_loc(self.id)),
        }
    }

    /// Two ways on from here. A constant condition leaves one.
    pub fn split(
        &mut self,
        cond: ExprId,
        yes: &mut Target,
        no: &mut Target,
        span: Span,
        decision: Option<Branching>,
    ) {
        if let Some(bits) = self.cx.prog.exprs.const_bits(cond) {
            return self.jump(if bits != 0 { yes } else { no });
        }
        let Some(src) = self.here() else { return };
        let (then, other) = (self.resolve(yes), self.resolve(no));
        let place = self.cx.place(span);
        self.last_place = place;
        self.cx.prog.new_branch(src, cond, then, other, place, decision.is_some());
        self.cx.decisions.extend(decision);
        self.cursor = Cursor::Dead;
    }

    pub fn temp(&mut self, ty: Ty, span: Span) -> VarId {
        let place = self.cx.place(span);
        self.cx.prog.new_temp(self.id, self.cx.temp_name, ty, place)
    }

    /// Evaluates `value` here and now.
    pub fn save(&mut self, value: ExprId, span: Span) -> ExprId {
        let ty = self.cx.prog.ty(value);
        let dst = self.temp(ty, span);
        self.emit(Op::Assign { dst, value }, span);
        self.cx.prog.exprs.var(dst)
    }
}
