//! Benchmarks: sets of task files, run by Cairn and by other tools under the
//! same limits, scored as SV-COMP does, and shown as tables and plots.
//!
//! A [`Plan`] says which [`Case`]s (a task and one of its properties) are given
//! to which [`Config`]s (a command and how its verdict is read). [`run`] works
//! through it and appends one line to the results for each run that ends, so
//! that an interrupted benchmark goes on where it stopped. [`report`] makes
//! pages and plots of what is there.

mod describe;
mod html;
mod plot;
mod process;
pub mod report;
mod results;
mod rule;
mod runner;
mod score;
mod set;
mod summary;
mod template;

pub use describe::Description;
pub use html::escape;
pub use process::Limits;
pub use results::Row;
pub use rule::{Patterns, Rule, ToolAnswer};
pub use runner::{BenchError, Config, Observer, Plan, run};
pub use score::{Status, points};
pub use set::{Case, Selected, cases};
pub use summary::Summary;
pub use template::Template;
