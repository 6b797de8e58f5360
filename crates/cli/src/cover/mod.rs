//! `cairn test` and `cairn reach`: executions that come to places, and proofs that
//! none does.

mod args;
mod generate;
mod native;
mod output;
mod reach;
mod search;
mod settle;
mod subject;

pub use args::{ReachArgs, TestArgs};
pub use generate::test;
pub use reach::reach;
