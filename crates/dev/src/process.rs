//! Running a command with input, a time limit and captured output.

use std::io::{Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// How a process ended.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Status {
    Exit(i32),
    Signal(i32),
    /// It ran longer than allowed and was killed.
    TimedOut,
}

#[derive(Clone, Debug)]
pub struct Ran {
    pub status: Status,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    pub time: Duration,
}

impl Ran {
    pub fn stderr_text(&self) -> String {
        String::from_utf8_lossy(&self.stderr).into_owned()
    }

    pub fn stdout_text(&self) -> String {
        String::from_utf8_lossy(&self.stdout).into_owned()
    }
}

/// Runs `command` to its end, or kills it after `limit`.
pub fn run(command: &mut Command, stdin: &[u8], limit: Duration) -> std::io::Result<Ran> {
    let start = Instant::now();
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let (mut to, mut out, mut err) =
        (child.stdin.take().unwrap(), child.stdout.take().unwrap(), child.stderr.take().unwrap());
    thread::scope(|scope| {
        scope.spawn(move || {
            // A process that does not read its input is no error.
            let _ = to.write_all(stdin);
        });
        let out = scope.spawn(move || {
            let mut all = Vec::new();
            out.read_to_end(&mut all).map(|_| all)
        });
        let err = scope.spawn(move || {
            let mut all = Vec::new();
            err.read_to_end(&mut all).map(|_| all)
        });
        let status = loop {
            if let Some(status) = child.try_wait()? {
                break match (status.code(), status.signal()) {
                    (Some(code), _) => Status::Exit(code),
                    (None, signal) => Status::Signal(signal.unwrap_or(0)),
                };
            }
            if start.elapsed() > limit {
                child.kill()?;
                child.wait()?;
                break Status::TimedOut;
            }
            // Short runs are polled often, long ones rarely.
            thread::sleep(
                (start.elapsed() / 20).clamp(Duration::from_micros(200), Duration::from_millis(20)),
            );
        };
        let time = start.elapsed();
        Ok(Ran { status, stdout: out.join().unwrap()?, stderr: err.join().unwrap()?, time })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_told_apart() {
        let shell = |text: &str, stdin: &[u8]| {
            run(Command::new("sh").args(["-c", text]), stdin, Duration::from_secs(1)).unwrap()
        };
        assert_eq!(shell("exit 3", b"").status, Status::Exit(3));
        assert_eq!(shell("kill -ABRT $$", b"").status, Status::Signal(6));
        assert_eq!(shell("exec sleep 60", b"").status, Status::TimedOut);
        let ran = shell("cat; echo err >&2", b"in");
        assert_eq!((ran.stdout, ran.stderr), (b"in".to_vec(), b"err\n".to_vec()));
    }
}
