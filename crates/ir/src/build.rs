//! Making programs: the only functions that add to the tables. What is there is changed by [`crate::edit`].

use cairn_base::{Place, Symbol};

use crate::{
    Body, Branch, BranchId, Edge, EdgeId, ExprId, FuncId, Function, LocId, Location, ObjId, Object, Op,
    Program, Signature, Ty, Var, VarId, VarKind, sym,
};

impl Program {
    /// Adds a function that is not the user's, without a body.
    pub fn new_function(&mut self, name: Symbol, sig: Signature, place: Place) -> FuncId {
        let (params, body) = (Vec::new(), None);
        self.funcs.push(Function { name, sig, params, body, place, is_model: true, noreturn: false })
    }

    /// Gives a function without a body one that is empty: its entry and its exit. Parameters are still to be
    /// made.
    pub fn new_body(&mut self, f: FuncId) -> (LocId, LocId) {
        let unset = LocId::from_u32(0);
        let (locs, edges, vars, objects) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        self.funcs[f].body = Some(Body { entry: unset, exit: unset, locs, edges, vars, objects });
        let (entry, exit) = (self.new_loc(f), self.new_loc(f));
        if let Some(body) = self.funcs[f].body.as_mut() {
            (body.entry, body.exit) = (entry, exit);
        }
        (entry, exit)
    }

    /// Makes the parameters of a function that has a body, by its signature: `arg1` and so on.
    pub fn new_params(&mut self, f: FuncId, scope: Place) -> Vec<VarId> {
        let (types, place) = (self.funcs[f].sig.params.clone(), self.funcs[f].place);
        let param = |(n, ty)| {
            let name = sym(&format!("arg{}", n + 1));
            self.new_var(Var { name, ty, owner: Some(f), kind: VarKind::Param, place, scope, dtype: None })
        };
        let params: Vec<VarId> = types.into_iter().enumerate().map(param).collect();
        self.funcs[f].params.clone_from(&params);
        params
    }

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

    /// Adds a temporary of a function.
    pub fn new_temp(&mut self, func: FuncId, name: Symbol, ty: Ty, place: Place) -> VarId {
        let (owner, kind, scope) = (Some(func), VarKind::Temp, Place::NONE);
        self.new_var(Var { name, ty, owner, kind, place, scope, dtype: None })
    }

    /// Adds an edge to a location of its own, which it gives.
    pub fn new_step(&mut self, src: LocId, op: Op, place: Place) -> LocId {
        let next = self.new_loc(self.locs[src].func);
        self.new_edge(src, next, op, place);
        next
    }

    /// Adds an edge that takes an input into a temporary. Gives the value, and where the program goes on.
    pub fn new_input(&mut self, src: LocId, name: Symbol, ty: Ty, place: Place) -> (ExprId, LocId) {
        let dst = self.new_temp(self.locs[src].func, sym("tmp"), ty, place);
        let next = self.new_step(src, Op::Input { dst, name }, place);
        (self.exprs.var(dst), next)
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
