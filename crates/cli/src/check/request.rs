//! What the user asks: files and property, from the command line or a task file.

use std::path::{Path, PathBuf};

use cairn_base::{DataModel, sym};
use cairn_cfront::Compiled;
use cairn_core::Property;
use cairn_formats::{TaskFile, property};

use crate::args::{FrontArgs, Model};

pub struct Request {
    pub front: FrontArgs,
    pub entry: String,
    pub property: Property,
    /// The property file, where there is one.
    pub property_file: Option<PathBuf>,
}

impl Request {
    /// The function that the property names though no unit declares it: a mistake in its name, mostly.
    /// What competitions call the error may be missing where assertions count as well.
    pub fn missing_function(&self, compiled: &Compiled) -> Option<String> {
        let Property::UnreachCall { functions, assertions: false } = &self.property else { return None };
        functions.iter().find(|f| !is_error(f) && !compiled.declared.contains(&sym(f))).cloned()
    }

    /// What TRUE rests on if the property asks for the error function of competitions, and the program
    /// has none: perhaps another function was meant.
    pub fn missing_error(&self, compiled: &Compiled) -> Option<String> {
        let Property::UnreachCall { functions, assertions: false } = &self.property else { return None };
        let name = functions.iter().find(|f| is_error(f))?;
        let declared = ERRORS.iter().any(|e| compiled.declared.contains(&sym(e)));
        (!declared)
            .then(|| format!("{name}, which the program does not have, is the function that was meant"))
    }

    pub fn model(&self) -> DataModel {
        self.front.model()
    }
}

/// What competitions call the error function.
const ERRORS: [&str; 2] = ["reach_error", "__VERIFIER_error"];

fn is_error(name: &str) -> bool {
    ERRORS.contains(&name)
}

/// Reads what the command line names: a task file, a property file.
pub fn read(front: &FrontArgs, asked: Option<&str>) -> Result<Request, String> {
    let (front, task) = open(front)?;
    let mut property_file = None;
    let mut property = None;
    if let (Some(task), None) = (&task, asked) {
        property_file = Some(choose(task)?);
    }
    let mut entry = None;
    if let Some(text) = asked {
        // A task file knows best what its properties say.
        let listed = task.as_ref().and_then(|t| t.property_named(text)).map(|p| p.property_file.clone());
        match (listed, Property::named(text)) {
            (Some(file), _) => property_file = Some(file),
            (None, Some(p)) => property = Some(p),
            (None, None) => property_file = Some(PathBuf::from(text)),
        }
    }
    if let (None, Some(file)) = (&property, &property_file) {
        let (p, start) = read_property(file, asked)?;
        property = Some(p);
        entry = Some(start);
    }
    let mut front = front;
    if property_file.is_some() {
        front.else_pure();
    }
    let entry = front.function.clone().or(entry).unwrap_or_else(|| "main".to_owned());
    Ok(Request { front, entry, property: property.unwrap_or_default(), property_file })
}

/// The files to read, with those of a task file in its place.
pub fn open(front: &FrontArgs) -> Result<(FrontArgs, Option<TaskFile>), String> {
    let mut front = front.clone();
    let [only] = &front.files[..] else { return Ok((front, None)) };
    if !TaskFile::is_one(only) {
        return Ok((front, None));
    }
    let task = TaskFile::read(only).map_err(|e| e.to_string())?;
    if let Some(language) = task.language.as_deref().filter(|l| *l != "C") {
        return Err(format!("{}: the language is {language}, not C", only.display()));
    }
    let stated = front.ilp32 || front.lp64 || front.data_model.is_some();
    if let (Some(model), false) = (task.data_model, stated) {
        front.data_model = Some(if model == DataModel::Ilp32 { Model::Ilp32 } else { Model::Lp64 });
    }
    front.files = task.input_files.clone();
    front.else_pure();
    Ok((front, Some(task)))
}

/// The property of a task file to check when none is asked for: the only one that we can decide. Which
/// of several is meant, the user has to say.
fn choose(task: &TaskFile) -> Result<PathBuf, String> {
    let known: Vec<_> = task
        .properties
        .iter()
        .filter(|p| {
            let read = read_property(&p.property_file, None);
            matches!(read, Ok((p, _)) if !matches!(p, Property::Unsupported(_)))
        })
        .collect();
    if let [_, _, ..] = known[..] {
        let names: Vec<&str> = known.iter().map(|p| p.name()).collect();
        let (file, first) = (task.path.display(), names[0]);
        let names = names.join(", ");
        return Err(format!("{file} lists several properties: {names}; say which one: --property {first}"));
    }
    let only = known.first().copied().or(task.properties.first());
    only.map(|p| p.property_file.clone())
        .ok_or_else(|| format!("{}: no property is listed; give one with --property", task.path.display()))
}

fn read_property(file: &Path, given: Option<&str>) -> Result<(Property, String), String> {
    let text = std::fs::read_to_string(file).map_err(|e| match given {
        Some(name) if e.kind() == std::io::ErrorKind::NotFound => {
            format!("`{name}` is neither a property nor a file; properties are {}", Property::NAMES)
        }
        _ => format!("the property file {} cannot be read: {e}", file.display()),
    })?;
    property::parse(&text).map_err(|e| format!("{}: {e}", file.display()))
}
