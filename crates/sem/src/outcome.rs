//! What a run is asked and what it answers.

use cairn_base::Limit;
use cairn_ir::{Bits, Place, Symbol, Ty};

use crate::births::Indeterminate;
use crate::report::Report;

/// What overflow of a signed operation means.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub enum SignedOverflow {
    /// Two's complement, as gcc's `-fwrapv`.
    #[default]
    Wrap,
    Undefined,
}

/// Where standard input and the environment come from.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub enum Outside {
    /// They are inputs, given or random, as everything from outside.
    #[default]
    Inputs,
    /// Standard input is that of [`Io`], and not recorded; the environment is empty.
    World,
}

/// A value given for an input.
#[derive(Copy, Clone, PartialEq, Debug)]
pub enum Given {
    /// Wraps into an integer type; becomes the nearest float.
    Int(i128),
    /// Rounds into a float type; truncates (then wraps) into an integer type.
    Real(f64),
    /// A bit pattern of whatever type is asked for.
    Bits(Bits),
}

#[derive(Clone, Debug)]
pub struct Options {
    pub signed_overflow: SignedOverflow,
    /// Heap objects alive at the end count as undefined behaviour.
    pub check_leaks: bool,
    /// Functions whose call is the error that is looked for, with or without a body.
    pub targets: Vec<Symbol>,
    /// `argv`, including the name of the program.
    pub args: Vec<Vec<u8>>,
    /// Values for the inputs, in order; when they are used up, random ones follow.
    pub inputs: Vec<Given>,
    pub outside: Outside,
    pub seed: u64,
    pub indeterminate: Indeterminate,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            signed_overflow: SignedOverflow::Wrap,
            check_leaks: false,
            targets: ["reach_error", "__VERIFIER_error"].map(Symbol::from).to_vec(),
            args: vec![b"program".to_vec()],
            inputs: Vec::new(),
            outside: Outside::Inputs,
            seed: 0,
            indeterminate: Indeterminate::Undefined,
        }
    }
}

/// The outside world of the program.
pub trait Io {
    /// Output to a file descriptor (1: standard output, 2: standard error).
    fn write(&mut self, fd: i32, data: &[u8]);
    /// The next byte of standard input.
    fn read_byte(&mut self) -> Option<u8>;
}

/// An [`Io`] that keeps the output and reads from a buffer.
#[derive(Clone, Default, Debug)]
pub struct Captured {
    pub out: Vec<u8>,
    pub err: Vec<u8>,
    pub input: std::collections::VecDeque<u8>,
}

impl Io for Captured {
    fn write(&mut self, fd: i32, data: &[u8]) {
        let sink = if fd == 2 { &mut self.err } else { &mut self.out };
        sink.extend_from_slice(data);
    }

    fn read_byte(&mut self) -> Option<u8> {
        self.input.pop_front()
    }
}

/// An [`Io`] that forgets all output and has no input.
#[derive(Copy, Clone, Default, Debug)]
pub struct Silent;

impl Io for Silent {
    fn write(&mut self, _: i32, _: &[u8]) {}

    fn read_byte(&mut self) -> Option<u8> {
        None
    }
}

/// How a run ended.
#[derive(Clone, PartialEq, Debug)]
pub enum End {
    /// `main` returned or `exit` was called.
    Exit(i32),
    Abort(Report),
    /// An error function was called or an assertion failed.
    ErrorReached(Report),
    Undefined(Report),
    /// An assumption of the program does not hold for these inputs.
    AssumptionFailed(Report),
    /// A function without a body that is declared never to return was called.
    NoReturn(Report),
    Limit(Limit, Report),
    /// The program has no function to start in, or one that cannot be started.
    NoEntry(String),
}

/// An input as it was consumed.
#[derive(Clone, PartialEq, Debug)]
pub struct InputRecord {
    pub name: Symbol,
    pub ty: Ty,
    pub bits: Bits,
    pub place: Place,
    /// It came from the given values, not from the random source.
    pub given: bool,
}

/// A called function that has neither body nor model.
#[derive(Clone, PartialEq, Debug)]
pub struct UnmodelledCall {
    pub name: Symbol,
    /// The first call.
    pub place: Place,
    pub count: u64,
}

#[derive(Clone, Debug)]
pub struct Outcome {
    pub end: End,
    /// Executed edges.
    pub steps: u64,
    pub inputs: Vec<InputRecord>,
    pub unmodelled: Vec<UnmodelledCall>,
    /// Remarks that limit what the result means.
    pub notes: Vec<String>,
}

#[derive(Clone, Default, Debug)]
pub(crate) struct Notes(pub Vec<String>);

impl Notes {
    pub fn add(&mut self, note: impl Into<String>) {
        let note = note.into();
        if !self.0.contains(&note) {
            self.0.push(note);
        }
    }
}

#[derive(Clone, Default, Debug)]
pub(crate) struct Unmodelled(pub Vec<UnmodelledCall>);

impl Unmodelled {
    pub fn add(&mut self, name: Symbol, place: Place) {
        match self.0.iter_mut().find(|u| u.name == name) {
            Some(u) => u.count += 1,
            None => self.0.push(UnmodelledCall { name, place, count: 1 }),
        }
    }
}
