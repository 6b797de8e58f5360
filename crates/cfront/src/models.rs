//! The models of the C library: C text, embedded, cut into sections.
//!
//! A line `//@ name…` starts a section that defines these names. `//@* name…`
//! starts a template over the floating types: it stands for three sections, in
//! which `REAL` is the type, `@S` the suffix of C's names (`f`, none, `l`) and `@P`
//! that of the vocabulary (`_f`, `_d`, `_l`); each name gets the C suffix. A line
//! `//@= name alias…` says that the aliases are defined by the section of `name`, each by a
//! copy under its own name; such a section has one name and keeps no state.
//!
//! Functions of the libraries without a section of their own are made from a table
//! (`effects`).
//!
//! A program gets just the sections it needs, each as a unit of its own, so a
//! definition by the user takes the place of one function and of nothing else.
//! Models call each other as `__model_name`: that is a second copy of the section
//! under that name, which no definition of the user can replace.
//!
//! What the models assume of the outside: an allocation succeeds unless no object
//! could be that large; `rand`, `time` and `clock` are
//! inputs, as are the bytes of files and whether an operation on them fails; the locale
//! is "C"; no signal comes from outside. What could only be approximated (`setjmp`) has
//! no model and is listed as missing.

use std::collections::BTreeMap;

use crate::effects;

const PRELUDE: &str = include_str!("../models/prelude.c");

const FILES: &[(&str, &str)] = &[
    ("alloc.c", include_str!("../models/alloc.c")),
    ("cprover.c", include_str!("../models/cprover.c")),
    ("ctype.c", include_str!("../models/ctype.c")),
    ("esbmc.c", include_str!("../models/esbmc.c")),
    ("fenv.c", include_str!("../models/fenv.c")),
    ("format.c", include_str!("../models/format.c")),
    ("fortify.c", include_str!("../models/fortify.c")),
    ("inet.c", include_str!("../models/inet.c")),
    ("input.c", include_str!("../models/input.c")),
    ("klee.c", include_str!("../models/klee.c")),
    ("locale.c", include_str!("../models/locale.c")),
    ("math.c", include_str!("../models/math.c")),
    ("math_approx.c", include_str!("../models/math_approx.c")),
    ("memory.c", include_str!("../models/memory.c")),
    ("multibyte.c", include_str!("../models/multibyte.c")),
    ("scanf.c", include_str!("../models/scanf.c")),
    ("search.c", include_str!("../models/search.c")),
    ("stdio.c", include_str!("../models/stdio.c")),
    ("stdlib.c", include_str!("../models/stdlib.c")),
    ("stream.c", include_str!("../models/stream.c")),
    ("string.c", include_str!("../models/string.c")),
    ("time.c", include_str!("../models/time.c")),
    ("unistd.c", include_str!("../models/unistd.c")),
    ("verifier.c", include_str!("../models/verifier.c")),
    ("wchar.c", include_str!("../models/wchar.c")),
    ("wctype.c", include_str!("../models/wctype.c")),
];

/// How the copies for other models are named.
const PRIVATE: &str = "__model_";

/// One instance of a template: the type, and the suffixes of names.
#[derive(Copy, Clone)]
struct Precision {
    real: &'static str,
    suffix: &'static str,
    vocabulary: &'static str,
}

const PRECISIONS: [Precision; 3] = [
    Precision { real: "float", suffix: "f", vocabulary: "_f" },
    Precision { real: "double", suffix: "", vocabulary: "_d" },
    Precision { real: "long double", suffix: "l", vocabulary: "_l" },
];

#[derive(Clone)]
struct Section {
    file: &'static str,
    /// Of the first line of the text, counted from 1.
    line: usize,
    names: Vec<String>,
    text: &'static str,
    precision: Option<Precision>,
}

/// All sections by the names they define.
pub struct Models {
    sections: Vec<Section>,
    by_name: BTreeMap<String, usize>,
    /// The name whose section defines an alias.
    aliases: BTreeMap<&'static str, &'static str>,
}

/// A unit to compile: some section, perhaps under private names.
pub struct Model {
    /// What it is known by; compiling it twice would define things twice.
    pub key: String,
    /// The file of the text, for messages.
    pub file: String,
    pub text: String,
}

impl Models {
    pub fn new() -> Models {
        let mut models = Models { sections: Vec::new(), by_name: BTreeMap::new(), aliases: BTreeMap::new() };
        for (file, text) in FILES {
            models.read(file, text);
        }
        models
    }

    fn read(&mut self, file: &'static str, text: &'static str) {
        let mut open: Option<(usize, usize, &str, bool)> = None;
        let mut at = 0;
        for (index, line) in text.split_inclusive('\n').enumerate() {
            if let Some(rest) = line.strip_prefix("//@=") {
                let mut words = rest.split_whitespace();
                if let Some(name) = words.next() {
                    self.aliases.extend(words.map(|alias| (alias, name)));
                }
            } else if let Some(rest) = line.strip_prefix("//@") {
                if let Some((start, first, names, template)) = open.take() {
                    self.add(file, first, names, template, &text[start..at]);
                }
                let template = rest.starts_with('*');
                open = Some((at + line.len(), index + 2, rest.trim_start_matches('*'), template));
            }
            at += line.len();
        }
        if let Some((start, first, names, template)) = open {
            self.add(file, first, names, template, &text[start..]);
        }
    }

    fn add(&mut self, file: &'static str, line: usize, names: &str, template: bool, text: &'static str) {
        let instances = if template { PRECISIONS.iter().copied().map(Some).collect() } else { vec![None] };
        for precision in instances {
            let suffix = precision.map_or("", |p: Precision| p.suffix);
            let names: Vec<String> = names.split_whitespace().map(|n| format!("{n}{suffix}")).collect();
            for name in &names {
                self.by_name.insert(name.clone(), self.sections.len());
            }
            self.sections.push(Section { file, line, names, text, precision });
        }
    }

    /// Every name that some model defines.
    pub fn names(&self) -> impl Iterator<Item = String> {
        let sections = self.by_name.keys().cloned();
        let others = self.aliases.keys().copied().chain(effects::names());
        sections.chain(others.map(str::to_owned))
    }

    /// The unit that defines `name`, if there is a model of it.
    pub fn find(&self, name: &str) -> Option<Model> {
        let public = name.strip_prefix(PRIVATE);
        if !self.by_name.contains_key(name)
            && let Some((line, body)) = effects::find(name)
        {
            let file = format!("<models>/{}", effects::FILE);
            let text = format!("# 1 \"<models>/prelude.c\"\n{PRELUDE}# {line} \"{file}\"\n{body}");
            return Some(Model { key: name.to_owned(), file, text });
        }
        let alias = self.aliases.get(name).copied();
        let section = &self.sections[*self.by_name.get(alias.or(public).unwrap_or(name))?];
        let mut body = section.text.to_owned();
        if let Some(p) = section.precision {
            body = body.replace("REAL", p.real).replace("@S", p.suffix).replace("@P", p.vocabulary);
        }
        let mut key = section.names[0].clone();
        if let Some(original) = alias {
            key = name.to_owned();
            body = rename(&body, original, name);
        } else if public.is_some() {
            key = format!("{PRIVATE}{key}");
            for name in &section.names {
                body = rename(&body, name, &format!("{PRIVATE}{name}"));
            }
        }
        let file = format!("<models>/{}", section.file);
        let text = format!("# 1 \"<models>/prelude.c\"\n{PRELUDE}# {} \"{file}\"\n{body}", section.line);
        Some(Model { key, file, text })
    }

    /// The text of a file of models, as messages name it.
    pub fn files() -> impl Iterator<Item = (String, &'static str)> {
        let ends = [("prelude.c", PRELUDE), (effects::FILE, effects::TABLE)];
        let all = ends.into_iter().chain(FILES.iter().copied());
        all.map(|(name, text)| (format!("<models>/{name}"), text))
    }
}

impl Default for Models {
    fn default() -> Models {
        Models::new()
    }
}

/// Replaces a word wherever it stands alone.
fn rename(text: &str, from: &str, to: &str) -> String {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut out = String::with_capacity(text.len() + 64);
    let mut rest = text;
    while let Some(at) = rest.find(from) {
        let (before, found) = rest.split_at(at);
        let after = &found[from.len()..];
        out.push_str(before);
        let alone = !before.ends_with(word) && !out.ends_with(word) && !after.starts_with(word);
        out.push_str(if alone { to } else { from });
        rest = after;
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_and_their_names() {
        let models = Models::new();
        for name in ["malloc", "strlen", "printf", "sinf", "sin", "sinl", "stdout", "__cairn_pushed"] {
            let model = models.find(name).unwrap_or_else(|| panic!("no model of {name}"));
            assert!(model.text.contains(name), "{name}");
        }
        assert!(models.find("no_such_function").is_none());
        assert!(models.find("__model_no_such_function").is_none());
        assert!(models.names().count() > 350);
    }

    #[test]
    fn templates_are_filled_in() {
        let text = Models::new().find("floorl").unwrap().text;
        assert!(text.contains("long double floorl(long double x)"), "{text}");
        assert!(text.contains("__cairn_floor_l(x)"), "{text}");
    }

    #[test]
    fn private_copies_define_the_private_name() {
        let model = Models::new().find("__model_strlen").unwrap();
        assert!(model.text.contains("size_t __model_strlen(const char *s)"));
        assert!(!model.text.contains("size_t strlen"));
        assert_eq!(model.key, "__model_strlen");
    }

    #[test]
    fn renaming_takes_whole_words() {
        assert_eq!(rename("puts(fputs) puts puts_x", "puts", "P"), "P(fputs) P puts_x");
        assert_eq!(rename("aputs", "puts", "P"), "aputs");
    }

    /// What a model calls exists: as a model, in the vocabulary, or in the section itself.
    #[test]
    fn names_are_defined_once() {
        let mut seen = std::collections::BTreeSet::new();
        for (_, text) in FILES {
            for line in text.lines().filter_map(|l| l.strip_prefix("//@")) {
                let skip = usize::from(line.starts_with('='));
                for name in line.trim_start_matches(['*', '=']).split_whitespace().skip(skip) {
                    assert!(seen.insert(name), "{name} is defined twice");
                }
            }
        }
    }

    #[test]
    fn the_table_holds_what_has_no_section() {
        let models = Models::new();
        for name in effects::names() {
            assert!(!models.by_name.contains_key(name), "{name} has a model");
            assert!(!models.aliases.contains_key(name), "{name} is an alias");
        }
    }

    #[test]
    fn aliases_are_copies_of_sections_with_one_name() {
        let models = Models::new();
        for (alias, name) in &models.aliases {
            let section = &models.sections[models.by_name[*name]];
            assert_eq!(section.names, [*name], "{alias}");
            let model = models.find(alias).unwrap();
            assert_eq!(model.key, *alias);
            assert!(model.text.contains(&format!("{alias}(")), "{}", model.text);
        }
    }
}
