//! Command templates: how another tool is called for a task.
//!
//! A template is split into words as a shell would do it, once; placeholders
//! are filled in afterwards, so that a path with spaces stays one argument.
//! The whole vocabulary:
//!
//! | placeholder | stands for |
//! |---|---|
//! | `{file}` | the program's only (or first) file |
//! | `{files}` | all files; as a word of its own it becomes several arguments |
//! | `{task}` | the task file |
//! | `{property_file}`, `{property}` | the property file, its name (`unreach-call`) |
//! | `{model}`, `{bits}` | `ILP32` or `LP64`, `32` or `64` |
//! | `{32?A:B}` | `A` in the 32-bit model, else `B`; an argument that becomes empty is left out |
//! | `{time}`, `{memory}` | the CPU limit in seconds, the memory limit in megabytes; 0 is none |
//! | `{tmp}` | a folder for this run alone, removed after it |
//! | `{{`, `}}` | braces |

use std::path::Path;

use cairn_base::DataModel;

use crate::process::Limits;
use crate::set::Case;

/// A command with placeholders, known to be well formed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Template {
    words: Vec<Vec<TemplatePart>>,
    text: String,
}

/// Text, or a placeholder in braces.
#[derive(Clone, PartialEq, Eq, Debug)]
enum TemplatePart {
    Text(String),
    File,
    Files,
    Task,
    PropertyFile,
    Property,
    Model,
    Bits,
    Ilp32 { then: String, or: String },
    Time,
    Memory,
    Tmp,
}

impl Template {
    pub fn parse(text: &str) -> Result<Template, String> {
        let words = shlex::split(text).ok_or_else(|| format!("a quote is not closed in `{text}`"))?;
        if words.is_empty() {
            return Err("the command is empty".to_owned());
        }
        let words = words.iter().map(|w| pieces(w)).collect::<Result<_, _>>()?;
        Ok(Template { words, text: text.to_owned() })
    }

    /// A command that is one program with fixed words before the placeholders.
    pub fn of_words(words: &[String], rest: &str) -> Result<Template, String> {
        let quoted = shlex::try_join(words.iter().map(String::as_str)).map_err(|e| e.to_string())?;
        let literal = quoted.replace('{', "{{").replace('}', "}}");
        Template::parse(&format!("{literal} {rest}"))
    }

    /// As the user wrote it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The program's name without folders, where it is no placeholder.
    pub fn program(&self) -> Option<&str> {
        match self.words.first()?.as_slice() {
            [TemplatePart::Text(word)] => Path::new(word).file_name()?.to_str(),
            _ => None,
        }
    }

    /// Does it want a folder of its own?
    pub fn wants_tmp(&self) -> bool {
        self.words.iter().flatten().any(|p| *p == TemplatePart::Tmp)
    }

    /// The arguments for one run.
    pub fn fill(&self, case: &Case, limits: &Limits, tmp: &Path) -> Vec<String> {
        let show = |p: &Path| p.display().to_string();
        let model = case.task.data_model.unwrap_or(DataModel::HOST);
        let files: Vec<String> = case.task.input_files.iter().map(|f| show(f)).collect();
        let mut arguments = Vec::new();
        for word in &self.words {
            if word.as_slice() == [TemplatePart::Files] {
                arguments.extend(files.iter().cloned());
                continue;
            }
            let mut filled = String::new();
            for piece in word {
                match piece {
                    TemplatePart::Text(text) => filled += text,
                    TemplatePart::File => filled += files.first().map_or("", String::as_str),
                    TemplatePart::Files => filled += &files.join(" "),
                    TemplatePart::Task => filled += &show(&case.task.path),
                    TemplatePart::PropertyFile => filled += &show(&case.property.property_file),
                    TemplatePart::Property => filled += case.property.name(),
                    TemplatePart::Model => filled += &model.to_string(),
                    TemplatePart::Bits => filled += &model.ptr_bits().to_string(),
                    TemplatePart::Ilp32 { then, .. } if model == DataModel::Ilp32 => filled += then,
                    TemplatePart::Ilp32 { or, .. } => filled += or,
                    TemplatePart::Time => filled += &limits.cpu.map_or(0, |t| t.as_secs()).to_string(),
                    TemplatePart::Memory => filled += &limits.memory.map_or(0, |m| m >> 20).to_string(),
                    TemplatePart::Tmp => filled += &show(tmp),
                }
            }
            let chosen = word.iter().any(|p| matches!(p, TemplatePart::Ilp32 { .. }));
            if !(chosen && filled.is_empty()) {
                arguments.push(filled);
            }
        }
        arguments
    }
}

fn pieces(word: &str) -> Result<Vec<TemplatePart>, String> {
    let mut pieces = Vec::new();
    let mut text = String::new();
    let mut rest = word;
    while let Some(at) = rest.find(['{', '}']) {
        text += &rest[..at];
        let brace = &rest[at..at + 1];
        if rest[at + 1..].starts_with(brace) {
            text += brace;
            rest = &rest[at + 2..];
            continue;
        }
        let inner = rest[at + 1..].split_once('}').filter(|_| brace == "{");
        let (name, after) =
            inner.ok_or_else(|| format!("a lone `{brace}` in `{word}` (write it twice to mean it)"))?;
        if !text.is_empty() {
            pieces.push(TemplatePart::Text(std::mem::take(&mut text)));
        }
        pieces.push(placeholder(name)?);
        rest = after;
    }
    text += rest;
    if !text.is_empty() || pieces.is_empty() {
        pieces.push(TemplatePart::Text(text));
    }
    Ok(pieces)
}

fn placeholder(name: &str) -> Result<TemplatePart, String> {
    Ok(match name {
        "file" => TemplatePart::File,
        "files" => TemplatePart::Files,
        "task" => TemplatePart::Task,
        "property_file" => TemplatePart::PropertyFile,
        "property" => TemplatePart::Property,
        "model" => TemplatePart::Model,
        "bits" => TemplatePart::Bits,
        "time" => TemplatePart::Time,
        "memory" => TemplatePart::Memory,
        "tmp" => TemplatePart::Tmp,
        _ => {
            let (then, or) = name.strip_prefix("32?").and_then(|c| c.split_once(':')).ok_or_else(|| {
                format!(
                    "`{{{name}}}` is no placeholder (there are {{file}}, {{files}}, {{task}}, {{property_file}}, \
                     {{property}}, {{model}}, {{bits}}, {{32?A:B}}, {{time}}, {{memory}}, {{tmp}})"
                )
            })?;
            TemplatePart::Ilp32 { then: then.to_owned(), or: or.to_owned() }
        }
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::set::tests::case;

    fn fill(template: &str, model: &str) -> Vec<String> {
        let limits = Limits { cpu: Some(Duration::from_secs(60)), wall: None, memory: Some(2000 << 20) };
        Template::parse(template).expect(template).fill(&case(model), &limits, Path::new("/t"))
    }

    #[test]
    fn placeholders() {
        assert_eq!(
            fill("cbmc {32?--32:--64} --property={property} '{file}'", "ILP32"),
            ["cbmc", "--32", "--property=unreach-call", "set/a b.c"]
        );
        assert_eq!(fill("x {files} {bits} {model}", "LP64"), ["x", "set/a b.c", "set/b.c", "64", "LP64"]);
        assert_eq!(
            fill("x {task} {property_file} {time} {memory} -o{tmp}", "LP64"),
            ["x", "set/a.yml", "set/p/unreach-call.prp", "60", "2000", "-o/t"]
        );
    }

    #[test]
    fn an_empty_choice_is_no_argument() {
        assert_eq!(fill("x {32?-m32:} '' {file}", "LP64"), ["x", "", "set/a b.c"]);
        assert_eq!(fill("x {32?-m32:}", "ILP32"), ["x", "-m32"]);
    }

    #[test]
    fn quoting_and_braces() {
        assert_eq!(fill("sh -c 'run {{x}} \"$1\"' sh {file}", "LP64")[2], "run {x} \"$1\"");
        let words = ["/a b/ca{irn}".to_owned(), "check".to_owned()];
        let built = Template::of_words(&words, "{file}").unwrap();
        assert_eq!(built.program(), Some("ca{irn}"));
        for bad in ["", "x 'y", "x {fil}", "x {32?a}", "x {", "x }y"] {
            assert!(Template::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn what_a_template_tells() {
        let template = Template::parse("/opt/cbmc/bin/cbmc {file}").unwrap();
        assert_eq!((template.program(), template.wants_tmp()), (Some("cbmc"), false));
        assert!(Template::parse("klee --output-dir={tmp}/out {file}").unwrap().wants_tmp());
    }
}
