//! Starting in any function: its arguments are inputs.
//!
//! `main` is called as the system calls it (see [`crate::arguments`]). Any other function
//! with parameters gets a caller, which asks for a value per parameter, under the
//! parameter's name, and calls it. Engines, executor and checker see a program
//! that starts in a function without parameters. Whom a pointer should point to
//! nobody can say; such functions are refused.

use cairn_base::Symbol;
use cairn_ir::{BinOp, Callee, DType, ExprId, Op, Program, Signature, Ty, Var, VarId, VarKind};

use crate::task::TaskError;

/// Gives the entry function a caller if it needs one. Gives the number of its arguments.
pub fn supply_arguments(p: &mut Program) -> Result<usize, TaskError> {
    let Some(entry) = p.entry else { return Ok(0) };
    let callee = &p.funcs[entry];
    let (name, place) = (callee.name, callee.place);
    let params = callee.params.clone();
    if params.is_empty() || name.as_str() == "main" {
        return Ok(0);
    }
    let sig = callee.sig.clone();
    let ty_of = |n: usize| sig.params.get(n).copied().unwrap_or(Ty::Ptr);
    for (n, &v) in params.iter().enumerate() {
        if ty_of(n) == Ty::Ptr || p.vars[v].ty == Ty::Ptr {
            // Records are passed as pointers, and so is where a record is to be returned.
            let (function, parameter) = (name.to_string(), p.vars[v].name.to_string());
            return Err(TaskError::Parameter { function, parameter });
        }
    }
    if sig.params.len() != params.len() {
        return Err(TaskError::Parameter { function: name.to_string(), parameter: "...".to_owned() });
    }
    let sig = Signature { params: vec![], ret: None, variadic: false };
    let caller = p.new_function(Symbol::from(format!("caller of {name}").as_str()), sig, place);
    let (start, exit) = p.new_body(caller);
    let mut at = start;
    let mut args = Vec::with_capacity(params.len());
    for &v in &params {
        let at_param = p.vars[v].place;
        let argument = Var { owner: Some(caller), kind: VarKind::Temp, ..p.vars[v].clone() };
        let input: VarId = p.new_var(argument);
        at = p.new_step(at, Op::Input { dst: input, name: p.vars[v].name }, at_param);
        args.push(truth_if_bool(p, v, input));
    }
    let arguments = args.len();
    let returned =
        p.new_step(at, Op::Call { dst: None, callee: Callee::Func(entry), args: args.into() }, place);
    p.new_edge(returned, exit, Op::Return { value: None }, place);
    p.entry = Some(caller);
    Ok(arguments)
}

/// The value for the variable `v` that an input in `input` stands for: as it is, but a `_Bool` is the
/// truth of any byte.
pub(crate) fn truth_if_bool(p: &mut Program, v: VarId, input: VarId) -> ExprId {
    let value = p.exprs.var(input);
    match p.vars[v].ty {
        ty @ Ty::Int(i) if is_bool(p, v) => {
            let zero = p.exprs.int(i, 0);
            let truth = p.exprs.binary(BinOp::Ne, value, zero);
            p.exprs.cast(ty, truth)
        }
        _ => value,
    }
}

/// Is the variable a `_Bool` in the source?
pub fn is_bool(p: &Program, v: VarId) -> bool {
    let named = |name: Symbol| name.split(' ').next_back() == Some("_Bool");
    p.vars[v].dtype.is_some_and(|d| matches!(p.dtypes[d], DType::Scalar { name, .. } if named(name)))
}
