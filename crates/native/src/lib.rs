//! The native tier of the executor: hot code through Cranelift.
//!
//! The interpreter counts visits of function entries and loop heads; a spot
//! that is hot is compiled from the same compact code the interpreter runs, and
//! entered in the middle of the run. Compiled code holds the slots in
//! registers, calls other compiled functions directly, lets the machine execute
//! single instructions it does not know, and returns to the interpreter
//! wherever something is undefined, a limit is near, or a call leads to code
//! that is not compiled. The meaning of a program, its output and its number of
//! steps are the same in both tiers.

mod access;
mod calls;
mod flat;
mod generate;
mod insn;
mod known;
mod live;
mod shape;
mod trampoline;

use cairn_base::EntityRef;
use cairn_ir::{FuncId, Program, Signature};
use cairn_sem::code::FuncCode;
use cairn_sem::machine::{NativeEntry, Tier};
use cairn_sem::statics::Statics;
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::Module;

use calls::{call_signature, entry_signature, is_callable};
use generate::{Gen, Mode, Unit, count_of};
use live::Region;

/// Functions with more instructions than this are left to the interpreter.
const MAX_INSNS: usize = 30_000;
/// Nor are functions compiled in which a path without loops may take more steps than this.
const MAX_BOUND: i64 = 1 << 16;

/// With more live slots than this, over all instructions, none are kept in registers across
/// blocks: saving them wherever the interpreter may take over would be too much code.
const MAX_LIVE: usize = 60_000;

/// What compiled code finds at fixed addresses.
pub(crate) struct Shared {
    words: Box<Words>,
    /// For each function the address of its compiled code, or null.
    callees: Box<[*const u8]>,
    functions: Option<Functions>,
}

/// The functions as targets of pointers.
pub(crate) struct Functions {
    /// The id of function 0; the others follow.
    pub first_id: u32,
    /// For each function the index of its signature.
    pub classes: Box<[u32]>,
    signatures: Vec<Signature>,
}

impl Functions {
    fn new(program: &Program, statics: &Statics) -> Option<Functions> {
        let (first, _) = program.funcs.iter().next()?;
        let first_id = statics.funcs[first];
        let mut signatures: Vec<Signature> = Vec::new();
        let mut classes = Vec::new();
        for (f, function) in &program.funcs {
            if statics.funcs[f] != first_id + f.as_u32() {
                return None;
            }
            let class = signatures.iter().position(|sig| *sig == function.sig).unwrap_or_else(|| {
                signatures.push(function.sig.clone());
                signatures.len() - 1
            });
            classes.push(class as u32);
        }
        Some(Functions { first_id, classes: classes.into(), signatures })
    }
}

#[derive(Default)]
struct Words {
    stack_limit: u64,
}

impl Shared {
    fn new(functions: usize) -> Shared {
        Shared { words: Box::default(), callees: vec![std::ptr::null(); functions].into(), functions: None }
    }

    pub(crate) fn stack_limit_address(&self) -> i64 {
        std::ptr::from_ref(&self.words.stack_limit) as i64
    }

    pub(crate) fn callee_address(&self, f: FuncId) -> i64 {
        std::ptr::from_ref(&self.callees[f.index()]) as i64
    }

    /// The functions, and the class of those that have this signature.
    pub(crate) fn functions(&self, sig: &Signature) -> Option<(&Functions, u32)> {
        let functions = self.functions.as_ref()?;
        let class = functions.signatures.iter().position(|s| s == sig)?;
        Some((functions, class as u32))
    }

    pub(crate) fn run_insn(&self) -> i64 {
        cairn_sem::interp::run_insn as *const () as i64
    }

    pub(crate) fn close_frame(&self) -> i64 {
        cairn_sem::interp::close_frame as *const () as i64
    }
}

/// The tier. Code is compiled anew for every run.
pub struct Native {
    /// `None` only while it is dropped.
    module: Option<JITModule>,
    context: cranelift_codegen::Context,
    builder: FunctionBuilderContext,
    shared: Shared,
    threshold: u32,
    /// The most live slots, over all instructions, for which registers are used.
    max_live: usize,
}

impl Native {
    /// A tier for runs of a program; `None` if there is no code generator for this machine.
    pub fn new(program: &Program) -> Option<Native> {
        // Addresses that the program says are the interpreter's business.
        if program.places_objects() {
            return None;
        }
        let mut flags = settings::builder();
        for (name, value) in [
            ("opt_level", "speed"),
            ("is_pic", "false"),
            ("use_colocated_libcalls", "false"),
            ("enable_probestack", "false"),
        ] {
            flags.set(name, value).ok()?;
        }
        let verify = if cfg!(debug_assertions) { "true" } else { "false" };
        flags.set("enable_verifier", verify).ok()?;
        let isa = cranelift_native::builder().ok()?.finish(settings::Flags::new(flags)).ok()?;
        let module = JITModule::new(JITBuilder::with_isa(isa, cranelift_module::default_libcall_names()));
        Some(Native {
            context: module.make_context(),
            module: Some(module),
            builder: FunctionBuilderContext::new(),
            shared: Shared::new(program.funcs.len()),
            threshold: 1000,
            max_live: MAX_LIVE,
        })
    }

    /// Compiles a spot at its `visits`-th visit rather than late enough to be worth it.
    pub fn with_threshold(mut self, visits: u32) -> Native {
        self.threshold = visits;
        self
    }

    /// Keeps slots in memory, as is done for very large functions, in every function.
    pub fn with_slots_in_memory(mut self) -> Native {
        self.max_live = 0;
        self
    }

    fn compile(
        &mut self,
        program: &Program,
        statics: &Statics,
        code: &FuncCode,
        spot: usize,
    ) -> Option<NativeEntry> {
        let entry = code.hot[spot].pc;
        let mut region = Region::whole(program, code, entry, self.max_live);
        let whole = entry == 0 && !region.is_jumped_to(0) && is_callable(program, code.func);
        if !whole {
            region = Region::loops(program, code, entry, self.max_live);
        }
        let compiled = (0u32..).zip(&code.insns).filter(|(pc, _)| region.is_inside(*pc));
        let bound: i64 = compiled.map(|(_, &insn)| i64::from(count_of(insn))).sum();
        if bound > MAX_BOUND {
            return None;
        }
        let config = self.module.as_ref()?.target_config();
        let conv = config.default_call_conv;
        let params = program.funcs[code.func].sig.params.len();
        let mode = if whole { Mode::Function } else { Mode::Spot };
        self.context.func.signature = match mode {
            Mode::Function => call_signature(conv, params),
            Mode::Spot => entry_signature(conv),
        };
        let b = FunctionBuilder::new(&mut self.context.func, &mut self.builder);
        let shared = &self.shared;
        Gen::translate(
            b,
            Unit { program, statics, code, shared, region: &region, mode, config, entry, bound },
        );
        let body = self.finish()?;
        let start = match mode {
            Mode::Spot => body,
            Mode::Function => {
                self.shared.callees[code.func.index()] = body;
                self.context.func.signature = entry_signature(conv);
                let b = FunctionBuilder::new(&mut self.context.func, &mut self.builder);
                trampoline::translate(b, &self.shared, body, params, config);
                self.finish()?
            }
        };
        // SAFETY: the code was generated with this signature, and lives as long as `self`.
        Some(unsafe { std::mem::transmute::<*const u8, NativeEntry>(start) })
    }

    /// Turns the function in `self.context` into machine code.
    fn finish(&mut self) -> Option<*const u8> {
        let module = self.module.as_mut()?;
        let id = module.declare_anonymous_function(&self.context.func.signature).ok()?;
        let defined = module.define_function(id, &mut self.context);
        module.clear_context(&mut self.context);
        debug_assert!(defined.is_ok(), "the generated code is refused: {defined:?}");
        defined.ok()?;
        module.finalize_definitions().ok()?;
        Some(module.get_finalized_function(id))
    }
}

impl Tier for Native {
    fn begin(&mut self, program: &Program) {
        self.shared = Shared::new(program.funcs.len());
    }

    fn hot(
        &mut self,
        program: &Program,
        statics: &Statics,
        code: &FuncCode,
        spot: usize,
    ) -> Option<NativeEntry> {
        if code.insns.len() > MAX_INSNS {
            return None;
        }
        if self.shared.functions.is_none() {
            self.shared.functions = Functions::new(program, statics);
        }
        self.compile(program, statics, code, spot)
    }

    fn threshold(&self) -> u32 {
        self.threshold
    }
}

impl Drop for Native {
    fn drop(&mut self) {
        if let Some(module) = self.module.take() {
            // SAFETY: the run that could call the code is over.
            unsafe { module.free_memory() }
        }
    }
}
