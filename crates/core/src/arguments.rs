//! `main(argc, argv, envp)`: what a program is called with is input.
//!
//! A program that looks at its arguments gets a caller that chooses them: their
//! number, and the bytes of each (a zero byte ends a string early). Memory is
//! finite, so there are bounds, and the verdict says which. As C allows, but no
//! shell does, `argc` could also be 0; that is not considered, which the bounds
//! say as well. A program that looks at nothing but the number gets any positive
//! one.

use cairn_base::Place;
use cairn_ir::{
    BinOp, Callee, Data, ExprId, FuncId, Init, IntTy, LocId, ObjId, ObjKind, Object, Op, Program, Signature,
    Site, Ty, VarId, sym,
};
use rustc_hash::FxHashSet;

/// Bounds of what `main` may be called with.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Arguments {
    /// Arguments besides the program's name; also strings of the environment.
    pub count: u32,
    /// The characters of each.
    pub length: u32,
}

impl Default for Arguments {
    fn default() -> Arguments {
        Arguments { count: 2, length: 8 }
    }
}

/// The name of the input for the number of arguments.
pub const COUNT: &str = "argc";
/// What the names of inputs for the bytes of strings begin with; the number follows in brackets.
pub const VECTOR: &str = "argv";
pub const ENVIRONMENT: &str = "envp";
/// The number of strings in the environment.
const ENVIRONMENT_COUNT: &str = "envc";

/// Supplies the arguments of `main`, if executions start there and it has some.
pub fn supply(p: &mut Program, bounds: &Arguments) {
    let Some(main) = p.entry else { return };
    if p.funcs[main].name.as_str() != "main" || p.funcs[main].body.is_none() {
        return;
    }
    let used = used_params(p, main);
    match (&p.funcs[main].sig.params[..], &used[..]) {
        ([Ty::Int(i), rest @ ..], [number, others @ ..])
            if *i == IntTy::I32 && rest.len() <= 2 && rest.iter().all(|t| *t == Ty::Ptr) =>
        {
            if others.contains(&true) {
                call(p, main, others.get(1) == Some(&true), bounds);
            } else if *number {
                choose_number(p, main);
            }
        }
        _ => {}
    }
}

/// Which parameters of a function its body looks at.
fn used_params(p: &Program, f: FuncId) -> Vec<bool> {
    let mut used: FxHashSet<VarId> = FxHashSet::default();
    for &e in p.funcs[f].body.iter().flat_map(|b| &b.edges) {
        p.edges[e].op.each_expr(|x| {
            p.exprs.each_var(x, &mut |v| {
                used.insert(v);
            });
        });
    }
    p.funcs[f].params.iter().map(|v| used.contains(v)).collect()
}

/// The number of arguments is any positive one.
fn choose_number(p: &mut Program, main: FuncId) {
    let count = p.funcs[main].params[0];
    let place = p.vars[count].place;
    let zero = p.exprs.int(IntTy::I32, 0);
    let value = p.exprs.var(count);
    let cond = p.exprs.binary(BinOp::Lt, zero, value);
    p.insert_at_entry(main, Op::Assume { cond, holds: true }, place);
    p.insert_at_entry(main, Op::Input { dst: count, name: sym(COUNT) }, place);
}

/// A caller of `main`, under construction.
struct Caller<'p> {
    p: &'p mut Program,
    func: FuncId,
    at: LocId,
    place: Place,
}

fn call(p: &mut Program, main: FuncId, environment: bool, bounds: &Arguments) {
    let place = p.funcs[main].place;
    let ret = p.funcs[main].sig.ret;
    let sig = Signature { params: vec![], ret, variadic: false };
    let func = p.new_function(sym("caller of main"), sig, place);
    let (start, exit) = p.new_body(func);
    let Arguments { count, length } = *bounds;
    let plural = |n: u32, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    let bounds = format!(
        "it is called with its name and at most {} of at most {}",
        plural(count, "argument"),
        plural(length, "character")
    );
    p.suppose(Site::Func(func), bounds);
    if environment {
        p.suppose(Site::Func(func), format!("the environment has at most {}", plural(count, "string")));
    }
    let mut caller = Caller { p, func, at: start, place };
    let argc = caller.number(COUNT, 1, i128::from(count) + 1);
    let mut args = vec![argc];
    let argv = caller.vector(VECTOR, argc, count + 1, length);
    if caller.p.funcs[main].params.len() > 1 {
        args.push(argv);
    }
    if caller.p.funcs[main].params.len() > 2 {
        let envp = if environment {
            let envc = caller.number(ENVIRONMENT_COUNT, 0, count.into());
            caller.vector(ENVIRONMENT, envc, count, length)
        } else {
            let zero = caller.p.exprs.int(IntTy::I32, 0);
            caller.vector(ENVIRONMENT, zero, 0, 0)
        };
        args.push(envp);
    }
    let dst = ret.map(|ty| caller.temp(ty));
    caller.step(Op::Call { dst, callee: Callee::Func(main), args: args.into() });
    let value = dst.map(|v| caller.p.exprs.var(v));
    let at = caller.at;
    p.new_edge(at, exit, Op::Return { value }, place);
    p.entry = Some(func);
}

impl Caller<'_> {
    fn step(&mut self, op: Op) {
        self.at = self.p.new_step(self.at, op, self.place);
    }

    fn temp(&mut self, ty: Ty) -> VarId {
        self.p.new_temp(self.func, sym("tmp"), ty, self.place)
    }

    fn input(&mut self, ty: Ty, name: &str) -> ExprId {
        let value;
        (value, self.at) = self.p.new_input(self.at, sym(name), ty, self.place);
        value
    }

    /// A number within bounds.
    fn number(&mut self, name: &str, least: i128, most: i128) -> ExprId {
        let value = self.input(Ty::I32, name);
        let x = &mut self.p.exprs;
        let (least, most) = (x.int(IntTy::I32, least), x.int(IntTy::I32, most));
        for cond in [x.binary(BinOp::Le, least, value), x.binary(BinOp::Le, value, most)] {
            self.step(Op::Assume { cond, holds: true });
        }
        value
    }

    fn object(&mut self, name: &str, size: u64, align: u64) -> ObjId {
        self.p.new_object(Object {
            name: sym(name),
            owner: None,
            kind: ObjKind::Global,
            size,
            align: align as u32,
            init: Init::Static(Data::default()),
            place: self.place,
            scope: Place::NONE,
            dtype: None,
        })
    }

    fn at_offset(&mut self, object: ObjId, offset: u64) -> ExprId {
        let x = &mut self.p.exprs;
        let base = x.addr(object);
        let offset = x.int(IntTy::diff(self.p.model), offset.into());
        x.binary(BinOp::PtrAdd, base, offset)
    }

    /// An array of pointers to strings, `most` at most and `count` in fact, and null behind them.
    fn vector(&mut self, name: &str, count: ExprId, most: u32, length: u32) -> ExprId {
        let pointer = self.p.model.ptr_bytes();
        let vector = self.object(name, pointer * (u64::from(most) + 1), pointer);
        for i in 0..most {
            let string = format!("{name}[{i}]");
            let object = self.object(&string, u64::from(length) + 1, 1);
            for j in 0..length {
                let value = self.input(Ty::Int(IntTy::I8), &string);
                let addr = self.at_offset(object, j.into());
                self.step(Op::Store { addr, value });
            }
            let x = &mut self.p.exprs;
            let (number, there, null) = (x.int(IntTy::I32, i.into()), x.addr(object), x.ptr(0));
            let given = x.binary(BinOp::Lt, number, count);
            let value = x.select(given, there, null);
            let addr = self.at_offset(vector, pointer * u64::from(i));
            self.step(Op::Store { addr, value });
        }
        self.p.exprs.addr(vector)
    }
}
