//! The ways to errors, as they are told.

use std::fmt::Write;
use std::time::{Duration, Instant};

use cairn_base::{Budget, DataModel, Place, sym};
use cairn_cfront::{Compiled, Input, compile};
use cairn_core::verdict::{InputValue, Trace};
use cairn_core::{Options, Property, Task, replay::replay};
use cairn_ir::{IntTy, Ty};
use cairn_story::{Detail, Effect, Entry, Event, Story, tell};

struct Told {
    compiled: Compiled,
    task: Task,
    story: Story,
}

fn told_as(input: Input, model: DataModel, property: Property, inputs: &[i128]) -> Told {
    let mut options = cairn_cfront::Options::default();
    options.cpp.model = model;
    let compiled = compile(&[input], &options, None).unwrap_or_else(|r| panic!("{:?}", r.diagnostics));
    let task = Task::new(compiled.program.clone(), property, Options::default()).expect("a task");
    let ty = IntTy::I128;
    let value = |&n| InputValue {
        name: sym("input"),
        ty: Ty::Int(ty),
        bits: ty.wrap(n) & u128::from(u32::MAX),
        place: Place::NONE,
    };
    let trace = Trace { inputs: inputs.iter().map(value).collect(), births: Vec::new() };
    let budget = Budget::default();
    let confirmed = replay(&task, &trace, &budget, None).expect("an error");
    let story = tell(&task, &trace, &confirmed, &budget).expect("a story");
    Told { compiled, task, story }
}

fn told(text: &str, inputs: &[i128]) -> Told {
    let input = Input::Text { name: "t.c".into(), text: text.into() };
    told_as(input, DataModel::Lp64, Property::default(), inputs)
}

fn file(name: &str, inputs: &[i128]) -> Told {
    let path = format!(
        "{}/../../tests/programs/verify/{name}",
        std::env::var("CARGO_MANIFEST_DIR").expect("cargo says where the crate is")
    );
    told_as(Input::File(path.into()), DataModel::Lp64, Property::default(), inputs)
}

impl Told {
    fn entries(&self, detail: Detail) -> Vec<Entry> {
        let source = |p: Place| {
            let line = self.compiled.map.line(p.file, p.line)?;
            let line =
                line.get(p.col as usize - 1..p.end_col as usize - 1).filter(|_| p.line == p.end_line)?;
            Some(String::from_utf8_lossy(line).into_owned())
        };
        self.story.entries(&self.task.program, &source, detail)
    }

    fn text(&self, detail: Detail) -> String {
        let mut text = String::new();
        let pairs = |list: &[(String, String)]| {
            list.iter().map(|(n, v)| format!("{n} = {v}")).collect::<Vec<_>>().join(", ")
        };
        for e in self.entries(detail) {
            let _ = write!(text, "{}{}:", "  ".repeat(e.depth), e.place.line);
            match &e.event {
                Event::Line { effects, .. } => {
                    for effect in effects {
                        let _ = match effect {
                            Effect::Assigned { name, value } => write!(text, " {name} = {value};"),
                            Effect::Input { name: Some(n), value, .. } => write!(text, " {n} <- {value};"),
                            Effect::Input { name: None, value, .. } => write!(text, " <- {value};"),
                            Effect::Decided { condition, holds, reads, .. } => {
                                let condition = condition.as_deref().unwrap_or("?");
                                write!(text, " {condition} is {holds} ({});", pairs(reads))
                            }
                        };
                    }
                }
                Event::Enter { function, arguments, inside } => {
                    let _ = write!(text, " {function}({})", pairs(arguments));
                    if let Some(n) = inside {
                        let _ = write!(text, " [{n} lines]");
                    }
                }
                Event::Leave { function, result } => {
                    let _ = write!(text, " {function} gives {}", result.as_deref().unwrap_or("nothing"));
                }
                Event::Turns { count, changes } => {
                    let _ = write!(text, " {count} turns");
                    for c in changes {
                        let _ = write!(text, "; {} = {} .. {}", c.name, c.first, c.last);
                    }
                }
                Event::Calls { count } => {
                    let _ = write!(text, " {count} calls");
                }
                Event::Steps { count } => {
                    let _ = write!(text, " {count} steps");
                }
                Event::Lines { count } => {
                    let _ = write!(text, " {count} lines");
                }
            }
            text.push('\n');
        }
        let _ = write!(text, "{}!{}", "  ".repeat(self.story.depth()), self.story.report.place.line);
        text
    }
}

#[test]
fn loops_are_folded() {
    let t = told(
        "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint main(void) {\n  \
         int n = __VERIFIER_nondet_int(), s = 0;\n  for (int i = 0; i < n; i++)\n    s += 2;\n  \
         if (s == 2000) reach_error();\n  return 0;\n}\n",
        &[1000],
    );
    assert_eq!(
        t.text(Detail::Full),
        "4: n <- 1000; s = 0;\n5: i = 0; i < n is true (i = 0, n = 1000);\n6: s = 2;\n5: i = 1; i < n is true (i = 1, n = 1000);\n6: s = 4;\n5: i = 2;\n\
         5: 997 turns; s = 6 .. 1998; i = 3 .. 999\n\
         5: i < n is true (i = 999, n = 1000);\n6: s = 2000;\n5: i = 1000; i < n is false (i = 1000, n = 1000);\n\
         7: s == 2000 is true (s = 2000);\n!7"
    );
}

#[test]
fn calls_and_globals() {
    let t = told(
        "extern void reach_error(void);\nstatic int total;\nstatic int add(int x, char c) {\n  total += x;\n  \
         return total + c;\n}\nstatic void check(int v) {\n  if (v > 70) reach_error();\n}\n\
         int main(void) {\n  check(add(3, 'A'));\n  check(add(4, 'B'));\n  return 0;\n}\n",
        &[],
    );
    assert_eq!(
        t.text(Detail::Full),
        "11: add(x = 3, c = 65 'A')\n  4: total = 3;\n  5: add gives 68\n\
         11: check(v = 68)\n  8: v > 70 is false (v = 68);\n  9: check gives nothing\n\
         12: add(x = 4, c = 66 'B')\n  4: total = 7;\n  5: add gives 73\n\
         12: check(v = 73)\n  8: v > 70 is true (v = 73);\n  !8"
    );
}

const MEMORY: &str = "extern void reach_error(void);\nstruct point { short x; struct { unsigned a : 3, b : 5; } bits; double d; };\n\
     struct pair { struct point *where; const char *name; int v[3]; };\nint main(void) {\n  \
     struct point p = {-1, {5, 6}, 0.5}, q;\n  struct pair r;\n  r.where = &p;\n  r.name = \"hello\";\n  \
     int *e = &r.v[1];\n  *e = 7;\n  q = p;\n  q.bits.b = 9;\n  e = 0;\n  int (*f)(void) = main;\n  \
     if (r.v[1] == 7 && r.where->x < 0) reach_error();\n  return f == 0;\n}\n";

#[test]
fn memory_by_name() {
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        let input = Input::Text { name: "t.c".into(), text: MEMORY.into() };
        let t = told_as(input, model, Property::default(), &[]);
        let text = t.text(Detail::Full);
        for line in [
            "5: p.x = -1; p.bits.a = 5; p.bits.b = 6; p.d = 0.5;\n",
            "7: r.where = &p;",
            "8: r.name = \"hello\";",
            "9: e = &r.v[1];",
            "10: r.v[1] = 7;",
            "11: q.x = -1; q.d = 0.5;",
            "12: q.bits.b = 9;",
            "13: e = NULL;",
            "14: f = main;",
            "r.where->x < 0 is true (r.where->x = -1);",
        ] {
            assert!(text.contains(line), "{model}: no {line:?} in\n{text}");
        }
    }
}

#[test]
fn heap_objects_have_numbers() {
    let t = file("list_length_unsafe.c", &[33]);
    let text = t.text(Detail::Entries(60));
    assert!(
        text.starts_with("10: n <- 33;\n11: n < 0 is false (n = 33); n > 100 is false (n = 33);\n"),
        "{text}"
    );
    assert!(text.contains("p = &heap#1;") && text.contains("p->next = NULL;"), "{text}");
    assert!(
        text.contains("30 turns; p = &heap#3 .. &heap#4; ")
            && text.contains("length != n is true (length = "),
        "{text}"
    );
    assert!(!text.contains("malloc("), "models are not entered: {text}");
}

#[test]
fn strings_and_inputs() {
    let t = file("string_compare_unsafe.c", &[97, 97, 98, 98, 0, 99, 1, 1, 1, 1]);
    let text = t.text(Detail::Full);
    assert!(text.contains("13: a[0] <- 97 'a';"), "{text}");
    assert!(text.contains("same(a = &a[0], b = &b[0])"), "{text}");
    assert!(text.contains("same(a, b) != equal is true (same(a, b) = 1, equal = 0);"), "{text}");
}

#[test]
fn recursion() {
    let t = file("recursion_sum_unsafe.c", &[3]);
    let text = t.text(Detail::Full);
    assert!(text.contains("10: sum(n = 3)\n  5: n <= 1 is false (n = 3);\n  5: sum(n = 2)\n"), "{text}");
    assert!(text.contains("      5: sum gives 0\n    5: sum gives 2\n"), "{text}");
    // A thousand calls inside each other.
    let t = file("recursion_sum_unsafe.c", &[1900]);
    let entries = t.entries(Detail::Entries(60));
    assert!(entries.len() <= 60);
    assert!(t.entries(Detail::Full).len() < 5000);
}

/// An error under very many open calls.
#[test]
fn deep_recursion() {
    let t = told(
        "extern void reach_error(void);\nstatic int down(int n) {\n  if (n == 0) reach_error();\n  \
         return down(n - 1) + 1;\n}\nint main(void) { return down(100000); }\n",
        &[],
    );
    let text = t.text(Detail::Full);
    assert!(text.contains(" 99602 calls\n"), "{}", &text[..1000]);
    assert!(text.contains("n == 0 is true (n = 0);"));
    assert!(t.entries(Detail::Entries(60)).len() <= 60);
}

#[test]
fn every_unsafe_program_has_a_short_story() {
    let cases: [(&str, &[i128]); 5] = [
        ("mid_overflow_unsafe.c", &[2_000_000_000, 2_000_000_001]),
        ("even_odd_unsafe.c", &[5000]),
        ("queue_unsafe.c", &[1, 1, 1, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
        ("deep_loop_unsafe.c", &[]),
        ("protocol_unsafe.c", &[0x7e, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
    ];
    for (name, inputs) in cases {
        let t = file(name, inputs);
        let entries = t.entries(Detail::Entries(60));
        assert!(!entries.is_empty() && entries.len() <= 60, "{name}: {}", entries.len());
    }
}

#[test]
fn models_are_not_entered() {
    let t = told(
        "extern void reach_error(void);\ntypedef unsigned long size_t;\nextern void qsort(void *, size_t, size_t, int (*)(const void *, const void *));\n\
         extern char *strcpy(char *, const char *);\nstatic int less(const void *a, const void *b) {\n  \
         if (*(int *)a + *(int *)b == 12) reach_error();\n  return *(int *)a - *(int *)b;\n}\nint main(void) {\n  \
         char text[4];\n  strcpy(text, \"hi\");\n  int v[3] = {9, 7, 5};\n  qsort(v, 3, sizeof *v, less);\n  return 0;\n}\n",
        &[],
    );
    let text = t.text(Detail::Full);
    assert!(text.starts_with("11: text[0] = 104 'h'; text[1] = 105 'i'; text[2] = 0;\n"), "{text}");
    assert!(text.contains("\n13: less(a = &v["), "{text}");
    assert!(!text.contains("strcpy(") && !text.contains("qsort("), "{text}");
    assert!(text.ends_with("!6"), "{text}");
}

/// Ten million steps and a run too long to be watched as a whole.
#[test]
fn long_runs() {
    let program = |turns: u64| {
        format!(
            "extern void reach_error(void);\nint main(void) {{\n  unsigned h = 1, i = 0;\n  for (; i < {turns}; i++)\n    \
             h = h * 31 + i;\n  reach_error();\n  return 0;\n}}\n"
        )
    };
    let start = Instant::now();
    let t = told(&program(3_000_000), &[]);
    assert!(t.story.steps > 9_000_000);
    let text = t.text(Detail::Full);
    assert!(text.contains("4: 2999997 turns; h = ") && text.ends_with("\n!6"), "{text}");
    let t = told(&program(15_000_000), &[]);
    let text = t.text(Detail::Full);
    assert!(text.contains(" steps\n") && text.ends_with("\n!6"), "{text}");
    assert!(text.contains("i < 15000000 is false (i = 15000000);"), "{text}");
    let t = told(&program(51_000_000), &[]);
    let text = t.text(Detail::Full);
    assert!(text.contains(" turns; h = ") && text.contains(" steps\n") && text.ends_with("\n!6"), "{text}");
    assert!(!text.contains("is false"), "{text}");
    assert!(start.elapsed() < Duration::from_secs(120));
}
