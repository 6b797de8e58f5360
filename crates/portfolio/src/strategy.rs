//! Strategies as data: which engines run, in which order, and for how long.

use std::time::Duration;

use cairn_core::Task;
use cairn_ir::features::Features;

use crate::table::{self, ENGINES};

/// What `--engine` names.
#[derive(Clone, PartialEq, Debug)]
pub enum Strategy {
    One(&'static str),
    /// All at the same time, each in a thread; the first answer counts.
    Race(Vec<&'static str>),
    /// The default: engines in turns, in an order that is chosen for the program.
    Auto,
}

/// An engine's part in a strategy that takes turns.
#[derive(Clone, PartialEq, Debug)]
pub struct Lane {
    pub engine: &'static str,
    /// Seconds of the first slice, and the factor by which slices grow from round to round.
    pub seconds: f64,
    pub growth: f64,
    /// Begins again if it has given up and others have found facts since.
    pub again: bool,
}

impl Lane {
    /// The slice of a round.
    pub fn slice(&self, round: u32) -> Duration {
        let seconds = self.seconds * self.growth.powi(round.try_into().unwrap_or(i32::MAX));
        Duration::from_secs_f64(seconds.clamp(0.001, 1e6))
    }
}

/// How a race is asked for: `race:bmc,kinduction`.
const RACE: &str = "race:";
const AUTO: &str = "auto";

/// The strategy of a name. `Err` says what is wrong with it.
pub fn named(name: &str) -> Result<Strategy, String> {
    if name == AUTO {
        return Ok(Strategy::Auto);
    }
    let racers = name.strip_prefix(RACE);
    let mut engines = Vec::new();
    for word in racers.unwrap_or(name).split(',') {
        let known = table::row(word);
        let known =
            known.ok_or_else(|| format!("there is no engine `{word}`; there are {}", names().join(", ")))?;
        if engines.contains(&known.name) {
            return Err(format!("the engine `{word}` cannot race against itself"));
        }
        engines.push(known.name);
    }
    match (racers, &engines[..]) {
        (None, &[only]) => Ok(Strategy::One(only)),
        (Some(_), &[_, _, ..]) => Ok(Strategy::Race(engines)),
        _ => Err(format!("engines race as in `{RACE}bmc,kinduction`")),
    }
}

/// All that `--engine` understands, but for races.
pub fn names() -> Vec<&'static str> {
    std::iter::once(AUTO).chain(ENGINES.iter().map(|row| row.name)).collect()
}

/// The lanes of `auto` for a task.
pub fn lanes(task: &Task) -> Vec<Lane> {
    let features = Features::new(&task.program);
    let order = order(&features);
    let lane = |(rank, engine): (usize, &'static str)| Lane {
        engine,
        seconds: if rank == 0 { FIRST } else { OTHERS },
        growth: if rank == 0 { FIRST_GROWTH } else { OTHERS_GROWTH },
        again: engine == "kinduction",
    };
    let concrete = Lane { engine: "concrete", seconds: 0.05, growth: OTHERS_GROWTH, again: false };
    std::iter::once(concrete).chain(order.into_iter().enumerate().map(lane)).collect()
}

/// The engine that is expected to answer first gets most of the time in the beginning; the others
/// catch up.
const FIRST: f64 = 0.2;
const OTHERS: f64 = 0.02;
const FIRST_GROWTH: f64 = 1.6;
const OTHERS_GROWTH: f64 = 2.0;

/// The engines besides `concrete`, the most promising one first.
fn order(features: &Features) -> [&'static str; 4] {
    if features.loops == 0 {
        return ["bmc", "symex", "gps", "kinduction"];
    }
    ["gps", "bmc", "symex", "kinduction"]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_engine_of_a_strategy_exists() {
        for name in names() {
            assert!(named(name).is_ok(), "{name}");
        }
        for loops in [0, 1] {
            for engine in order(&Features { loops, ..Features::default() }) {
                assert!(table::row(engine).is_some(), "{engine}");
            }
        }
    }

    #[test]
    fn races_are_named() {
        assert_eq!(named("race:bmc,kinduction"), Ok(Strategy::Race(vec!["bmc", "kinduction"])));
        assert_eq!(named("bmc"), Ok(Strategy::One("bmc")));
        for (bad, part) in [
            ("nonsense", "there is no engine `nonsense`"),
            ("race:bmc,nonsense", "there is no engine `nonsense`"),
            ("race:", "there is no engine ``"),
            ("race:auto,bmc", "there is no engine `auto`"),
            ("race:bmc", "engines race as in"),
            ("bmc,kinduction", "engines race as in"),
            ("race:bmc,bmc", "against itself"),
        ] {
            let message = named(bad).expect_err(bad);
            assert!(message.contains(part), "{bad}: {message}");
        }
    }

    #[test]
    fn slices_grow() {
        let lane = Lane { engine: "bmc", seconds: 0.5, growth: 2.0, again: false };
        assert_eq!(lane.slice(0), Duration::from_millis(500));
        assert_eq!(lane.slice(2), Duration::from_secs(2));
        assert!(lane.slice(u32::MAX) >= Duration::from_secs(1000));
    }
}
