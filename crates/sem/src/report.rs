//! From what the machine saw to what people read.

use std::fmt::Write;

use cairn_base::FileId;
use cairn_ir::{DataModel, Place, Program, Symbol, Trap, VarKind};
use cairn_value::Undefined;

use crate::machine::Machine;
use crate::memory::{Cold, Fault, Kind, id_of, offset_of};
use crate::stop::{BadFree, Cause};

/// The classes of undefined behaviour, with stable names for expectations and tools.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum UbKind {
    NullAccess,
    InvalidPointer,
    OutOfBounds,
    Dangling,
    ReadOnly,
    Uninitialised,
    DivisionByZero,
    DivisionOverflow,
    BadShift,
    FloatToInt,
    CountOfZero,
    SignedOverflow,
    PointerOverflow,
    BadFree,
    DoubleFree,
    Overlap,
    BadCall,
    NoReturnValue,
    Unreachable,
    BadGoto,
    BadVla,
    NoReturn,
    Library,
    Leak,
}

impl UbKind {
    pub fn name(self) -> &'static str {
        match self {
            UbKind::NullAccess => "null-access",
            UbKind::InvalidPointer => "invalid-pointer",
            UbKind::OutOfBounds => "out-of-bounds",
            UbKind::Dangling => "dangling",
            UbKind::ReadOnly => "read-only",
            UbKind::Uninitialised => "uninitialised",
            UbKind::DivisionByZero => "division-by-zero",
            UbKind::DivisionOverflow => "division-overflow",
            UbKind::BadShift => "bad-shift",
            UbKind::FloatToInt => "float-to-int",
            UbKind::CountOfZero => "count-of-zero",
            UbKind::SignedOverflow => "signed-overflow",
            UbKind::PointerOverflow => "pointer-overflow",
            UbKind::BadFree => "bad-free",
            UbKind::DoubleFree => "double-free",
            UbKind::Overlap => "overlap",
            UbKind::BadCall => "bad-call",
            UbKind::NoReturnValue => "no-return-value",
            UbKind::Unreachable => "unreachable",
            UbKind::BadGoto => "bad-goto",
            UbKind::BadVla => "bad-vla",
            UbKind::NoReturn => "no-return",
            UbKind::Library => "library",
            UbKind::Leak => "leak",
        }
    }
}

/// An open call, in terms of the source.
#[derive(Clone, PartialEq, Debug)]
pub struct StackFrame {
    pub function: Symbol,
    /// What it was executing.
    pub place: Place,
    /// A model of a library function rather than the user's code.
    pub is_model: bool,
}

/// What happened, and where.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    /// Set if the event is undefined behaviour.
    pub kind: Option<UbKind>,
    pub message: String,
    /// The place in the innermost function of the user.
    pub place: Place,
    /// Innermost first.
    pub stack: Vec<StackFrame>,
}

/// `file:line:column`.
pub fn place_text(program: &Program, place: Place) -> String {
    if place.is_none() {
        return "no place".to_string();
    }
    let file: FileId = place.file;
    let name = program.files.get(file).map_or("?", |f| f.as_str());
    format!("{name}:{}:{}", place.line, place.col)
}

impl Report {
    /// The message and the call stack, one line each.
    pub fn render(&self, program: &Program) -> String {
        let mut text = format!("{}: {}", place_text(program, self.place), self.message);
        if let Some(kind) = self.kind {
            let _ = write!(text, " [{}]", kind.name());
        }
        for (i, frame) in self.stack.iter().enumerate() {
            let word = if i == 0 { "in" } else { "called from" };
            if frame.is_model {
                let _ = write!(text, "\n  {word} {} (library model)", frame.function);
            } else {
                let _ = write!(text, "\n  {word} {} at {}", frame.function, place_text(program, frame.place));
            }
        }
        text
    }
}

impl Machine<'_> {
    /// A report of something that happened at instruction `pc` of the running frame.
    pub(crate) fn report(&self, pc: u32, kind: Option<UbKind>, message: String) -> Report {
        let mut stack = Vec::new();
        for (i, frame) in self.open_frames().enumerate() {
            // SAFETY: code of open frames is alive.
            let code = unsafe { &*frame.code };
            let at = if i == 0 { pc } else { frame.pc.saturating_sub(1) };
            let f = &self.program.funcs[code.func];
            let place = self.program.edges.get(code.edge(at)).map_or(Place::NONE, |e| e.place);
            stack.push(StackFrame { function: f.name, place, is_model: f.is_model });
        }
        let user = stack.iter().find(|f| !f.is_model).or(stack.first());
        Report { kind, message, place: user.map_or(Place::NONE, |f| f.place), stack }
    }

    pub(crate) fn undefined(&self, pc: u32, cause: &Cause) -> Report {
        let (kind, message) = self.explain(cause);
        self.report(pc, Some(kind), message)
    }

    fn explain(&self, cause: &Cause) -> (UbKind, String) {
        match cause {
            Cause::Access { fault, ptr, size, write } => self.explain_access(*fault, *ptr, *size, *write),
            Cause::UninitVar(v) => {
                let var = &self.program.vars[*v];
                let what = match var.kind {
                    VarKind::Temp => "use of uninitialised data".to_string(),
                    _ => format!("use of uninitialised variable '{}'", var.name),
                };
                (UbKind::Uninitialised, what)
            }
            Cause::Value(u) => match u {
                Undefined::DivisionByZero => (UbKind::DivisionByZero, "division by zero".into()),
                Undefined::DivisionOverflow => {
                    (UbKind::DivisionOverflow, "the quotient of the least value and -1 does not fit".into())
                }
                Undefined::BadShift => {
                    (UbKind::BadShift, "shift by a negative count or by at least the width".into())
                }
                Undefined::FloatToInt => {
                    (UbKind::FloatToInt, "conversion of a float that the integer type cannot hold".into())
                }
                Undefined::CountOfZero => {
                    (UbKind::CountOfZero, "counting the leading or trailing zero bits of zero".into())
                }
            },
            Cause::SignedOverflow(op) => (UbKind::SignedOverflow, format!("signed overflow in {op}")),
            Cause::FarPointer { ptr, by } => {
                let what = self.describe(id_of(*ptr));
                (UbKind::PointerOverflow, format!("pointer arithmetic moves {by} bytes from {what}"))
            }
            Cause::BadFree { ptr, why } => self.explain_free(*ptr, *why),
            Cause::Overlap { size } => {
                (UbKind::Overlap, format!("copy of {size} bytes between overlapping places"))
            }
            Cause::BadCallTarget(p) => {
                let what = if *p == 0 { "a null pointer".to_string() } else { self.describe_pointer(*p) };
                (UbKind::BadCall, format!("call through {what}, which is not a function"))
            }
            Cause::WrongSignature(f) => {
                let name = self.program.funcs[*f].name;
                (UbKind::BadCall, format!("call of '{name}' through a pointer to another function type"))
            }
            Cause::WrongArguments(f) => {
                let name = self.program.funcs[*f].name;
                (UbKind::BadCall, format!("call of '{name}' with arguments that do not match it"))
            }
            Cause::NoReturnValue => {
                (UbKind::NoReturnValue, "use of the value of a function that returned none".into())
            }
            Cause::Trap(t) => match t {
                Trap::Unreachable => (UbKind::Unreachable, "__builtin_unreachable was reached".into()),
                Trap::BadGoto => {
                    (UbKind::BadGoto, "goto through a pointer that is no label of the function".into())
                }
                Trap::BadVla => (UbKind::BadVla, "a variable-length array of size zero or less".into()),
                Trap::NoReturnValue => {
                    (UbKind::NoReturnValue, "use of the value of a function that returned none".into())
                }
            },
            Cause::Returned => {
                (UbKind::NoReturn, "a function that is declared never to return did return".into())
            }
            Cause::Library(text) => (UbKind::Library, text.clone()),
            Cause::Leak { objects } => {
                let first = objects.first().map_or_else(String::new, |&id| self.describe(id));
                let message = match objects.len() {
                    1 => format!("{first} is never freed"),
                    n => format!("{n} heap objects are never freed, first {first}"),
                };
                (UbKind::Leak, message)
            }
        }
    }

    fn explain_access(&self, fault: Fault, ptr: u64, size: u64, write: bool) -> (UbKind, String) {
        let verb = if write { "write" } else { "read" };
        let bytes = if size == 1 { "1 byte".to_string() } else { format!("{size} bytes") };
        let (id, offset) = self.locate(ptr);
        let at = format!("{verb} of {bytes} at offset {offset} of {}", self.describe(id));
        match fault {
            Fault::Null => {
                let plus = if ptr == 0 { String::new() } else { format!(" plus {ptr}") };
                (UbKind::NullAccess, format!("{verb} of {bytes} through a null pointer{plus}"))
            }
            Fault::NoObject => {
                let address = match self.program.model {
                    DataModel::Lp64 => ptr,
                    DataModel::Ilp32 => u64::from(offset_of(ptr)),
                };
                (
                    UbKind::InvalidPointer,
                    format!("{verb} of {bytes} at address {address:#x}, where no object is"),
                )
            }
            Fault::Dead => (UbKind::Dangling, at),
            Fault::OutOfBounds => (UbKind::OutOfBounds, at),
            Fault::ReadOnly => (UbKind::ReadOnly, at),
            Fault::Code => (UbKind::InvalidPointer, at),
            Fault::Uninit(i) => {
                let which = if size == 1 { String::new() } else { format!(" (byte {i} of them)") };
                (UbKind::Uninitialised, format!("use of uninitialised data: {at}{which}"))
            }
        }
    }

    fn explain_free(&self, ptr: u64, why: BadFree) -> (UbKind, String) {
        let (id, offset) = self.locate(ptr);
        let what = self.describe(id);
        match why {
            BadFree::Twice => (UbKind::DoubleFree, format!("free of {what}")),
            BadFree::Inside => (UbKind::BadFree, format!("free of a pointer to offset {offset} of {what}")),
            BadFree::NotHeap => (UbKind::BadFree, format!("free of {what}, which is not on the heap")),
        }
    }

    /// The object a pointer means and its signed offset there.
    pub(crate) fn locate(&self, ptr: u64) -> (u32, i64) {
        if let Some(below) = self.memory.below(ptr) {
            return below;
        }
        let offset = offset_of(ptr);
        match self.program.model {
            DataModel::Lp64 => (id_of(ptr), offset.into()),
            DataModel::Ilp32 => (id_of(ptr), (offset as i32).into()),
        }
    }

    fn describe_pointer(&self, ptr: u64) -> String {
        let (id, offset) = self.locate(ptr);
        if offset == 0 { self.describe(id) } else { format!("offset {offset} of {}", self.describe(id)) }
    }

    /// An object in words: "object 'a' (40 bytes, declared at t.c:3:7)".
    pub(crate) fn describe(&self, id: u32) -> String {
        let Some(cold) = self.memory.cold(id) else { return "no object".to_string() };
        let mut details = vec![match cold.size {
            1 => "1 byte".to_string(),
            n => format!("{n} bytes"),
        }];
        let edge_place = |e| place_text(self.program, self.program.edges[e].place);
        let noun = match cold.kind {
            Kind::Nothing => return "no object".to_string(),
            Kind::Gone => return "a local object outside its lifetime".to_string(),
            Kind::Func(f) => return format!("function '{}'", self.program.funcs[f].name),
            Kind::Label(l) => return format!("label '{}'", self.program.labels[l].name),
            Kind::Static | Kind::Const | Kind::Local => self.named(cold, &mut details),
            Kind::Heap => "heap object".to_string(),
            Kind::Alloca => "alloca object".to_string(),
            Kind::Vla => "variable-length array".to_string(),
            Kind::Argument => "an argument of the program".to_string(),
        };
        if let Some(e) = cold.born.filter(|_| cold.obj.is_none()) {
            details.push(format!("allocated at {}", edge_place(e)));
        }
        if !self.memory.is_live(id) {
            let word = match (cold.kind, cold.died) {
                (Kind::Heap, Some(e)) => format!("freed at {}", edge_place(e)),
                (_, Some(e)) => format!("its lifetime ended at {}", edge_place(e)),
                (_, None) => "not alive".to_string(),
            };
            details.push(word);
        }
        format!("{noun} ({})", details.join(", "))
    }

    fn named(&self, cold: &Cold, details: &mut Vec<String>) -> String {
        let Some(o) = cold.obj.map(|o| &self.program.objects[o]) else { return "object".to_string() };
        if !o.place.is_none() {
            details.push(format!("declared at {}", place_text(self.program, o.place)));
        }
        if o.name.is_empty() { "an unnamed object".to_string() } else { format!("object '{}'", o.name) }
    }
}
