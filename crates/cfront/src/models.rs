//! The models of the C library: C text, embedded, cut into sections.
//!
//! A line `//@ name…` starts a section that defines these names. With a sign behind `@` it
//! starts a template ([`Template`]), which stands for one section for each of its types:
//! `*` for the floating types, `%` for characters, `#` for the integers of `strtol`. Names and text
//! may have the words of the template in them (`wcsto@T`); names of `*` that have none get the
//! suffix of C. If `@N` occurs in the text, there is one section for each name, and `@N` is that
//! name as it stands in the first line. What stands in a file before the first section is put in front
//! of all of its sections. A line `//@= name alias…` behind a section says that the aliases are
//! defined by the section of `name`, each by a copy under its own name; such a section has one
//! name and keeps no state.
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

/// What stands in an instance of a template for the words of the template.
type Words = &'static [(&'static str, &'static str)];

/// A template has an instance for each type.
struct Template {
    sign: char,
    /// What names get that have no word of the template in them.
    suffix: &'static str,
    instances: &'static [Words],
}

const TEMPLATES: [Template; 3] = [
    // The suffixes of C's names (@S), of the vocabulary (@P), and of those that name `double`, too (@C).
    Template {
        sign: '*',
        suffix: "@S",
        instances: &[
            &[("REAL", "float"), ("@S", "f"), ("@P", "_f"), ("@C", "f")],
            &[("REAL", "double"), ("@S", ""), ("@P", "_d"), ("@C", "d")],
            &[("REAL", "long double"), ("@S", "l"), ("@P", "_l"), ("@C", "ld")],
        ],
    },
    Template {
        sign: '%',
        suffix: "",
        instances: &[
            &[("CHAR", "char"), ("@W", "str"), ("@Q", "stp")],
            &[("CHAR", "wchar_t"), ("@W", "wcs"), ("@Q", "wcp")],
        ],
    },
    Template {
        sign: '#',
        suffix: "",
        instances: &[
            &[("NUMBER", "long"), ("@T", "l")],
            &[("NUMBER", "unsigned long"), ("@T", "ul")],
            &[("NUMBER", "long long"), ("@T", "ll")],
            &[("NUMBER", "unsigned long long"), ("@T", "ull")],
        ],
    },
];

/// A section that is no template has one instance.
const PLAIN: &[Words] = &[&[]];

fn fill(text: &str, words: Words) -> String {
    words.iter().fold(text.to_owned(), |text, (word, by)| text.replace(word, by))
}

#[derive(Clone)]
struct Section {
    file: &'static str,
    /// Of the first line of the text, counted from 1.
    line: usize,
    names: Vec<String>,
    /// What `@N` is.
    stem: &'static str,
    /// What the file has in front of all of its sections.
    common: &'static str,
    text: &'static str,
    words: Words,
}

/// The first line of a section whose text is being read.
struct Head {
    /// Where the text begins, and in which line.
    start: usize,
    line: usize,
    names: &'static str,
    suffix: &'static str,
    instances: &'static [Words],
}

impl Head {
    fn new(rest: &'static str, start: usize, line: usize) -> Head {
        let template = TEMPLATES.iter().find(|t| rest.starts_with(t.sign));
        Head {
            start,
            line,
            names: rest.trim_start_matches(|c| template.is_some_and(|t| t.sign == c)),
            suffix: template.map_or("", |t| t.suffix),
            instances: template.map_or(PLAIN, |t| t.instances),
        }
    }

    /// A name in an instance.
    fn name(&self, name: &str, words: Words) -> String {
        if name.contains('@') { fill(name, words) } else { format!("{name}{}", fill(self.suffix, words)) }
    }
}

/// All sections by the names they define.
pub struct Models {
    sections: Vec<Section>,
    by_name: BTreeMap<String, usize>,
    /// The name whose section defines an alias.
    aliases: BTreeMap<String, String>,
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
        let common = &text[..text.find("\n//@").map_or(0, |at| at + 1)];
        let mut open: Option<Head> = None;
        let mut at = 0;
        for (index, line) in text.split_inclusive('\n').enumerate() {
            if let Some(rest) = line.strip_prefix("//@=") {
                for words in open.as_ref().map_or(PLAIN, |head| head.instances) {
                    let rest = fill(rest, words);
                    let mut names = rest.split_whitespace().map(str::to_owned);
                    if let Some(name) = names.next() {
                        self.aliases.extend(names.map(|alias| (alias, name.clone())));
                    }
                }
            } else if let Some(rest) = line.strip_prefix("//@")
                && let Some(head) = open.replace(Head::new(rest, at + line.len(), index + 2))
            {
                self.add(file, common, &text[head.start..at], &head);
            }
            at += line.len();
        }
        if let Some(head) = open {
            self.add(file, common, &text[head.start..], &head);
        }
    }

    fn add(&mut self, file: &'static str, common: &'static str, text: &'static str, head: &Head) {
        let all: Vec<&str> = head.names.split_whitespace().collect();
        let groups: Vec<&[&'static str]> =
            if text.contains("@N") { all.chunks(1).collect() } else { vec![&all] };
        for (&group, &words) in groups.iter().flat_map(|g| head.instances.iter().map(move |w| (g, w))) {
            let names: Vec<String> = group.iter().map(|name| head.name(name, words)).collect();
            for name in &names {
                self.by_name.insert(name.clone(), self.sections.len());
            }
            let stem = group.first().copied().unwrap_or_default();
            self.sections.push(Section { file, line: head.line, names, stem, common, text, words });
        }
    }

    /// Every name that some model defines.
    pub fn names(&self) -> impl Iterator<Item = String> {
        let sections = self.by_name.keys().cloned();
        let aliases = self.aliases.keys().cloned();
        sections.chain(aliases).chain(effects::names().map(str::to_owned))
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
        let alias = self.aliases.get(name).map(String::as_str);
        let section = &self.sections[*self.by_name.get(alias.or(public).unwrap_or(name))?];
        let mut body = fill(&section.text.replace("@N", section.stem), section.words);
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
        let common = fill(section.common, section.words);
        let text = format!(
            "# 1 \"<models>/prelude.c\"\n{PRELUDE}# 1 \"{file}\"\n{common}# {} \"{file}\"\n{body}",
            section.line
        );
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
        let text = Models::new().find("wcspbrk").unwrap().text;
        assert!(text.contains("wchar_t *wcspbrk(const wchar_t *s, const wchar_t *accept)"), "{text}");
        assert!(text.contains("__model_wcscspn(s, accept)"), "{text}");
        let text = Models::new().find("wcstoull").unwrap().text;
        assert!(text.contains("unsigned long long value = __model_strtoull("), "{text}");
        let text = Models::new().find("__ESBMC_isnanld").unwrap().text;
        assert!(text.contains("int __ESBMC_isnanld(long double x)"), "{text}");
    }

    /// One section for each name, each with what the file has in front.
    #[test]
    fn names_are_filled_in() {
        let models = Models::new();
        for (name, primitive) in [("exp2", "__cairn_exp2_d(x)"), ("log10f", "__cairn_log10_f(x)")] {
            let model = models.find(name).unwrap();
            assert_eq!(model.key, name);
            assert!(model.text.contains(primitive), "{}", model.text);
            assert!(model.text.contains("int __cairn_isnan_"), "{}", model.text);
        }
    }

    #[test]
    fn no_word_of_a_template_is_left() {
        let models = Models::new();
        for name in models.names() {
            let text = models.find(&name).unwrap().text;
            let code = text.lines().filter(|l| !l.trim_start().starts_with("//"));
            for line in code {
                assert!(!line.contains('@'), "{name}: {line}");
            }
        }
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
                for name in line.trim_start_matches(['*', '%', '#', '=']).split_whitespace().skip(skip) {
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
            let section = &models.sections[models.by_name[name]];
            assert_eq!(section.names, std::slice::from_ref(name), "{alias}");
            let model = models.find(alias).unwrap();
            assert_eq!(model.key, *alias);
            assert!(model.text.contains(&format!("{alias}(")), "{}", model.text);
        }
    }
}
