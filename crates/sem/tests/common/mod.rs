//! Small programs by hand.
#![allow(dead_code)]

use cairn_base::{Budget, FileId};
use cairn_ir::*;
use cairn_sem::{Captured, End, Executor, Options, Outcome, Report, UbKind};

pub const I32: Ty = Ty::I32;
pub const U8: Ty = Ty::Int(IntTy::U8);
pub const I8: Ty = Ty::Int(IntTy::I8);
pub const I64: Ty = Ty::Int(IntTy::I64);
pub const F64: Ty = Ty::Float(FloatTy::F64);
pub const X80: Ty = Ty::Float(FloatTy::X80);

/// A program under construction: operations are appended at the current location of the current
/// function. Every operation stands on a line of its own.
pub struct Build {
    pub p: Program,
    pub f: FuncId,
    pub at: LocId,
    line: u32,
}

impl Build {
    /// Starts with `int main(void)`.
    pub fn new(model: DataModel) -> Build {
        let mut p = Program::new(model);
        p.files.push("t.c".to_string());
        let nowhere = LocId::from_u32(0);
        let mut b = Build { p, f: FuncId::from_u32(0), at: nowhere, line: 0 };
        b.func("main", &[], Some(I32));
        b.p.entry = Some(b.f);
        b
    }

    fn place(&mut self) -> Place {
        self.line += 1;
        Place { file: FileId::from_u32(0), line: self.line, col: 1, end_line: self.line, end_col: 2 }
    }

    /// Declares a function without a body.
    pub fn declare(&mut self, name: &str, params: &[Ty], ret: Option<Ty>) -> FuncId {
        let place = self.place();
        self.p.funcs.push(Function {
            name: sym(name),
            sig: Signature { params: params.to_vec(), ret, variadic: false },
            params: vec![],
            body: None,
            place,
            is_model: false,
            noreturn: false,
        })
    }

    /// Starts a function with a body; operations go there from now on.
    pub fn func(&mut self, name: &str, params: &[Ty], ret: Option<Ty>) -> Vec<VarId> {
        let f = self.declare(name, params, ret);
        self.define(f)
    }

    /// Gives a declared function its body; operations go there from now on.
    pub fn define(&mut self, f: FuncId) -> Vec<VarId> {
        let none = LocId::from_u32(0);
        let body =
            Body { entry: none, exit: none, locs: vec![], edges: vec![], vars: vec![], objects: vec![] };
        self.p.funcs[f].body = Some(body);
        self.f = f;
        let (entry, exit) = (self.p.new_loc(f), self.p.new_loc(f));
        let body = self.p.funcs[f].body.as_mut().unwrap();
        (body.entry, body.exit) = (entry, exit);
        self.at = entry;
        let params = self.p.funcs[f].sig.params.clone();
        let vars: Vec<VarId> = params
            .iter()
            .enumerate()
            .map(|(i, &ty)| self.var_of(&format!("p{i}"), ty, VarKind::Param))
            .collect();
        self.p.funcs[f].params = vars.clone();
        vars
    }

    fn var_of(&mut self, name: &str, ty: Ty, kind: VarKind) -> VarId {
        let place = self.place();
        let owner = if matches!(kind, VarKind::Global { .. }) { None } else { Some(self.f) };
        self.p.new_var(Var { name: sym(name), ty, owner, kind, place, scope: place, dtype: None })
    }

    pub fn local(&mut self, name: &str, ty: Ty) -> VarId {
        self.var_of(name, ty, VarKind::Local)
    }

    pub fn temp(&mut self, ty: Ty) -> VarId {
        self.var_of("t", ty, VarKind::Temp)
    }

    pub fn global(&mut self, name: &str, ty: Ty, init: ExprId) -> VarId {
        self.var_of(name, ty, VarKind::Global { init })
    }

    pub fn object(&mut self, name: &str, size: u64, kind: ObjKind, init: Init) -> ObjId {
        let place = self.place();
        let owner = if kind == ObjKind::Local { Some(self.f) } else { None };
        let object =
            Object { name: sym(name), owner, kind, size, align: 8, init, place, scope: place, dtype: None };
        self.p.new_object(object)
    }

    /// A local object whose lifetime begins here.
    pub fn array(&mut self, name: &str, size: u64) -> ExprId {
        let obj = self.object(name, size, ObjKind::Local, Init::Uninit);
        self.op(Op::Begin { obj });
        self.p.exprs.addr(obj)
    }

    pub fn string(&mut self, text: &[u8]) -> ExprId {
        let bytes = [text, &[0]].concat();
        let size = bytes.len() as u64;
        let data = Data { bytes: vec![(0, bytes.into())], relocs: vec![] };
        let obj = self.object("", size, ObjKind::Const, Init::Static(data));
        self.p.exprs.addr(obj)
    }

    pub fn int(&mut self, v: i128) -> ExprId {
        self.p.exprs.int(IntTy::I32, v)
    }

    pub fn size(&mut self, v: u64) -> ExprId {
        let ty = IntTy::size(self.p.model);
        self.p.exprs.int(ty, v.into())
    }

    pub fn var(&mut self, v: VarId) -> ExprId {
        self.p.exprs.var(v)
    }

    pub fn bin(&mut self, op: BinOp, a: ExprId, b: ExprId) -> ExprId {
        self.p.exprs.binary(op, a, b)
    }

    /// `p + n` bytes.
    pub fn plus(&mut self, p: ExprId, n: i64) -> ExprId {
        let n = self.p.exprs.int(IntTy::diff(self.p.model), n.into());
        self.p.exprs.binary(BinOp::PtrAdd, p, n)
    }

    pub fn loc(&mut self) -> LocId {
        self.p.new_loc(self.f)
    }

    pub fn op(&mut self, op: Op) -> LocId {
        let next = self.loc();
        let place = self.place();
        self.p.new_edge(self.at, next, op, place);
        self.at = next;
        next
    }

    pub fn op_to(&mut self, op: Op, to: LocId) {
        let place = self.place();
        self.p.new_edge(self.at, to, op, place);
        self.at = to;
    }

    pub fn assign(&mut self, dst: VarId, value: ExprId) {
        self.op(Op::Assign { dst, value });
    }

    pub fn branch(&mut self, cond: ExprId, then: LocId, other: LocId) {
        let place = self.place();
        self.p.new_branch(self.at, cond, then, other, place, true);
    }

    pub fn load(&mut self, ty: Ty, addr: ExprId) -> ExprId {
        let dst = self.temp(ty);
        self.op(Op::Load { dst, addr });
        self.var(dst)
    }

    pub fn store(&mut self, addr: ExprId, value: ExprId) {
        self.op(Op::Store { addr, value });
    }

    pub fn call(&mut self, callee: Callee, args: &[ExprId], ret: Option<Ty>) -> Option<ExprId> {
        let dst = ret.map(|ty| self.temp(ty));
        self.op(Op::Call { dst, callee, args: args.into() });
        dst.map(|v| self.var(v))
    }

    pub fn builtin(&mut self, b: Builtin, args: &[ExprId], ret: Option<Ty>) -> Option<ExprId> {
        self.call(Callee::Builtin(b), args, ret)
    }

    pub fn malloc(&mut self, size: u64) -> ExprId {
        let size = self.size(size);
        let dst = self.temp(Ty::Ptr);
        self.op(Op::Alloc { dst, size, kind: AllocKind::Heap, zeroed: false });
        self.var(dst)
    }

    pub fn ret(&mut self, value: Option<ExprId>) {
        let exit = self.p.funcs[self.f].body.as_ref().unwrap().exit;
        self.op_to(Op::Return { value }, exit);
    }

    pub fn ret_int(&mut self, v: i128) {
        let v = self.int(v);
        self.ret(Some(v));
    }

    /// Goes on only if `cond` holds; otherwise the program exits with `code`.
    pub fn expect(&mut self, cond: ExprId, code: i32) {
        let (bad, good) = (self.loc(), self.loc());
        self.branch(cond, good, bad);
        self.at = bad;
        let code = self.int(code.into());
        self.builtin(Builtin::Exit, &[code], None);
        self.at = good;
    }

    /// Branches on the sign of a value: a use that decides something, to the same end whichever way it
    /// goes. (Low bits that are known decide nothing here, as they would in a test for zero.)
    pub fn decide(&mut self, ty: Ty, value: ExprId) {
        let zero = self.p.exprs.constant(ty, 0);
        let cond = self.bin(BinOp::Lt, value, zero);
        self.expect(cond, 0);
    }

    pub fn run(&self) -> Outcome {
        self.run_with(Options::default(), Budget::default()).0
    }

    pub fn run_with(&self, options: Options, budget: Budget) -> (Outcome, Captured) {
        let mut io = Captured::default();
        let outcome = Executor::new(&self.p, options, budget).run(&mut io);
        (outcome, io)
    }

    /// The undefined behaviour that the program meets.
    pub fn undefined(&self) -> Report {
        match self.run().end {
            End::Undefined(report) => report,
            other => panic!("no undefined behaviour: {other:?}"),
        }
    }

    /// Checks the kind, and that the message contains `text`.
    #[track_caller]
    pub fn undefined_is(&self, kind: UbKind, text: &str) {
        let report = self.undefined();
        assert_eq!(report.kind, Some(kind), "{}", report.message);
        assert!(report.message.contains(text), "{:?} lacks {text:?}", report.message);
    }

    #[track_caller]
    pub fn exits_with(&self, code: i32) {
        assert_eq!(self.run().end, End::Exit(code));
    }
}

pub const MODELS: [DataModel; 2] = [DataModel::Ilp32, DataModel::Lp64];
