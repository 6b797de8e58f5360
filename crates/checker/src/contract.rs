//! Functions by contract (Hoare's rule of recursive procedures). A call of a
//! function that has one is not executed: what it requires is shown, all that it
//! may change is forgotten, and what it ensures is taken for granted. That the
//! body keeps the contract is shown once, from a state of which nothing is known.

use std::rc::Rc;

use cairn_base::Place;
use cairn_core::Contract;
use cairn_ir::{FuncId, VarId};
use cairn_term::{Pool, TermId};
use imbl::OrdMap;
use rustc_hash::FxHashSet;

use crate::havoc::{Effects, effects};
use crate::state::{Elsewhere, State};
use crate::walk::{Flow, Halt, Mode, Walk};

impl Walk<'_> {
    /// Shows all contracts of the proof. `start` has the static objects.
    pub fn contracts(&mut self, start: &State) -> Flow<()> {
        let proof = self.proof;
        for (&f, contract) in &proof.contracts {
            self.depth.clear();
            self.open = 1;
            match self.keeps(f, contract, start.clone()) {
                Ok(()) | Err(Halt::Dead) => {}
                Err(stop) => return Err(stop),
            }
        }
        Ok(())
    }

    /// The body of the function keeps the contract at any call: from a havocked state in which its
    /// precondition holds.
    fn keeps(&mut self, f: FuncId, contract: &Contract, mut s: State) -> Flow<()> {
        let program = self.program;
        let place = program.funcs[f].place;
        self.forget_everything(&mut s);
        let params = &program.funcs[f].params;
        let values: Vec<TermId> =
            params.iter().map(|&v| self.unknown(program.vars[v].ty, "argument")).collect();
        s.locals = self.activation(f, &values);
        self.mode = Mode::Assume;
        self.at = None;
        let begins = self.facts(&contract.requires, &mut s, place, "requirement", "");
        self.mode = Mode::Assert;
        if !begins? {
            return Ok(());
        }
        s.locals = self.activation(f, &values);
        self.depth.insert(f, 1);
        let mut s = self.function(f, s)?;
        s.locals = self.activation(f, &values);
        let returned = s.result.take();
        self.at = None;
        self.set_result(contract, returned, &mut s);
        self.facts(&contract.ensures, &mut s, place, "promise", "is not kept by the function").map(|_| ())
    }

    /// The state behind a call, as the contract has it.
    pub fn by_contract(
        &mut self,
        f: FuncId,
        contract: &Contract,
        values: &[TermId],
        mut s: State,
        place: Place,
    ) -> Flow<(State, Option<TermId>)> {
        let locals = std::mem::replace(&mut s.locals, self.activation(f, values));
        let frame = std::mem::take(&mut s.frame);
        let result = s.result.take();
        self.at = None;
        if !self.facts(&contract.requires, &mut s, place, "requirement", "does not hold for a call")? {
            return Err(Halt::Dead);
        }
        s.locals = self.activation(f, values);
        let effects = self.effects_of(f);
        self.forget(&effects, &mut s)?;
        let value = self.set_result(contract, None, &mut s);
        let mode = std::mem::replace(&mut self.mode, Mode::Assume);
        let returns = self.facts(&contract.ensures, &mut s, place, "promise", "");
        self.mode = mode;
        if !returns? {
            return Err(Halt::Dead);
        }
        (s.locals, s.frame, s.result) = (locals, frame, result);
        Ok((s, value))
    }

    /// The variables of a call that has just begun.
    fn activation(&self, f: FuncId, values: &[TermId]) -> OrdMap<VarId, TermId> {
        self.program.funcs[f].params.iter().copied().zip(values.iter().copied()).collect()
    }

    /// Gives the result of a contract its value; any value if there is none.
    fn set_result(&mut self, contract: &Contract, value: Option<TermId>, s: &mut State) -> Option<TermId> {
        let v = contract.result?;
        let value = match value {
            Some(value) => value,
            None => self.unknown(self.program.vars[v].ty, "result"),
        };
        s.locals.insert(v, value);
        Some(value)
    }

    /// What a call of the function may change, as its callers see it.
    fn effects_of(&mut self, f: FuncId) -> Rc<Effects> {
        if let Some(e) = self.called.get(&f) {
            return e.clone();
        }
        let program = self.program;
        let body: FxHashSet<_> = program.funcs[f].body.iter().flat_map(|b| b.locs.iter().copied()).collect();
        let mut all = effects(program, &self.calls, f, &body);
        all.vars.retain(|&v| program.vars[v].owner.is_none());
        // The objects of the function end with the call.
        all.lives.clear();
        let all = Rc::new(all);
        self.called.insert(f, all.clone());
        all
    }

    /// A state in the middle of any execution: objects unknown to the checker may be alive.
    fn forget_everything(&mut self, s: &mut State) {
        let all: Vec<_> = s.memory.keys().copied().collect();
        for i in all {
            let info = self.infos[i as usize].clone();
            if info.writable
                && let Some(object) = s.memory.get_mut(&i)
            {
                object.content = self.bytes.unknown(&mut self.pool, info.constant, "mem");
            }
        }
        let globals: Vec<VarId> = s.globals.keys().copied().collect();
        for v in globals {
            let value = self.unknown(self.program.vars[v].ty, "any");
            s.globals.insert(v, value);
        }
        s.elsewhere = Elsewhere(Pool::TRUE);
    }
}
