//! Random expressions of the IR, written as C, compiled again and executed:
//! they have the values that the IR gives them.

use cairn_base::{Budget, DataModel};
use cairn_cfront::{Input, Options, compile};
use cairn_core::{Property, Task};
use cairn_ir::{BinOp, Expr, ExprId, IntTy, Program, Ty, UnOp, VarId};
use cairn_sem::{End, Executor};
use cairn_value::{Bits, eval};
use cairn_witness::expression::c_expression;
use cairn_witness::witness::{Invariant, Position};
use cairn_witness::{Sources, validate};
use oorandom::Rand32;
use std::collections::BTreeMap;

const PROGRAM: &str = "\
signed char c = -3; unsigned char d = 250; short s = -300; unsigned short t = 65000;
int i = -2147483647; unsigned u = 4294967290U; long long l = -9223372036854775807LL; unsigned long v = 17;
float f = 0.1f; double g = -1e300;
int main(void) {
    int turns = 0;
    while (turns < 1) { turns++; c++; c--; d++; d--; s++; s--; t++; t--; i++; i--; u++; u--; l++; l--; v++; v--; f += 0; g += 0; }
    return 0;
}
";

fn value(p: &Program, e: ExprId, vars: &BTreeMap<VarId, Bits>, model: DataModel) -> Option<Bits> {
    Some(match p.exprs.get(e) {
        Expr::Var(v) => *vars.get(&v)?,
        Expr::Unary(op, a) => eval::unary(op, p.ty(a), value(p, a, vars, model)?).ok()?,
        Expr::Binary(op, a, b) => {
            let (x, y) = (value(p, a, vars, model)?, value(p, b, vars, model)?);
            eval::binary(op, p.ty(a), p.ty(b), x, y, model).ok()?
        }
        Expr::Cast(to, a) => eval::cast(p.ty(a), to, value(p, a, vars, model)?, model).ok()?,
        Expr::Select(c, t, f) => {
            let side = if value(p, c, vars, model)? != 0 { t } else { f };
            value(p, side, vars, model)?
        }
        _ => p.exprs.const_bits(e)?,
    })
}

fn random(p: &mut Program, r: &mut Rand32, vars: &[VarId], ty: Ty, depth: u32) -> ExprId {
    let leaf = depth == 0 || r.rand_range(0..5) == 0;
    match ty {
        Ty::Bool => {
            let of = p.vars[vars[r.rand_range(0..vars.len() as u32) as usize]].ty;
            let (a, b) = (
                random(p, r, vars, of, depth.saturating_sub(1)),
                random(p, r, vars, of, depth.saturating_sub(1)),
            );
            let op = [BinOp::Eq, BinOp::Ne, BinOp::Lt, BinOp::Le][r.rand_range(0..4) as usize];
            let x = p.exprs.binary(op, a, b);
            if leaf {
                return x;
            }
            let y = random(p, r, vars, Ty::Bool, depth - 1);
            match r.rand_range(0..4) {
                0 => p.exprs.unary(UnOp::Not, x),
                n => p.exprs.binary([BinOp::And, BinOp::Or, BinOp::Xor][n as usize - 1], x, y),
            }
        }
        _ if leaf => {
            let same: Vec<VarId> = vars.iter().copied().filter(|&v| p.vars[v].ty == ty).collect();
            match (ty, r.rand_range(0..3)) {
                (Ty::Int(i), 0) => p.exprs.int(i, i128::from(r.rand_i32()) >> r.rand_range(0..32)),
                (_, 1) => {
                    let v = vars[r.rand_range(0..vars.len() as u32) as usize];
                    let x = p.exprs.var(v);
                    let from_float = matches!(p.ty(x), Ty::Float(_)) && matches!(ty, Ty::Int(_));
                    if from_float { p.exprs.var(same[0]) } else { p.exprs.cast(ty, x) }
                }
                _ => p.exprs.var(same[0]),
            }
        }
        Ty::Int(i) => {
            let a = random(p, r, vars, ty, depth - 1);
            match r.rand_range(0..12) {
                0 => p.exprs.unary(UnOp::Neg, a),
                1 => p.exprs.unary(UnOp::BitNot, a),
                2 => {
                    let n = p.exprs.int(IntTy::I32, r.rand_range(0..u32::from(i.bits)).into());
                    let op = if r.rand_range(0..2) == 0 { BinOp::Shl } else { BinOp::Shr };
                    p.exprs.binary(op, a, n)
                }
                3 => {
                    let n = p.exprs.int(i, i128::from(r.rand_range(2..100)));
                    let op = if r.rand_range(0..2) == 0 { BinOp::Div } else { BinOp::Rem };
                    p.exprs.binary(op, a, n)
                }
                4 => {
                    let c = random(p, r, vars, Ty::Bool, depth - 1);
                    let b = random(p, r, vars, ty, depth - 1);
                    p.exprs.select(c, a, b)
                }
                n => {
                    let b = random(p, r, vars, ty, depth - 1);
                    let ops =
                        [BinOp::Add, BinOp::Sub, BinOp::Mul, BinOp::And, BinOp::Or, BinOp::Xor, BinOp::Add];
                    p.exprs.binary(ops[n as usize - 5], a, b)
                }
            }
        }
        _ => {
            let (a, b) = (random(p, r, vars, ty, depth - 1), random(p, r, vars, ty, depth - 1));
            p.exprs.binary([BinOp::Add, BinOp::Sub, BinOp::Mul][r.rand_range(0..3) as usize], a, b)
        }
    }
}

#[test]
fn the_same_value() {
    for (model, seed) in [(DataModel::Lp64, 1), (DataModel::Ilp32, 2)] {
        let unit = [Input::Text { name: "e.c".into(), text: PROGRAM.into() }];
        let options = Options::with_model(model);
        let mut p = compile(&unit, &options, None).map_err(|_| ()).unwrap().program;
        let mut values = BTreeMap::new();
        let globals: Vec<(VarId, ExprId)> = p
            .vars
            .iter()
            .filter_map(|(v, x)| match x.kind {
                cairn_ir::VarKind::Global { init } => Some((v, init)),
                _ => None,
            })
            .collect();
        for &(v, init) in &globals {
            values.insert(v, p.exprs.const_bits(init).unwrap());
        }
        let vars: Vec<VarId> = values.keys().copied().collect();
        assert_eq!(vars.len(), 10);
        let head = p.locs.iter().find(|(_, l)| l.loop_stmt.is_some()).unwrap().0;
        let mut r = Rand32::new(seed);
        let mut invariants = Vec::new();
        let mut printed = 0;
        for _ in 0..400 {
            let e = random(&mut p, &mut r, &vars, Ty::Bool, 3);
            let Some(truth) = value(&p, e, &values, model) else { continue };
            let Some(text) = c_expression(&p, &p.exprs, e, head, None) else { continue };
            printed += 1;
            let at = Position { file: "e.c".into(), line: 6, column: Some(5), function: None };
            let value = if truth != 0 { text } else { format!("!({text})") };
            invariants.push(Invariant { at, is_loop: true, value });
        }
        assert!(printed > 200, "{printed}");
        let sources = Sources::load(&unit, &options, None).unwrap();
        for some in invariants.chunks(25) {
            let inputs = validate::with_invariants(&sources, some).unwrap();
            let program = compile(&inputs, &options, None)
                .map_err(|d| panic!("{}: {some:?}", d.diagnostics[0].message))
                .unwrap_or_else(|()| unreachable!())
                .program;
            let broken =
                Property::UnreachCall { functions: vec![validate::BROKEN.into()], assertions: false };
            let task = Task::new(program, broken, Default::default()).unwrap();
            let mut io = cairn_sem::Captured::default();
            let run = cairn_sem::Options { targets: vec![], ..Default::default() };
            let end = Executor::new(&task.program, run, Budget::default()).run_with(&mut io, None).end;
            assert!(matches!(end, End::Exit(0)), "{model}: {end:?}\n{some:#?}");
        }
    }
}

#[test]
fn long_expressions_are_left_out() {
    let unit = [Input::Text { name: "e.c".into(), text: PROGRAM.into() }];
    let mut p = compile(&unit, &Options::with_model(DataModel::Lp64), None).map_err(|_| ()).unwrap().program;
    let head = p.locs.iter().find(|(_, l)| l.loop_stmt.is_some()).unwrap().0;
    let v = p.vars.iter().find(|(_, v)| v.name.as_str() == "u").unwrap().0;
    let mut e = p.exprs.var(v);
    // As a tree this has 2^60 nodes.
    for _ in 0..60 {
        let one = p.exprs.int(IntTy::U32, 1);
        let next = p.exprs.binary(BinOp::Xor, e, one);
        e = p.exprs.binary(BinOp::Mul, next, e);
    }
    let zero = p.exprs.int(IntTy::U32, 0);
    let fact = p.exprs.binary(BinOp::Eq, e, zero);
    assert_eq!(c_expression(&p, &p.exprs, fact, head, None), None);
}
