//! Making programs: the only functions that add to the tables.

use cairn_base::{Place, Symbol};

use crate::{
    Branch, BranchId, Edge, EdgeId, FuncId, LocId, Location, ObjId, Object, Op, Program, Var, VarId,
};

impl Program {
    /// Adds a variable, to the program and to its function's body.
    pub fn new_var(&mut self, var: Var) -> VarId {
        let (ty, owner) = (var.ty, var.owner);
        let id = self.vars.push(var);
        self.exprs.declare_var(id, ty);
        if let Some(body) = owner.and_then(|f| self.funcs[f].body.as_mut()) {
            body.vars.push(id);
        }
        id
    }

    pub fn new_object(&mut self, object: Object) -> ObjId {
        let owner = object.owner;
        let id = self.objects.push(object);
        if let Some(body) = owner.and_then(|f| self.funcs[f].body.as_mut()) {
            body.objects.push(id);
        }
        id
    }

    pub fn new_loc(&mut self, func: FuncId) -> LocId {
        let loc = Location {
            func,
            out: Default::default(),
            inn: Default::default(),
            loop_stmt: None,
            labels: Vec::new(),
        };
        let id = self.locs.push(loc);
        if let Some(body) = self.funcs[func].body.as_mut() {
            body.locs.push(id);
        }
        id
    }

    pub fn new_edge(&mut self, src: LocId, dst: LocId, op: Op, place: Place) -> EdgeId {
        self.push_edge(Edge { src, dst, op, place, branch: None })
    }

    pub fn push_edge(&mut self, edge: Edge) -> EdgeId {
        let (src, dst) = (edge.src, edge.dst);
        let id = self.edges.push(edge);
        self.locs[src].out.push(id);
        self.locs[dst].inn.push(id);
        let func = self.locs[src].func;
        if let Some(body) = self.funcs[func].body.as_mut() {
            body.edges.push(id);
        }
        id
    }

    /// A two-way branch on `cond`. With `decision`, it counts for branch coverage.
    pub fn new_branch(
        &mut self,
        src: LocId,
        cond: crate::ExprId,
        then: LocId,
        other: LocId,
        place: Place,
        decision: bool,
    ) {
        let id = decision.then(|| {
            self.branches += 1;
            BranchId::from_u32(self.branches - 1)
        });
        for (holds, dst) in [(true, then), (false, other)] {
            let branch = id.map(|id| Branch { id, taken: holds });
            self.push_edge(Edge { src, dst, op: Op::Assume { cond, holds }, place, branch });
        }
    }

    pub fn label_here(&mut self, loc: LocId, name: Symbol) {
        self.locs[loc].labels.push(name);
    }
}
