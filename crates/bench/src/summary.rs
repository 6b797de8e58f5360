//! The figures of each configuration.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::time::Duration;

use crate::results::Row;
use crate::score::{Status, points};

/// One line of the summary.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    pub config: String,
    pub runs: usize,
    pub correct_true: usize,
    pub correct_false: usize,
    pub wrong_true: usize,
    pub wrong_false: usize,
    pub unknown: usize,
    pub timeouts: usize,
    pub out_of_memory: usize,
    pub errors: usize,
    pub unchecked: usize,
    pub score: i64,
    /// CPU time of all runs, and of the tasks that every configuration solved.
    pub cpu: Duration,
    pub cpu_common: Duration,
    /// How many tasks that is.
    pub common: usize,
}

impl Summary {
    pub fn correct(&self) -> usize {
        self.correct_true + self.correct_false
    }

    pub fn wrong(&self) -> usize {
        self.wrong_true + self.wrong_false
    }

    /// A summary for each configuration, in the order given.
    pub fn of(rows: &[Row], configs: &[String]) -> Vec<Summary> {
        let solved = |config: &String| -> BTreeSet<(&str, &str)> {
            let correct = rows.iter().filter(|r| r.config == *config && r.status.is_correct());
            correct.map(|r| (r.task.as_str(), r.property.as_str())).collect()
        };
        let common = configs.iter().map(solved).reduce(|a, b| &a & &b).unwrap_or_default();
        let one = |config: &String| {
            let mut sum = Summary { config: config.clone(), common: common.len(), ..Summary::default() };
            for row in rows.iter().filter(|r| r.config == *config) {
                sum.runs += 1;
                sum.score += points(row.status);
                sum.cpu += row.cpu;
                if common.contains(&(row.task.as_str(), row.property.as_str())) {
                    sum.cpu_common += row.cpu;
                }
                *match row.status {
                    Status::CorrectTrue => &mut sum.correct_true,
                    Status::CorrectFalse => &mut sum.correct_false,
                    Status::WrongTrue => &mut sum.wrong_true,
                    Status::WrongFalse => &mut sum.wrong_false,
                    Status::Unknown => &mut sum.unknown,
                    Status::Timeout => &mut sum.timeouts,
                    Status::OutOfMemory => &mut sum.out_of_memory,
                    Status::Error => &mut sum.errors,
                    Status::Unchecked => &mut sum.unchecked,
                } += 1;
            }
            sum
        };
        configs.iter().map(one).collect()
    }

    /// The columns that every rendering shows, and what they hold.
    pub fn cells(&self) -> Vec<(&'static str, String)> {
        let seconds = |t: Duration| format!("{:.1}", t.as_secs_f64());
        vec![
            ("runs", self.runs.to_string()),
            ("correct true", self.correct_true.to_string()),
            ("correct false", self.correct_false.to_string()),
            ("wrong true", self.wrong_true.to_string()),
            ("wrong false", self.wrong_false.to_string()),
            ("unknown", self.unknown.to_string()),
            ("timeout", self.timeouts.to_string()),
            ("out of memory", self.out_of_memory.to_string()),
            ("error", self.errors.to_string()),
            ("unchecked", self.unchecked.to_string()),
            ("score", self.score.to_string()),
            ("CPU s", seconds(self.cpu)),
            ("CPU s, solved by all", seconds(self.cpu_common)),
        ]
    }

    /// The summaries as plain text: a column for each configuration.
    pub fn text(summaries: &[Summary]) -> String {
        let columns: Vec<Vec<(&str, String)>> = summaries.iter().map(Summary::cells).collect();
        let Some(first) = columns.first() else { return String::new() };
        let width = |column: &[(&str, String)], name: &str| {
            column.iter().map(|(_, v)| v.len()).max().unwrap_or(0).max(name.chars().count())
        };
        let mut text = format!("{:<22}", "");
        for (summary, column) in summaries.iter().zip(&columns) {
            let _ = write!(text, "  {:>w$}", summary.config, w = width(column, &summary.config));
        }
        text.push('\n');
        for (line, (name, _)) in first.iter().enumerate() {
            let _ = write!(text, "{name:<22}");
            for (summary, column) in summaries.iter().zip(&columns) {
                let value = column.get(line).map_or("", |(_, v)| v.as_str());
                let _ = write!(text, "  {value:>w$}", w = width(column, &summary.config));
            }
            text.push('\n');
        }
        text
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// A row, for the tests of others too.
    pub fn row(task: &str, config: &str, status: Status, millis: u64) -> Row {
        Row {
            task: task.into(),
            property: "unreach-call".into(),
            config: config.into(),
            verdict: status.to_string(),
            expected: "true".into(),
            status,
            cpu: Duration::from_millis(millis),
            wall: Duration::from_millis(millis + 1),
            memory: 5_000_000,
            exit: "0".into(),
        }
    }

    #[test]
    fn figures() {
        let rows = [
            row("a", "x", Status::CorrectTrue, 1000),
            row("b", "x", Status::WrongTrue, 10),
            row("c", "x", Status::CorrectFalse, 500),
            row("a", "y", Status::CorrectTrue, 2000),
            row("b", "y", Status::Timeout, 9000),
            row("c", "y", Status::Unknown, 100),
        ];
        let sums = Summary::of(&rows, &["x".into(), "y".into()]);
        let [x, y] = sums.as_slice() else { panic!("{sums:?}") };
        assert_eq!((x.correct(), x.wrong(), x.score), (2, 1, 2 + 1 - 32));
        assert_eq!((y.correct(), y.timeouts, y.unknown, y.score), (1, 1, 1, 2));
        assert_eq!((x.cpu.as_millis(), x.cpu_common.as_millis(), x.common), (1510, 1000, 1));
        assert_eq!((y.cpu.as_millis(), y.cpu_common.as_millis()), (11100, 2000));
        let text = Summary::text(&sums);
        assert!(
            text.lines().any(|l| l.split_whitespace().collect::<Vec<_>>() == ["score", "-29", "2"]),
            "{text}"
        );
    }
}
