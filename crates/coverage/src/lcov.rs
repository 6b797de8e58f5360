//! The tracefile of LCOV, which `genhtml`, editors and continuous integration read.

use std::fmt::Write as _;

use crate::summary::Coverage;

/// The text of a tracefile. Files are named by `name`.
pub fn tracefile(coverage: &Coverage<'_>, name: impl Fn(&str) -> String) -> String {
    let mut out = String::from("TN:cairn\n");
    let functions = coverage.functions();
    for (file, lines) in coverage.lines() {
        let Some(path) = coverage.program.files.get(file) else { continue };
        let _ = writeln!(out, "SF:{}", name(path));
        let here: Vec<_> = functions.iter().filter(|f| f.place.file == file).collect();
        for f in &here {
            let _ = writeln!(out, "FN:{},{}", f.place.line, f.name);
        }
        for f in &here {
            let _ = writeln!(out, "FNDA:{},{}", f.calls, f.name);
        }
        let hit = here.iter().filter(|f| f.calls > 0).count();
        let _ = writeln!(out, "FNF:{}\nFNH:{hit}", here.len());
        let (mut branches, mut taken) = (0, 0);
        for (number, line) in &lines {
            for (n, side) in line.sides.iter().enumerate() {
                let executed = line.sides.iter().any(|s| s.count > 0);
                let count = if executed { side.count.to_string() } else { "-".to_owned() };
                let _ = writeln!(out, "BRDA:{number},0,{n},{count}");
                branches += 1;
                taken += usize::from(side.count > 0);
            }
        }
        let _ = writeln!(out, "BRF:{branches}\nBRH:{taken}");
        for (number, line) in &lines {
            let _ = writeln!(out, "DA:{number},{}", line.count);
        }
        let hit = lines.values().filter(|l| l.count > 0).count();
        let _ = writeln!(out, "LF:{}\nLH:{hit}\nend_of_record", lines.len());
    }
    out
}
