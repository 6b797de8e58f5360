//! Random programs for tests: valid by construction, the same for the same seed.
//!
//! They use every operation, expression and kind of data, with loops, branches,
//! jumps into loops, calls (also through pointers and recursive), and locals
//! that may be read before they are assigned. They need not make sense when run.

use cairn_value::ops::can_cast;
use cairn_value::{BinOp, FloatTy, IntTy, Ty, UnOp};

use crate::program::DField;
use crate::*;

/// SplitMix64 (Steele, Lea and Flood 2014).
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Rng {
        Rng(seed)
    }

    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`, which is not 0.
    pub fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }

    /// True once in `n` times.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

/// A random program with about `size` statements in each of its functions.
pub fn random_program(seed: u64, size: usize) -> Program {
    let mut rng = Rng::new(seed);
    let model = if rng.one_in(2) { DataModel::Lp64 } else { DataModel::Ilp32 };
    let mut maker =
        Maker { p: Program::new(model), rng, f: FuncId::from_u32(0), temps: Vec::new(), locs: Vec::new() };
    maker.program(size);
    maker.p
}

struct Maker {
    p: Program,
    rng: Rng,
    /// The function being made, the temporaries assigned on the way to the current location, and
    /// locations that jumps may lead to (where no temporary is needed).
    f: FuncId,
    temps: Vec<VarId>,
    locs: Vec<LocId>,
}

const INTS: [IntTy; 11] = [
    IntTy::I8,
    IntTy::U8,
    IntTy::I16,
    IntTy::U16,
    IntTy::I32,
    IntTy::U32,
    IntTy::I64,
    IntTy::U64,
    IntTy::I128,
    IntTy::U128,
    IntTy { bits: 17, signed: true },
];
const FLOATS: [FloatTy; 4] = [FloatTy::F32, FloatTy::F64, FloatTy::X80, FloatTy::F128];

impl Maker {
    fn ty(&mut self) -> Ty {
        match self.rng.below(8) {
            0 => Ty::Float(self.rng.pick(&FLOATS)),
            1 => Ty::Ptr,
            _ => Ty::Int(self.rng.pick(&INTS)),
        }
    }

    fn place(&mut self) -> Place {
        if self.rng.one_in(4) {
            return Place::NONE;
        }
        let file = FileId::from_u32(self.rng.below(self.p.files.len()) as u32);
        let line = 1 + self.rng.below(90) as u32;
        let col = 1 + self.rng.below(40) as u32;
        Place { file, line, col, end_line: line, end_col: col + self.rng.below(9) as u32 }
    }

    fn name(&mut self) -> Symbol {
        sym(self.rng.pick(&["x", "y", "buf", "i", "", "_t", "a b", "s.f", "9x", "é\n\"\\", "temp", "b"]))
    }

    fn dtype(&mut self) -> Option<DTypeId> {
        let id = self.rng.below(self.p.dtypes.len() + 1);
        (id < self.p.dtypes.len()).then(|| DTypeId::from_u32(id as u32))
    }

    fn program(&mut self, size: usize) {
        for name in ["main.c", "dir/odd \"name\".h"] {
            self.p.files.push(name.to_string());
        }
        let int = self.p.dtypes.push(DType::Scalar { name: sym("unsigned char *"), ty: Ty::Ptr });
        let array = self.p.dtypes.push(DType::Array { elem: int, len: 7 });
        let fields = vec![
            DField { name: sym("a"), offset: 0, bits: Some((3, 5)), ty: int },
            DField { name: sym(""), offset: 8, bits: None, ty: array },
        ];
        for is_union in [false, true] {
            let fields = fields.clone();
            self.p.dtypes.push(DType::Record { name: sym("struct s"), size: 64, is_union, fields });
        }
        let funcs = 2 + self.rng.below(4);
        for i in 0..funcs {
            let params = (0..self.rng.below(3)).map(|_| self.ty()).collect::<Vec<_>>();
            let variadic = params.last() == Some(&Ty::Ptr) && self.rng.one_in(2);
            let ret = if self.rng.one_in(3) { None } else { Some(self.ty()) };
            let name = if i == 0 { sym("main") } else { self.name() };
            let func = Function {
                name,
                sig: Signature { params, ret, variadic },
                params: Vec::new(),
                body: None,
                place: self.place(),
                is_model: self.rng.one_in(3),
                noreturn: self.rng.one_in(5),
            };
            self.p.funcs.push(func);
        }
        for _ in 0..1 + self.rng.below(3) {
            self.static_object();
        }
        for _ in 0..self.rng.below(4) {
            let ty = self.ty();
            let init = match ty {
                Ty::Ptr => {
                    let o = ObjId::from_u32(self.rng.below(self.p.objects.len()) as u32);
                    self.p.exprs.addr(o)
                }
                _ => self.constant(ty),
            };
            let (name, place, scope, dtype) = (self.name(), self.place(), self.place(), self.dtype());
            let kind = VarKind::Global { init };
            self.p.new_var(Var { name, ty, owner: None, kind, place, scope, dtype });
        }
        let bodies: Vec<FuncId> = self.p.funcs.keys().filter(|f| f.as_u32() + 1 < funcs as u32).collect();
        for f in bodies {
            self.function(f, size);
        }
        self.p.entry = Some(FuncId::from_u32(0));
    }

    fn static_object(&mut self) {
        let mut data = Data::default();
        let mut at = 0;
        for _ in 0..self.rng.below(4) {
            at += self.rng.below(5) as u64;
            if self.rng.one_in(3) {
                let func = RelocTarget::Func(FuncId::from_u32(self.rng.below(self.p.funcs.len()) as u32));
                let target = match self.rng.below(self.p.objects.len() + 1) {
                    0 => func,
                    i => RelocTarget::Object(ObjId::from_u32(i as u32 - 1)),
                };
                let addend = self.rng.bits() as i64 % 100;
                data.relocs.push(Reloc { offset: at, bytes: 8, target, addend });
                at += 8;
            } else {
                let bytes: Box<[u8]> = (0..1 + self.rng.below(6)).map(|_| self.rng.bits() as u8).collect();
                let len = bytes.len() as u64;
                data.bytes.push((at, bytes));
                at += len;
            }
        }
        let object = Object {
            name: self.name(),
            owner: None,
            kind: self.rng.pick(&[ObjKind::Global, ObjKind::Const]),
            size: at + 8,
            align: 8,
            init: if self.rng.one_in(5) { Init::Unknown } else { Init::Static(data) },
            place: self.place(),
            scope: Place::NONE,
            dtype: self.dtype(),
        };
        self.p.new_object(object);
    }

    fn function(&mut self, f: FuncId, size: usize) {
        self.f = f;
        let (entry, _) = self.p.new_body(f);
        for ty in self.p.funcs[f].sig.params.clone() {
            let v = self.var(ty, VarKind::Param);
            self.p.funcs[f].params.push(v);
        }
        for _ in 0..2 + self.rng.below(4) {
            let ty = self.ty();
            self.var(ty, VarKind::Local);
        }
        for _ in 0..self.rng.below(4) {
            let (name, place, scope, dtype) = (self.name(), self.place(), self.place(), self.dtype());
            let size = 1 + self.rng.below(24) as u64;
            let (owner, kind, init) = (Some(f), ObjKind::Local, Init::Uninit);
            self.p.new_object(Object { name, owner, kind, size, align: 4, init, place, scope, dtype });
        }
        let start = self.p.new_loc(f);
        self.p.new_edge(entry, start, Op::Nop, Place::NONE);
        self.locs = vec![start];
        self.temps.clear();
        if let Some(end) = self.statements(start, size, 0) {
            self.ret(end);
        }
        if self.rng.one_in(3) {
            let loc = self.rng.pick(&self.locs.clone());
            let name = sym("target");
            self.p.label_here(loc, name);
            let label = self.p.labels.push(LabelInfo { name, func: f, loc });
            self.p.exprs.label(label);
        }
    }

    fn var(&mut self, ty: Ty, kind: VarKind) -> VarId {
        let (name, place, scope, dtype) = (self.name(), self.place(), self.place(), self.dtype());
        self.p.new_var(Var { name, ty, owner: Some(self.f), kind, place, scope, dtype })
    }

    fn ret(&mut self, at: LocId) {
        let value = match self.p.funcs[self.f].sig.ret {
            Some(ty) if !self.rng.one_in(6) => Some(self.expr(ty, 3)),
            _ => None,
        };
        let exit = self.p.funcs[self.f].body.as_ref().expect("being made").exit;
        let place = self.place();
        self.p.new_edge(at, exit, Op::Return { value }, place);
    }

    /// Statements from `at` on; where control comes out, if it does.
    fn statements(&mut self, mut at: LocId, count: usize, depth: u32) -> Option<LocId> {
        for _ in 0..count {
            let kept = self.temps.len();
            at = match self.rng.below(if depth < 3 { 14 } else { 10 }) {
                10 | 11 => self.branch(at, count / 2, depth)?,
                12 => self.loop_(at, count / 2, depth),
                13 if depth > 0 && self.rng.one_in(2) => {
                    // A jump to anywhere, or an end.
                    self.temps.truncate(kept);
                    match self.rng.below(3) {
                        0 => self.ret(at),
                        1 => {
                            let to = self.rng.pick(&self.locs.clone());
                            self.p.new_edge(at, to, Op::Nop, Place::NONE);
                        }
                        _ => {
                            let to = self.p.new_loc(self.f);
                            let trap = self.rng.pick(&[Trap::Unreachable, Trap::BadGoto, Trap::BadVla]);
                            self.p.new_edge(at, to, Op::Trap(trap), Place::NONE);
                        }
                    }
                    return None;
                }
                _ => {
                    let to = self.p.new_loc(self.f);
                    let op = self.op();
                    let place = self.place();
                    let temp = op.def().filter(|&v| self.p.vars[v].kind == VarKind::Temp);
                    self.p.new_edge(at, to, op, place);
                    self.temps.extend(temp);
                    to
                }
            };
        }
        Some(at)
    }

    fn branch(&mut self, at: LocId, count: usize, depth: u32) -> Option<LocId> {
        let kept = self.temps.len();
        let cond = self.expr(Ty::Bool, 3);
        let place = self.place();
        if self.rng.one_in(8) {
            let to = self.p.new_loc(self.f);
            self.p.new_edge(at, to, Op::Assume { cond, holds: !self.rng.one_in(3) }, place);
            return Some(to);
        }
        let (then, other) = (self.p.new_loc(self.f), self.p.new_loc(self.f));
        let decision = !self.rng.one_in(3);
        self.p.new_branch(at, cond, then, other, place, decision);
        let a = self.statements(then, self.rng.0 as usize % (count + 1), depth + 1);
        self.temps.truncate(kept);
        let b = self.statements(other, self.rng.0 as usize % (count + 1), depth + 1);
        self.temps.truncate(kept);
        let join = self.p.new_loc(self.f);
        for from in [a, b].into_iter().flatten() {
            self.p.new_edge(from, join, Op::Nop, Place::NONE);
        }
        (a.or(b)).map(|_| join).or_else(|| {
            // Nothing comes here; the location must still lead somewhere.
            self.ret(join);
            None
        })
    }

    fn loop_(&mut self, at: LocId, count: usize, depth: u32) -> LocId {
        let kept = self.temps.len();
        let (head, body, done) = (self.p.new_loc(self.f), self.p.new_loc(self.f), self.p.new_loc(self.f));
        self.p.locs[head].loop_stmt = Some(self.place());
        self.p.new_edge(at, head, Op::Nop, Place::NONE);
        let cond = self.expr(Ty::Bool, 2);
        let place = self.place();
        self.p.new_branch(head, cond, body, done, place, true);
        if kept == 0 {
            self.locs.extend([head, body]);
        }
        if self.rng.one_in(3) {
            let name = self.name();
            self.p.label_here(body, name);
        }
        if let Some(end) = self.statements(body, count, depth + 1) {
            self.p.new_edge(end, head, Op::Nop, Place::NONE);
        }
        self.temps.truncate(kept);
        done
    }

    /// A variable to assign, of the given type.
    fn target(&mut self, ty: Ty) -> VarId {
        let fits = |v: &VarId| {
            let x = &self.p.vars[*v];
            x.ty == ty && x.kind != VarKind::Temp && x.owner.is_none_or(|f| f == self.f)
        };
        let known: Vec<VarId> = self.p.vars.keys().filter(fits).collect();
        if known.is_empty() || self.rng.one_in(2) {
            self.var(ty, VarKind::Temp)
        } else {
            self.rng.pick(&known)
        }
    }

    fn op(&mut self) -> Op {
        let size = Ty::Int(IntTy::size(self.p.model));
        let ty = self.ty();
        let locals: Vec<ObjId> = self.p.funcs[self.f].body.as_ref().expect("being made").objects.clone();
        match self.rng.below(20) {
            0 => Op::Nop,
            1 if !locals.is_empty() => Op::Begin { obj: self.rng.pick(&locals) },
            2 if !locals.is_empty() => Op::End { obj: self.rng.pick(&locals) },
            3 | 4 => {
                let addr = self.expr(Ty::Ptr, 2);
                Op::Load { dst: self.target(ty), addr }
            }
            5 | 6 => Op::Store { addr: self.expr(Ty::Ptr, 2), value: self.expr(ty, 2) },
            7 => {
                let int = self.rng.pick(&INTS);
                let (bit, width) = (self.rng.below(8) as u8, 1 + self.rng.below(int.bits as usize) as u8);
                let addr = self.expr(Ty::Ptr, 2);
                if self.rng.one_in(2) {
                    Op::LoadBits { dst: self.target(Ty::Int(int)), addr, bit, width }
                } else {
                    Op::StoreBits { addr, bit, width, value: self.expr(Ty::Int(int), 2) }
                }
            }
            8 => {
                let (dst, src, size) = (self.expr(Ty::Ptr, 1), self.expr(Ty::Ptr, 1), self.expr(size, 1));
                Op::Copy { dst, src, size, may_overlap: self.rng.one_in(2) }
            }
            9 => {
                Op::Fill { dst: self.expr(Ty::Ptr, 1), byte: self.expr(Ty::I32, 1), size: self.expr(size, 1) }
            }
            10 => {
                let size = self.expr(size, 1);
                let kind = self.rng.pick(&[AllocKind::Heap, AllocKind::Alloca, AllocKind::Vla]);
                Op::Alloc { dst: self.target(Ty::Ptr), size, kind, zeroed: self.rng.one_in(2) }
            }
            11 => {
                let kind = self.rng.pick(&[AllocKind::Heap, AllocKind::Vla]);
                Op::Free { ptr: self.expr(Ty::Ptr, 1), kind }
            }
            12 => Op::Input { dst: self.target(ty), name: sym("__VERIFIER_nondet_int") },
            13 | 14 => self.call(),
            _ => {
                let value = self.expr(ty, 5);
                Op::Assign { dst: self.target(ty), value }
            }
        }
    }

    fn call(&mut self) -> Op {
        let f = FuncId::from_u32(self.rng.below(self.p.funcs.len()) as u32);
        let target = self.rng.below(4);
        let (callee, sig) = match target {
            0 => {
                let builtins = [
                    Builtin::Printf,
                    Builtin::Snprintf,
                    Builtin::Write,
                    Builtin::ReadByte,
                    Builtin::ObjectSize,
                    Builtin::Place,
                    Builtin::Strtod(FloatTy::F64),
                    Builtin::Math(MathFn::Fma, FloatTy::F32),
                    Builtin::Math(MathFn::Atan2, FloatTy::X80),
                    Builtin::Exit,
                ];
                let b = self.rng.pick(&builtins);
                (Callee::Builtin(b), b.signature(self.p.model))
            }
            1 => {
                let sig = self.p.funcs[f].sig.clone();
                let target = if self.rng.one_in(2) { self.p.exprs.func(f) } else { self.expr(Ty::Ptr, 1) };
                (Callee::Ptr { target, sig: Box::new(sig.clone()) }, sig)
            }
            _ => (Callee::Func(f), self.p.funcs[f].sig.clone()),
        };
        let args = sig.params.iter().map(|&ty| self.expr(ty, 2)).collect();
        let dst = match sig.ret {
            Some(ty) if !self.rng.one_in(3) => Some(self.target(ty)),
            _ => None,
        };
        Op::Call { dst, callee, args }
    }

    fn constant(&mut self, ty: Ty) -> ExprId {
        let random = u128::from(self.rng.bits()) << 64 | u128::from(self.rng.bits());
        let bits = match self.rng.below(4) {
            0 => 0,
            1 => random,
            2 => u128::MAX,
            _ => random % 100,
        };
        match ty {
            Ty::Bool => self.p.exprs.bool(bits & 1 == 1),
            Ty::Float(f) => {
                let mask = IntTy { bits: f.bits(), signed: false }.mask();
                self.p.exprs.float(f, bits & mask)
            }
            Ty::Ptr => self.p.exprs.ptr(bits as u64 & IntTy::size(self.p.model).mask() as u64),
            Ty::Int(_) => self.p.exprs.constant(ty, bits),
        }
    }

    fn leaf(&mut self, ty: Ty) -> ExprId {
        let readable = |v: &VarId| {
            let x = &self.p.vars[*v];
            let home = x.owner.is_none_or(|f| f == self.f);
            x.ty == ty && home && (x.kind != VarKind::Temp || self.temps.contains(v))
        };
        let vars: Vec<VarId> = self.p.vars.keys().filter(readable).collect();
        if !vars.is_empty() && !self.rng.one_in(3) {
            let v = self.rng.pick(&vars);
            return self.p.exprs.var(v);
        }
        let objects: Vec<ObjId> = self
            .p
            .objects
            .iter()
            .filter(|(_, o)| o.owner.is_none_or(|f| f == self.f))
            .map(|(o, _)| o)
            .collect();
        match (ty, self.rng.below(4)) {
            (Ty::Ptr, 0 | 1) => {
                let o = self.rng.pick(&objects);
                self.p.exprs.addr(o)
            }
            (Ty::Ptr, 2) => {
                let f = FuncId::from_u32(self.rng.below(self.p.funcs.len()) as u32);
                self.p.exprs.func(f)
            }
            _ => self.constant(ty),
        }
    }

    fn expr(&mut self, ty: Ty, depth: u32) -> ExprId {
        if depth == 0 || self.rng.one_in(4) {
            return self.leaf(ty);
        }
        let node = self.node(ty, depth - 1);
        // Half of the nodes are left as they are, so that unsimplified trees occur too.
        if self.rng.one_in(2) {
            return self.p.exprs.raw(node).expect("well typed");
        }
        match node {
            Expr::Unary(op, a) => self.p.exprs.unary(op, a),
            Expr::Binary(op, a, b) => self.p.exprs.binary(op, a, b),
            Expr::Cast(to, a) => self.p.exprs.cast(to, a),
            Expr::Select(c, t, e) => self.p.exprs.select(c, t, e),
            leaf => self.p.exprs.raw(leaf).expect("well typed"),
        }
    }

    fn node(&mut self, ty: Ty, depth: u32) -> Expr {
        use BinOp::*;
        let diff = Ty::Int(IntTy::diff(self.p.model));
        if self.rng.one_in(8) {
            return Expr::Select(self.expr(Ty::Bool, depth), self.expr(ty, depth), self.expr(ty, depth));
        }
        let from = self.ty();
        if self.rng.one_in(4) && can_cast(from, ty) {
            return Expr::Cast(ty, self.expr(from, depth));
        }
        match ty {
            Ty::Bool => {
                let operand = self.ty();
                match self.rng.below(5) {
                    0 => Expr::Unary(UnOp::Not, self.expr(ty, depth)),
                    1 => {
                        let op = self.rng.pick(&[And, Or, Xor, Eq, Ne]);
                        Expr::Binary(op, self.expr(ty, depth), self.expr(ty, depth))
                    }
                    2 if matches!(operand, Ty::Float(_)) => {
                        let op = self.rng.pick(&[UnOp::IsNan, UnOp::IsInf, UnOp::SignBit]);
                        Expr::Unary(op, self.expr(operand, depth))
                    }
                    2 if matches!(operand, Ty::Int(_)) => {
                        let op = self.rng.pick(&[AddOvf, SubOvf, MulOvf]);
                        Expr::Binary(op, self.expr(operand, depth), self.expr(operand, depth))
                    }
                    _ => {
                        let op = self.rng.pick(&[Eq, Ne, Lt, Le]);
                        Expr::Binary(op, self.expr(operand, depth), self.expr(operand, depth))
                    }
                }
            }
            Ty::Int(_) => match self.rng.below(6) {
                0 => {
                    let op = self.rng.pick(&[UnOp::Neg, UnOp::BitNot, UnOp::Clz, UnOp::Ctz, UnOp::Popcount]);
                    Expr::Unary(op, self.expr(ty, depth))
                }
                1 => {
                    let count = Ty::Int(self.rng.pick(&INTS));
                    Expr::Binary(self.rng.pick(&[Shl, Shr]), self.expr(ty, depth), self.expr(count, depth))
                }
                2 if ty == diff => Expr::Binary(PtrSub, self.expr(Ty::Ptr, depth), self.expr(Ty::Ptr, depth)),
                _ => {
                    let op = self.rng.pick(&[Add, Sub, Mul, Div, Rem, And, Or, Xor]);
                    Expr::Binary(op, self.expr(ty, depth), self.expr(ty, depth))
                }
            },
            Ty::Float(_) => match self.rng.below(3) {
                0 => {
                    let ops = [UnOp::Neg, UnOp::Fabs, UnOp::Sqrt, UnOp::Floor, UnOp::Trunc, UnOp::RoundAway];
                    Expr::Unary(self.rng.pick(&ops), self.expr(ty, depth))
                }
                _ => {
                    let op = self.rng.pick(&[Add, Sub, Mul, Div, Fmin, Fmax, CopySign]);
                    Expr::Binary(op, self.expr(ty, depth), self.expr(ty, depth))
                }
            },
            Ty::Ptr => Expr::Binary(PtrAdd, self.expr(Ty::Ptr, depth), self.expr(diff, depth)),
        }
    }
}
