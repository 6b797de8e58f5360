//! Times the back ends on queries of the kind that C programs give rise to.
//!
//! `cargo run --release -p cairn-smt --example compare [SECONDS [SOLVER]]`

use std::time::{Duration, Instant};

use cairn_base::Budget;
use cairn_smt::sat::Sat;
use cairn_smt::z3::{Kind, Z3};
use cairn_smt::{Answer, Solver};
use cairn_term::random::{Flavour, Maker};
use cairn_term::{Pool, TermId};
use cairn_value::{FloatTy, float};
use fastrand::Rng;

struct Query {
    family: &'static str,
    pool: Pool,
    assertions: Vec<TermId>,
}

fn query(family: &'static str, build: impl FnOnce(&mut Pool) -> Vec<TermId>) -> Query {
    let mut pool = Pool::new();
    let assertions = build(&mut pool);
    Query { family, pool, assertions }
}

fn vars(p: &mut Pool, width: u8, count: usize) -> Vec<TermId> {
    let sort = p.bits_sort(width);
    (0..count).map(|n| p.var(&format!("v{n}"), sort)).collect()
}

/// `x / k * k + x % k == x` and `x % k < k`, negated: unsatisfiable.
fn division(p: &mut Pool, width: u8, k: Option<u128>, signed: bool) -> Vec<TermId> {
    let v = vars(p, width, 2);
    let x = v[0];
    let y = k.map_or(v[1], |k| p.bits(width, k));
    let zero = p.bits(width, 0);
    let defined = p.ne(y, zero);
    let (q, r) = if signed { (p.bv_sdiv(x, y), p.bv_srem(x, y)) } else { (p.bv_udiv(x, y), p.bv_urem(x, y)) };
    let product = p.bv_mul(q, y);
    let back = p.bv_add(product, r);
    let same = p.eq(back, x);
    vec![defined, p.not(same)]
}

/// Insertion sort on `n` bytes, and the claim that the result is not sorted: unsatisfiable.
fn sorting(p: &mut Pool, n: usize, width: u8) -> Vec<TermId> {
    let mut a = vars(p, width, n);
    for i in 1..n {
        for j in (1..=i).rev() {
            let swap = p.bv_slt(a[j], a[j - 1]);
            let (x, y) = (p.ite(swap, a[j], a[j - 1]), p.ite(swap, a[j - 1], a[j]));
            a[j - 1] = x;
            a[j] = y;
        }
    }
    let bad: Vec<TermId> = a.windows(2).map(|w| p.bv_slt(w[1], w[0])).collect();
    vec![p.or(&bad)]
}

/// Two ways of counting bits differ: unsatisfiable.
fn popcount(p: &mut Pool, width: u8) -> Vec<TermId> {
    let x = vars(p, width, 1)[0];
    let fast = p.bv_popcount(x);
    let mut slow = p.bits(width, 0);
    let mut rest = x;
    let (zero, one) = (p.bits(width, 0), p.bits(width, 1));
    for _ in 0..width {
        let more = p.ne(rest, zero);
        let less = p.bv_sub(rest, one);
        let next = p.bv_and(rest, less);
        let up = p.bv_add(slow, one);
        slow = p.ite(more, up, slow);
        rest = p.ite(more, next, rest);
    }
    vec![p.ne(fast, slow)]
}

/// A state machine run for `n` steps over arbitrary inputs reaches a state: satisfiable if it can.
fn machine(p: &mut Pool, n: usize, target: u128) -> Vec<TermId> {
    let inputs = vars(p, 8, n);
    let mut state = p.bits(32, 0);
    let mut sum = p.bits(32, 0);
    for input in inputs {
        let wide = p.zero_ext(24, input);
        sum = p.bv_add(sum, wide);
        let (seven, three) = (p.bits(32, 7), p.bits(32, 3));
        let step = p.bv_urem(sum, seven);
        let go = p.bv_ult(three, step);
        let one = p.bits(32, 1);
        let up = p.bv_add(state, one);
        state = p.ite(go, up, state);
    }
    let (t, limit) = (p.bits(32, target), p.bits(32, 9));
    vec![p.eq(state, t), p.bv_ult(sum, limit)]
}

/// A linear congruential generator run backwards: satisfiable.
fn generator(p: &mut Pool, n: usize) -> Vec<TermId> {
    let mut x = vars(p, 32, 1)[0];
    let (a, c, mask) = (p.bits(32, 1_103_515_245), p.bits(32, 12345), p.bits(32, 0x7fff));
    let sixteen = p.bits(32, 16);
    let mut seen = Vec::new();
    for k in 0..n {
        x = p.bv_mul(x, a);
        x = p.bv_add(x, c);
        let high = p.bv_lshr(x, sixteen);
        let out = p.bv_and(high, mask);
        let five = p.bits(32, 5 + k as u128);
        let digit = p.bv_urem(out, five);
        let two = p.bits(32, 2);
        seen.push(p.eq(digit, two));
    }
    seen
}

/// `(a + b) * c == a * c + b * c`, negated: unsatisfiable and hard for its size.
fn distributive(p: &mut Pool, width: u8) -> Vec<TermId> {
    let v = vars(p, width, 3);
    let sum = p.bv_add(v[0], v[1]);
    let left = p.bv_mul(sum, v[2]);
    let (x, y) = (p.bv_mul(v[0], v[2]), p.bv_mul(v[1], v[2]));
    let right = p.bv_add(x, y);
    vec![p.ne(left, right)]
}

/// Signed overflow of a sum of products of small numbers: unsatisfiable.
fn no_overflow(p: &mut Pool, n: usize) -> Vec<TermId> {
    let v = vars(p, 16, 2 * n);
    let mut sum = p.bits(32, 0);
    let mut bad = Vec::new();
    let limit = p.bits(32, 10_000);
    for pair in v.chunks(2) {
        let (x, y) = (p.sign_ext(16, pair[0]), p.sign_ext(16, pair[1]));
        bad.push(p.bv_smulo(x, y));
        let product = p.bv_mul(x, y);
        let rest = p.bv_srem(product, limit);
        bad.push(p.bv_saddo(sum, rest));
        sum = p.bv_add(sum, rest);
    }
    vec![p.or(&bad)]
}

/// Reversing the bits of a word twice: unsatisfiable.
fn reversal(p: &mut Pool, width: u8) -> Vec<TermId> {
    let x = vars(p, width, 1)[0];
    let mut y = x;
    for _ in 0..2 {
        let mut out = p.bits(width, 0);
        let (one, zero) = (p.bits(width, 1), p.bits(width, 0));
        for n in 0..width {
            let k = p.bits(width, n.into());
            let shifted = p.bv_lshr(y, k);
            let bit = p.bv_and(shifted, one);
            let set = p.ne(bit, zero);
            let place = p.bits(width, 1 << (width - 1 - n));
            let with = p.bv_or(out, place);
            out = p.ite(set, with, out);
        }
        y = out;
    }
    vec![p.ne(x, y)]
}

/// An array of bytes is filled, reversed in place and read at an arbitrary place: unsatisfiable.
fn reversing_memory(p: &mut Pool, n: u128) -> Vec<TermId> {
    let (index, element) = (p.bits_sort(32), p.bits_sort(8));
    let sort = p.array_sort(index, element);
    let (start, k, base) = (p.var("m", sort), p.var("k", index), p.var("base", index));
    let mut m = start;
    let place = |p: &mut Pool, i: u128| {
        let i = p.bits(32, i);
        p.bv_add(base, i)
    };
    for i in 0..n / 2 {
        let (left, right) = (place(p, i), place(p, n - 1 - i));
        let (x, y) = (p.select(m, left), p.select(m, right));
        m = p.store(m, left, y);
        m = p.store(m, right, x);
    }
    let (limit, last) = (p.bits(32, n), p.bits(32, n - 1));
    let inside = p.bv_ult(k, limit);
    let mirrored = p.bv_sub(last, k);
    let (from, to) = (p.bv_add(base, mirrored), p.bv_add(base, k));
    let (old, new) = (p.select(start, from), p.select(m, to));
    vec![inside, p.ne(old, new)]
}

/// Writes at arbitrary places, then reads at arbitrary places: satisfiable.
fn scattered_memory(p: &mut Pool, n: usize) -> Vec<TermId> {
    let (index, element) = (p.bits_sort(32), p.bits_sort(8));
    let sort = p.array_sort(index, element);
    let mut m = p.var("m", sort);
    let places: Vec<TermId> = (0..n).map(|i| p.var(&format!("i{i}"), index)).collect();
    let limit = p.bits(32, n as u128);
    let mut parts = Vec::new();
    for (i, &at) in places.iter().enumerate() {
        let value = p.bits(8, i as u128 + 1);
        m = p.store(m, at, value);
        parts.push(p.bv_ult(at, limit));
    }
    let mut sum = p.bits(8, 0);
    for i in 0..n {
        let at = p.bits(32, i as u128);
        let value = p.select(m, at);
        sum = p.bv_add(sum, value);
    }
    let wanted = p.bits(8, 77);
    parts.push(p.eq(sum, wanted));
    parts
}

/// Sums of floats in two orders differ by more than they may (satisfiable for a small limit).
fn float_sums(p: &mut Pool, ty: FloatTy, n: usize, limit: f64) -> Vec<TermId> {
    let sort = p.float_sort(ty);
    let x: Vec<TermId> = (0..n).map(|i| p.var(&format!("f{i}"), sort)).collect();
    let (one, two) = (p.float(ty, float::from_f64(ty, 1.0)), p.float(ty, float::from_f64(ty, 2.0)));
    let mut parts: Vec<TermId> = Vec::new();
    for &v in &x {
        parts.push(p.fp_le(one, v));
        parts.push(p.fp_le(v, two));
    }
    let forward = x.iter().copied().reduce(|a, b| p.fp_add(a, b)).unwrap_or(one);
    let backward = x.iter().rev().copied().reduce(|a, b| p.fp_add(a, b)).unwrap_or(one);
    let difference = p.fp_sub(forward, backward);
    let limit = p.float(ty, float::from_f64(ty, limit));
    parts.push(p.fp_lt(limit, difference));
    parts
}

/// `x * x` of a float between 0 and 1 exceeds it: unsatisfiable.
fn float_square(p: &mut Pool, ty: FloatTy) -> Vec<TermId> {
    let sort = p.float_sort(ty);
    let x = p.var("x", sort);
    let (zero, one) = (p.float(ty, 0), p.float(ty, float::from_f64(ty, 1.0)));
    let square = p.fp_mul(x, x);
    vec![p.fp_le(zero, x), p.fp_le(x, one), p.fp_lt(x, square)]
}

fn random(seed: u64, count: usize) -> Vec<Query> {
    let mut rng = Rng::with_seed(seed);
    (0..count)
        .map(|_| {
            query("random", |pool| {
                let widths: &[u8] = &[8, 16, 32];
                let formats = &[];
                let rng = Rng::with_seed(rng.u64(..));
                let flavour = Flavour::BITS;
                let mut maker = Maker { pool, rng, flavour, simplify: true, widths, formats };
                (0..6).map(|_| maker.boolean(4)).collect()
            })
        })
        .collect()
}

fn queries() -> Vec<Query> {
    let mut all = random(7, 100);
    for k in [3, 7, 10, 12, 100, 1000, 641] {
        for signed in [false, true] {
            all.push(query("division by a constant", |p| division(p, 32, Some(k), signed)));
        }
    }
    for width in [6, 8, 10] {
        for signed in [false, true] {
            all.push(query("division", |p| division(p, width, None, signed)));
        }
    }
    for n in 3..=7 {
        all.push(query("sorting", |p| sorting(p, n, 8)));
        all.push(query("sorting", |p| sorting(p, n, 32)));
    }
    for width in [8, 16, 24, 32] {
        all.push(query("popcount", |p| popcount(p, width)));
        all.push(query("reversal", |p| reversal(p, width)));
    }
    for n in [4, 8, 12, 16, 20] {
        all.push(query("machine", |p| machine(p, n, n as u128 / 2)));
        all.push(query("machine", |p| machine(p, n, n as u128)));
        all.push(query("generator", |p| generator(p, n / 2)));
        all.push(query("no overflow", |p| no_overflow(p, n / 4)));
    }
    for n in [4, 8, 16, 32] {
        all.push(query("memory", |p| reversing_memory(p, n)));
        all.push(query("memory", |p| scattered_memory(p, n as usize)));
    }
    for ty in [FloatTy::F32, FloatTy::F64] {
        for n in [2, 3] {
            all.push(query("floats", |p| float_sums(p, ty, n, 0.0)));
            all.push(query("floats", |p| float_sums(p, ty, n, 0.1)));
        }
        all.push(query("floats", |p| float_square(p, ty)));
    }
    for width in [4, 5, 6, 7] {
        all.push(query("distributive", |p| distributive(p, width)));
    }
    all
}

fn cpu() -> Duration {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = text.rsplit(')').next().unwrap_or("").split_whitespace().collect();
    let ticks: u64 = [11, 12].iter().filter_map(|&n| fields.get(n)?.parse::<u64>().ok()).sum();
    Duration::from_millis(ticks * 10)
}

type Make = fn() -> Box<dyn Solver>;

fn main() {
    let seconds = std::env::args().nth(1).and_then(|s| s.parse().ok()).unwrap_or(10.0);
    let solvers: [(&str, Make); 4] = [
        ("cadical", || Box::new(Sat::new())),
        ("z3 simple", || Box::new(Z3::with_kind(Kind::Simple))),
        ("z3 combined", || Box::new(Z3::with_kind(Kind::Combined))),
        ("z3 QF_FD", || Box::new(Z3::with_kind(Kind::FiniteDomain))),
    ];
    let queries = queries();
    println!("{} queries, {seconds} s each", queries.len());
    let mut families: Vec<&str> = queries.iter().map(|q| q.family).collect();
    families.sort_unstable();
    families.dedup();
    let mut answers: Vec<Option<Answer>> = vec![None; queries.len()];
    let only = std::env::args().nth(2);
    for (name, make) in solvers.into_iter().filter(|s| only.as_ref().is_none_or(|o| s.0 == o)) {
        let start = (Instant::now(), cpu());
        let mut solved = 0;
        let mut table: Vec<(f64, usize)> = vec![(0.0, 0); families.len()];
        for (q, known) in queries.iter().zip(&mut answers) {
            let begin = Instant::now();
            let mut solver = make();
            for &t in &q.assertions {
                solver.assert(&q.pool, t);
            }
            let answer =
                solver.check(&q.pool, &[], &Budget::default().with_time(Duration::from_secs_f64(seconds)));
            let at = families.iter().position(|&f| f == q.family).unwrap_or(0);
            table[at].0 += begin.elapsed().as_secs_f64();
            if !matches!(answer, Answer::Unknown(_)) {
                solved += 1;
                table[at].1 += 1;
                match known {
                    Some(other) => assert_eq!(*other, answer, "{name} contradicts on {}", q.family),
                    None => *known = Some(answer),
                }
            }
        }
        let (wall, cpu) = (start.0.elapsed(), cpu() - start.1);
        println!("{name}: solved {solved}, wall {:.1} s, cpu {:.1} s", wall.as_secs_f64(), cpu.as_secs_f64());
        for (family, (time, count)) in families.iter().zip(table) {
            println!("    {family:24} {count:4} solved {time:8.2} s");
        }
    }
}
