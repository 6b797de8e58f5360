//! What is promoted, what is not, and what comes out.

use super::promote;
use crate::testing::random_program;
use crate::text::{parse, print};
use crate::{Program, simplify, verify};

/// A function whose body is the given operations, one after another; `lN:` lines, if any, are
/// written by the caller.
fn program(decls: &str, ops: &[&str]) -> Program {
    let mut text = format!(
        "program LP64\nbranches 9\ntype 0 scalar \"int\" i32\n\
         type 1 struct \"struct s\" size 8 {{ \"x\": 0 at 0, \"y\": 0 at 4 }}\n\
         type 2 array 1 x 2\n{decls}\nfunc main.0 () -> i32 {{\n  entry l0 exit l999\n"
    );
    text = text.replace("l999", &format!("l{}", ops.len()));
    text += "  local r.0: i32\n  local q.1: ptr\n  local n.2: i64\n  local u.3: u32\n  local c.4: bool\n";
    text += "  object a.0: local size 8 align 4 uninit type 1\n  object b.1: local size 16 align 4 uninit type 2\n";
    for (i, op) in ops.iter().enumerate() {
        text += &format!("  l{i}:\n");
        for line in op.split(';') {
            let (to, op) = line.split_once(": ").unwrap_or(("", line));
            let to = if to.is_empty() { format!("l{}", i + 1) } else { to.trim().to_string() };
            let id = text.matches(" -> l").count();
            text += &format!("    e{id} -> {to}: {op}\n");
        }
    }
    text += &format!("  l{}:\n}}\n", ops.len());
    let p = parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    verify(&p).unwrap_or_else(|e| panic!("{e:#?}\n{text}"));
    p
}

/// The operations of the first function after promotion, in order of their text.
fn promoted(mut p: Program, count: usize) -> Vec<String> {
    assert_eq!(promote(&mut p), count, "{}", print(&p));
    verify(&p).expect("still verifies");
    let text = print(&p);
    let ops = text.lines().filter_map(|l| l.trim().split_once(": ").filter(|x| x.0.contains("->")));
    ops.map(|(_, op)| op.to_string()).collect()
}

/// Both objects `a` and `b` exist in each program; an unused one goes too.
const UNUSED: usize = 1;

#[test]
fn fields_become_variables() {
    let ops = promoted(
        program(
            "",
            &[
                "begin a.0",
                "store &a.0, 5i32",
                "store &a.0 + 4i64, 6i32",
                "r.0 := load &a.0 + 4i64",
                "u.3 := load &a.0",
                "end a.0",
                "return r.0",
            ],
        ),
        1 + UNUSED,
    );
    assert_eq!(
        ops,
        ["nop", "a_x.5 := 5i32", "a_y.6 := 6i32", "r.0 := a_y.6", "u.3 := u32(a_x.5)", "nop", "return r.0"]
    );
}

#[test]
fn array_elements_and_padding_of_fills() {
    let ops = promoted(
        program("", &["begin b.1", "fill &b.1, 255i32, 16u64", "r.0 := load &b.1 + 12i64", "return r.0"]),
        1 + UNUSED,
    );
    assert_eq!(ops, ["nop", "b_1__y.5 := -1i32", "r.0 := b_1__y.5", "return r.0"]);
}

#[test]
fn copies_become_assignments() {
    let ops = promoted(
        program(
            "",
            &[
                "begin a.0",
                "begin b.1",
                "store &a.0, 5i32",
                "store &a.0 + 4i64, 6i32",
                "copy &b.1 + 8i64, &a.0, 8u64",
                "r.0 := load &b.1 + 12i64",
                "return r.0",
            ],
        ),
        2,
    );
    assert!(ops.contains(&"b_1__x.7 := a_x.5".to_string()), "{ops:?}");
    assert!(ops.contains(&"b_1__y.8 := a_y.6".to_string()), "{ops:?}");
    assert!(ops.contains(&"r.0 := b_1__y.8".to_string()), "{ops:?}");
}

/// Each keeps `a` in memory. (`b` is unused or kept with it.)
#[test]
fn what_stays_in_memory() {
    let kept: &[(&str, usize, &[&str])] = &[
        ("escapes into a variable", 1, &["begin a.0", "store &a.0, 5i32", "q.1 := &a.0", "return 0i32"]),
        (
            "escapes into memory",
            1,
            &["begin b.1", "begin a.0", "store &b.1, &a.0", "q.1 := load &b.1", "return 0i32"],
        ),
        ("dynamic offset", 1, &["begin a.0", "n.2 := 4i64", "store &a.0 + n.2, 5i32", "return 0i32"]),
        ("out of bounds", 1, &["begin a.0", "store &a.0 + 6i64, 5i32", "return 0i32"]),
        ("before it", 1, &["begin a.0", "store &a.0 + -4i64, 5i32", "return 0i32"]),
        ("overlap", 1, &["begin a.0", "store &a.0, 5i32", "store &a.0 + 2i64, 5i32", "return 0i32"]),
        ("two types", 1, &["begin a.0", "store &a.0, null", "n.2 := load &a.0", "return 0i32"]),
        ("two sizes", 1, &["begin a.0", "store &a.0, 1i64", "r.0 := load &a.0", "return 0i32"]),
        ("uninitialised", 1, &["begin a.0", "r.0 := load &a.0", "return r.0"]),
        ("never alive", 1, &["store &a.0, 5i32", "return 0i32"]),
        ("ended", 1, &["begin a.0", "store &a.0, 5i32", "end a.0", "r.0 := load &a.0", "return 0i32"]),
        (
            "begun again",
            1,
            &["begin a.0", "store &a.0, 5i32", "begin a.0", "r.0 := load &a.0", "return 0i32"],
        ),
        (
            "written on one path only",
            1,
            &[
                "begin a.0",
                "c.4 := r.0 == 0i32",
                "l3: when c.4;l4: unless c.4",
                "store &a.0, 5i32",
                "r.0 := load &a.0",
                "return 0i32",
            ],
        ),
        (
            "fill of unknown size",
            1,
            &["begin a.0", "n.2 := 8i64", "fill &a.0, 0i32, u64(n.2)", "return 0i32"],
        ),
        (
            "fill of half a cell",
            1,
            &["begin a.0", "store &a.0, 5i32", "fill &a.0, 0i32, 2u64", "return 0i32"],
        ),
        ("bit-field", 1, &["begin a.0", "storebits 0 3, &a.0, 5i32", "return 0i32"]),
        (
            "copy of what was never written",
            0,
            &["begin a.0", "begin b.1", "copy &b.1, &a.0, 8u64", "r.0 := load &b.1", "return 0i32"],
        ),
        (
            "copy to what stays",
            0,
            &[
                "begin a.0",
                "begin b.1",
                "store &a.0, 1i32",
                "copy &b.1, &a.0, 4u64",
                "q.1 := &b.1",
                "return 0i32",
            ],
        ),
    ];
    for (what, count, ops) in kept {
        let mut p = program("", ops);
        assert_eq!(promote(&mut p), *count, "{what}:\n{}", print(&p));
        assert!(p.objects.values().any(|o| o.name.as_str() == "a"), "{what}");
    }
}

#[test]
fn loops_assign_before_reading_in_each_round() {
    let ops = promoted(
        program(
            "",
            &[
                "r.0 := 0i32",
                "l2: when r.0 < 9i32;l6: unless r.0 < 9i32",
                "begin a.0",
                "store &a.0, r.0",
                "r.0 := load &a.0",
                "l1: end a.0",
                "return r.0",
            ],
        ),
        1 + UNUSED,
    );
    assert!(ops.contains(&"a_x.5 := r.0".to_string()));
}

#[test]
fn globals_take_their_initial_value_along() {
    let decls = "object g.2: global size 16 align 8 static { 0: b\"\\x01\\x02\", 8: &t.3 + 4 bytes 8 }\n\
                 object t.3: global size 8 align 4 static { }\n\
                 object k.4: const size 4 align 4 static { 0: b\"abc\\x00\" }";
    let mut p = program(
        decls,
        &[
            "r.0 := load &g.2",
            "q.1 := load &g.2 + 8i64",
            "store &g.2, 3i32",
            "r.0 := load &k.4",
            "store q.1, r.0",
            "return r.0",
        ],
    );
    assert_eq!(promote(&mut p), 2 + 2, "{}", print(&p));
    let text = print(&p);
    assert!(text.contains("global g_0.5 \"g@0\": i32 = 513i32"), "{text}");
    assert!(text.contains("global g_8.6 \"g@8\": ptr = &t.0 + 4i64"), "{text}");
    assert!(text.contains("global k.7: i32 = 6513249i32"), "{text}");
}

#[test]
fn constant_objects_that_are_written_stay() {
    let decls = "object k.2: const size 4 align 4 static { }";
    let mut p = program(decls, &["store &k.2, 1i32", "return 0i32"]);
    assert_eq!(promote(&mut p), 2);
    assert_eq!(p.objects.len(), 1);
}

#[test]
fn passes_keep_random_programs_valid() {
    for seed in 0..150 {
        let mut p = random_program(seed, 4 + seed as usize % 25);
        promote(&mut p);
        let check = |p: &Program, pass: &str| {
            verify(p).unwrap_or_else(|v| panic!("seed {seed} after {pass}: {v:#?}"));
            let text = print(p);
            assert_eq!(print(&parse(&text).expect("parses")), text, "seed {seed} after {pass}");
        };
        check(&p, "promote");
        simplify(&mut p);
        check(&p, "simplify");
        let once = print(&p);
        simplify(&mut p);
        check(&p, "simplify again");
        assert!(p.edges.len() <= once.matches(" -> l").count());
    }
}
