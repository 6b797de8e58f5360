//! The paper's examples take the course that the paper narrates.

mod common;

use cairn_gps::Options;
use common::{EX_1, EX_2, EX_3};

fn search(body: &str, options: Options) -> (&'static str, String) {
    let found = common::search(body, options);
    (found.came, found.statistics)
}

/// Section 2.1: the first test reaches the error.
#[test]
fn ex_1_needs_one_test() {
    let (came, statistics) = search(EX_1, Options::default());
    assert_eq!(came, "unsafe");
    assert!(statistics.starts_with("gps: 1 tests, 0 dead ends, 0 covers"), "{statistics}");
}

/// Section 2.2: dead ends alone prove it, without any refinement.
#[test]
fn ex_2_is_safe_by_dead_ends() {
    let (came, statistics) = search(EX_2, Options { refine: false, ..Options::default() });
    assert_eq!(came, "safe", "{statistics}");
    assert!(statistics.contains(", 0 covers"), "{statistics}");
}

/// Section 2.3: safe by a label that covers, which no summary has.
#[test]
fn ex_3_is_safe_by_dead_end_interpolants() {
    let (came, statistics) = search(EX_3, Options::default());
    assert_eq!(came, "safe", "{statistics}");
}

/// Figure 9: gas makes tests choose inputs that lead somewhere.
#[test]
fn figure_9_is_found_with_gas() {
    let (came, statistics) = search(
        "int state = 0;
         while (1) {
             int c = __VERIFIER_nondet_int(), s0 = __VERIFIER_nondet_int();
             int s1 = __VERIFIER_nondet_int(), s2 = __VERIFIER_nondet_int();
             if (c == 68 && state == 0) state = 1;
             if (c == 79 && state == 1) state = 2;
             if (c == 71 && state == 2) state = 3;
             if (state == 3 && s0 == 67 && s1 == 65 && s2 == 84) reach_error();
         }",
        Options::default(),
    );
    assert_eq!(came, "unsafe", "{statistics}");
}
