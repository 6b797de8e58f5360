//! Programs of the paper, and running the engine on them.
#![allow(dead_code)]

use std::fmt::Write as _;
use std::time::Duration;

use cairn_base::Budget;
use cairn_core::{Cx, Facts, Property, Task, Verdict};
use cairn_symex::{Options, Stats};

pub fn task(text: &str) -> Task {
    let input = cairn_cfront::Input::Text { name: "t.c".into(), text: text.into() };
    let compiled = cairn_cfront::compile(&[input], &cairn_cfront::Options::default(), None);
    let Ok(compiled) = compiled else { panic!("rejected: {text}") };
    let property = Property::named("unreach-call").unwrap_or_default();
    Task::new(compiled.program, property, Default::default()).expect("a task")
}

/// Runs the engine without the help of induction.
pub fn run(task: &Task, options: Options) -> (Verdict, Stats) {
    let budget = Budget::default().with_time(Duration::from_secs(60));
    let cx = Cx {
        whole: budget.clone(),
        budget,
        solver: &cairn_smt::standard,
        events: &|_| {},
        facts: Facts::default(),
        workshop: None,
    };
    cairn_symex::run(task, &cx, Options { induction: false, ..options })
}

/// Safe, with a proof that the checker accepts.
pub fn proved(text: &str, options: Options) -> Stats {
    let task = task(text);
    let (answer, stats) = run(&task, options);
    let proof = match answer {
        Verdict::Safe(proof) => proof,
        Verdict::Unsafe(t) => panic!("wrong: {t:?}"),
        Verdict::Unknown(why) => panic!("{why:?}"),
    };
    let budget = Budget::default().with_time(Duration::from_secs(60));
    let checked = cairn_checker::check(&task.program, task.entry, &proof, &cairn_smt::standard, &budget);
    assert!(checked.is_ok(), "{checked:?}");
    stats
}

/// Unsafe, with inputs that reach the error.
pub fn refuted(text: &str, options: Options) -> Stats {
    let task = task(text);
    let (answer, stats) = run(&task, options);
    let Verdict::Unsafe(trace) = answer else { panic!("not unsafe: {stats:?}") };
    let budget = Budget::default().with_time(Duration::from_secs(60));
    let replayed = cairn_core::replay::replay(&task, &trace, &budget, None);
    assert!(replayed.is_ok(), "{replayed:?}");
    stats
}

/// Figure 4: n booleans, each adds or takes one away; in the end -n <= sum <= n.
pub fn booleans(n: u32) -> String {
    format!(
        "void reach_error(void); _Bool __VERIFIER_nondet_bool(void);
         int x[{n}];
         int main(void) {{
             for (int i = 0; i < {n}; i++)
                 if (__VERIFIER_nondet_bool()) x[i] = 1; else x[i] = -1;
             int sum = 0;
             for (int i = 0; i < {n}; i++) sum += x[i];
             if (!(-{n} <= sum && sum <= {n})) reach_error();
         }}"
    )
}

/// Figure 1: the shortest way from 1 to n in a graph is not shorter than it is (plus `more`).
pub fn shortest_path(n: usize, more: u64) -> String {
    let mut state = 12345_u64;
    let mut random = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        5 + (state >> 33) % 95
    };
    let mut graph = vec![vec![0; n + 1]; n + 1];
    for (i, row) in graph.iter_mut().enumerate().skip(1) {
        row[i + 1..].fill_with(&mut random);
    }
    let mut least = vec![u64::MAX / 2; n + 1];
    least[1] = 0;
    for (i, row) in graph.iter().enumerate().skip(1) {
        for (j, length) in row.iter().enumerate().skip(i + 1) {
            least[j] = least[j].min(least[i] + length);
        }
    }
    let mut rows = String::new();
    for row in &graph {
        let row: Vec<String> = row.iter().map(u64::to_string).collect();
        let _ = write!(rows, "{{{}}},", row.join(","));
    }
    let (size, bound) = (n + 1, least[n] + more);
    format!(
        "void reach_error(void); void abort(void); int __VERIFIER_nondet_int(void);
         int graph[{size}][{size}] = {{{rows}}};
         int main(void) {{
             int node = 1, d = 0;
             while (node < {n}) {{
                 int next = __VERIFIER_nondet_int(), i;
                 if (next <= node || next > {n}) abort();
                 for (i = node + 1; i <= {n}; i++)
                     if (next == i) {{ d += graph[node][next]; break; }}
                 node = i;
             }}
             if (!(d >= {bound})) reach_error();
         }}"
    )
}

/// Figure 4 without loops: the booleans one after the other, in an array or not, and then the sum.
pub fn straight(n: u32, array: bool) -> String {
    let x = |i: u32| if array { format!("x[{i}]") } else { format!("x{i}") };
    let all: Vec<String> = (0..n).map(x).collect();
    let declared = if array { format!("x[{n}]") } else { all.join(", ") };
    let mut text = format!(
        "void reach_error(void); _Bool __VERIFIER_nondet_bool(void);
         int main(void) {{ int {declared}; int sum = 0;"
    );
    for x in &all {
        let _ = writeln!(text, "if (__VERIFIER_nondet_bool()) {x} = 1; else {x} = -1;");
    }
    for x in &all {
        let _ = writeln!(text, "sum += {x};");
    }
    let _ = write!(text, "if (!(-{n} <= sum && sum <= {n})) reach_error(); }}");
    text
}
