//! The files that back a verdict. They are made before the report is printed,
//! so that it can say what is missing, and written after it, so that a full disk
//! takes nothing but the file away.
//!
//! A violation witness is written only if our own validation follows it.

use std::path::{Path, PathBuf};

use cairn_base::Budget;
use cairn_core::replay::Confirmed;
use cairn_core::{LoopProof, Proof};
use cairn_sem::spelled::{self, spell};
use cairn_sem::{Birth, End, Given};
use cairn_witness::witness::Segment;
use cairn_witness::{
    Claim, Sources, TaskInfo, Witness, evidence, graphml, harness, testcase, validate, yaml,
};
use time::OffsetDateTime;

use super::Finished;
use super::explain;
use crate::args::EvidenceArgs;
use crate::exit::Exit;
use crate::{follow, rerun, sarif, terminal};
use cairn_portfolio::Decision;

#[derive(Default)]
pub struct Evidence {
    files: Vec<(PathBuf, String)>,
    /// Folders to make first.
    folders: Vec<PathBuf>,
    /// What limits the files.
    pub notes: Vec<String>,
    /// What was asked for and does not exist.
    pub missing: Vec<String>,
}

impl EvidenceArgs {
    fn files(&self) -> impl Iterator<Item = &PathBuf> {
        [&self.sarif, &self.witness, &self.graphml, &self.harness].into_iter().flatten()
    }

    /// How many files go to standard output?
    pub fn to_stdout(&self) -> usize {
        self.files().filter(|f| *f == Path::new("-")).count()
    }
}

/// Makes everything that was asked for.
pub fn prepare(f: &Finished<'_>, budget: &Budget) -> Evidence {
    let mut made = Evidence::default();
    let asked = &f.args.evidence;
    if let Some(path) = &asked.sarif {
        made.files.push((path.clone(), sarif_log(f)));
    }
    if let Some(path) = &asked.explain {
        match explain::format(path).ok().and_then(|format| explain::text(f, format)) {
            Some(text) => made.files.push((path.clone(), text)),
            None => made.missing.push(match cairn_portfolio::table::explains(f.engine) {
                true => "no explanation is written: the search did not begin".to_owned(),
                false => format!("no explanation is written: it was `{}` that answered", f.engine),
            }),
        }
    }
    let about = match &f.decision {
        Decision::Unknown(_) => {
            made.absent(asked, "the verdict is UNKNOWN");
            return made;
        }
        _ if asked.witness.is_none() && asked.graphml.is_none() && asked.test.is_none() => None,
        _ => match info(f) {
            Ok(info) => Some(info),
            Err(why) => {
                made.absent(asked, &why);
                return made;
            }
        },
    };
    match &f.decision {
        Decision::Unsafe(trace, confirmed) => {
            made.failure(f, about.as_ref(), confirmed, &trace.births, budget);
        }
        Decision::Safe(proof) => made.proof(f, about.as_ref(), proof),
        Decision::Unknown(_) => {}
    }
    made
}

/// Writes the files. All are tried; the first that fails is reported.
pub fn write(made: &Evidence) -> Option<Exit> {
    let mut failed = None;
    for folder in &made.folders {
        if let Err(error) = std::fs::create_dir_all(folder) {
            failed.get_or_insert_with(|| format!("cannot make the folder {}: {error}", folder.display()));
        }
    }
    for (path, text) in &made.files {
        if path == Path::new("-") {
            terminal::output(text);
        } else if let Err(error) = std::fs::write(path, text) {
            failed.get_or_insert_with(|| format!("cannot write {}: {error}", path.display()));
        }
    }
    failed.map(|message| {
        terminal::usage_error(&message);
        Exit::Usage
    })
}

fn info(f: &Finished<'_>) -> Result<TaskInfo, String> {
    let files = f.setup.files();
    let files: Vec<&Path> = files.iter().map(PathBuf::as_path).collect();
    let (property, model) = (&f.task.property, f.task.program.model);
    let version = env!("CARGO_PKG_VERSION");
    TaskInfo::new(&files, property, &f.request.entry, model, OffsetDateTime::now_utc(), version)
        .map_err(|e| e.to_string())
}

fn sarif_log(f: &Finished<'_>) -> String {
    let outcome = match &f.decision {
        Decision::Safe(_) => sarif::Outcome::True,
        Decision::Unknown(why) => sarif::Outcome::Unknown(why),
        Decision::Unsafe(_, confirmed) => {
            let report = f.story.get().map_or(&confirmed.report, |s| &s.report);
            sarif::Outcome::False { message: &report.message, place: report.place, story: f.story.get() }
        }
    };
    sarif::sarif(&outcome, &f.task.property, &f.task.program, &f.compiled.map)
}

impl Evidence {
    /// Nothing of what was asked for.
    pub fn none(f: &Finished<'_>, why: &str) -> Evidence {
        let mut made = Evidence::default();
        let asked = &f.args.evidence;
        made.absent(asked, why);
        for (what, is_asked) in [("SARIF", asked.sarif.is_some()), ("explanation", asked.explain.is_some())] {
            if is_asked {
                made.missing.push(format!("no {what} is written: {why}"));
            }
        }
        made
    }

    /// Says of everything but SARIF that it is not written.
    fn absent(&mut self, asked: &EvidenceArgs, why: &str) {
        let all = [
            ("witness", asked.witness.is_some() || asked.graphml.is_some()),
            ("test", asked.test.is_some()),
            ("harness", asked.harness.is_some()),
        ];
        for (what, _) in all.iter().filter(|a| a.1) {
            self.missing.push(format!("no {what} is written: {why}"));
        }
    }

    fn failure(
        &mut self,
        f: &Finished<'_>,
        info: Option<&TaskInfo>,
        confirmed: &Confirmed,
        births: &[Birth],
        budget: &Budget,
    ) {
        let (asked, entry) = (&f.args.evidence, &f.request.entry);
        if let Some(path) = &asked.harness {
            let text = harness::harness_c(&f.task.original, &f.task.property, &confirmed.inputs);
            self.files.push((path.clone(), text));
        }
        let Some(info) = info else { return };
        if let Some(folder) = &asked.test {
            self.folders.push(folder.clone());
            self.files.push((folder.join("metadata.xml"), testcase::metadata(info, entry)));
            let memory = spell(&f.task.program, births);
            let text = testcase::complete(&confirmed.inputs, &memory, true);
            self.files.push((folder.join("testcase-1.xml"), text));
        }
        if asked.witness.is_none() && asked.graphml.is_none() {
            return;
        }
        let segments = match self.segments(f, confirmed, births, budget) {
            Ok(segments) => segments,
            Err(why) => return self.missing.push(format!("no witness is written: {why}")),
        };
        if let Some(path) = &asked.graphml {
            self.files.push((path.clone(), graphml::write(info, &segments, entry)));
        }
        if let Some(path) = &asked.witness {
            self.yaml(path, Witness { task: info.clone(), claim: Claim::Violation(segments) });
        }
    }

    fn yaml(&mut self, path: &Path, witness: Witness) {
        match yaml::write(&witness) {
            Ok(text) => self.files.push((path.to_owned(), text)),
            Err(error) => self.missing.push(format!("no witness is written: {error}")),
        }
    }

    /// The most telling segments that lead to the error in the program they are built into.
    fn segments(
        &mut self,
        f: &Finished<'_>,
        confirmed: &Confirmed,
        births: &[Birth],
        budget: &Budget,
    ) -> Result<Vec<Segment>, String> {
        let sources = f.setup.sources().map_err(|e| e.to_string())?;
        let all = evidence::violation(&f.task.original, &sources, &confirmed.inputs, &confirmed.report);
        let why = match followed(f, &sources, &all, confirmed, births, budget) {
            Ok(()) => return Ok(all),
            Err(why) => why,
        };
        let target: Vec<Segment> = all.last().cloned().into_iter().collect();
        followed(f, &sources, &target, confirmed, births, budget)?;
        self.notes.push(format!("the witness names the violating statement only: {why}"));
        Ok(target)
    }

    fn proof(&mut self, f: &Finished<'_>, info: Option<&TaskInfo>, proof: &Proof) {
        let asked = &f.args.evidence;
        for (what, is_asked) in [("test", asked.test.is_some()), ("harness", asked.harness.is_some())] {
            if is_asked {
                self.missing.push(format!("no {what} is written: the verdict is TRUE"));
            }
        }
        if asked.graphml.is_some() {
            self.missing
                .push("no GraphML witness is written for TRUE: use --witness, which writes YAML".to_owned());
        }
        let (Some(info), Some(path)) = (info, &asked.witness) else { return };
        let sources = match f.setup.sources() {
            Ok(sources) => sources,
            Err(why) => return self.missing.push(format!("no witness is written: {why}")),
        };
        let (mut invariants, left_out) = evidence::invariants(&f.task.program, &sources, proof);
        let all = proof.loops.values().map(|l| match l {
            LoopProof::Invariant { facts, .. } => facts.len(),
            LoopProof::Bound(_) => 0,
        });
        let all: usize = all.sum();
        if left_out > 0 {
            self.notes.push(format!(
                "{left_out} of {all} loop invariants of the proof cannot be written in C; the witness is without them"
            ));
        }
        let fits = validate::with_invariants(&sources, &invariants).map_err(follow::Unfit::from);
        if let Err(unfit) = fits.and_then(|inputs| follow::recompile(f.setup, &inputs)) {
            self.notes.push(format!("the witness is without invariants: {}", unfit.text()));
            invariants.clear();
        }
        self.yaml(path, Witness { task: info.clone(), claim: Claim::Correctness(invariants) });
    }
}

/// Does the execution that was found fail in the program with the witness built in?
fn followed(
    f: &Finished<'_>,
    sources: &Sources,
    segments: &[Segment],
    confirmed: &Confirmed,
    births: &[Birth],
    budget: &Budget,
) -> Result<(), String> {
    let task = follow::task(f.setup, sources, segments, &f.task.property, &f.task.options)
        .map_err(|unfit| unfit.text())?;
    let values: Vec<Given> = confirmed.inputs.iter().map(|i| Given::Bits(i.bits)).collect();
    // The objects are others there, with the same names.
    let births = spelled::births(&task.program, &spell(&f.task.program, births))?;
    match rerun::execute(&task, &values, &births, budget).end {
        End::ErrorReached(_) => Ok(()),
        _ => Err("an execution along the complete witness does not fail".to_owned()),
    }
}
