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
    /// Seconds of the first slice.
    pub seconds: f64,
    /// Begins again if it has given up and others have found facts since.
    pub again: bool,
}

/// Rounds in which all slices double; then the others catch up with the most promising engine, whose slices
/// stay as they are. So an engine that was rightly preferred pays little for the others, and after half
/// a minute all have had as much.
const DOUBLING: u32 = 5;
const CATCHING_UP: f64 = 2.5;
/// Seconds of the longest slice.
const LONGEST: f64 = 4.8;

impl Lane {
    /// The slice of a round.
    pub fn slice(&self, round: u32) -> Duration {
        let power = |base: f64, n: u32| base.powi(n.min(1000) as i32);
        let later = power(CATCHING_UP, round.saturating_sub(DOUBLING));
        let seconds = self.seconds * power(2.0, round.min(DOUBLING)) * later;
        Duration::from_secs_f64(seconds.min(LONGEST))
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

/// Seconds of the first slices: of concrete runs, of the engine that is expected to answer first, and
/// of the others.
const CONCRETE: f64 = 0.01;
const FIRST: f64 = 0.15;
const OTHERS: f64 = 0.01;

/// The lanes of `auto` for a task.
pub fn lanes(task: &Task) -> Vec<Lane> {
    let order = order(&Features::new(&task.program));
    let lane = |engine, seconds| Lane { engine, seconds, again: engine == "kinduction" };
    let symbolic = order.into_iter().enumerate();
    let symbolic = symbolic.map(|(rank, engine)| lane(engine, if rank == 0 { FIRST } else { OTHERS }));
    std::iter::once(lane("concrete", CONCRETE)).chain(symbolic).collect()
}

/// More branches than these are too many for one formula of all executions, and for path summaries.
const FOR_BMC: u64 = 40;
const FOR_GPS: u64 = 100;

/// Is the program one of integers without memory, whose arithmetic is mostly linear?
fn linear_integers(f: &Features) -> bool {
    let memory = f.loads + f.stores + f.block_operations;
    memory + f.float_expressions + f.bitwise_expressions + f.nonlinear_expressions == 0
}

/// The engines besides `concrete`, the most promising one first. Summaries speak of linear arithmetic, so
/// that such programs are left to `gps` first; where there are very many branches, execution
/// path by path that learns from what is done is ahead; small programs with memory are a formula.
fn order(features: &Features) -> [&'static str; 4] {
    if features.loops > 0 && features.branches <= FOR_GPS && linear_integers(features) {
        ["gps", "bmc", "symex", "kinduction"]
    } else if features.branches <= FOR_BMC {
        ["bmc", "symex", "gps", "kinduction"]
    } else {
        ["symex", "bmc", "gps", "kinduction"]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_engine_of_a_strategy_exists() {
        for name in names() {
            assert!(named(name).is_ok(), "{name}");
        }
        for (loops, branches) in [(0, 1), (1, 1), (1, 1000)] {
            let order = order(&Features { loops, branches, ..Features::default() });
            let all = ENGINES.iter().filter(|row| !row.variant && row.name != "concrete");
            assert!(
                all.clone().count() == order.len() && all.into_iter().all(|row| order.contains(&row.name))
            );
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
    fn slices_grow_and_the_others_catch_up() {
        let lane = |seconds| Lane { engine: "bmc", seconds, again: false };
        let (first, other) = (lane(FIRST), lane(OTHERS));
        assert_eq!(first.slice(2), Duration::from_secs_f64(4.0 * FIRST));
        let all = |lane: &Lane, rounds| (0..rounds).map(|r| lane.slice(r).as_secs_f64()).sum::<f64>();
        assert!(all(&other, 5) < all(&first, 5) / 10.0, "little is paid in the beginning");
        assert!(all(&other, 12) > all(&first, 12) / 2.0, "and much is given in the end");
        assert_eq!(other.slice(u32::MAX), Duration::from_secs_f64(LONGEST));
    }
}
