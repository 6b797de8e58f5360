//! The command line that repeats a failure.

use std::path::Path;

use cairn_base::DataModel;
use cairn_sem::spelled::Spelled;
use cairn_sem::{InputRecord, SignedOverflow};
use cairn_witness::testcase::is_address;

use crate::args::{Extern, FrontArgs};
use crate::report::value_text;
use crate::run::quoted;

/// More inputs do not fit on a line.
const MOST: usize = 400;

/// What a command is made of.
pub struct Repeat<'a> {
    pub front: &'a FrontArgs,
    pub entry: &'a str,
    pub model: DataModel,
    /// As `--property` takes it; nothing for the default.
    pub property: Option<&'a str>,
    pub signed_overflow: SignedOverflow,
    pub inputs: &'a [InputRecord],
    /// What memory held that nobody had written.
    pub memory: &'a [Spelled],
    /// A folder with the inputs as a test case.
    pub test: Option<&'a Path>,
}

/// `cairn replay …`, or nothing if there are too many inputs and no file has them.
pub fn replay(r: &Repeat<'_>) -> Option<String> {
    let mut words = vec!["cairn replay".to_owned()];
    words.extend(r.front.files.iter().map(|f| quoted(f)));
    let mut add = |option: &str, value: &str| words.push(format!("{option} {}", quoted(Path::new(value))));
    let mut add_path = |option: &str, path: &Path| add(option, &path.to_string_lossy());
    r.front.compile_commands.iter().for_each(|f| add_path("--compile-commands", f));
    r.front.include_dirs.iter().for_each(|d| add_path("-I", d));
    r.front.isystem.iter().for_each(|d| add_path("-isystem", d));
    r.front.include.iter().for_each(|f| add_path("-include", f));
    r.front.define.iter().for_each(|d| add("-D", d));
    r.front.undefine.iter().for_each(|d| add("-U", d));
    r.front.std.iter().for_each(|s| add("--std", s));
    if let Some(property) = r.property {
        add("--property", property);
    }
    if r.entry != "main" {
        add("--function", r.entry);
    }
    if let Some(externals) = r.front.externals {
        add("--extern", if externals == Extern::Pure { "pure" } else { "any" });
    }
    if let Some(arguments) = r.front.arguments {
        add("--args", &format!("{}:{}", arguments.count, arguments.length));
    }
    words.push(if r.model == DataModel::Ilp32 { "--32" } else { "--64" }.to_owned());
    if r.signed_overflow == SignedOverflow::Undefined {
        words.push("--signed-overflow undefined".to_owned());
    }
    if r.inputs.len() + r.memory.len() <= MOST {
        // Named addresses say that the program is to be read with addresses as inputs.
        let named = |i: &InputRecord| {
            let value = value_text(i, r.model);
            match i.name.strip_suffix('?').filter(|n| is_address(n)) {
                Some(name) => format!("{}={value}", name.replace([',', '=', '\''], "")),
                None => value,
            }
        };
        let mut values: Vec<String> = r.inputs.iter().map(named).collect();
        values.extend(r.memory.iter().map(|m| format!("{}={}", m.name, m.hex())));
        if !values.is_empty() {
            words.push(format!("--input {}", quoted(Path::new(&values.join(",")))));
        }
    } else {
        words.push(format!("--test {}", quoted(r.test?)));
    }
    Some(words.join(" "))
}
