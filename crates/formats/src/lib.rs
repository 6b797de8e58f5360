//! The files that tasks come in: task definitions of BenchExec ([`TaskFile`]) and
//! the property files of SV-COMP ([`property`]).

pub mod property;
pub mod taskfile;

pub use property::PropertyError;
pub use taskfile::{TaskFile, TaskFileError, TaskProperty};
