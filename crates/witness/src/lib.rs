//! Evidence on disk: what backs a verdict, in the formats that other tools read.
//!
//! - [`testcase`]: inputs as a Test-Comp test case.
//! - [`harness`] and [`reproduce`]: inputs as a C file, compiled and run without Cairn.
//! - [`yaml`] and [`graphml`]: witnesses, written and read; [`witness`] is what they say.
//! - [`evidence`]: from a trace or a proof to a witness; [`expression`] writes IR as C.
//! - [`validate`]: a witness built into the program it is about.
//!
//! [`sources`] knows where in the user's text the things are that witnesses name.

mod edits;
pub mod error;
pub mod evidence;
pub mod expression;
mod external;
pub mod graphml;
pub mod harness;
pub mod reproduce;
pub mod sources;
pub mod task;
pub mod testcase;
pub mod validate;
pub mod value;
pub mod witness;
mod xml;
pub mod yaml;

pub use error::WitnessError;
pub use sources::Sources;
pub use task::TaskInfo;
pub use witness::{Claim, Witness};

/// Reads a witness of either format.
pub fn read(text: &str) -> Result<Witness, WitnessError> {
    if text.trim_start().starts_with('<') { graphml::read(text) } else { yaml::read(text) }
}
