//! Who has the last word. The result of a command is printed once: by the command,
//! or, if a limit or a fault comes first, by the watchdog from what the command
//! has prepared. Whoever takes the word first has it; the other one waits for the
//! end of the process.

use std::cell::Cell;
use std::io::Write as _;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread::{self, Thread};

use cairn_base::Limit;
use cairn_core::Why;

use crate::exit::Exit;
use crate::front::Refusal;
use crate::report::limit_name;
use cairn_portfolio::fault;

/// Why a command ends before it is done.
#[derive(Clone, Debug)]
pub enum Stop {
    Limit(Limit),
    /// A recursion of Cairn's own is deeper than its stack.
    Stack,
    /// A fault of Cairn: what is known of it.
    Fault(String),
}

impl Stop {
    /// The same as the reason for an unknown verdict.
    pub fn why(&self) -> Why {
        match self {
            Stop::Limit(limit) => Why::limit(*limit),
            Stop::Stack => Why { limit: Some(Limit::Depth), ..Why::new("stack limit", self.in_words()) },
            Stop::Fault(_) => Why::new("internal error", self.in_words()).internal(),
        }
    }

    fn in_words(&self) -> String {
        match self {
            Stop::Limit(limit) => Why::limit(*limit).detail,
            Stop::Stack => "something is nested more deeply than Cairn's stack allows".to_owned(),
            Stop::Fault(what) => {
                format!("{what}; this is a fault of Cairn, please report it with the input and the command")
            }
        }
    }

    /// The reason in the verdict line.
    fn reason(&self) -> &'static str {
        match self {
            Stop::Limit(Limit::Time) => "time limit",
            Stop::Limit(Limit::Memory) => "memory limit",
            Stop::Limit(Limit::Steps) => "step limit",
            Stop::Limit(Limit::Depth) => "call depth",
            Stop::Limit(Limit::Cancelled) => "interrupted",
            Stop::Stack => "stack limit",
            Stop::Fault(_) => "internal error",
        }
    }

    /// The same in the result line of commands without a verdict.
    pub fn result(&self) -> String {
        match self {
            Stop::Limit(limit) => format!("limit reached ({})", limit_name(*limit)),
            Stop::Stack => "limit reached (stack)".to_owned(),
            Stop::Fault(_) => "internal error".to_owned(),
        }
    }

    pub fn exit(&self) -> Exit {
        match self {
            Stop::Limit(_) | Stop::Stack => Exit::Limit,
            Stop::Fault(_) => Exit::Internal,
        }
    }
}

/// How a command speaks when there is nothing to tell but that it has ended.
#[derive(Copy, Clone, Debug)]
pub struct Voice {
    pub command: &'static str,
    /// It ends with `Verdict: …`, not with `Result: …`.
    pub verdict: bool,
    pub json: bool,
}

impl Voice {
    /// Its last line.
    pub fn line(&self, stop: &Stop) -> String {
        match self.verdict {
            true => format!("Verdict: UNKNOWN ({})", stop.reason()),
            false => format!("Result: {}", stop.result()),
        }
    }
}

type Report = Box<dyn FnOnce(&Stop) -> Exit + Send>;

const FREE: u8 = 0;
const COMMAND: u8 = 1;
const WATCHDOG: u8 = 2;

static OWNER: AtomicU8 = AtomicU8::new(FREE);
static REPORT: Mutex<Option<Report>> = Mutex::new(None);
static VOICE: OnceLock<Voice> = OnceLock::new();
/// The report is complete and being written.
static WRITING: AtomicBool = AtomicBool::new(false);
static SPEAKER: OnceLock<Thread> = OnceLock::new();
static WANTED: Mutex<Option<Stop>> = Mutex::new(None);

thread_local! {
    /// Is this a thread of the watchdog?
    static GUARD: Cell<bool> = const { Cell::new(false) };
}

/// Is this one of the watchdog's threads, which must not fail?
pub fn is_guard() -> bool {
    GUARD.try_with(Cell::get).unwrap_or(false)
}

pub fn become_guard() {
    let _ = GUARD.try_with(|g| g.set(true));
}

/// Says once how the command speaks.
pub fn introduce(voice: Voice) {
    let _ = VOICE.set(voice);
}

/// What is to be printed if the command has to end from now on. It is run in another thread.
pub fn prepare(report: impl FnOnce(&Stop) -> Exit + Send + 'static) {
    *REPORT.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(report));
}

/// The same when nothing is known yet.
pub fn prepare_least() {
    let Some(voice) = VOICE.get() else { return };
    prepare(|stop| {
        let (line, message) = (voice.line(stop), stop.in_words());
        Refusal { line: &line, message: &message, exit: stop.exit() }.say(voice.command, voice.json)
    });
}

/// Takes the word for good, before a result is printed. Does not return if another thread has it.
pub fn take() {
    let taken = OWNER.compare_exchange(FREE, COMMAND, Ordering::SeqCst, Ordering::SeqCst);
    if taken == Err(WATCHDOG) && !is_guard() {
        loop {
            thread::park();
        }
    }
    if is_guard() {
        WRITING.store(true, Ordering::SeqCst);
    }
}

/// Has the command begun to print its result?
pub fn is_taken_by_command() -> bool {
    OWNER.load(Ordering::SeqCst) == COMMAND
}

/// Is the report complete, and being written?
pub fn is_writing() -> bool {
    WRITING.load(Ordering::SeqCst)
}

/// Starts the thread that prints in the command's place.
pub fn start() {
    let spawned = thread::Builder::new().name("last word".into()).spawn(|| {
        become_guard();
        loop {
            thread::park();
            let wanted = WANTED.lock().unwrap_or_else(PoisonError::into_inner).take();
            if let Some(stop) = wanted {
                tell(&stop);
            }
        }
    });
    if let Ok(speaker) = spawned {
        let _ = SPEAKER.set(speaker.thread().clone());
    }
}

/// Lets the prepared report be printed and the process end, unless the command has the word.
pub fn speak(stop: &Stop) {
    if let (Some(speaker), Ok(mut wanted)) = (SPEAKER.get(), WANTED.try_lock()) {
        *wanted = Some(stop.clone());
        speaker.unpark();
    }
}

fn tell(stop: &Stop) {
    if OWNER.compare_exchange(FREE, WATCHDOG, Ordering::SeqCst, Ordering::SeqCst).is_err() {
        return;
    }
    let report = REPORT.lock().unwrap_or_else(PoisonError::into_inner).take();
    match report.map(|report| fault::caught(|| report(stop))) {
        Some(Ok(exit)) => end(exit),
        _ => say_least(stop),
    }
}

/// A command has panicked: prints what it has prepared, if anything, in this thread.
pub fn confess(stop: &Stop) -> Exit {
    take();
    let report = REPORT.lock().unwrap_or_else(PoisonError::into_inner).take();
    match report.map(|report| fault::caught(|| report(stop))) {
        Some(Ok(exit)) => exit,
        _ => stop.exit(),
    }
}

/// Ends the process with a line that needs no memory, if nothing better has been begun.
pub fn say_least(stop: &Stop) -> ! {
    if !WRITING.swap(true, Ordering::SeqCst)
        && !is_taken_by_command()
        && let Some(voice) = VOICE.get()
    {
        let mut buffer = [0u8; 512];
        let room = buffer.len();
        let mut rest = &mut buffer[..];
        let (reason, exit, command) = (stop.reason(), stop.exit() as u8, voice.command);
        let _ = match (voice.json, voice.verdict) {
            (true, true) => writeln!(
                rest,
                "{{\"cairn\": \"{}\", \"command\": \"{command}\", \"status\": \"unknown\", \"verdict\": \"UNKNOWN\", \
                 \"result\": \"UNKNOWN ({reason})\", \"exit_code\": {exit}}}",
                env!("CARGO_PKG_VERSION")
            ),
            (true, false) => writeln!(
                rest,
                "{{\"cairn\": \"{}\", \"command\": \"{command}\", \"status\": \"unknown\", \
                 \"result\": \"limit reached ({reason})\", \"exit_code\": {exit}}}",
                env!("CARGO_PKG_VERSION")
            ),
            (false, true) => writeln!(rest, "Verdict: UNKNOWN ({reason})"),
            (false, false) => writeln!(rest, "Result: limit reached ({reason})"),
        };
        let length = room - rest.len();
        // SAFETY: the buffer has that many bytes.
        unsafe { libc::write(libc::STDOUT_FILENO, buffer.as_ptr().cast(), length) };
    }
    end(stop.exit())
}

/// Ends the process at once: nothing is dropped, since the system is quicker at that.
pub fn end(exit: Exit) -> ! {
    // SAFETY: it only ends the process.
    unsafe { libc::_exit(exit as i32) }
}
