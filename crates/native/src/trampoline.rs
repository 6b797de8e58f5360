//! From the interpreter into a compiled function: the parameters are in slots,
//! and the result goes into a slot of the caller.

use std::mem::offset_of;

use cairn_sem::code::NO_SLOT;
use cairn_sem::machine::{Context, Frame};
use cranelift_codegen::ir::InstBuilder;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::isa::TargetFrontendConfig;
use cranelift_frontend::FunctionBuilder;

use crate::Shared;
use crate::calls::call_signature;
use crate::generate::{I64, STACK, own};

/// Fills in a function that calls `body` on behalf of the interpreter. If nothing could be done,
/// the frame stays as it is, and the interpreter sees that.
pub(crate) fn translate(
    mut b: FunctionBuilder<'_>,
    shared: &Shared,
    body: *const u8,
    params: usize,
    config: TargetFrontendConfig,
) {
    let start = b.create_block();
    b.append_block_params_for_function_params(start);
    b.switch_to_block(start);
    let ctx = b.block_params(start)[0];
    let (enter, returned, write, end) =
        (b.create_block(), b.create_block(), b.create_block(), b.create_block());
    let fp = b.ins().load(I64, own(), ctx, offset_of!(Context, frame) as i32);
    let base = b.ins().load(I64, own(), fp, offset_of!(Frame, base) as i32);
    // The end of the outermost function is the end of the program: for the interpreter.
    let caller = -(size_of::<Frame>() as i32);
    let outer = b.ins().load(I64, own(), fp, caller + offset_of!(Frame, code) as i32);
    b.ins().brif(outer, enter, &[], end, &[]);

    b.switch_to_block(enter);
    let sp = b.ins().get_stack_pointer(I64);
    let limit = b.ins().iadd_imm_s(sp, -STACK);
    let at = b.ins().iconst(I64, shared.stack_limit_address());
    b.ins().store(own(), limit, at, 0);
    let steps = b.ins().load(I64, own(), ctx, offset_of!(Context, steps) as i32);
    let mut args = vec![ctx, fp, base, steps];
    for i in 0..params {
        args.push(b.ins().load(I64, own(), base, i as i32 * 8));
    }
    let sig = b.import_signature(call_signature(config.default_call_conv, params));
    let callee = b.ins().iconst(I64, body as i64);
    let call = b.ins().call_indirect(sig, callee, &args);
    let results = b.inst_results(call);
    let (steps, value) = (results[0], results[1]);
    let done = b.ins().icmp_imm_s(IntCC::SignedGreaterThanOrEqual, steps, 0);
    b.ins().brif(done, returned, &[], end, &[]);

    b.switch_to_block(returned);
    b.ins().store(own(), steps, ctx, offset_of!(Context, steps) as i32);
    let dst = b.ins().uload32(own(), fp, offset_of!(Frame, dst) as i32);
    let wanted = b.ins().icmp_imm_u(IntCC::NotEqual, dst, i64::from(NO_SLOT));
    b.ins().brif(wanted, write, &[], end, &[]);

    b.switch_to_block(write);
    let to = b.ins().load(I64, own(), fp, caller + offset_of!(Frame, base) as i32);
    let at = b.ins().imul_imm_s(dst, size_of::<u64>() as i64);
    let to = b.ins().iadd(to, at);
    b.ins().store(own(), value, to, 0);
    b.ins().jump(end, &[]);

    b.switch_to_block(end);
    b.ins().return_(&[]);
    b.seal_all_blocks();
    b.finalize(config);
}
