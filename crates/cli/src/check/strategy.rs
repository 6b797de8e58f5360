//! Strategies as data: which engines run, in which order, for how long, and
//! which of them at the same time.

use std::time::Duration;

use cairn_base::Budget;

/// A turn of one engine, or of several that race for the first answer.
#[derive(Clone, PartialEq, Debug)]
pub struct Step {
    pub engines: Vec<&'static str>,
    /// Part of the time that is left, and no more than so many seconds.
    pub share: f64,
    pub seconds: f64,
    /// Only if the step before has published facts.
    pub with_news: bool,
}

/// A step as a strategy writes it down.
type Line = (&'static [&'static str], f64, f64, bool);

/// What `auto` does: shallow errors and short programs first, all executions together and one by one,
/// then a search directed by summaries, then proofs by induction, then again executions one by one
/// with what is learned from each, then induction with what they have learned, then everything else by
/// ever greater bounds. Nothing races: that costs the time of the loser.
const AUTO: &[Line] = &[
    (&["concrete"], 0.05, 1.0, false),
    (&["bmc"], 0.05, 1.0, false),
    (&["symex"], 0.05, 1.0, false),
    (&["gps"], 0.30, 20.0, false),
    (&["kinduction"], 0.30, 30.0, false),
    (&["symex"], 0.35, 60.0, false),
    (&["kinduction"], 0.30, 30.0, true),
    (&["bmc"], 1.0, f64::INFINITY, false),
];

/// How a race is asked for: `race:bmc,kinduction`.
const RACE: &str = "race:";

/// The steps of a strategy, a race or a single engine. `Err` says what is wrong with the name.
pub fn steps(name: &str) -> Result<Vec<Step>, String> {
    let step = |&(engines, share, seconds, with_news): &Line| Step {
        engines: engines.to_vec(),
        share,
        seconds,
        with_news,
    };
    if name == "auto" {
        return Ok(AUTO.iter().map(step).collect());
    }
    let racers = name.strip_prefix(RACE);
    let mut engines = Vec::new();
    for word in racers.unwrap_or(name).split(',') {
        let known = cairn_engines::NAMES.iter().find(|n| **n == word);
        let known = known.ok_or_else(|| format!("there is no engine `{word}`; there are {}", list()))?;
        if engines.contains(known) {
            return Err(format!("the engine `{word}` cannot race against itself"));
        }
        engines.push(*known);
    }
    if (engines.len() > 1) != racers.is_some() {
        return Err(format!("engines race as in `{RACE}bmc,kinduction`"));
    }
    Ok(vec![Step { engines, share: 1.0, seconds: f64::INFINITY, with_news: false }])
}

/// All that `--engine` understands, but for races.
pub fn names() -> Vec<&'static str> {
    std::iter::once("auto").chain(cairn_engines::NAMES).collect()
}

fn list() -> String {
    names().join(", ")
}

impl Step {
    /// Its part of what is left of the whole budget.
    pub fn budget(&self, whole: &Budget, last: bool) -> Budget {
        if last {
            return whole.clone();
        }
        whole.part(self.share, Duration::from_secs_f64(self.seconds.min(1e9)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_engine_of_a_strategy_exists() {
        for name in names() {
            let steps = steps(name).expect(name);
            assert!(!steps.is_empty(), "{name}");
            for engine in steps.iter().flat_map(|s| &s.engines) {
                assert!(cairn_engines::named(engine, &Default::default()).is_some(), "{engine}");
            }
        }
    }

    #[test]
    fn races_are_named() {
        assert_eq!(steps("race:bmc,kinduction").unwrap()[0].engines, ["bmc", "kinduction"]);
        for (bad, part) in [
            ("nonsense", "there is no engine `nonsense`"),
            ("race:bmc,nonsense", "there is no engine `nonsense`"),
            ("race:", "there is no engine ``"),
            ("race:auto,bmc", "there is no engine `auto`"),
            ("race:bmc", "engines race as in"),
            ("bmc,kinduction", "engines race as in"),
            ("race:bmc,bmc", "against itself"),
        ] {
            let message = steps(bad).expect_err(bad);
            assert!(message.contains(part), "{bad}: {message}");
        }
    }
}
