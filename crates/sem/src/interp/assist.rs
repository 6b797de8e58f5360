//! What compiled code asks the machine to do.

use crate::machine::{Context, Machine};

/// Executes the instruction at `pc` of the running frame on the values in the frame's slots. It
/// must not be a call of a function with a body, a return or a jump. Returns 0 if it was
/// executed, 1 if the run is to end: then the compiled code must return to the interpreter at
/// once, having made `context.steps` right; 2 if the interpreter is to execute it.
///
/// # Safety
/// `context` must be the `ctx` of a machine that is executing.
pub unsafe extern "C" fn run_insn(context: *mut Context, pc: u64) -> u64 {
    // SAFETY: `ctx` is the first field of the machine, which is `repr(C)`.
    let machine = unsafe { &mut *context.cast::<Machine<'_>>() };
    // SAFETY: the running frame is valid.
    unsafe { (*machine.ctx.frame).pc = pc as u32 };
    match machine.execute_one() {
        Ok(true) => 0,
        Ok(false) => 2,
        Err(stop) => {
            machine.stop = Some(stop);
            1
        }
    }
}

/// Ends the objects of the running frame and closes it, at the return that its `pc` names.
///
/// # Safety
/// As for [`run_insn`]; the running frame must not be the outermost one.
pub unsafe extern "C" fn close_frame(context: *mut Context) -> u64 {
    // SAFETY: as above.
    let machine = unsafe { &mut *context.cast::<Machine<'_>>() };
    // SAFETY: the running frame is valid.
    let edge = unsafe {
        let frame = &*machine.ctx.frame;
        (*frame.code).edge(frame.pc)
    };
    machine.pop_frame(edge);
    0
}
