//! The outside world of the program that runs: our own standard streams, or
//! buffers when the output becomes part of a JSON result.

use std::io::{self, BufReader, BufWriter, ErrorKind, IsTerminal, Read, StdinLock, StdoutLock, Write};

use cairn_base::Cancel;
use cairn_sem::Io;

use crate::progress::Progress;

/// Passes everything through.
pub struct Streams {
    out: BufWriter<StdoutLock<'static>>,
    input: Option<BufReader<StdinLock<'static>>>,
    /// A terminal wants to see each line at once.
    interactive: bool,
    progress: Progress,
    /// Raised when nobody reads the output any more.
    cancel: Cancel,
    closed: bool,
}

impl Streams {
    pub fn new(progress: Progress, cancel: Cancel) -> Streams {
        let stdout = io::stdout();
        let interactive = stdout.is_terminal();
        Streams {
            out: BufWriter::with_capacity(1 << 16, stdout.lock()),
            input: None,
            interactive,
            progress,
            cancel,
            closed: false,
        }
    }

    fn check(&mut self, done: io::Result<()>) {
        if done.is_err_and(|e| e.kind() == ErrorKind::BrokenPipe) && !self.closed {
            self.closed = true;
            self.cancel.raise();
        }
    }

    /// Writes out what is buffered.
    pub fn flush(&mut self) {
        let done = self.out.flush();
        self.check(done);
    }

    /// Did the reader of our output go away?
    pub fn closed(&self) -> bool {
        self.closed
    }
}

impl Io for Streams {
    fn write(&mut self, fd: i32, data: &[u8]) {
        if fd == 2 {
            self.flush();
            self.progress.hide();
            // Nothing can be done about a closed standard error.
            let _ = io::stderr().write_all(data);
            return;
        }
        if self.interactive {
            self.progress.hide();
        }
        let done = self.out.write_all(data);
        self.check(done);
        if self.interactive && data.contains(&b'\n') {
            self.flush();
        }
    }

    fn read_byte(&mut self) -> Option<u8> {
        self.flush();
        self.progress.hide();
        let input = self.input.get_or_insert_with(|| BufReader::new(io::stdin().lock()));
        let mut byte = [0];
        matches!(input.read(&mut byte), Ok(1)).then_some(byte[0])
    }
}

/// Output beyond this many bytes is not kept.
const KEPT: usize = 64 << 20;

/// Keeps the output for the JSON result; input comes from our standard input.
#[derive(Default)]
pub struct Recorder {
    pub out: Vec<u8>,
    pub err: Vec<u8>,
    input: Option<BufReader<StdinLock<'static>>>,
    dropped: bool,
}

impl Recorder {
    /// What is missing from the record.
    pub fn remark(&self) -> Option<String> {
        self.dropped.then(|| format!("output beyond {} MB is left out", KEPT >> 20))
    }
}

impl Io for Recorder {
    fn write(&mut self, fd: i32, data: &[u8]) {
        let kept = if fd == 2 { &mut self.err } else { &mut self.out };
        if kept.len() + data.len() > KEPT {
            self.dropped = true;
        } else {
            kept.extend_from_slice(data);
        }
    }

    fn read_byte(&mut self) -> Option<u8> {
        let input = self.input.get_or_insert_with(|| BufReader::new(io::stdin().lock()));
        let mut byte = [0];
        matches!(input.read(&mut byte), Ok(1)).then_some(byte[0])
    }
}
