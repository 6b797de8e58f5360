//! How much memory there is to use: what the user says, or else what the machine has
//! to spare and the process is allowed.

use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use super::alloc;

/// The part of a limit set from outside that is used: beyond it comes the end without a word.
const TENTHS: u64 = 9;

/// A limit on the memory that is resident.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Bound {
    pub bytes: u64,
    /// Where it comes from, as the report says it.
    pub by: &'static str,
}

static BOUND: OnceLock<Bound> = OnceLock::new();

/// Which limit it is, for a report that says it was reached.
pub fn words() -> Option<String> {
    if alloc::has_failed() {
        return Some("the system refused to give more memory".to_owned());
    }
    BOUND.get().map(|b| format!("the limit on main memory is {} MB, {}", b.bytes >> 20, b.by))
}

/// The limit for this process, given in megabytes or derived.
pub fn bound(asked: Option<u64>) -> Option<Bound> {
    let bound = match asked {
        Some(megabytes) => Some(Bound { bytes: megabytes << 20, by: "given with --memory" }),
        None => derived(),
    }?;
    Some(*BOUND.get_or_init(|| bound))
}

fn derived() -> Option<Bound> {
    let part = |bytes: u64| bytes / 10 * TENTHS;
    let all = [
        available().map(|b| Bound { bytes: part(b), by: "nine tenths of what the machine had to spare" }),
        control_group().map(|b| Bound { bytes: part(b), by: "nine tenths of the control group's limit" }),
        address_space()
            .map(|b| Bound { bytes: part(part(b as u64)), by: "four fifths of the limit on address space" }),
    ];
    all.into_iter().flatten().min_by_key(|b| b.bytes)
}

/// What the process may map, if that is limited.
pub fn address_space() -> Option<usize> {
    [libc::RLIMIT_AS, libc::RLIMIT_DATA].into_iter().filter_map(soft).min()
}

fn soft(what: libc::__rlimit_resource_t) -> Option<usize> {
    let mut limit = libc::rlimit { rlim_cur: libc::RLIM_INFINITY, rlim_max: libc::RLIM_INFINITY };
    // SAFETY: it fills the structure.
    let done = unsafe { libc::getrlimit(what, &mut limit) };
    (done == 0 && limit.rlim_cur != libc::RLIM_INFINITY).then_some(limit.rlim_cur as usize)
}

/// Bytes that could be used without swapping.
fn available() -> Option<u64> {
    available_in(&fs::read_to_string("/proc/meminfo").ok()?)
}

fn available_in(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|l| l.strip_prefix("MemAvailable:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kb| kb << 10)
}

/// The least limit of the control groups the process is in, of either version.
fn control_group() -> Option<u64> {
    let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
    files(&groups, Path::new("/sys/fs/cgroup"))
        .iter()
        .filter_map(|file| limit_in(&fs::read_to_string(file).ok()?))
        .min()
}

/// The files that may limit the memory of these groups and of those around them.
fn files(groups: &str, root: &Path) -> Vec<std::path::PathBuf> {
    let mut files = Vec::new();
    for line in groups.lines() {
        let mut words = line.splitn(3, ':').skip(1);
        let (Some(kinds), Some(path)) = (words.next(), words.next()) else { continue };
        let (root, name) = match kinds {
            "" => (root.to_owned(), "memory.max"),
            _ if kinds.split(',').any(|k| k == "memory") => (root.join("memory"), "memory.limit_in_bytes"),
            _ => continue,
        };
        let inside = Path::new(path.trim_start_matches('/'));
        files.extend(inside.ancestors().map(|a| root.join(a).join(name)));
    }
    files
}

/// `max`, or a number of bytes. Version 1 says "no limit" by a number beyond any machine.
fn limit_in(text: &str) -> Option<u64> {
    text.trim().parse::<u64>().ok().filter(|bytes| *bytes < 1 << 50)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_of_machines_and_groups_are_read() {
        assert_eq!(available_in("MemTotal: 24 kB\nMemAvailable:   2048 kB\n"), Some(2 << 20));
        assert_eq!(available_in("MemTotal: 24 kB\n"), None);
        assert_eq!(limit_in("max\n"), None);
        assert_eq!(limit_in("9223372036854771712\n"), None);
        assert_eq!(limit_in("1073741824\n"), Some(1 << 30));
        let named = files("4:cpu,memory:/a/b\n1:name=systemd:/x\n0::/c\n", Path::new("/g"));
        let named: Vec<_> = named.iter().map(|p| p.to_string_lossy().into_owned()).collect();
        assert_eq!(
            named,
            [
                "/g/memory/a/b/memory.limit_in_bytes",
                "/g/memory/a/memory.limit_in_bytes",
                "/g/memory/memory.limit_in_bytes",
                "/g/c/memory.max",
                "/g/memory.max",
            ]
        );
    }

    #[test]
    fn there_is_always_some_limit() {
        assert!(derived().is_some_and(|b| b.bytes > 0));
    }
}
