//! From a file name to a preprocessed unit in the source map.
//!
//! The system's compiler preprocesses, because only it knows its headers and
//! predefined macros. A file that no preprocessor would change (no directive, no
//! splice, no word that could be a macro) is taken as it is: that saves the
//! start of a process, most of the time that a small file costs.

use std::borrow::Cow;
use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use cairn_base::{DataModel, Diagnostic, SrcId};

use crate::source::{Naming, SourceMap, join_lines};
use crate::token::{Dialect, Tok, keyword};

/// How to preprocess a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CppOptions {
    /// `-I -isystem -iquote -idirafter -D -U -include -imacros`, in the order given.
    pub flags: Vec<String>,
    /// The value of `-std=`.
    pub std: String,
    pub model: DataModel,
    /// Where the compiler is run (relative paths start there), if not here.
    pub directory: Option<PathBuf>,
}

impl Default for CppOptions {
    fn default() -> CppOptions {
        CppOptions { flags: vec![], std: "gnu11".into(), model: DataModel::HOST, directory: None }
    }
}

/// A unit ready to be parsed.
#[derive(Copy, Clone, Debug)]
pub struct Loaded {
    pub src: SrcId,
    pub dialect: Dialect,
}

/// Reads `path`, preprocesses it unless it is a `.i` file, and adds it to the map.
pub fn load(map: &mut SourceMap, path: &Path, options: &CppOptions) -> Result<Loaded, Diagnostic> {
    let name = path.to_string_lossy().into_owned();
    let text = read(path, &name)?;
    let dialect = Dialect::from_std(&options.std);
    let preprocessed = path.extension().is_some_and(|e| e == "i");
    if preprocessed || nothing_to_do(&text, options) {
        let src = map.add_unit(&name, text, Naming::default())?;
        return Ok(Loaded { src, dialect });
    }
    let input = Input { path, name: &name, text };
    let src = input.preprocess(map, options)?;
    Ok(Loaded { src, dialect })
}

fn read(path: &Path, name: &str) -> Result<Vec<u8>, Diagnostic> {
    let text = std::fs::read(path).map_err(|error| {
        Diagnostic::global(match error.kind() {
            ErrorKind::NotFound => format!("{name}: no such file"),
            ErrorKind::IsADirectory => format!("{name}: is a directory"),
            ErrorKind::PermissionDenied => format!("{name}: permission denied"),
            _ => format!("{name}: {error}"),
        })
    })?;
    match memchr::memchr(0, &text) {
        Some(at) => Err(Diagnostic::global(format!("{name}: not a text file (zero byte at offset {at})"))),
        None => Ok(text),
    }
}

/// Would preprocessing leave the text as it is, comments apart? Cautious: a
/// `#` in a string already says no.
fn nothing_to_do(text: &[u8], options: &CppOptions) -> bool {
    let harmless = ["-I", "-isystem", "-iquote", "-idirafter"];
    let mut flags = options.flags.iter();
    while let Some(flag) = flags.next() {
        match harmless.iter().find(|h| flag.starts_with(**h)) {
            Some(h) if *h == flag => drop(flags.next()),
            Some(_) => {}
            None => return false,
        }
    }
    std::env::var_os("CAIRN_CPP").is_none()
        && memchr::memchr(b'#', text).is_none()
        && memchr::memmem::find(text, b"??").is_none()
        && memchr::memmem::find(text, b"%:").is_none()
        && matches!(join_lines(text), Cow::Borrowed(_))
        && words(text).all(|word| !may_be_macro(word))
}

/// The words of a text that start with `_` or a letter (those in comments and strings too).
fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let word_byte = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
    text.split(move |b| !word_byte(b)).filter(|w| !w.is_empty())
}

/// Attributes that the declarations of library functions carry: no macros, but named like some.
const ATTRIBUTES: [&[u8]; 8] = [
    b"__nothrow__",
    b"__leaf__",
    b"__noreturn__",
    b"__pure__",
    b"__malloc__",
    b"__nonnull__",
    b"__unused__",
    b"__warn_unused_result__",
];

/// Predefined macros start with `__` or `_` and a capital, but for three that
/// the GNU modes define on Linux.
fn may_be_macro(word: &[u8]) -> bool {
    match word {
        b"linux" | b"unix" | b"i386" => true,
        [b'_', b'_' | b'A'..=b'Z', ..] => {
            let known: [&[u8]; 5] =
                [b"__VERIFIER_", b"__CPROVER_", b"__cairn_", b"__builtin_", b"__assert_fail"];
            let kind = keyword(word, Dialect::default());
            matches!(kind, Tok::Ident | Tok::PragmaOp)
                && !known.iter().any(|k| word.starts_with(k))
                && !ATTRIBUTES.contains(&word)
        }
        _ => false,
    }
}

/// A file that must go through the compiler.
struct Input<'a> {
    path: &'a Path,
    name: &'a str,
    text: Vec<u8>,
}

impl Input<'_> {
    fn preprocess(self, map: &mut SourceMap, options: &CppOptions) -> Result<SrcId, Diagnostic> {
        let given = match &options.directory {
            Some(_) => std::path::absolute(self.path).unwrap_or_else(|_| self.path.to_owned()),
            None if self.name.starts_with('-') => Path::new(".").join(self.path),
            None => self.path.to_owned(),
        };
        let mut output = run(options, &given, &[])?;
        if !output.status.success() && lacks_headers(&output) {
            let mut headers = StandIns::new()?;
            if options.model == DataModel::Ilp32 {
                headers.add_32(options)?;
            }
            output = headers.run(options, &given)?;
        }
        if !output.status.success() {
            return Err(self.compiler_error(map, options, &String::from_utf8_lossy(&output.stderr), &given));
        }
        let given = given.to_string_lossy();
        let naming = Naming { directory: options.directory.as_deref(), main: Some(&given) };
        let src = map.add_unit(self.name, output.stdout, naming)?;
        map.add_file(self.name, self.text);
        Ok(src)
    }

    /// The first error that the compiler reports, at its place.
    fn compiler_error(
        self,
        map: &mut SourceMap,
        options: &CppOptions,
        stderr: &str,
        given: &Path,
    ) -> Diagnostic {
        let Some(report) = stderr.lines().find_map(Report::parse) else {
            let first = stderr.lines().find(|l| !l.trim().is_empty()).unwrap_or("no message");
            return Diagnostic::global(format!("{}: preprocessing failed: {}", self.name, first.trim()));
        };
        let (name, text) = if Path::new(report.file) == given {
            (self.name.to_owned(), Some(self.text))
        } else {
            let path = options.directory.as_deref().unwrap_or(Path::new("")).join(report.file);
            (path.to_string_lossy().into_owned(), std::fs::read(&path).ok())
        };
        // A unit of its own, without markers, gives the error a place.
        let src = text.and_then(|text| map.add_raw(&name, text).ok());
        match src {
            Some(src) => Diagnostic::error(map.span_at(src, report.line, report.col), report.message),
            None => Diagnostic::global(format!("{name}:{}:{}: {}", report.line, report.col, report.message)),
        }
    }
}

/// One line `file:line:col: error: message` of a compiler.
struct Report<'a> {
    file: &'a str,
    line: u32,
    col: u32,
    message: &'a str,
}

impl Report<'_> {
    fn parse(line: &str) -> Option<Report<'_>> {
        let (place, message) = [": fatal error: ", ": error: "].iter().find_map(|m| line.split_once(m))?;
        let (rest, col) = place.rsplit_once(':')?;
        let (file, line) = rest.rsplit_once(':')?;
        Some(Report { file, line: line.parse().ok()?, col: col.parse().ok()?, message })
    }
}

/// Runs the first compiler there is.
fn run(options: &CppOptions, input: &Path, extra: &[OsString]) -> Result<Output, Diagnostic> {
    let chosen =
        ["CAIRN_CPP", "CC"].iter().filter_map(|v| std::env::var(v).ok()).find(|v| !v.trim().is_empty());
    let candidates = match chosen {
        Some(command) => vec![command],
        None => vec!["gcc".to_owned(), "cc".to_owned(), "clang".to_owned()],
    };
    for candidate in &candidates {
        let words = shlex::split(candidate).filter(|w| !w.is_empty());
        let Some(words) = words else {
            return Err(Diagnostic::global(format!(
                "cannot make sense of the compiler command '{candidate}'"
            )));
        };
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]).args(["-E", "-w"]).arg(format!("-std={}", options.std));
        command.arg(if options.model == DataModel::Ilp32 { "-m32" } else { "-m64" });
        command.args(&options.flags).args(extra).args(["-x", "c"]).arg(input);
        command.env("LC_ALL", "C");
        if let Some(directory) = &options.directory {
            command.current_dir(directory);
        }
        match command.output() {
            Ok(output) => return Ok(output),
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(Diagnostic::global(format!("cannot run '{candidate}': {error}"))),
        }
    }
    let names = candidates.join("', '");
    Err(Diagnostic::global(format!("no C preprocessor: cannot run '{names}' (set CC or CAIRN_CPP)")))
}

/// Did `-m32` fail because a header is missing, perhaps one of the 32-bit C library?
fn lacks_headers(output: &Output) -> bool {
    let stderr = String::from_utf8_lossy(&output.stderr);
    let missing =
        |l: &str| l.contains("fatal error:") && (l.contains("No such file") || l.contains("not found"));
    stderr.lines().any(missing)
}

/// Headers that stand in for such as are missing.
///
/// Those of the 64-bit C library are made to serve 32 bits: they tell the two apart by
/// predefined macros, which `-m32` sets right. All that is missing is their directory in the
/// search path and one list of absent functions. Harnesses for KLEE include its header, which
/// few have installed; the functions it declares have models.
struct StandIns {
    directory: PathBuf,
    flags: Vec<OsString>,
}

/// The header `klee/klee.h`.
pub const KLEE: &str = include_str!("klee.h");

impl StandIns {
    fn new() -> Result<StandIns, Diagnostic> {
        let directory = std::env::temp_dir().join(format!("cairn-headers-{}", std::process::id()));
        let flags = vec!["-idirafter".into(), directory.clone().into()];
        let headers = StandIns { directory, flags };
        headers.write("klee/klee.h", KLEE)?;
        Ok(headers)
    }

    fn write(&self, name: &str, text: &str) -> Result<(), Diagnostic> {
        let path = self.directory.join(name);
        let folder = path.parent().unwrap_or(&self.directory);
        let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&path, text));
        written.map_err(|e| Diagnostic::global(format!("cannot write {}: {e}", path.display())))
    }

    fn add_32(&mut self, options: &CppOptions) -> Result<(), Diagnostic> {
        self.write("gnu/stubs-32.h", "")?;
        let headers64 = CppOptions { model: DataModel::Lp64, flags: vec![], ..options.clone() };
        for directory in include_directories(&headers64)? {
            self.flags.extend(["-idirafter".into(), directory.into()]);
        }
        Ok(())
    }

    fn run(&self, options: &CppOptions, input: &Path) -> Result<Output, Diagnostic> {
        run(options, input, &self.flags)
    }
}

impl Drop for StandIns {
    fn drop(&mut self) {
        // Left-over temporary files do no harm.
        let _ = std::fs::remove_dir_all(&self.directory);
    }
}

/// The directories that the compiler searches for `<…>`, as `-v` lists them.
fn include_directories(options: &CppOptions) -> Result<Vec<String>, Diagnostic> {
    let output = run(options, Path::new("/dev/null"), &["-v".into()])?;
    let stderr = String::from_utf8_lossy(&output.stderr);
    let lines = stderr.lines().skip_while(|l| !l.starts_with("#include <")).skip(1);
    Ok(lines.take_while(|l| l.starts_with(' ')).map(|l| l.trim().to_owned()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn untouched(text: &str, flags: &[&str]) -> bool {
        let flags = flags.iter().map(|f| (*f).to_owned()).collect();
        nothing_to_do(text.as_bytes(), &CppOptions { flags, ..CppOptions::default() })
    }

    #[test]
    fn only_plain_text_skips_the_preprocessor() {
        assert!(untouched(
            "int main(void) { return __VERIFIER_nondet_int() + __builtin_popcount(1); } // x",
            &[]
        ));
        assert!(untouched("_Bool b; __extension__ int _x; char *s = \"a\\n\";", &["-I", "dir", "-Iother"]));
        assert!(untouched("void f(void) __attribute__((__nothrow__, __leaf__, __noreturn__));", &[]));
        for text in [
            "#include <x.h>\n",
            "int x = __LINE__;",
            "char *f = __FILE__;",
            "int linux;",
            "long __x = __LONG_MAX__;",
            "int a\\\nb;",
            "int a\\ \r\nb;",
            "_Pragma(\"pack(1)\") int x;",
            "a ??( b",
            "%:define x",
            "_LP64",
            "int __linux__;",
        ] {
            assert!(!untouched(text, &[]), "{text}");
        }
        assert!(!untouched("int x;", &["-DX"]));
        assert!(!untouched("int x;", &["-include", "f.h"]));
    }

    #[test]
    fn compiler_reports() {
        let report = Report::parse("a:b.c:3:10: fatal error: x.h: No such file or directory").unwrap();
        assert_eq!((report.file, report.line, report.col), ("a:b.c", 3, 10));
        assert_eq!(report.message, "x.h: No such file or directory");
        assert!(Report::parse("cc1: fatal error: x.c: No such file").is_none());
        assert!(Report::parse("compilation terminated.").is_none());
    }
}
