//! Functions of the C and POSIX libraries that have no model of their own: a table
//! says what each may write and return (`models/effects.txt`, which explains its own
//! format), and a model is made from its line, C text like the others. What it writes and
//! returns are inputs under the function's name.

use std::fmt::Write;

/// The table.
pub const FILE: &str = "effects.txt";
pub const TABLE: &str = include_str!("../models/effects.txt");

/// A line of the table, about the functions of one kind.
struct Line<'a> {
    /// Counted from 1.
    number: usize,
    result: Outcome<'a>,
    /// Of the result.
    ty: &'a str,
    params: Vec<&'a str>,
    writes: Vec<Change<'a>>,
    names: &'a str,
}

/// What a function returns.
enum Outcome<'a> {
    Nothing,
    Never,
    Any,
    Range(&'a str, &'a str),
    Descriptor,
    Pointer { or_null: bool, to: Pointee<'a> },
}

enum Pointee<'a> {
    /// What a parameter is.
    Parameter(&'a str),
    /// A place in the string that a parameter points to.
    Into(&'a str),
    /// A text of the library's own.
    Text,
    /// An object of the library's own, of some bytes.
    Object(&'a str),
    /// An allocated text.
    Fresh,
}

/// Bytes behind a pointer that become any value.
struct Change<'a> {
    pointer: &'a str,
    size: &'a str,
    optional: bool,
    /// There is a terminator among them.
    text: bool,
}

/// The names in the table.
pub fn names() -> impl Iterator<Item = &'static str> {
    lines().flat_map(|line| line.names.split_whitespace())
}

/// The model of a function in the table, as C text, with the line that it comes from.
pub fn find(name: &str) -> Option<(usize, String)> {
    let line = lines().find(|line| line.names.split_whitespace().any(|n| n == name))?;
    Some((line.number, line.model(name)))
}

fn lines() -> impl Iterator<Item = Line<'static>> {
    let stated = TABLE.lines().enumerate().filter(|(_, l)| !l.is_empty() && !l.starts_with('#'));
    stated.filter_map(|(index, text)| Line::parse(index + 1, text))
}

impl<'a> Line<'a> {
    fn parse(number: usize, text: &'a str) -> Option<Line<'a>> {
        let (what, names) = text.rsplit_once(": ")?;
        let (head, rest) = what.split_once('(')?;
        let (params, writes) = rest.split_once(')')?;
        let (result, ty) = Outcome::parse(head.trim())?;
        let params = match params {
            "void" => Vec::new(),
            _ => params.split(',').map(str::trim).collect(),
        };
        let writes = writes.split_whitespace().map(Change::parse).collect::<Option<Vec<_>>>()?;
        Some(Line { number, result, ty, params, writes, names })
    }

    fn model(&self, name: &str) -> String {
        let mut c = String::new();
        let _ = writeln!(c, "unsigned long long __cairn_input_{name}(void);");
        c.push_str("int __cairn_fail(void);\nint __cairn_take_fd(int fd);\n");
        let _ = writeln!(
            c,
            "static void any(void *p, size_t n, int text) {{\n    size_t i = 0;\n    \
             for (; i + 8 <= n; i += 8) {{\n        unsigned long long word = __cairn_input_{name}();\n        \
             __cairn_copy((char *)p + i, &word, 8);\n    }}\n    \
             for (; i < n; i++)\n        ((char *)p)[i] = (char)__cairn_input_{name}();\n    \
             if (text && n > 0)\n        ((char *)p)[n - 1] = 0;\n}}"
        );
        let named = |(i, ty): (usize, &&str)| match *ty {
            "..." => "...".to_owned(),
            ty => format!("{ty} p{}", i + 1),
        };
        let params: Vec<String> = self.params.iter().enumerate().map(named).collect();
        let params = if params.is_empty() { "void".to_owned() } else { params.join(", ") };
        let _ = writeln!(c, "{} {name}({params}) {{", self.ty);
        self.result.begin(self.ty, name, &mut c);
        for change in &self.writes {
            change.apply(&mut c);
        }
        if !matches!(self.result, Outcome::Nothing | Outcome::Never) {
            c.push_str("    return r;\n");
        }
        c.push_str("}\n");
        c
    }
}

impl<'a> Outcome<'a> {
    /// The outcome and the type that follows it.
    fn parse(head: &'a str) -> Option<(Outcome<'a>, &'a str)> {
        let (first, mut ty) = head.split_once(' ')?;
        let (or_null, first) = match first.strip_prefix("null|") {
            Some(rest) => (true, rest),
            None => (false, first),
        };
        let mut argument = || {
            let (argument, rest) = ty.split_once(' ')?;
            ty = rest;
            Some(argument)
        };
        let pointer = |to| Outcome::Pointer { or_null, to };
        let outcome = match first {
            "-" => Outcome::Nothing,
            "never" => Outcome::Never,
            "any" => Outcome::Any,
            "fd" => Outcome::Descriptor,
            "string" => pointer(Pointee::Text),
            "fresh" => pointer(Pointee::Fresh),
            "into" => pointer(Pointee::Into(argument()?)),
            "static" => pointer(Pointee::Object(argument()?)),
            _ if first.starts_with('$') => pointer(Pointee::Parameter(first)),
            _ => {
                let (low, high) = first.split_once("..")?;
                Outcome::Range(low, high)
            }
        };
        Some((outcome, ty))
    }

    /// Decides the result, `r`, and returns at once where the function fails.
    fn begin(&self, ty: &str, name: &str, c: &mut String) {
        let input = format!("__cairn_input_{name}()");
        let _ = match self {
            Outcome::Nothing => Ok(()),
            Outcome::Never => writeln!(c, "    __cairn_exit((int){input});"),
            Outcome::Any => writeln!(c, "    {ty} r = ({ty}){input};"),
            Outcome::Descriptor => {
                writeln!(c, "    {ty} r = __cairn_take_fd((int){input});\n    if (r < 0)\n        return r;")
            }
            Outcome::Range(low, high) => {
                let high = expression(high);
                let fails =
                    if *low == "-1" { "    if (r == -1)\n        return __cairn_fail();\n" } else { "" };
                writeln!(
                    c,
                    "    {ty} r = ({ty}){input};\n    if (r < {low} || r > ({ty})({high}))\n        r = {low};\n{fails}"
                )
            }
            Outcome::Pointer { or_null, to } => {
                if *or_null {
                    let _ = writeln!(
                        c,
                        "    if ((int){input} < 0) {{\n        __cairn_fail();\n        return 0;\n    }}"
                    );
                }
                match to {
                    Pointee::Parameter(p) => writeln!(c, "    {ty} r = {};", expression(p)),
                    Pointee::Into(p) => writeln!(
                        c,
                        "    {ty} r = {};\n    for (size_t n = (size_t){input}; n > 0 && *r; n--)\n        r++;",
                        expression(p).replace('p', "(char *)p")
                    ),
                    Pointee::Text => {
                        writeln!(c, "    static char own[64];\n    any(own, 64, 1);\n    {ty} r = own;")
                    }
                    Pointee::Object(size) => {
                        let size = expression(size);
                        writeln!(
                            c,
                            "    static long long own[({size} + 7) / 8];\n    any(own, {size}, 0);\n    \
                             {ty} r = ({ty})own;"
                        )
                    }
                    Pointee::Fresh => {
                        writeln!(c, "    {ty} r = __cairn_alloc(64);\n    any(r, 64, 1);")
                    }
                }
            }
        };
    }
}

impl<'a> Change<'a> {
    fn parse(text: &'a str) -> Option<Change<'a>> {
        let optional = text.starts_with('?');
        let text = text.trim_start_matches('?');
        let at = text.find(['[', '"'])?;
        let (pointer, size) = text.split_at(at);
        let is_text = size.starts_with('"');
        let size = size.get(1..size.len().checked_sub(1)?)?;
        Some(Change { pointer, size, optional, text: is_text })
    }

    fn apply(&self, c: &mut String) {
        let (pointer, size) = (expression(self.pointer), expression(self.size));
        let condition = if self.optional { format!("if ({pointer})\n        ") } else { String::new() };
        let _ = writeln!(c, "    {condition}any({pointer}, (size_t)({size}), {});", u8::from(self.text));
    }
}

/// A number, a number for each data model, or an expression over the parameters, in C.
fn expression(text: &str) -> String {
    if let Some((wide, narrow)) = text.split_once('/')
        && let (Ok(wide), Ok(narrow)) = (wide.parse::<u32>(), narrow.parse::<u32>())
    {
        return format!("(sizeof(long) == 8 ? {wide} : {narrow})");
    }
    text.replace("$0", "r").replace('$', "p")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_understood() {
        let stated = TABLE.lines().filter(|l| !l.is_empty() && !l.starts_with('#')).count();
        assert_eq!(lines().count(), stated);
        assert!(names().count() > 300);
    }

    #[test]
    fn names_are_stated_once() {
        let mut seen = std::collections::BTreeSet::new();
        for name in names() {
            assert!(seen.insert(name), "{name} is there twice");
        }
    }

    #[test]
    fn models_are_made_from_lines() {
        let (_, text) = find("readlink").unwrap();
        assert!(text.contains("ptrdiff_t readlink(const char * p1, char * p2, size_t p3)"), "{text}");
        assert!(text.contains("any(p2, (size_t)(r), 0)"), "{text}");
        assert!(text.contains("return __cairn_fail();"), "{text}");
        assert!(find("no_such_function").is_none());
    }
}
