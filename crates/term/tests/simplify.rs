//! Simplification never changes a value: random terms, built as drawn and
//! built through the constructors, are evaluated side by side.

use cairn_term::random::{Flavour, Maker, assignment};
use cairn_term::{Evaluator, Pool, TermId, parse};
use cairn_value::FloatTy;
use fastrand::Rng;

const FORMATS: [FloatTy; 4] = [FloatTy::F32, FloatTy::F64, FloatTy::X80, FloatTy::F128];

fn draw(pool: &mut Pool, rng: &mut Rng, flavour: Flavour, widths: &[u8], depth: u32) -> TermId {
    let seed = rng.u64(..);
    let mut maker =
        Maker { pool, rng: Rng::with_seed(seed), flavour, simplify: false, widths, formats: &FORMATS };
    maker.boolean(depth)
}

fn same_value(pool: &Pool, rng: &mut Rng, raw: TermId, other: TermId) {
    for _ in 0..12 {
        let assignment = assignment(rng, pool, &[raw]);
        let expected = Evaluator::new(pool, &assignment).eval(raw);
        let got = Evaluator::new(pool, &assignment).eval(other);
        assert_eq!(got, expected, "\n{}\nbecame\n{}\nat {assignment:?}", pool.text(raw), pool.text(other));
    }
}

fn campaign(flavour: Flavour, widths: &[u8], rounds: u32, depth: u32, seed: u64) {
    let mut rng = Rng::with_seed(seed);
    let mut smaller = 0;
    for _ in 0..rounds {
        let mut pool = Pool::new();
        let raw = draw(&mut pool, &mut rng, flavour, widths, depth);
        let simple = pool.simplify(raw);
        same_value(&pool, &mut rng, raw, simple);
        smaller += u32::from(pool.size(simple) < pool.size(raw));
        // Building again changes nothing that matters.
        let again = pool.simplify(simple);
        same_value(&pool, &mut rng, raw, again);
    }
    assert!(smaller > rounds / 3, "only {smaller} of {rounds} terms got smaller");
}

#[test]
fn narrow_bit_vectors() {
    campaign(Flavour::BITS, &[1, 2, 3, 4], 6000, 4, 1);
}

#[test]
fn c_like_bit_vectors() {
    campaign(Flavour::BITS, &[8, 16, 32, 64, 128], 3000, 4, 2);
}

#[test]
fn shallow_terms_hit_every_rule() {
    campaign(Flavour::BITS, &[1, 2, 8], 20000, 2, 3);
}

#[test]
fn integers_and_arrays() {
    let flavour = Flavour { floats: false, ..Flavour::ALL };
    campaign(flavour, &[4, 8], 3000, 4, 4);
}

#[test]
fn everything() {
    campaign(Flavour::ALL, &[4, 8, 32, 79], 2000, 4, 5);
}

#[test]
fn text_reads_back_as_the_same_value() {
    let mut rng = Rng::with_seed(6);
    for _ in 0..1500 {
        let mut pool = Pool::new();
        let raw = draw(&mut pool, &mut rng, Flavour::ALL, &[1, 4, 8, 33], 4);
        let text = pool.text(raw);
        let read = parse::term(&mut pool, &text).unwrap_or_else(|e| panic!("{e} in {text}"));
        same_value(&pool, &mut rng, raw, read);
        let simple = pool.simplify(raw);
        let text = pool.text(simple);
        assert_eq!(parse::term(&mut pool, &text), Ok(pool.simplify(simple)));
    }
}

#[test]
fn text_is_linear_in_the_shared_term() {
    let mut pool = Pool::new();
    let sort = pool.bits_sort(32);
    let (x, y) = (pool.var("x", sort), pool.var("y", sort));
    let mut t = x;
    for _ in 0..10_000 {
        let u = pool.bv_mul(t, t);
        t = pool.bv_xor(u, y);
    }
    let text = pool.text(t);
    assert!(text.len() < 10_000 * 60, "{}", text.len());
    assert_eq!(parse::term(&mut pool, &text), Ok(t));
}
