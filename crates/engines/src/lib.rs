//! The techniques that decide tasks, one module each.
//!
//! | module | what it does |
//! |---|---|
//! | [`bmc`] | follows all executions up to growing bounds |
//! | [`kinduction`] | proves loops by induction over their turns |
//! | [`concrete`] | runs the program on a few inputs |

pub mod bmc;
pub mod concrete;
pub mod kinduction;
mod query;

use cairn_core::Engine;

/// The names of all engines, in the order in which they came.
pub const NAMES: [&str; 3] = ["concrete", "bmc", "kinduction"];

/// An engine by name.
pub fn named(name: &str, settings: &Settings) -> Option<Box<dyn Engine>> {
    Some(match name {
        "concrete" => Box::new(concrete::Concrete),
        "bmc" => Box::new(bmc::Bmc { unwind: settings.unwind }),
        "kinduction" => {
            Box::new(kinduction::KInduction { most: settings.unwind.unwrap_or(kinduction::MOST) })
        }
        _ => return None,
    })
}

/// What users may say to engines.
#[derive(Clone, Default, Debug)]
pub struct Settings {
    /// The greatest number of turns of a loop to follow.
    pub unwind: Option<u32>,
}
