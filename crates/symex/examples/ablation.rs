//! Runs the engine on a C file and prints what came of it, with statistics, and
//! whether the checker accepts its proof.

use std::time::{Duration, Instant};

use cairn_base::Budget;
use cairn_core::{Cx, Facts, Options as TaskOptions, Property, Task};
use cairn_core::{Engine, Verdict};
use cairn_symex::{Interpolation, Options, Strategy};

fn main() {
    let mut args = std::env::args().skip(1);
    let Some(file) = args.next() else {
        eprintln!(
            "usage: symex FILE.c [SECONDS [full|core|off|nosub [dfs|random|coverage|distance|interleaved]]]"
        );
        std::process::exit(1);
    };
    let seconds: f64 = args.next().and_then(|s| s.parse().ok()).unwrap_or(10.0);
    let mut options = Options::default();
    match args.next().as_deref() {
        Some("core") => options.interpolation = Interpolation::Core,
        Some("off") => options.interpolation = Interpolation::Off,
        Some("nosub") => options.subsumption = false,
        _ => {}
    }
    options.strategy = match args.next().as_deref() {
        Some("random") => Strategy::RandomPath,
        Some("coverage") => Strategy::Coverage,
        Some("distance") => Strategy::Distance,
        Some("interleaved") => Strategy::Interleaved,
        _ => Strategy::Dfs,
    };
    let input = cairn_cfront::Input::File(file.clone().into());
    let Ok(compiled) = cairn_cfront::compile(&[input], &cairn_cfront::Options::default(), None) else {
        eprintln!("{file}: rejected");
        std::process::exit(2);
    };
    let property = Property::named("unreach-call").unwrap_or_default();
    let task = match Task::new(compiled.program, property, TaskOptions::default()) {
        Ok(task) => task,
        Err(why) => {
            eprintln!("{why}");
            std::process::exit(2);
        }
    };
    let budget = Budget::default().with_time(Duration::from_secs_f64(seconds));
    let status = std::sync::Mutex::new(String::new());
    let events = |e: cairn_core::Event| {
        if let cairn_core::Event::Status(s) = e {
            *status.lock().expect("not poisoned") = s;
        }
    };
    let mut cx = Cx {
        whole: budget.clone(),
        budget: budget.clone(),
        solver: &cairn_smt::standard,
        events: &events,
        facts: Facts::default(),
        workshop: None,
    };
    let start = Instant::now();
    let verdict = cairn_symex::Symex { name: "symex", options }.run(&task, &mut cx);
    let time = start.elapsed().as_secs_f64();
    let text = match verdict {
        Verdict::Unknown(why) => format!("unknown: {}: {}", why.reason, why.detail),
        Verdict::Unsafe(trace) => match cairn_core::replay::replay(&task, &trace, &budget, None) {
            Ok(_) => "unsafe, replayed".to_owned(),
            Err(why) => format!("UNSAFE NOT REPLAYED: {why}"),
        },
        Verdict::Safe(proof) => {
            let start = Instant::now();
            let checked =
                cairn_checker::check(&task.program, task.entry, &proof, &cairn_smt::standard, &budget);
            format!("safe, checker in {:.2} s: {checked:?}", start.elapsed().as_secs_f64())
        }
    };
    println!("{time:8.3} s {text}; {}", status.lock().expect("not poisoned"));
}
