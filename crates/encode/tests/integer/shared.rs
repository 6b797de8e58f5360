//! Expressions with shared nodes: the bit-vector reading is linear in the nodes, not
//! in the occurrences, and it is the same as node by node.

use fastrand::Rng;

use super::*;

/// A graph in which every node occurs several times in the one above it, under conditions that
/// depend on it, and may be undefined.
fn graph(p: &mut Program, depth: u32) -> ExprId {
    let u8 = IntTy { bits: 8, signed: false };
    let (x, y) = (add_var(p, "x", Ty::Int(u8)), add_var(p, "y", Ty::Int(u8)));
    let mut e = x;
    for n in 0..depth {
        let small = p.exprs.int(u8, i128::from(37 * n % 251));
        let below = p.exprs.binary(BinOp::Lt, e, small);
        let (other, then) = match n % 3 {
            0 => {
                // Undefined if the low bits are zero.
                let seven = p.exprs.int(u8, 7);
                let low = p.exprs.binary(BinOp::And, e, seven);
                (p.exprs.binary(BinOp::Div, y, low), p.exprs.binary(BinOp::Add, e, y))
            }
            1 => {
                let nine = p.exprs.int(u8, 9);
                let count = p.exprs.binary(BinOp::Rem, e, nine);
                (p.exprs.binary(BinOp::Shl, e, count), p.exprs.unary(UnOp::BitNot, e))
            }
            _ => (p.exprs.binary(BinOp::Mul, e, y), p.exprs.binary(BinOp::Xor, e, y)),
        };
        e = p.exprs.select(below, then, other);
    }
    e
}

#[test]
fn a_shared_node_is_read_once() {
    let mut sizes = Vec::new();
    for depth in [30, 60, 120] {
        let mut p = Program::new(MODEL);
        let e = graph(&mut p, depth);
        let mut pool = Pool::new();
        bit_reading(&p, &mut pool, e);
        sizes.push(pool.len());
    }
    // As many terms again for as many nodes again.
    assert!(sizes[1] < 3 * sizes[0] && sizes[2] < 3 * sizes[1] && sizes[2] < 20_000, "{sizes:?}");
}

#[test]
fn sharing_changes_no_value_and_no_hazard() {
    let (mut defined, mut undefined) = (0, 0);
    for depth in 1..12 {
        let mut p = Program::new(MODEL);
        let e = graph(&mut p, depth);
        let mut pool = Pool::new();
        let (term, hazard) = bit_reading(&p, &mut pool, e);
        let mut rng = Rng::with_seed(depth.into());
        for _ in 0..200 {
            let values: FxHashMap<VarId, u128> = p.vars.keys().map(|v| (v, u128::from(rng.u8(..)))).collect();
            let mut machine = Machine { program: &p, values: &values, leaving: BTreeSet::new() };
            let wanted = machine.run(e);
            let at: Assignment = values
                .iter()
                .filter_map(|(v, &n)| Some((pool.find_var(&format!("b{}", v.as_u32()))?, Value::bits(8, n))))
                .collect();
            let mut eval = Evaluator::new(&pool, &at);
            assert_eq!(eval.holds(hazard), wanted.is_err(), "depth {depth}, {values:?}");
            match wanted {
                Ok(n) => {
                    assert_eq!(eval.eval(term), Value::Int(n.into()), "depth {depth}, {values:?}");
                    defined += 1;
                }
                Err(_) => undefined += 1,
            }
        }
    }
    assert!(defined > 300 && undefined > 300, "{defined} {undefined}");
}
