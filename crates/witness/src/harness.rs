//! A C file that, compiled together with the user's sources by any C compiler,
//! drives the program into the failure.
//!
//! The harness never touches the user's files. If executions start elsewhere than
//! in `main`, it has a `main` that calls the function with the first inputs. It defines the input
//! functions (one sequence of values, in the order of the calls, whichever
//! function is called) and the functions with which tasks talk to verifiers.
//! All its definitions are weak: what the user defines stays the user's. A
//! target function with a body of the user's own is noticed by the call that
//! `-finstrument-functions` makes at its entry.
//!
//! The process says by its exit code what happened: see [`REACHED`],
//! [`NO_INPUT`], [`ASSUMPTION`].

use std::collections::BTreeMap;
use std::fmt::Write;

use cairn_core::{Property, entry};
use cairn_ir::{Callee, Op, Program, VarId};
use cairn_sem::{Given, InputRecord};
use cairn_value::Ty;

use crate::external;
use crate::testcase::is_call;
use crate::value::{c_type, text};

/// Exit code: the error was reached.
pub const REACHED: i32 = 107;
/// Exit code: more inputs are read than there are.
pub const NO_INPUT: i32 = 108;
/// Exit code: an assumption of the program does not hold.
pub const ASSUMPTION: i32 = 109;

/// The text of the harness. `program` is the program as it was compiled (not instrumented).
pub fn harness_c(program: &Program, property: &Property, inputs: &[InputRecord]) -> String {
    let mut out = String::new();
    let start = Start::of(program);
    let (arguments, rest) = inputs.split_at(start.as_ref().map_or(0, |s| s.params.len()).min(inputs.len()));
    let used = |i: &&InputRecord| {
        is_call(i)
            && !external::is_separate(i)
            && (i.name.as_str() == "getenv" || !USED.contains(&i.name.as_str()))
    };
    let calls: Vec<&InputRecord> = rest.iter().filter(used).collect();
    let values: Vec<&InputRecord> = arguments.iter().chain(calls.iter().copied()).collect();
    let _ = write!(
        out,
        "/* Test harness written by Cairn. Compile it together with the program and run the result:\n\
         \x20* exit code {REACHED}: the error was reached; {NO_INPUT}: the program reads more inputs than \
         there are;\n\x20* {ASSUMPTION}: an assumption of the program does not hold. */\n\n{HEAD}{INPUT}"
    );
    out.push_str("static const struct cairn_input cairn_inputs[] = {\n");
    for i in &values {
        let (lo, hi) = (i.bits as u64, (i.bits >> 64) as u64);
        let _ = writeln!(out, "    {{0x{lo:x}ULL, 0x{hi:x}ULL}}, /* {} = {} */", i.name, text(i.ty, i.bits));
    }
    out.push_str("    {0, 0}\n};\n");
    let _ = writeln!(out, "enum {{ CAIRN_COUNT = {} }};\n{TAKE}", values.len());

    let needed = functions(program, property, &calls, false);
    define_inputs(&mut out, program, &needed, "");
    out.push_str(&external::Outside::new(program, inputs, &values).text(program));
    out.push_str(&talk(program));
    out.push_str(&watch(property));
    out.extend(start.and_then(|s| s.main(program, false)));
    out
}

/// Defines the functions that inputs come from. `convert` is what makes the number that was given the
/// float that is asked for, where numbers are given without a type.
fn define_inputs(out: &mut String, program: &Program, needed: &BTreeMap<String, Option<Ty>>, convert: &str) {
    for (name, ty) in needed {
        let Some(ty) = *ty else {
            let _ = writeln!(out, "CAIRN_WEAK void {name}() {{}}");
            continue;
        };
        let Some(c) = c_type(ty, program.model) else { continue };
        let take = format!("struct cairn_input i = cairn_take(\"{name}\");");
        if name.ends_with("_bool") || name.ends_with("_Bool") {
            let _ = writeln!(out, "CAIRN_WEAK _Bool {name}() {{ {take} return i.lo != 0; }}");
        } else {
            let convert = if matches!(ty, Ty::Float(_)) { convert } else { "" };
            let _ = writeln!(
                out,
                "CAIRN_WEAK {c} {name}() {{ {take} {c} v; __builtin_memcpy(&v, &i, {}); {convert}return v; }}",
                ty.bytes(program.model)
            );
        }
    }
}

/// A C file that drives the program with inputs that it reads when it starts, so that one build
/// serves many tests: from the file that the environment names in `CAIRN_INPUTS`, as
/// [`driver_values`] writes it. Coverage is written out however the program ends; so it is to be linked
/// with `--coverage`, and with [`SIGNALS`].
pub fn driver_c(program: &Program) -> String {
    let mut out = format!("/* Test driver written by Cairn. */\n\n{HEAD}{DRIVER}");
    let property = Property::UnreachCall { functions: vec![], assertions: true };
    let needed = functions(program, &property, &[], true);
    define_inputs(&mut out, program, &needed, "if (i.plain) v = i.real; ");
    out.push_str(&talk(program));
    let _ = writeln!(
        out,
        "CAIRN_WEAK void assert(int holds) {{ if (!holds) cairn_end({REACHED}, \"assertion failed\"); }}"
    );
    out.extend(Start::of(program).and_then(|s| s.main(program, true)));
    out
}

/// The values of a test as the driver reads them: for each the bits of the integer and of the double
/// that it stands for, and whether it has a type yet.
pub fn driver_values(calls: &[Given]) -> String {
    let mut out = String::new();
    for given in calls {
        let (bits, real, plain) = match *given {
            Given::Int(n) => (n as u128, n as f64, 1),
            Given::Real(x) => (x as i128 as u128, x, 1),
            Given::Bits(b) => (b, 0.0, 0),
        };
        let (lo, hi) = (bits as u64, (bits >> 64) as u64);
        let _ = writeln!(out, "{lo:x} {hi:x} {:x} {plain}", real.to_bits());
    }
    out
}

/// A C file of its own: coverage is not lost when the program crashes or takes too long
/// (`CAIRN_SECONDS` in the environment).
pub const SIGNALS: &str = "\
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>

extern void __gcov_dump(void);

static void cairn_on_signal(int number) {
    __gcov_dump();
    _exit(128 + number);
}

__attribute__((constructor)) static void cairn_watch_signals(void) {
    static char stack[1 << 16];
    static const int all[] = {SIGABRT, SIGSEGV, SIGFPE, SIGBUS, SIGILL, SIGTERM, SIGALRM};
    stack_t own = {.ss_sp = stack, .ss_size = sizeof stack};
    sigaltstack(&own, 0);
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
        struct sigaction action = {.sa_handler = cairn_on_signal, .sa_flags = SA_ONSTACK};
        sigaction(all[i], &action, 0);
    }
    const char *limit = getenv(\"CAIRN_SECONDS\");
    double seconds = limit ? atof(limit) : 0;
    if (seconds > 0) {
        struct itimerval timer = {.it_value = {(long)seconds, (long)((seconds - (long)seconds) * 1e6)}};
        setitimer(ITIMER_REAL, &timer, 0);
    }
}
";

/// Where executions start, if not in `main`.
struct Start<'p> {
    function: &'p str,
    params: &'p [VarId],
}

impl Start<'_> {
    fn of(program: &Program) -> Option<Start<'_>> {
        let function = &program.funcs[program.entry?];
        let start = Start { function: function.name.as_str(), params: &function.params };
        (start.function != "main").then_some(start)
    }

    /// A `main` that takes the arguments from the inputs; nothing if C has no name for a type. `plain`
    /// if inputs may be numbers without a type.
    fn main(&self, program: &Program, plain: bool) -> Option<String> {
        let (mut types, mut names, mut body) = (Vec::new(), Vec::new(), String::new());
        for (n, &v) in self.params.iter().enumerate() {
            let (ty, name) = (program.vars[v].ty, program.vars[v].name);
            let take = format!("struct cairn_input i{n} = cairn_take(\"{name}\");");
            if entry::is_bool(program, v) {
                let _ = writeln!(body, "    {take}\n    _Bool v{n} = i{n}.lo != 0;");
                types.push("_Bool");
            } else {
                let (c, bytes) = (c_type(ty, program.model)?, ty.bytes(program.model));
                let _ =
                    writeln!(body, "    {take}\n    {c} v{n};\n    __builtin_memcpy(&v{n}, &i{n}, {bytes});");
                if plain && matches!(ty, Ty::Float(_)) {
                    let _ = writeln!(body, "    if (i{n}.plain) v{n} = i{n}.real;");
                }
                types.push(c);
            }
            names.push(format!("v{n}"));
        }
        let (f, types) = (self.function, if types.is_empty() { "void".to_owned() } else { types.join(", ") });
        Some(format!(
            "\n#undef main\nextern void {f}({types});\n__attribute__((no_instrument_function)) int main(void) {{\n\
             {body}    {f}({});\n    return 0;\n}}\n",
            names.join(", ")
        ))
    }
}

/// What the harness must define: inputs, and functions that are called and nowhere defined. What the
/// latter did when the failure was found is none of a driver's business.
fn functions(
    program: &Program,
    property: &Property,
    values: &[&InputRecord],
    driver: bool,
) -> BTreeMap<String, Option<Ty>> {
    let mut needed = BTreeMap::new();
    for i in values {
        needed.insert(i.name.to_string(), Some(i.ty));
    }
    for edge in program.edges.values() {
        match &edge.op {
            Op::Input { dst, name }
                if name.starts_with("__VERIFIER_nondet_") || name.starts_with("nondet_") =>
            {
                needed.insert(name.to_string(), Some(program.vars[*dst].ty));
            }
            Op::Call { callee: Callee::Func(f), .. }
                if program.funcs[*f].body.is_none() || driver && external::is_external(program, *f) =>
            {
                let func = &program.funcs[*f];
                // Aggregates come back through memory, which a function without parameters cannot reach.
                needed.entry(func.name.to_string()).or_insert(func.sig.ret);
            }
            _ => {}
        }
    }
    let external =
        |n: &str| !driver && program.func_named(n).is_some_and(|f| external::is_external(program, f));
    let own = |n: &str| {
        OWN.contains(&n) || USED.contains(&n) || n.starts_with("__cairn_") || !is_name(n) || external(n)
    };
    let target =
        |n: &String| matches!(property, Property::UnreachCall { functions, .. } if functions.contains(n));
    needed.retain(|name, _| !own(name) && !target(name));
    needed
}

fn is_name(text: &str) -> bool {
    // What assembly gives no function can.
    text != "asm" && {
        text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
    }
}

const HEAD: &str = "\
#define CAIRN_WEAK __attribute__((weak, no_instrument_function))
#define CAIRN_OWN static __attribute__((unused, no_instrument_function))
extern int fflush(void *);
extern int dprintf(int, const char *, ...);
extern void _exit(int) __attribute__((noreturn));
";

const INPUT: &str = "struct cairn_input { unsigned long long lo, hi; };\n\n";

const TAKE: &str = "
CAIRN_OWN void cairn_end(int code, const char *what) {
    fflush(0);
    dprintf(2, \"cairn: %s\\n\", what);
    _exit(code);
}

static int cairn_next;

CAIRN_OWN struct cairn_input cairn_take(const char *name) {
    if (cairn_next >= CAIRN_COUNT) {
        dprintf(2, \"cairn: %s()\\n\", name);
        cairn_end(108, \"no input left\");
    }
    return cairn_inputs[cairn_next++];
}
";

/// Inputs of a driver.
const DRIVER: &str = "\
struct cairn_input { unsigned long long lo, hi; double real; int plain; };
static struct cairn_input *cairn_inputs;
static long cairn_count, cairn_next;
extern void __gcov_dump(void);
extern char *getenv(const char *);
extern void *fopen(const char *, const char *);
extern int fscanf(void *, const char *, ...);
extern int fclose(void *);
extern void *realloc(void *, unsigned long);

__attribute__((constructor)) CAIRN_OWN void cairn_read_inputs(void) {
    const char *name = getenv(\"CAIRN_INPUTS\");
    void *file = name ? fopen(name, \"r\") : 0;
    struct cairn_input i;
    unsigned long long real;
    while (file && fscanf(file, \"%llx %llx %llx %d\", &i.lo, &i.hi, &real, &i.plain) == 4) {
        __builtin_memcpy(&i.real, &real, sizeof real);
        if (!(cairn_count & (cairn_count + 1)))
            cairn_inputs = realloc(cairn_inputs, (2 * cairn_count + 2) * sizeof i);
        cairn_inputs[cairn_count++] = i;
    }
    if (file) fclose(file);
}

CAIRN_OWN void cairn_end(int code, const char *what) {
    fflush(0);
    __gcov_dump();
    _exit(code);
}

CAIRN_OWN struct cairn_input cairn_take(const char *name) {
    if (cairn_next >= cairn_count) cairn_end(108, \"no input left\");
    return cairn_inputs[cairn_next++];
}

";

/// What the harness itself needs of the C library.
const USED: [&str; 8] = ["fflush", "dprintf", "_exit", "getenv", "fopen", "fscanf", "fclose", "realloc"];

/// The functions that [`talk`] and [`watch`] define.
const OWN: [&str; 12] = [
    "reach_error",
    "__VERIFIER_error",
    "__VERIFIER_assume",
    "__CPROVER_assume",
    "__VERIFIER_assert",
    "__CPROVER_assert",
    "__CPROVER_precondition",
    "__CPROVER_postcondition",
    "__VERIFIER_atomic_begin",
    "__VERIFIER_atomic_end",
    "__assert_fail",
    "assert",
];

fn talk(program: &Program) -> String {
    let klee = program.funcs.values().any(|f| f.name.starts_with("klee_"));
    let klee = if klee { KLEE } else { "" };
    format!(
        "
CAIRN_WEAK void reach_error(void) {{ cairn_end({REACHED}, \"error reached\"); }}
CAIRN_WEAK void __VERIFIER_error(void) {{ cairn_end({REACHED}, \"error reached\"); }}
CAIRN_WEAK void __VERIFIER_assume(int holds) {{ if (!holds) cairn_end({ASSUMPTION}, \"assumption does not hold\"); }}
CAIRN_WEAK void __CPROVER_assume(int holds) {{ if (!holds) cairn_end({ASSUMPTION}, \"assumption does not hold\"); }}
CAIRN_WEAK void __VERIFIER_assert(int holds) {{ if (!holds) cairn_end({REACHED}, \"assertion failed\"); }}
CAIRN_WEAK void __CPROVER_assert(int holds, const char *text) {{ __VERIFIER_assert(holds); }}
CAIRN_WEAK void __CPROVER_precondition(int holds, const char *text) {{ __VERIFIER_assert(holds); }}
CAIRN_WEAK void __CPROVER_postcondition(int holds, const char *text) {{ __VERIFIER_assert(holds); }}
CAIRN_WEAK void __ESBMC_assume(_Bool holds) {{ __VERIFIER_assume(holds); }}
CAIRN_WEAK void __ESBMC_assert(_Bool holds, const char *text) {{ __VERIFIER_assert(holds); }}
CAIRN_WEAK int __ESBMC_abs(int x) {{ return x < 0 ? -x : x; }}
CAIRN_WEAK _Bool __ESBMC_isnanf(float x) {{ return __builtin_isnan(x); }}
CAIRN_WEAK _Bool __ESBMC_isnand(double x) {{ return __builtin_isnan(x); }}
CAIRN_WEAK _Bool __ESBMC_isnanld(long double x) {{ return __builtin_isnan(x); }}
CAIRN_WEAK _Bool __ESBMC_isinff(float x) {{ return __builtin_isinf(x); }}
CAIRN_WEAK _Bool __ESBMC_isinfd(double x) {{ return __builtin_isinf(x); }}
CAIRN_WEAK _Bool __ESBMC_isinfld(long double x) {{ return __builtin_isinf(x); }}
CAIRN_WEAK _Bool __ESBMC_isnormalf(float x) {{ return __builtin_isnormal(x); }}
CAIRN_WEAK _Bool __ESBMC_isnormald(double x) {{ return __builtin_isnormal(x); }}
CAIRN_WEAK _Bool __ESBMC_isnormalld(long double x) {{ return __builtin_isnormal(x); }}
CAIRN_WEAK _Bool __ESBMC_isfinitef(float x) {{ return __builtin_isfinite(x); }}
CAIRN_WEAK _Bool __ESBMC_isfinited(double x) {{ return __builtin_isfinite(x); }}
CAIRN_WEAK _Bool __ESBMC_isfiniteld(long double x) {{ return __builtin_isfinite(x); }}
CAIRN_WEAK _Bool __ESBMC_isnan(double x) {{ return __builtin_isnan(x); }}
CAIRN_WEAK _Bool __ESBMC_isinf(double x) {{ return __builtin_isinf(x); }}
CAIRN_WEAK _Bool __ESBMC_isnormal(double x) {{ return __builtin_isnormal(x); }}
CAIRN_WEAK _Bool __ESBMC_isfinite(double x) {{ return __builtin_isfinite(x); }}
CAIRN_WEAK void __ESBMC_atomic_begin(void) {{}}
CAIRN_WEAK void __ESBMC_atomic_end(void) {{}}
CAIRN_WEAK void __VERIFIER_atomic_begin(void) {{}}
CAIRN_WEAK void __VERIFIER_atomic_end(void) {{}}
{klee}"
    )
}

/// What harnesses for KLEE call; inputs are taken as the model in the front end takes them.
const KLEE: &str = "\
CAIRN_WEAK void klee_make_symbolic(void *object, unsigned long size, const char *name) {
    unsigned long step = size == 2 || size == 8 ? size : size % 4 == 0 ? 4 : 1;
    for (unsigned long at = 0; at < size; at += step) {
        struct cairn_input i = cairn_take(name);
        __builtin_memcpy((char *)object + at, &i, step);
    }
}
CAIRN_WEAK int klee_int(const char *name) { struct cairn_input i = cairn_take(name); return (int)i.lo; }
CAIRN_WEAK void klee_assume(unsigned long holds) { __VERIFIER_assume(holds != 0); }
CAIRN_WEAK int klee_range(int begin, int end, const char *name) {
    int value = klee_int(name);
    __VERIFIER_assume(begin <= value && value < end);
    return value;
}
CAIRN_WEAK void klee_assert(int holds) { __VERIFIER_assert(holds); }
CAIRN_WEAK void klee_silent_exit(int status) { cairn_end(status, \"exit\"); }
CAIRN_WEAK void klee_abort(void) { __builtin_abort(); }
CAIRN_WEAK void klee_report_error(const char *file, int line, const char *message, const char *suffix) {
    __VERIFIER_assert(0);
}
CAIRN_WEAK void klee_prefer_cex(void *object, unsigned long holds) {}
CAIRN_WEAK void klee_warning(const char *message) {}
CAIRN_WEAK void klee_warning_once(const char *message) {}
CAIRN_WEAK void klee_mark_global(void *object) {}
CAIRN_WEAK void klee_open_merge(void) {}
CAIRN_WEAK void klee_close_merge(void) {}
";

/// Notices the violation where it does not end the process by itself.
fn watch(property: &Property) -> String {
    let Property::UnreachCall { functions, assertions } = property else { return String::new() };
    let mut out = String::new();
    if *assertions {
        let _ = writeln!(
            out,
            "CAIRN_WEAK void assert(int holds) {{ if (!holds) cairn_end({REACHED}, \"assertion failed\"); }}\n\
             CAIRN_WEAK void __assert_fail(const char *text, const char *file, unsigned line, const char *f) {{\n    \
             dprintf(2, \"%s:%u: %s: %s\\n\", file, line, f, text);\n    \
             cairn_end({REACHED}, \"assertion failed\");\n}}"
        );
    }
    let others: Vec<&String> = functions.iter().filter(|f| !OWN.contains(&f.as_str())).collect();
    for f in &others {
        let _ = writeln!(out, "CAIRN_WEAK void {f}() {{ cairn_end({REACHED}, \"error reached\"); }}");
    }
    out.push_str("\n/* Called at the entry of functions compiled with -finstrument-functions. */\n");
    out.push_str(
        "__attribute__((no_instrument_function)) void __cyg_profile_func_exit(void *f, void *call) {}\n\
         __attribute__((no_instrument_function)) void __cyg_profile_func_enter(void *f, void *call) {\n",
    );
    for f in functions {
        let _ = writeln!(out, "    if (f && f == (void *){f}) cairn_end({REACHED}, \"error reached\");");
    }
    out.push_str("}\n");
    out
}
