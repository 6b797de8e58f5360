//! The first difference between what the symbolic reading says of an execution
//! and what the executor does.

use cairn_base::Place;
use cairn_core::Task;
use cairn_ir::{Bits, EdgeId, Program, Ty};
use cairn_sem::{End, place_text};
use cairn_term::Value;
use cairn_value::float::{Class, classify};

use crate::observe::Observed;
use crate::predict::{Ending, Predicted, pattern};

/// A difference, as a sentence with its place.
pub struct Difference {
    pub what: String,
    pub place: Place,
}

/// Compares a run with its prediction.
pub fn compare(task: &Task, said: &Predicted, did: &Observed) -> Option<Difference> {
    let program = &task.program;
    let placed = program.places_objects();
    let place = |e: EdgeId| program.edges[e].place;
    let at = |e: EdgeId| place_text(program, place(e));
    for ((edge, value), (done, result)) in said.steps.iter().zip(&did.steps) {
        if edge != done {
            return Some(Difference {
                what: format!("the symbolic reading goes on at {}, the executor at {}", at(*edge), at(*done)),
                place: place(*done),
            });
        }
        let Some(v) = program.edges[*edge].op.def() else { continue };
        let (Some(value), Some(result)) = (value, result) else { continue };
        let ty = program.vars[v].ty;
        if !same(program, placed, ty, value, *result) {
            let (ours, theirs) = (pattern(value).unwrap_or(0), *result);
            return Some(Difference {
                what: format!(
                    "the symbolic reading of {} makes `{}` {}, the executor {}",
                    at(*edge),
                    program.vars[v].name,
                    number(ty, ours),
                    number(ty, theirs)
                ),
                place: place(*edge),
            });
        }
    }
    let (more, less) = (said.steps.get(did.steps.len()), did.steps.get(said.steps.len()));
    if did.layout {
        return None;
    }
    if let Some((edge, _)) = more {
        let how = match did.end {
            End::Exit(_) | End::Abort(_) => "ends",
            // Objects that the program does not place lie somewhere for the executor alone.
            End::AssumptionFailed(_) if placed => return None,
            End::AssumptionFailed(_) => "ends, since an assumption does not hold",
            // A limit, or something that the executor alone calls undefined.
            _ => return None,
        };
        return Some(Difference {
            what: format!("the symbolic reading goes on at {}, the executor {how}", at(*edge)),
            place: place(*edge),
        });
    }
    let (edge, _) = less?;
    match said.end {
        Ending::Over => Some(Difference {
            what: format!(
                "the executor goes on at {}, where the execution is over in the symbolic reading",
                at(*edge)
            ),
            place: place(*edge),
        }),
        Ending::Undefined(e) if e == *edge => Some(Difference {
            what: format!(
                "what stands at {} is undefined in the symbolic reading, and not for the executor",
                at(e)
            ),
            place: place(e),
        }),
        _ => None,
    }
}

/// Are these the same value of a type? Objects have other numbers in every reading, and all NaNs are one.
fn same(program: &Program, placed: bool, ty: Ty, ours: &Value, theirs: Bits) -> bool {
    let Some(bits) = pattern(ours) else { return true };
    match ty {
        Ty::Float(f) => bits == theirs || [bits, theirs].iter().all(|&b| classify(f, b) == Class::Nan),
        Ty::Ptr => {
            let (object, other) = ((bits >> 32) as u32, (theirs >> 32) as u32);
            // An address may be one of several objects', that of one and the end of another.
            if placed || object == 0 || other == 0 {
                return (bits == 0) == (theirs == 0);
            }
            bits as u32 == theirs as u32
        }
        Ty::Int(_) | Ty::Bool => {
            let width = u32::from(ty.bits(program.model));
            let mask = u128::MAX >> (128 - width.clamp(1, 128));
            bits & mask == theirs & mask
        }
    }
}

/// A value for people.
fn number(ty: Ty, bits: Bits) -> String {
    match ty {
        Ty::Int(i) => i.number(bits).to_string(),
        Ty::Bool => (bits & 1).to_string(),
        Ty::Float(cairn_ir::FloatTy::F32) => format!("{:e}", f32::from_bits(bits as u32)),
        Ty::Float(cairn_ir::FloatTy::F64) => format!("{:e}", f64::from_bits(bits as u64)),
        Ty::Float(_) => format!("{bits:#x}"),
        Ty::Ptr => format!("offset {} of object {}", bits as u32, (bits >> 32) as u32),
    }
}
