//! Runs one engine on a C file and prints what it does when, and how it ends.

use std::time::Instant;

use cairn_base::Budget;
use cairn_core::{Cx, Event, Facts, Options, Property, Task};

fn main() {
    let mut args = std::env::args().skip(1);
    let (Some(engine), Some(file)) = (args.next(), args.next()) else {
        eprintln!("usage: phases ENGINE FILE.c [SECONDS [FOLDER FOR QUERIES]]");
        std::process::exit(1);
    };
    let seconds: f64 = args.next().and_then(|s| s.parse().ok()).unwrap_or(10.0);
    let input = cairn_cfront::Input::File(file.clone().into());
    let options = cairn_cfront::Options::default();
    let compiled = match cairn_cfront::compile(&[input], &options, None) {
        Ok(compiled) => compiled,
        Err(_) => {
            eprintln!("{file}: rejected");
            std::process::exit(2);
        }
    };
    let task = match Task::new(
        compiled.program,
        Property::named("unreach-call").unwrap_or_default(),
        Options::default(),
    ) {
        Ok(task) => task,
        Err(why) => {
            eprintln!("{why}");
            std::process::exit(2);
        }
    };
    let start = Instant::now();
    let events = |e: Event| eprintln!("{:8.3} {e:?}", start.elapsed().as_secs_f64());
    let log = args.next();
    let solver = || -> Box<dyn cairn_smt::Solver> {
        match &log {
            Some(dir) => Box::new(cairn_smt::log::Log::new(cairn_smt::standard(), dir.as_ref())),
            None => cairn_smt::standard(),
        }
    };
    let budget = Budget::default().with_time(std::time::Duration::from_secs_f64(seconds));
    let mut cx = Cx {
        whole: budget.clone(),
        budget,
        solver: &solver,
        events: &events,
        facts: Facts::default(),
        workshop: None,
    };
    let Some(mut engine) = cairn_portfolio::table::named(&engine, &Default::default()) else {
        eprintln!("no such engine");
        std::process::exit(1);
    };
    let verdict = engine.run(&task, &mut cx);
    let text = match verdict {
        cairn_core::Verdict::Safe(_) => "safe".to_owned(),
        cairn_core::Verdict::Unsafe(t) => {
            format!("unsafe {:?}", t.inputs.iter().map(|i| i.bits).collect::<Vec<_>>())
        }
        cairn_core::Verdict::Unknown(why) => format!("unknown: {}: {}", why.reason, why.detail),
    };
    eprintln!("{:8.3} {text}", start.elapsed().as_secs_f64());
}
