//! From files on disk to parsed units: the preprocessor, its errors, positions
//! in the user's files, and compile databases. Needs a system compiler, as
//! Cairn itself does.

use std::fs;
use std::path::{Path, PathBuf};

use cairn_base::{DataModel, Diagnostic, Span, SrcId};
use cairn_csyntax::compile_db::CompileDb;
use cairn_csyntax::preprocess::{CppOptions, load};
use cairn_csyntax::{SourceMap, parse, render};

/// A folder that goes away with the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("cairn-load-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn flags(list: &[&str]) -> CppOptions {
    CppOptions { flags: list.iter().map(|f| (*f).to_owned()).collect(), ..CppOptions::default() }
}

fn loaded(path: &Path, options: &CppOptions) -> (SourceMap, SrcId) {
    let mut map = SourceMap::new();
    let loaded = load(&mut map, path, options).unwrap_or_else(|e| panic!("{}", e.message));
    parse(loaded.src, map.text(loaded.src), loaded.dialect).unwrap_or_else(|e| panic!("{}", e.message));
    (map, loaded.src)
}

fn refused(path: &Path, options: &CppOptions) -> (String, Diagnostic) {
    let mut map = SourceMap::new();
    let error = load(&mut map, path, options)
        .and_then(|l| parse(l.src, map.text(l.src), l.dialect).map(|_| ()))
        .expect_err("refused");
    (render::render(&map, &error, false), error)
}

fn place(map: &SourceMap, src: SrcId, needle: &str) -> (String, u32, u32) {
    let text = String::from_utf8_lossy(map.text(src)).into_owned();
    let lo = text.find(needle).unwrap_or_else(|| panic!("{needle} not in:\n{text}"));
    let place = map.resolve(Span::new(src, lo as u32, (lo + needle.len()) as u32));
    let name = Path::new(map.file_name(place.file)).file_name().unwrap().to_string_lossy().into_owned();
    (name, place.line, place.col)
}

#[test]
fn plain_c_is_taken_as_it_is() {
    let folder = Folder::new("plain");
    let file = folder.write("f.c", "/* c */ int   main(void) { return\t0; }\n");
    let (map, src) = loaded(&file, &CppOptions::default());
    assert!(map.text(src).starts_with(b"/* c */"));
    assert_eq!(place(&map, src, "0;"), ("f.c".into(), 1, 35));
}

#[test]
fn macros_headers_and_options() {
    let folder = Folder::new("options");
    folder.write("inc/h.h", "#pragma once\nextern int   from_header;\n");
    folder.write("pre.h", "#define PRE 7\n");
    let text = "#include <h.h>\n\n#ifdef GONE\n#error gone\n#endif\nint   y  =  X + PRE; /* c */ int   z;\n  int w[ __SIZEOF_LONG__ ];\n";
    let file = folder.write("f.c", text);
    let inc = format!("-I{}", folder.0.join("inc").display());
    let pre = folder.0.join("pre.h").display().to_string();
    let options = flags(&[&inc, "-D", "X=40+2", "-DGONE", "-UGONE", "-include", &pre]);
    let (map, src) = loaded(&file, &options);
    assert_eq!(place(&map, src, "from_header"), ("h.h".into(), 2, 14));
    assert_eq!(place(&map, src, "y ="), ("f.c".into(), 6, 7));
    assert_eq!(place(&map, src, "40"), ("f.c".into(), 6, 13));
    assert_eq!(place(&map, src, "z;"), ("f.c".into(), 6, 36));
    assert_eq!(place(&map, src, "w["), ("f.c".into(), 7, 7));
}

#[test]
fn both_data_models_read_the_system_headers() {
    let folder = Folder::new("models");
    let text =
        "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\nint width = __SIZEOF_POINTER__;\n";
    let file = folder.write("f.c", text);
    for (model, size) in [(DataModel::Lp64, "= 8"), (DataModel::Ilp32, "= 4")] {
        let (map, src) = loaded(&file, &CppOptions { model, ..CppOptions::default() });
        assert_eq!(place(&map, src, size), ("f.c".into(), 4, 11), "{model}");
    }
}

#[test]
fn preprocessed_input() {
    let folder = Folder::new("i");
    let text = "# 1 \"orig.c\"\n# 7 \"orig.c\"\nint /* c */ x; // c\r\r\n#pragma GCC poison y\nint a\\\nb;\n";
    let file = folder.write("f.i", text);
    let (map, src) = loaded(&file, &CppOptions::default());
    assert_eq!(place(&map, src, "x;"), ("orig.c".into(), 7, 13));
    assert_eq!(place(&map, src, "ab;"), ("orig.c".into(), 9, 5));
}

#[test]
fn a_missing_header_is_one_error_at_its_place() {
    let folder = Folder::new("header");
    let file = folder.write("f.c", "int x;\n  #include <no/such.h>\n");
    let (text, error) = refused(&file, &CppOptions::default());
    assert_eq!(error.message, "no/such.h: No such file or directory");
    assert!(text.contains("f.c:2:12"), "{text}");
    assert!(text.contains("#include <no/such.h>") && text.contains('^'), "{text}");
    let file = folder.write("g.c", "#include \"h.h\"\n");
    folder.write("h.h", "\n#error \"told you\"\n");
    let (text, _) = refused(&file, &CppOptions::default());
    assert!(text.contains("h.h:2:2") && text.contains("#error \"told you\""), "{text}");
}

#[test]
fn what_is_no_source_is_refused() {
    let folder = Folder::new("bad");
    let options = CppOptions::default();
    assert!(refused(&folder.0.join("nothing.c"), &options).0.contains("nothing.c: no such file"));
    assert!(refused(&folder.0, &options).0.contains("is a directory"));
    let junk = folder.write("junk.c", b"\x7fELF\x02\x01\x00\x00");
    assert!(refused(&junk, &options).0.contains("not a text file"));
    let noise = folder.write("noise.c", b"\xff\xfe\x81 \x01");
    assert!(refused(&noise, &options).0.contains("stray"));
    let option = flags(&["-D", "(bad"]);
    let file = folder.write("ok.c", "int x;\n");
    let (text, _) = refused(&file, &option);
    assert!(text.starts_with("error: "), "{text}");
}

#[test]
fn an_empty_file_is_an_empty_unit() {
    let folder = Folder::new("empty");
    let file = folder.write("f.c", "");
    let (map, src) = loaded(&file, &CppOptions::default());
    assert!(map.text(src).is_empty());
}

#[test]
fn syntax_errors_show_the_users_line() {
    let folder = Folder::new("syntax");
    let file = folder.write("f.c", "#define TWO 2\nint x = TWO   /* two */   3;\n");
    let (text, error) = refused(&file, &CppOptions::default());
    assert_eq!(error.message, "expected ',' or ';' before '3'");
    assert!(text.contains("f.c:2:27"), "{text}");
    assert!(text.contains("2 | int x = TWO   /* two */   3;"), "{text}");
}

#[test]
fn compile_databases() {
    let folder = Folder::new("db");
    folder.write("src/inc/v.h", "#define V 3\n");
    let file = folder.write("src/a.c", "#include \"v.h\"\nint v = V + W;\n");
    let other = folder.write("src/b.c", "int typeof = X;\n");
    let root = folder.0.display();
    let json = format!(
        r#"[{{"directory": "{root}/src", "file": "a.c", "command": "gcc -Iinc -DW=\\(4\\) -c -o a.o a.c"}},
            {{"directory": "src", "file": "{root}/src/./b.c", "arguments": ["cc", "-std=c99", "-m32", "-D", "X=sizeof(long)", "b.c"]}}]"#
    );
    let path = folder.write("compile_commands.json", json);
    for db in [CompileDb::load(&path).unwrap(), CompileDb::load(&folder.0).unwrap()] {
        assert_eq!(db.files().count(), 2);
        let options = db.lookup(&file).unwrap().options(&CppOptions::default());
        let (map, src) = loaded(&file, &options);
        assert_eq!(place(&map, src, "(4)"), ("a.c".into(), 2, 13));
        let options = db.lookup(&other).unwrap().options(&CppOptions::default());
        assert_eq!((options.std.as_str(), options.model), ("c99", DataModel::Ilp32));
        loaded(&other, &options);
        assert!(db.lookup(Path::new("c.c")).is_none());
    }
    let bad = folder.write("bad.json", "{ not json");
    assert!(CompileDb::load(&bad).unwrap_err().message.contains("bad.json"));
}
