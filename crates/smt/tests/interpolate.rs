//! Sequence interpolants: found, checked, and refused where there are none.

mod common;

use cairn_smt::Why;
use cairn_smt::auto::Auto;
use cairn_smt::interpolate::sequence;
use cairn_term::{Pool, TermId};
use common::{budget, z3_program};

/// `x0 = 0, x1 = x0 + 1, x2 = x1 + 1, x2 > 5` over integers.
fn counting(p: &mut Pool, wanted: i32) -> Vec<TermId> {
    let x: Vec<TermId> = (0..3).map(|n| p.int_var(&format!("x{n}"))).collect();
    let (zero, one, limit) = (p.int(0), p.int(1), p.int(wanted));
    let (x1, x2) = (p.int_add(x[0], one), p.int_add(x[1], one));
    vec![p.eq(x[0], zero), p.eq(x[1], x1), p.eq(x[2], x2), p.int_lt(limit, x[2])]
}

#[test]
fn interpolants_of_a_counter() {
    let Some(z3) = z3_program() else { return };
    let mut p = Pool::new();
    let parts = counting(&mut p, 5);
    let interpolants = sequence(&mut p, &parts, &z3, &mut Auto::new(), &budget()).unwrap();
    assert_eq!(interpolants.len(), 3);
    for (k, &i) in interpolants.iter().enumerate() {
        let x = p.int_var(&format!("x{k}"));
        assert!(p.free_vars(&[i]).iter().all(|&v| v == x), "{}", p.text(i));
    }
}

#[test]
fn bit_vectors_have_them_too() {
    let Some(z3) = z3_program() else { return };
    let mut p = Pool::new();
    let sort = p.bits_sort(8);
    let (x, y) = (p.var("x", sort), p.var("y", sort));
    let (three, five) = (p.bits(8, 3), p.bits(8, 5));
    let less = p.bv_ult(x, three);
    let same = p.eq(x, y);
    let more = p.bv_ult(five, y);
    let interpolants = sequence(&mut p, &[less, same, more], &z3, &mut Auto::new(), &budget()).unwrap();
    assert_eq!(interpolants.len(), 2);
}

#[test]
fn consistent_parts_have_none() {
    let Some(z3) = z3_program() else { return };
    let mut p = Pool::new();
    let parts = counting(&mut p, 1);
    let result = sequence(&mut p, &parts, &z3, &mut Auto::new(), &budget());
    assert!(matches!(result, Err(Why::Failed(_))), "{result:?}");
}
