//! The techniques that decide tasks, one module each.
//!
//! | module | what it does |
//! |---|---|
//! | [`bmc`] | follows all executions up to growing bounds |
//! | [`kinduction`] | proves loops by induction over their turns |
//! | [`contracts`] | the same for recursive functions and their calls |
//! | [`concrete`] | runs the program on a few inputs |
//! | [`gps`] | searches for errors, directed by summaries of the ways to them |
//! | [`symex`] | follows executions one by one, and learns from those that are done |

pub mod bmc;
pub mod concrete;
pub mod contracts;
pub mod gps;
pub mod kinduction;
mod query;
pub mod symex;

use cairn_core::Engine;
use cairn_gps::Options;
use cairn_symex::Interpolation;

/// The names of all engines, in the order in which they came.
pub const NAMES: [&str; 11] = [
    "concrete",
    "bmc",
    "kinduction",
    "gps",
    "gps-lite",
    "gps-nogas",
    "gps-nogas-nosum",
    "cra",
    "symex",
    "symex-core",
    "symex-nosub",
];

/// An engine by name.
pub fn named(name: &str, settings: &Settings) -> Option<Box<dyn Engine>> {
    let all = Options { journal: settings.explain, ..Options::default() };
    Some(match name {
        "concrete" => Box::new(concrete::Concrete),
        "bmc" => Box::new(bmc::Bmc { unwind: settings.unwind }),
        "kinduction" => {
            Box::new(kinduction::KInduction { most: settings.unwind.unwrap_or(kinduction::MOST) })
        }
        "gps" => gps("gps", all),
        "gps-lite" => gps("gps-lite", Options { refine: false, ..all }),
        "gps-nogas" => gps("gps-nogas", Options { gas: false, ..all }),
        "gps-nogas-nosum" => gps("gps-nogas-nosum", Options { gas: false, summaries: false, ..all }),
        "cra" => gps("cra", Options { search: false, ..all }),
        "symex" => symex("symex", cairn_symex::Options::default()),
        "symex-core" => symex(
            "symex-core",
            cairn_symex::Options { interpolation: Interpolation::Core, ..Default::default() },
        ),
        "symex-nosub" => {
            symex("symex-nosub", cairn_symex::Options { subsumption: false, ..Default::default() })
        }
        _ => return None,
    })
}

/// Can the engine explain what it did, if it is asked to?
pub fn explains(name: &str) -> bool {
    name.starts_with("gps") || name == "cra"
}

fn gps(name: &'static str, options: Options) -> Box<dyn Engine> {
    Box::new(gps::Gps { name, options })
}

fn symex(name: &'static str, options: cairn_symex::Options) -> Box<dyn Engine> {
    Box::new(symex::Symex { name, options })
}

/// What users may say to engines.
#[derive(Clone, Default, Debug)]
pub struct Settings {
    /// The greatest number of turns of a loop to follow.
    pub unwind: Option<u32>,
    /// Explain what is done, if the engine can.
    pub explain: bool,
}
