//! What the attack on a proof found, for reports: checks that no execution reaches,
//! and the reproduction of a contradiction, which is a fault of Cairn.

use std::fmt::Write as _;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};

use cairn_attack::{Attack, Contradiction, Reach};
use cairn_base::Place;
use cairn_core::Task;
use cairn_sem::{InputRecord, place_text};

use crate::report::value_text;

/// Places in one note.
const NAMED: usize = 3;

/// What TRUE does not say: checks that nothing reaches.
pub fn notes(task: &Task, attack: &Attack) -> Vec<String> {
    let list = |places: &[Place]| {
        let mut text: Vec<String> =
            places.iter().take(NAMED).map(|p| place_text(&task.program, *p)).collect();
        if places.len() > NAMED {
            text.push(format!("{} more", places.len() - NAMED));
        }
        format!("the check{} at {}", if places.len() == 1 { "" } else { "s" }, text.join(", "))
    };
    let mut notes = Vec::new();
    let (never, missed) = (places(attack, Reach::Never), places(attack, Reach::NotFound));
    if !never.is_empty() {
        notes.push(format!("no execution reaches {}", list(&never)));
    }
    if !missed.is_empty() {
        notes.push(format!("no execution was found that reaches {}", list(&missed)));
    }
    notes
}

/// The checks of which that is known.
pub fn places(attack: &Attack, status: Reach) -> Vec<Place> {
    attack.checks.iter().filter(|c| c.status == status).map(|c| c.place).collect()
}

/// The inputs as a run has them.
pub fn inputs(found: &Contradiction) -> Vec<InputRecord> {
    let record = |i: &cairn_core::InputValue| InputRecord {
        name: i.name,
        ty: i.ty,
        bits: i.bits,
        place: i.place,
        given: true,
    };
    found.inputs.iter().map(record).collect()
}

/// What it takes to see a contradiction again.
pub struct Reproduction<'a> {
    pub task: &'a Task,
    pub engine: &'a str,
    pub found: &'a Contradiction,
    /// The command that runs the program on the inputs, if they fit on a line.
    pub repeat: Option<&'a str>,
    pub files: &'a [PathBuf],
}

impl Reproduction<'_> {
    fn text(&self) -> String {
        let (task, found) = (self.task, self.found);
        let mut text = format!("cairn {}: a proof contradicts a run\n", env!("CARGO_PKG_VERSION"));
        let _ = writeln!(text, "what: {}", found.what);
        let _ = writeln!(text, "place: {}", place_text(&task.program, found.place));
        let _ = writeln!(text, "property: {}", task.property.name());
        let _ = writeln!(text, "data model: {}", task.program.model);
        let _ = writeln!(text, "signed overflow: {:?}", task.options.signed_overflow);
        let _ = writeln!(text, "engine: {}", self.engine);
        for file in self.files {
            let _ = writeln!(text, "file: {}", file.display());
        }
        if let Some(command) = self.repeat {
            let _ = writeln!(text, "command: {command}");
        }
        for input in inputs(found) {
            let at = place_text(&task.program, input.place);
            let _ =
                writeln!(text, "input: {} = {} ({at})", input.name, value_text(&input, task.program.model));
        }
        for file in self.files {
            if let Ok(source) = std::fs::read_to_string(file) {
                let _ = write!(text, "\n==== {}\n{source}", file.display());
            }
        }
        text
    }

    /// Writes the reproduction into a folder; its file has a name made from its text. `None` if
    /// that fails.
    pub fn save(&self, folder: &Path) -> Option<PathBuf> {
        let text = self.text();
        let mut hasher = std::hash::DefaultHasher::new();
        text.hash(&mut hasher);
        let path = folder.join(format!("cairn-attack-{:016x}.txt", hasher.finish()));
        std::fs::write(&path, text).ok().map(|()| path)
    }
}
