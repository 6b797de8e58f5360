//! Loops by k-induction.
//!
//! The first `k` visits of the head are followed from where the loop is
//! entered; then any execution that has made `k` visits, all of which satisfied
//! the facts, is followed for one more turn. What such an execution looks like:
//! everything a turn can change has an unknown value, everything else is as it
//! was when the loop was entered. What a turn can change is found by executing
//! one and looking, until nothing new turns up.

use cairn_ir::{LocId, ObjId, VarId};
use cairn_term::{Pool, SortId, TermId};
use imbl::OrdMap;
use rustc_hash::FxHashSet;

use super::{Induction, ObligationKind, Pending, Unroller};

use crate::pointer::Instance;
use crate::state::State;
use crate::wto::Wto;

/// What the turns of a loop change.
#[derive(Default)]
struct Changes {
    vars: FxHashSet<VarId>,
    memory: FxHashSet<Instance>,
    /// Lives of objects begin or end: that is beyond this treatment.
    lives: bool,
}

impl Changes {
    fn len(&self) -> usize {
        self.vars.len() + self.memory.len()
    }

    /// Adds what differs between the states before and after a turn.
    fn note(&mut self, before: &State, after: &State) {
        self.note_vars(&before.globals, &after.globals);
        self.note_vars(&before.locals, &after.locals);
        for (&i, b) in &before.memory {
            match after.memory.get(&i) {
                Some(a) if a == b => {}
                Some(a) if a.live == b.live => {
                    self.memory.insert(i);
                }
                _ => self.lives = true,
            }
        }
        let frame = |s: &State| s.frame.keys().copied().collect::<Vec<ObjId>>();
        self.lives |=
            after.memory.iter().any(|(i, o)| !before.memory.contains_key(i) && o.live != Pool::FALSE);
        self.lives |= frame(before) != frame(after) || before.frame.values().ne(after.frame.values());
    }

    fn note_vars(&mut self, before: &OrdMap<VarId, TermId>, after: &OrdMap<VarId, TermId>) {
        self.vars.extend(after.iter().filter(|&(v, t)| before.get(v) != Some(t)).map(|(&v, _)| v));
    }
}

impl Unroller<'_, '_> {
    pub(super) fn induct(&mut self, head: LocId, body: &[Wto], pending: &mut Pending) {
        let Some(states) = pending.remove(&head) else { return };
        let Some(entered) = self.stepper.merge(states) else { return };
        let Some(Induction { k, facts }) = self.bounds.inductive.get(&head).cloned() else { return };
        self.out.loops.entry(head).or_default().inductive = true;
        let changes = self.changes(head, body, &entered);
        if changes.lives {
            self.out.loops.entry(head).or_default().refused = true;
        }

        // An execution may leave the loop in one of its first turns and, as far as is known, in a
        // later one as well: it chooses. Otherwise a merge of both would keep only one of them.
        let (mut first, mut any) = (entered.clone(), self.unknown(entered, &changes));
        if k > 1 {
            let later = self.stepper.pool.fresh("later", SortId::BOOL);
            let early = self.stepper.pool.not(later);
            let guards = (first.guard.and(self.stepper.pool, early), any.guard.and(self.stepper.pool, later));
            let (Some(early), Some(later)) = guards else { return };
            (first.guard, any.guard) = (early, later);
        }

        // The first k visits.
        let mut state = Some(first);
        for visit in 1..=k {
            let Some(mut s) = state.take() else { break };
            self.claim(head, &facts, &mut s, true);
            if visit < k {
                pending.insert(head, vec![s]);
                self.turn(head, body, pending);
                state = pending.remove(&head).and_then(|states| self.stepper.merge(states));
            }
        }

        // Any k visits, and the turn behind them.
        let mut state = Some(any);
        for visit in 1..=k {
            let Some(s) = state.take() else { return };
            let Some(s) = self.suppose(&facts, s) else { return };
            let last = visit == k;
            let mut own = Pending::default();
            own.insert(head, vec![s]);
            self.stepper.assuming += u32::from(!last);
            self.turn(head, body, &mut own);
            self.stepper.assuming -= u32::from(!last);
            state = own.remove(&head).and_then(|states| self.stepper.merge(states));
            if last {
                for (l, states) in own {
                    pending.entry(l).or_default().extend(states);
                }
                if let Some(mut s) = state.take() {
                    self.claim(head, &facts, &mut s, false);
                }
            }
        }
    }

    /// What turns of the loop may change.
    fn changes(&mut self, head: LocId, body: &[Wto], entered: &State) -> Changes {
        let mut changes = Changes::default();
        self.stepper.assuming += 1;
        let (inputs, births) = (self.stepper.inputs.len(), self.stepper.born.len());
        loop {
            let size = changes.len();
            let before = self.unknown(entered.clone(), &changes);
            let mut own = Pending::default();
            own.insert(head, vec![before.clone()]);
            self.turn(head, body, &mut own);
            let after = own.remove(&head).and_then(|states| self.stepper.merge(states));
            if let Some(after) = after {
                changes.note(&before, &after);
            }
            if changes.len() == size || changes.lives || self.out.stopped {
                break;
            }
        }
        self.stepper.inputs.truncate(inputs);
        self.stepper.born.truncate(births);
        self.stepper.assuming -= 1;
        changes
    }

    /// The state with unknown values for all that may have changed.
    fn unknown(&mut self, mut s: State, changes: &Changes) -> State {
        let mut vars: Vec<VarId> = changes.vars.iter().copied().collect();
        let mut memory: Vec<Instance> = changes.memory.iter().copied().collect();
        vars.sort_unstable();
        memory.sort_unstable();
        self.stepper.havoc(&vars, &memory, &mut s);
        s
    }

    /// Each fact must hold here.
    fn claim(&mut self, head: LocId, facts: &[cairn_ir::ExprId], s: &mut State, entry: bool) {
        let Some(&edge) = self.stepper.program.locs[head].out.first() else { return };
        for (number, &fact) in facts.iter().enumerate() {
            let holds = self.stepper.holds(fact, s);
            let fails = self.stepper.pool.not(holds);
            if let Some(g) = s.guard.and(self.stepper.pool, fails) {
                self.stepper.oblige(ObligationKind::Fact { head, number, entry }, &g, edge);
            }
        }
    }

    /// Only executions for which the facts hold go on.
    fn suppose(&mut self, facts: &[cairn_ir::ExprId], mut s: State) -> Option<State> {
        for &fact in facts {
            let holds = self.stepper.holds(fact, &mut s);
            s.guard = s.guard.and(self.stepper.pool, holds)?;
        }
        Some(s)
    }
}
