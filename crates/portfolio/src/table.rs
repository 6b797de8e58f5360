//! The table of engines: what `--engine` understands, help and documentation
//! list, and tests go through. To add an engine is to add a row.

use cairn_core::Engine;
use cairn_engines::{bmc, concrete, kinduction};
use cairn_gps::{Gps, Options as GpsOptions};
use cairn_symex::{Interpolation, Options as SymexOptions, Symex};

/// What users may say to engines.
#[derive(Clone, Default, Debug)]
pub struct Settings {
    /// The greatest number of turns of a loop to follow.
    pub unwind: Option<u32>,
    /// Explain what is done, if the engine can.
    pub explain: bool,
}

/// Makes an engine by its name.
pub type Maker = fn(&str, &Settings) -> Option<Box<dyn Engine>>;

/// A row of the table.
pub struct Row {
    pub name: &'static str,
    /// What it does, in a line.
    pub about: &'static str,
    /// It can explain its course if it is asked to (`--explain`).
    pub explains: bool,
    /// A variant of another engine, for comparisons.
    pub variant: bool,
    make: fn(&Row, &Settings) -> Box<dyn Engine>,
}

/// All engines, in the order in which they came.
pub const ENGINES: &[Row] = &[
    Row {
        name: "concrete",
        about: "runs the program on random inputs",
        explains: false,
        variant: false,
        make: |_, _| Box::new(concrete::Concrete),
    },
    Row {
        name: "bmc",
        about: "bounded model checking: all executions up to growing bounds",
        explains: false,
        variant: false,
        make: |_, s| Box::new(bmc::Bmc { unwind: s.unwind }),
    },
    Row {
        name: "kinduction",
        about: "k-induction over the turns of loops, contracts for recursion",
        explains: false,
        variant: false,
        make: |_, s| Box::new(kinduction::KInduction { most: s.unwind.unwrap_or(kinduction::MOST) }),
    },
    Row {
        name: "gps",
        about: "search for errors directed by path summaries",
        explains: true,
        variant: false,
        make: |row, s| gps(row, s, GpsOptions::default()),
    },
    Row {
        name: "gps-lite",
        about: "gps without refinement by interpolants",
        explains: true,
        variant: true,
        make: |row, s| gps(row, s, GpsOptions { refine: false, ..GpsOptions::default() }),
    },
    Row {
        name: "gps-nogas",
        about: "gps without gas",
        explains: true,
        variant: true,
        make: |row, s| gps(row, s, GpsOptions { gas: false, ..GpsOptions::default() }),
    },
    Row {
        name: "gps-nogas-nosum",
        about: "gps without gas and without summaries",
        explains: true,
        variant: true,
        make: |row, s| gps(row, s, GpsOptions { gas: false, summaries: false, ..GpsOptions::default() }),
    },
    Row {
        name: "cra",
        about: "the summary of the whole program alone, without search",
        explains: true,
        variant: true,
        make: |row, s| gps(row, s, GpsOptions { search: false, ..GpsOptions::default() }),
    },
    Row {
        name: "symex",
        about: "symbolic execution with interpolation",
        explains: false,
        variant: false,
        make: |row, _| symex(row, SymexOptions::default()),
    },
    Row {
        name: "symex-core",
        about: "symex with unsatisfiable cores as interpolants",
        explains: false,
        variant: true,
        make: |row, _| {
            symex(row, SymexOptions { interpolation: Interpolation::Core, ..SymexOptions::default() })
        },
    },
    Row {
        name: "symex-nosub",
        about: "symex without subsumption",
        explains: false,
        variant: true,
        make: |row, _| symex(row, SymexOptions { subsumption: false, ..SymexOptions::default() }),
    },
];

fn gps(row: &Row, settings: &Settings, options: GpsOptions) -> Box<dyn Engine> {
    Box::new(Gps { name: row.name, options: GpsOptions { journal: settings.explain, ..options } })
}

fn symex(row: &Row, options: SymexOptions) -> Box<dyn Engine> {
    Box::new(Symex { name: row.name, options })
}

/// The row of an engine.
pub fn row(name: &str) -> Option<&'static Row> {
    ENGINES.iter().find(|row| row.name == name)
}

/// An engine by name.
pub fn named(name: &str, settings: &Settings) -> Option<Box<dyn Engine>> {
    row(name).map(|row| (row.make)(row, settings))
}

/// Can the engine explain what it did, if it is asked to?
pub fn explains(name: &str) -> bool {
    row(name).is_some_and(|row| row.explains)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_those_of_the_engines() {
        for (n, row) in ENGINES.iter().enumerate() {
            assert!(ENGINES[..n].iter().all(|other| other.name != row.name), "{}", row.name);
            let engine = named(row.name, &Settings::default()).expect(row.name);
            assert_eq!(engine.name(), row.name);
            assert!(!row.about.is_empty(), "{}", row.name);
        }
    }
}
