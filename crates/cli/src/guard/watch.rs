//! The thread that watches limits: it asks everybody to end when one is reached, and
//! sees to it that the process does.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use cairn_base::{Cancel, Limit};

use super::crash;
use super::memory::{self, Bound};
use super::word::{self, Stop};

/// Where the system says how much memory the process has.
const STATM: &str = "/proc/self/statm";
/// How often it looks.
const PERIOD: Duration = Duration::from_millis(10);
/// What the command has to end by itself after a limit.
const GRACE: Duration = Duration::from_millis(300);
/// What the report in its place may take.
const TELLING: Duration = Duration::from_millis(350);

/// What it may take to be written, when it is complete.
const WRITING: Duration = Duration::from_secs(2);

/// Limits of a command.
#[derive(Clone, Default, Debug)]
pub struct Limits {
    pub deadline: Option<Instant>,
    pub cpu: Option<Duration>,
    /// In megabytes; without it one is derived.
    pub memory: Option<u64>,
}

/// What is watched.
struct Watched {
    deadline: Option<Instant>,
    cpu: Option<Duration>,
    memory: Option<Bound>,
}

static WATCHED: Mutex<Option<Watched>> = Mutex::new(None);

/// A part of the work that is asked to end before memory runs out, so that what comes after it has some.
struct Share {
    cancel: Cancel,
    bytes: u64,
}

static SHARE: Mutex<Option<Share>> = Mutex::new(None);

/// Raises a flag, from now on, when the process has used three quarters of its memory (or of what is left,
/// if it has already).
pub fn share(part: &Cancel) {
    let bound = WATCHED.lock().unwrap_or_else(PoisonError::into_inner).as_ref().and_then(|w| w.memory);
    if let (Some(bound), Ok(statm)) = (bound, File::open(STATM)) {
        let bytes = part_of(bound.bytes, resident(&statm));
        *SHARE.lock().unwrap_or_else(PoisonError::into_inner) = Some(Share { cancel: part.clone(), bytes });
    }
}

/// What the process may have in the end, if it has `used` bytes of `all`: three quarters, or the same of
/// the rest if that is used up.
fn part_of(all: u64, used: u64) -> u64 {
    let most = all / 4 * 3;
    if used < most { most } else { used + all.saturating_sub(used) / 4 * 3 }
}

/// The moment so long from now.
pub fn deadline_of(time: Duration) -> Option<Instant> {
    Instant::now().checked_add(time)
}

/// Watches these limits, and requests to end, from now on.
pub fn arm(limits: &Limits) {
    let Limits { deadline, cpu, memory } = *limits;
    let watched = Watched { deadline, cpu, memory: memory::bound(memory) };
    *WATCHED.lock().unwrap_or_else(PoisonError::into_inner) = Some(watched);
}

/// Starts the thread. Without one there are only the budgets.
pub fn start(cancel: &Cancel) {
    word::start();
    let cancel = cancel.clone();
    let _ = thread::Builder::new().name("watchdog".into()).spawn(move || {
        word::become_guard();
        watch(&cancel);
    });
}

fn watch(cancel: &Cancel) {
    let statm = File::open(STATM).ok();
    let mut reached: Option<Instant> = None;
    loop {
        thread::sleep(PERIOD);
        if let Some(stop) = crash::stop() {
            insist(&stop);
        }
        let mut at_once = false;
        match &*WATCHED.lock().unwrap_or_else(PoisonError::into_inner) {
            None => continue,
            Some(watched) => {
                if watched.deadline.is_some_and(|d| Instant::now() >= d) {
                    cancel.raise_for(Limit::Time);
                }
                if watched.cpu.is_some_and(|limit| cpu_time::ProcessTime::now().as_duration() >= limit) {
                    cancel.raise_for(Limit::Time);
                }
                if let (Some(bound), Some(statm)) = (watched.memory, &statm) {
                    let resident = resident(statm);
                    if resident >= bound.bytes {
                        cancel.raise_for(Limit::Memory);
                    }
                    // What grows so fast cannot be waited for.
                    at_once = resident >= bound.bytes + bound.bytes / 16;
                    if let Some(share) = &*SHARE.lock().unwrap_or_else(PoisonError::into_inner) {
                        if resident >= share.bytes {
                            share.cancel.raise_for(Limit::Memory);
                        }
                        share.cancel.pass_on();
                    }
                }
            }
        }
        if cancel.raised() {
            let since = *reached.get_or_insert_with(Instant::now);
            if at_once || since.elapsed() >= GRACE {
                insist(&Stop::Limit(cancel.reason()));
            }
        }
    }
}

/// Has the report printed, and ends the process if that does not succeed. Returns if the command is
/// printing: then it is all but done.
fn insist(stop: &Stop) {
    word::speak(stop);
    thread::sleep(TELLING);
    if word::is_writing() {
        thread::sleep(WRITING);
    }
    if !word::is_taken_by_command() {
        word::say_least(stop);
    }
    if crash::stop().is_some() {
        word::end(stop.exit());
    }
}

/// Bytes of this process in main memory.
fn resident(statm: &File) -> u64 {
    const PAGE: u64 = 4096;
    let mut buffer = [0; 128];
    let Ok(length) = statm.read_at(&mut buffer, 0) else { return 0 };
    let text = std::str::from_utf8(&buffer[..length]).unwrap_or_default();
    text.split(' ').nth(1).and_then(|pages| pages.parse::<u64>().ok()).unwrap_or(0) * PAGE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_part_leaves_some_memory_to_the_next() {
        assert_eq!(part_of(1000, 200), 750);
        assert_eq!(part_of(1000, 800), 950);
        assert_eq!(part_of(1000, 1200), 1200);
    }

    #[test]
    fn what_is_touched_is_resident() {
        let statm = File::open(STATM).expect("a process file system");
        let before = resident(&statm);
        let block = vec![1u8; 64 << 20];
        let after = resident(&statm);
        assert!(before > 0 && after >= before + (60 << 20), "{before} {after} {}", block.len());
    }
}
