//! A program in numbers, to choose strategies by and to print.

use cairn_value::Ty;

use crate::callgraph::CallGraph;
use crate::dom::Dominators;
use crate::graph::Graph;
use crate::loops::Loops;
use crate::{BinOp, Callee, DType, Expr, Op, Program, UnOp, VarKind};

macro_rules! features {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// Counts over the functions that have a body (all functions, if the program has no entry;
        /// otherwise those that a run may enter).
        #[derive(Clone, PartialEq, Eq, Default, Debug)]
        pub struct Features {
            $($(#[$doc])* pub $name: u64,)*
        }

        impl Features {
            /// Names and values, always in the same order.
            pub fn pairs(&self) -> Vec<(&'static str, u64)> {
                vec![$((stringify!($name), self.$name),)*]
            }
        }
    };
}

features! {
    functions,
    /// Declared and reachable but without a body.
    undefined_functions,
    recursive_functions,
    locations,
    edges,
    /// Sum over the functions of `edges - locations + 2`, dead ends counting as exits.
    cyclomatic,
    /// Source decisions.
    branches,
    /// Two-way locations, source decisions or not.
    conditions,
    /// Assumptions that stand alone.
    assumptions,
    loops,
    max_loop_depth,
    irreducible_regions,
    global_variables,
    local_variables,
    parameters,
    temporaries,
    integer_variables,
    bool_variables,
    float_variables,
    pointer_variables,
    global_objects,
    local_objects,
    arrays,
    records,
    assignments,
    inputs,
    loads,
    stores,
    /// Loads and stores whose address is not a constant place.
    dynamic_accesses,
    bit_field_accesses,
    block_operations,
    allocations,
    frees,
    calls,
    indirect_calls,
    builtin_calls,
    /// Distinct expressions with the given property; nonlinear are products and quotients by what is not
    /// constant.
    nonlinear_expressions,
    division_expressions,
    bitwise_expressions,
    float_expressions,
    pointer_expressions,
}

impl Features {
    pub fn new(p: &Program) -> Features {
        let mut x = Features::default();
        let calls = CallGraph::new(p);
        let funcs = match p.entry {
            Some(entry) => calls.reachable(entry),
            None => p.funcs.keys().collect(),
        };
        for &f in &funcs {
            let Some(g) = Graph::new(p, f) else {
                x.undefined_functions += 1;
                continue;
            };
            x.functions += 1;
            x.recursive_functions += u64::from(calls.is_recursive(f));
            x.indirect_calls += calls.calls(f).iter().filter(|c| c.indirect).count() as u64;
            let loops = Loops::new(p, &g, &Dominators::forward(&g));
            x.loops += loops.loops.len() as u64;
            let deepest = loops.loops.values().map(|l| l.depth.into()).max().unwrap_or(0);
            x.max_loop_depth = x.max_loop_depth.max(deepest);
            x.irreducible_regions += loops.irreducible.len() as u64;
            x.count_body(p, f, &g);
        }
        for var in p.vars.values().filter(|v| v.owner.is_none_or(|f| funcs.binary_search(&f).is_ok())) {
            match var.kind {
                VarKind::Global { .. } => x.global_variables += 1,
                VarKind::Local => x.local_variables += 1,
                VarKind::Param => x.parameters += 1,
                VarKind::Temp => x.temporaries += 1,
            }
            match var.ty {
                Ty::Bool => x.bool_variables += 1,
                Ty::Int(_) => x.integer_variables += 1,
                Ty::Float(_) => x.float_variables += 1,
                Ty::Ptr => x.pointer_variables += 1,
            }
        }
        for object in p.objects.values().filter(|o| o.owner.is_none_or(|f| funcs.binary_search(&f).is_ok())) {
            match object.owner {
                None => x.global_objects += 1,
                Some(_) => x.local_objects += 1,
            }
            match object.dtype.map(|t| &p.dtypes[t]) {
                Some(DType::Array { .. }) => x.arrays += 1,
                Some(DType::Record { .. }) => x.records += 1,
                _ => {}
            }
        }
        x.count_expressions(p);
        x
    }

    fn count_body(&mut self, p: &Program, f: crate::FuncId, g: &Graph) {
        let Some(body) = &p.funcs[f].body else { return };
        let (mut locations, mut edges, mut ends) = (0, 0, 0);
        for &l in body.locs.iter().filter(|&&l| g.is_reachable(g.node(l))) {
            let out = &p.locs[l].out;
            locations += 1;
            edges += out.len() as u64;
            ends += u64::from(out.is_empty());
            match out[..] {
                [e, _] => {
                    self.conditions += 1;
                    self.branches += u64::from(p.edges[e].branch.is_some());
                }
                [e] if matches!(p.edges[e].op, Op::Assume { .. }) => self.assumptions += 1,
                _ => {}
            }
            for &e in out {
                self.count_op(p, &p.edges[e].op);
            }
        }
        self.locations += locations;
        self.edges += edges;
        // Each end is tied to one common exit, and that to the entry.
        self.cyclomatic += (edges + ends + 1).saturating_sub(locations);
    }

    fn count_op(&mut self, p: &Program, op: &Op) {
        let constant_place = |e| match p.exprs.get(e) {
            Expr::Addr(_) => true,
            Expr::Binary(BinOp::PtrAdd, a, b) => {
                matches!(p.exprs.get(a), Expr::Addr(_)) && p.exprs.const_bits(b).is_some()
            }
            _ => false,
        };
        match op {
            Op::Assign { .. } => self.assignments += 1,
            Op::Load { addr, .. } => {
                self.loads += 1;
                self.dynamic_accesses += u64::from(!constant_place(*addr));
            }
            Op::Store { addr, .. } => {
                self.stores += 1;
                self.dynamic_accesses += u64::from(!constant_place(*addr));
            }
            Op::LoadBits { .. } | Op::StoreBits { .. } => self.bit_field_accesses += 1,
            Op::Copy { .. } | Op::Fill { .. } => self.block_operations += 1,
            Op::Alloc { .. } => self.allocations += 1,
            Op::Free { .. } => self.frees += 1,
            Op::Input { .. } => self.inputs += 1,
            Op::Call { callee: Callee::Builtin(_), .. } => self.builtin_calls += 1,
            Op::Call { .. } => self.calls += 1,
            Op::Nop
            | Op::Assume { .. }
            | Op::Begin { .. }
            | Op::End { .. }
            | Op::Return { .. }
            | Op::Trap(_) => {}
        }
    }

    fn count_expressions(&mut self, p: &Program) {
        let constant = |e| p.exprs.const_bits(e).is_some();
        for (e, node) in p.exprs.iter() {
            match node {
                Expr::Binary(BinOp::Mul, a, b) => {
                    self.nonlinear_expressions += u64::from(!constant(a) && !constant(b));
                }
                Expr::Binary(BinOp::Div | BinOp::Rem, _, b) => {
                    self.division_expressions += 1;
                    self.nonlinear_expressions += u64::from(!constant(b));
                }
                Expr::Binary(BinOp::And | BinOp::Or | BinOp::Xor, a, _) if p.ty(a) != Ty::Bool => {
                    self.bitwise_expressions += 1;
                }
                Expr::Binary(BinOp::Shl | BinOp::Shr, ..) | Expr::Unary(UnOp::BitNot, _) => {
                    self.bitwise_expressions += 1;
                }
                Expr::Binary(BinOp::PtrAdd | BinOp::PtrSub, ..) => self.pointer_expressions += 1,
                _ => {}
            }
            let leaf = p.exprs.children(e).is_empty();
            self.float_expressions += u64::from(!leaf && matches!(p.ty(e), Ty::Float(_)));
        }
    }
}
