//! What the stars of hand-written loops know, and that they are right.

mod lab;

use lab::Lab;

#[test]
fn unchanged_variables_stay_and_no_turn_changes_nothing() {
    let mut lab = Lab::new("x y");
    let star = lab.sound_star("(< x y)", "x := (+ x 1)");
    assert!(lab.always(&star, "(= y' y)"));
    assert!(lab.can(&star, "(= x' x)"));
    assert!(lab.always(&star, "(=> (>= x y) (= x' x))"));
}

#[test]
fn equations_between_changes() {
    let mut lab = Lab::new("x y z");
    let star = lab.sound_star("true", "x := (+ x u); y := (- y u); z := (+ z (* 2 u) 3)");
    assert!(lab.always(&star, "(= (+ x' y') (+ x y))"));
    assert!(lab.always(&star, "(= (mod (- (+ z' (* 2 y')) (+ z (* 2 y))) 3) 0)"));
    assert!(lab.always(&star, "(>= (- (+ z' (* 2 y')) (+ z (* 2 y))) 0)"));
}

#[test]
fn changes_are_bounded() {
    let mut lab = Lab::new("x y i");
    let body = "(and (<= 1 u) (<= u 3) (or (and (= w 1) (= c 0)) (and (= w 0) (= c 1))))";
    let star = lab.sound_star(body, "x := (+ x u); y := (+ y w); i := (+ i 1)");
    assert!(lab.always(&star, "(and (<= (- i' i) (- x' x)) (<= (- x' x) (* 3 (- i' i))))"));
    assert!(lab.always(&star, "(and (<= 0 (- y' y)) (<= (- y' y) (- i' i)))"));
    assert!(lab.can(&star, "(and (= (- i' i) 5) (= (- x' x) 15))"));
}

#[test]
fn two_variables_share_their_turns() {
    let mut lab = Lab::new("x y i");
    let star = lab.sound_star(
        "(or (and (= u (+ x 1)) (= w y)) (and (= u x) (= w (+ y 1))))",
        "x := u; y := w; i := (+ i 1)",
    );
    assert!(lab.always(&star, "(= (+ (- x' x) (- y' y)) (- i' i))"));
}

#[test]
fn what_holds_before_and_after_turns() {
    let mut lab = Lab::new("x n");
    let star = lab.sound_star("(and (< x n) (<= 1 u) (<= u 4))", "x := (+ x u)");
    assert!(lab.always(&star, "(=> (distinct x' x) (and (< x n) (< x' (+ n 4))))"));
}

#[test]
fn guarded_translations_are_exact() {
    let mut lab = Lab::new("x n");
    let star = lab.sound_star("(< x n)", "x := (+ x 3)");
    assert!(lab.always(&star, "(=> (distinct x' x) (<= x' (+ n 2)))"));
    assert!(lab.always(&star, "(= (mod (- x' x) 3) 0)"));
    assert!(lab.can(&star, "(and (= x 0) (= n 100) (= x' 102))"));
    assert!(!lab.can(&star, "(and (= x 0) (= n 100) (= x' 105))"));
}

#[test]
fn disequalities_are_passed_on_one_side() {
    let mut lab = Lab::new("x n");
    let star = lab.sound_star("(distinct x n)", "x := (+ x 1)");
    assert!(lab.always(&star, "(=> (<= x n) (<= x' n))"));
    assert!(lab.can(&star, "(and (= x 0) (= n 10) (= x' 10))"));
    assert!(lab.can(&star, "(and (= x 11) (= n 10) (= x' 30))"));
}

#[test]
fn resets_are_known_after_one_turn() {
    let mut lab = Lab::new("x n i");
    let star = lab.sound_star("(< i n)", "x := (+ n 7); i := (+ i 1)");
    assert!(lab.always(&star, "(=> (> i' i) (= x' (+ n 7)))"));
    assert!(lab.always(&star, "(=> (= i' i) (= x' x))"));
}

#[test]
fn resets_within_bounds() {
    let mut lab = Lab::new("x n i");
    let star = lab.sound_star("(and (< i n) (<= 0 u) (<= u n))", "x := u; i := (+ i 1)");
    assert!(lab.always(&star, "(=> (> i' i) (and (<= 0 x') (<= x' n)))"));
}

#[test]
fn changes_have_remainders() {
    let mut lab = Lab::new("i");
    let star = lab.sound_star("(or (= u 2) (= u 4))", "i := (+ i u)");
    assert!(lab.always(&star, "(= (mod (- i' i) 2) 0)"));
    let star = lab.sound_star("(or (= u 1) (= u 4) (= u 10))", "i := (+ i u)");
    assert!(lab.can(&star, "(= (- i' i) 2)"));
}

#[test]
fn multiples_stay_multiples() {
    let mut lab = Lab::new("x n");
    let star = lab.sound_star("(> n 0)", "x := (* 2 x); n := (- n 1)");
    assert!(lab.always(&star, "(=> (= (mod x 2) 0) (= (mod x' 2) 0))"));
    assert!(lab.always(&star, "(=> (>= x 1) (>= (- x' x) (- n n')))"));
    assert!(lab.always(&star, "(=> (and (= x 0)) (= x' 0))"));
}

#[test]
fn signs_of_what_is_added() {
    let mut lab = Lab::new("r n m");
    let star = lab.sound_star("(> n 0)", "r := (+ r n); n := (- n 1)");
    assert!(lab.always(&star, "(>= (- r' r) (- n n'))"));
    let star = lab.sound_star("(> n 0)", "r := (+ r m); n := (- n 1)");
    assert!(lab.always(&star, "(=> (>= m 0) (>= r' r))"));
    assert!(lab.always(&star, "(=> (<= m (- 1)) (<= (- r' r) (- n' n)))"));
}

#[test]
fn phases() {
    // while (x < 100) { if (x < 50) y++; else y--; x++; }
    let mut lab = Lab::new("x y");
    let star = lab.sound_star(
        "(and (< x 100) (or (and (< x 50) (= u (+ y 1))) (and (>= x 50) (= u (- y 1)))))",
        "x := (+ x 1); y := u",
    );
    assert!(lab.always(&star, "(=> (and (= x 0) (= y 0) (= x' 100)) (= y' 0))"));
    assert!(lab.always(&star, "(=> (and (= x 0) (= y 0) (<= x' 50)) (= y' x'))"));
}

#[test]
fn an_impossible_turn_is_no_turn() {
    let mut lab = Lab::new("x");
    let star = lab.sound_star("(and (< x 0) (> x 0))", "x := (+ x 1)");
    assert_eq!(star, cairn_summary::Transition::identity());
}

#[test]
fn products_are_no_obstacle() {
    let mut lab = Lab::new("x y i");
    let star = lab.sound_star("(< i 10)", "x := (* x y); i := (+ i 1)");
    assert!(lab.always(&star, "(=> (> i' i) (<= i' 10))"));
}

#[test]
fn a_star_without_questions_is_still_right() {
    let mut lab = Lab::new("x y n");
    for queries in [0, 1, 2, 5, 10] {
        lab.options.queries = queries;
        lab.sound_star("(and (< x n) (or (= u (+ y 1)) (= u (- y 2))))", "x := (+ x 1); y := u");
        lab.sound_star(
            "(and (< x 100) (or (and (< x 50) (= u (+ y 1))) (and (>= x 50) (= u (- y 1)))))",
            "x := (+ x 1); y := u",
        );
    }
}

#[test]
fn the_callers_predicates_are_kept_with_the_help_of_others() {
    // while (x < n) { if (?) m = x; x++; }
    let mut lab = Lab::new("x m n");
    let hints = ["(< m n)", "(>= m 0)"].map(|h| lab.term(h)).to_vec();
    lab.options.hints = hints;
    let star = lab.sound_star("(and (< x n) (or (= u x) (= u m)))", "x := (+ x 1); m := u");
    assert!(lab.always(&star, "(=> (< m n) (< m' n))"));
    assert!(lab.always(&star, "(=> (and (>= m 0) (>= x 0)) (>= m' 0))"));
}

#[test]
fn a_condition_on_what_does_not_change_splits_the_loop() {
    // while (x < 99) { if (y % 2 == 0) x += 2; else x++; }, the remainder as a quotient's unknown
    let mut lab = Lab::new("x y");
    let star = lab.sound_star(
        "(and (< x 99) (<= 0 (- y (* 2 d))) (<= (- y (* 2 d)) 1)
              (or (and (= y (* 2 d)) (= u (+ x 2))) (and (not (= y (* 2 d))) (= u (+ x 1)))))",
        "x := u",
    );
    assert!(lab.always(&star, "(=> (= (mod y 2) 0) (= (mod (- x' x) 2) 0))"));
    assert!(lab.can(&star, "(and (= (mod y 2) 1) (= (- x' x) 5))"));
    assert!(lab.always(&star, "(=> (and (= (mod y 2) 1) (<= x 99)) (<= x' 99))"));
}

#[test]
fn remainders_with_a_sign() {
    // if (y % 3 == 1) x++, where % has the sign of y
    let mut lab = Lab::new("x y");
    let star = lab.sound_star(
        "(and (<= (- 2) (- y (* 3 d))) (<= (- y (* 3 d)) 2)
              (or (not (<= 0 y)) (<= 0 (- y (* 3 d)))) (or (<= 0 y) (<= (- y (* 3 d)) 0))
              (or (and (= (- y (* 3 d)) 1) (= u (+ x 1))) (and (not (= (- y (* 3 d)) 1)) (= u x))))",
        "x := u",
    );
    assert!(lab.always(&star, "(=> (or (< y 0) (= (mod y 3) 2)) (= x' x))"));
    assert!(lab.can(&star, "(and (= y 7) (= (- x' x) 5))"));
}

#[test]
fn the_turn_between_two_phases_is_exact() {
    // while (x < 1000) { if (x < 500) x++; else x += 2; }
    let mut lab = Lab::new("x");
    let star = lab.sound_star(
        "(and (< x 1000) (or (and (< x 500) (= u (+ x 1))) (and (<= 500 x) (= u (+ x 2)))))",
        "x := u",
    );
    assert!(lab.always(&star, "(=> (and (= x 0) (>= x' 500)) (= (mod x' 2) 0))"));
    assert!(lab.can(&star, "(and (= x 0) (= x' 499))"));
    assert!(lab.can(&star, "(and (= x 0) (= x' 1000))"));
}
