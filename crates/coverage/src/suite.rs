//! A suite on disk, in the format of Test-Comp: a folder with `metadata.xml` and one
//! `testcase-N.xml` per test. Files appear whole or not at all, so that a suite is
//! valid at any time.

use std::fs;
use std::path::{Path, PathBuf};

use cairn_sem::Given;
use cairn_witness::{WitnessError, testcase};
use fixedbitset::FixedBitSet;

use crate::generate::TestCase;

const METADATA: &str = "metadata.xml";

pub struct Folder {
    path: PathBuf,
}

impl Folder {
    /// Makes the folder, or takes over one that an earlier suite of ours is in.
    pub fn create(path: &Path, metadata: &str, producer: &str) -> Result<Folder, String> {
        let shown = path.display();
        fs::create_dir_all(path).map_err(|e| format!("cannot make the folder {shown}: {e}"))?;
        let old = tests_in(path)?;
        if !old.is_empty() {
            let text = fs::read_to_string(path.join(METADATA)).unwrap_or_default();
            if !text.contains(&format!("<producer>{producer}")) {
                return Err(format!("{shown} has test cases of another producer; name another folder"));
            }
            for file in old {
                fs::remove_file(&file).map_err(|e| format!("cannot remove {}: {e}", file.display()))?;
            }
        }
        let folder = Folder { path: path.to_owned() };
        folder.put(METADATA, metadata)?;
        Ok(folder)
    }

    fn put(&self, name: &str, text: &str) -> Result<(), String> {
        let (part, whole) = (self.path.join(format!("{name}.part")), self.path.join(name));
        let written = fs::write(&part, text).and_then(|()| fs::rename(&part, &whole));
        written.map_err(|e| format!("cannot write {}: {e}", whole.display()))
    }

    pub fn write(&self, test: &TestCase, covers_error: bool) -> Result<(), String> {
        self.put(&file_name(test.number), &testcase::testcase(&test.inputs, covers_error))
    }

    pub fn remove(&self, number: usize) -> Result<(), String> {
        let file = self.path.join(file_name(number));
        fs::remove_file(&file).map_err(|e| format!("cannot remove {}: {e}", file.display()))
    }
}

fn file_name(number: usize) -> String {
    format!("testcase-{number}.xml")
}

/// The test cases in a folder, by the numbers in their names.
fn tests_in(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let cannot = |e: std::io::Error| format!("cannot read {}: {e}", folder.display());
    let mut tests = Vec::new();
    for entry in fs::read_dir(folder).map_err(cannot)? {
        let path = entry.map_err(cannot)?.path();
        let named = |n: &std::ffi::OsStr| n != METADATA;
        if path.extension().is_some_and(|e| e == "xml") && path.file_name().is_some_and(named) {
            tests.push(path);
        }
    }
    let number = |path: &PathBuf| {
        let name = path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
        let digits: String = name.chars().filter(char::is_ascii_digit).collect();
        (digits.parse::<u64>().unwrap_or(u64::MAX), name)
    };
    tests.sort_by_key(number);
    Ok(tests)
}

/// A test case that was read.
#[derive(Clone, PartialEq, Debug)]
pub struct Stored {
    pub file: PathBuf,
    /// The results of calls, in order.
    pub calls: Vec<Given>,
}

/// Reads a suite of any producer: a folder, or a single test case.
pub fn read(path: &Path) -> Result<Vec<Stored>, String> {
    let shown = path.display();
    let files = if path.is_dir() {
        tests_in(path)?
    } else if path.is_file() {
        if path.extension().is_some_and(|e| e == "zip") {
            return Err(format!("{shown} is packed; unpack it and name the folder"));
        }
        vec![path.to_owned()]
    } else {
        return Err(format!("there is no suite {shown}"));
    };
    if files.is_empty() {
        return Err(format!("{shown}: there is no test case (.xml) in it"));
    }
    let stored = files.into_iter().map(|file| {
        let text = fs::read_to_string(&file).map_err(|e| format!("cannot read {}: {e}", file.display()))?;
        let calls = testcase::read(&text).map_err(|e: WitnessError| format!("{}: {e}", file.display()))?;
        Ok(Stored { file, calls })
    });
    stored.collect()
}

/// Which tests to keep so that nothing covered is lost: the one that adds most, again and again; of
/// equals the one with fewer inputs, then the older.
pub fn minimise(tests: &[TestCase]) -> Vec<bool> {
    let mut keep = vec![false; tests.len()];
    let mut covered = FixedBitSet::new();
    loop {
        let gain = |t: &TestCase| t.covers.difference(&covered).count();
        let best = (0..tests.len()).filter(|n| !keep[*n]).max_by_key(|&n| {
            (gain(&tests[n]), std::cmp::Reverse(tests[n].inputs.len()), std::cmp::Reverse(n))
        });
        match best {
            Some(n) if gain(&tests[n]) > 0 => {
                keep[n] = true;
                covered.union_with(&tests[n].covers);
            }
            _ => return keep,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cairn_sem::End;

    fn test(number: usize, covers: &[usize]) -> TestCase {
        let mut set = FixedBitSet::with_capacity(8);
        covers.iter().for_each(|n| set.insert(*n));
        TestCase { number, inputs: vec![], end: End::Exit(0), covers: set, hits: Default::default() }
    }

    #[test]
    fn what_adds_nothing_goes() {
        let tests = [test(1, &[0]), test(2, &[0, 1]), test(3, &[2]), test(4, &[1, 2, 3]), test(5, &[3])];
        assert_eq!(minimise(&tests), [true, false, false, true, false]);
        assert_eq!(minimise(&[]), Vec::<bool>::new());
    }

    #[test]
    fn folders_are_written_and_read() {
        let dir = tempfile::tempdir().expect("a temporary folder");
        let path = dir.path().join("suite");
        let folder = Folder::create(&path, "<producer>Cairn 1</producer>", "Cairn").expect("a new folder");
        for n in [1, 2, 10] {
            folder.write(&test(n, &[]), false).expect("written");
        }
        folder.remove(2).expect("removed");
        let names = |stored: Vec<Stored>| -> Vec<String> {
            let name = |s: &Stored| s.file.file_name().map(|n| n.to_string_lossy().into_owned());
            stored.iter().filter_map(name).collect()
        };
        assert_eq!(names(read(&path).expect("a suite")), ["testcase-1.xml", "testcase-10.xml"]);
        // An old suite of ours gives way, another tool's does not.
        Folder::create(&path, "<producer>Cairn 2</producer>", "Cairn").expect("taken over");
        assert!(read(&path).expect_err("empty").contains("no test case"));
        std::fs::write(path.join("test1.xml"), "<testcase/>").expect("written");
        std::fs::write(path.join(METADATA), "<producer>X</producer>").expect("written");
        assert!(Folder::create(&path, "", "Cairn").is_err());
        std::fs::write(path.join("test2.xml"), "<nothing>").expect("written");
        assert!(read(&path).expect_err("malformed").contains("test2.xml"));
    }
}
