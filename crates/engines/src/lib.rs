//! The techniques that decide tasks, one module each.
//!
//! | module | what it does |
//! |---|---|
//! | [`bmc`] | follows all executions up to growing bounds |
//! | [`kinduction`] | proves loops by induction over their turns |
//! | [`concrete`] | runs the program on a few inputs |
//! | [`gps`] | searches for errors, directed by summaries of the ways to them |

pub mod bmc;
pub mod concrete;
pub mod gps;
pub mod kinduction;
mod query;

use cairn_core::Engine;
use cairn_gps::Options;

/// The names of all engines, in the order in which they came.
pub const NAMES: [&str; 8] =
    ["concrete", "bmc", "kinduction", "gps", "gps-lite", "gps-nogas", "gps-nogas-nosum", "cra"];

/// An engine by name.
pub fn named(name: &str, settings: &Settings) -> Option<Box<dyn Engine>> {
    Some(match name {
        "concrete" => Box::new(concrete::Concrete),
        "bmc" => Box::new(bmc::Bmc { unwind: settings.unwind }),
        "kinduction" => {
            Box::new(kinduction::KInduction { most: settings.unwind.unwrap_or(kinduction::MOST) })
        }
        "gps" => gps("gps", Options::default()),
        "gps-lite" => gps("gps-lite", Options { refine: false, ..Options::default() }),
        "gps-nogas" => gps("gps-nogas", Options { gas: false, ..Options::default() }),
        "gps-nogas-nosum" => {
            gps("gps-nogas-nosum", Options { gas: false, summaries: false, ..Options::default() })
        }
        "cra" => gps("cra", Options { search: false, ..Options::default() }),
        _ => return None,
    })
}

fn gps(name: &'static str, options: Options) -> Box<dyn Engine> {
    Box::new(gps::Gps { name, options })
}

/// What users may say to engines.
#[derive(Clone, Default, Debug)]
pub struct Settings {
    /// The greatest number of turns of a loop to follow.
    pub unwind: Option<u32>,
}
