//! Strategies as data: which engines run, in which order, for how long.

use std::time::{Duration, Instant};

use cairn_base::Budget;

/// One engine's turn.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Step {
    pub engine: &'static str,
    /// Part of the time that is left, and no more than so many seconds.
    pub share: f64,
    pub seconds: f64,
}

const fn step(engine: &'static str, share: f64, seconds: f64) -> Step {
    Step { engine, share, seconds }
}

/// What `auto` does: shallow errors and short programs first, then proofs by induction, then
/// everything else by ever greater bounds.
const AUTO: &[Step] = &[
    step("concrete", 0.05, 1.0),
    step("bmc", 0.10, 2.0),
    step("kinduction", 0.40, 60.0),
    step("bmc", 1.0, f64::INFINITY),
];

/// The steps of a strategy or of a single engine.
pub fn steps(name: &str) -> Vec<Step> {
    match name {
        "auto" => AUTO.to_vec(),
        _ => {
            cairn_engines::NAMES.iter().filter(|n| **n == name).map(|n| step(n, 1.0, f64::INFINITY)).collect()
        }
    }
}

/// All that `--engine` understands.
pub fn names() -> Vec<&'static str> {
    std::iter::once("auto").chain(cairn_engines::NAMES).collect()
}

impl Step {
    /// Its part of what is left of the whole budget.
    pub fn budget(&self, whole: &Budget, last: bool) -> Budget {
        if last {
            return whole.clone();
        }
        let left = whole
            .deadline
            .map_or(f64::INFINITY, |d| d.saturating_duration_since(Instant::now()).as_secs_f64());
        let seconds = (left * self.share).min(self.seconds).min(1e9);
        whole.clone().within(Duration::from_secs_f64(seconds))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_engine_of_a_strategy_exists() {
        for name in names() {
            let steps = steps(name);
            assert!(!steps.is_empty(), "{name}");
            for s in steps {
                assert!(cairn_engines::named(s.engine, &Default::default()).is_some(), "{}", s.engine);
            }
        }
        assert!(steps("nonsense").is_empty());
    }
}
