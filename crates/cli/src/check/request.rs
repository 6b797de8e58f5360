//! What the user asks: files and property, from the command line or a task file.

use std::path::{Path, PathBuf};

use cairn_base::DataModel;
use cairn_core::Property;
use cairn_core::taskfile::TaskFile;

use crate::args::{FrontArgs, Model};

pub struct Request {
    pub front: FrontArgs,
    pub entry: String,
    pub property: Property,
    /// The property file, where there is one.
    pub property_file: Option<PathBuf>,
}

impl Request {
    pub fn model(&self) -> DataModel {
        self.front.model()
    }
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
        match Property::named(text) {
            Some(p) => property = Some(p),
            None => property_file = Some(PathBuf::from(text)),
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

/// The property of a task file to check when none is asked for: the first that we can decide.
fn choose(task: &TaskFile) -> Result<PathBuf, String> {
    let known = task.properties.iter().find(|p| {
        matches!(read_property(&p.property_file, None), Ok((p, _)) if !matches!(p, Property::Unsupported(_)))
    });
    known
        .or(task.properties.first())
        .map(|p| p.property_file.clone())
        .ok_or_else(|| format!("{}: no property is listed; give one with --property", task.path.display()))
}

fn read_property(file: &Path, given: Option<&str>) -> Result<(Property, String), String> {
    let text = std::fs::read_to_string(file).map_err(|e| match given {
        Some(name) if e.kind() == std::io::ErrorKind::NotFound => {
            format!("`{name}` is neither a property nor a file; properties are {}", Property::NAMES)
        }
        _ => format!("the property file {} cannot be read: {e}", file.display()),
    })?;
    Property::parse(&text).map_err(|e| format!("{}: {e}", file.display()))
}
