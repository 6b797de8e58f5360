//! The part of a harness that stands for the world outside: functions that
//! nobody defines do what they did when the failure was found, objects that
//! nobody defines exist and have the contents they had, and the process is called with
//! the arguments, the environment and the standard input that it was called with.
//!
//! What an input is for is in its name; `cairn_cfront::lower::external` says how.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use cairn_core::outside;
use cairn_ir::{FuncId, Op, Program};
use cairn_sem::InputRecord;
use cairn_value::Ty;

use crate::value::c_type;

/// Is the function one that nobody defines or models, with the body that stands for it?
pub fn is_external(program: &Program, f: FuncId) -> bool {
    let func = &program.funcs[f];
    let own = |place: cairn_base::Place| {
        !place.is_none() && program.files.get(place.file).is_some_and(|name| !name.starts_with("<models>"))
    };
    func.is_model && func.body.is_some() && !func.name.starts_with('<') && own(func.place)
}

/// Where the value of an input goes, beyond the function that takes it.
#[derive(Copy, Clone, Default, PartialEq, Eq, Debug)]
struct Step {
    /// 0: nowhere; 1: behind an argument; 2: into an object; 3: into the memory made or followed last.
    into: u8,
    target: usize,
    offset: u64,
    bytes: u64,
    /// It says what becomes of a pointer.
    pointer: bool,
}

/// What a harness does beyond handing out values.
pub struct Outside {
    steps: Vec<Step>,
    /// Objects that are written to, and those of them that nobody defines, with their sizes.
    objects: Vec<String>,
    undefined: BTreeMap<String, u64>,
    stdin: Option<Vec<u8>>,
    arguments: Option<Vec<Vec<u8>>>,
    environment: Option<Vec<Vec<u8>>>,
    /// Single variables are asked for.
    environment_variables: bool,
}

/// Is the value read otherwise than from the list of inputs?
pub fn is_separate(input: &InputRecord) -> bool {
    outside::is_stdin(input) || outside::is_argument(input)
}

impl Outside {
    /// `all` are the inputs of the execution, `values` those that the harness hands out.
    pub fn new(program: &Program, all: &[InputRecord], values: &[&InputRecord]) -> Outside {
        let mut objects: Vec<String> = Vec::new();
        let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
        let mut steps = Vec::with_capacity(values.len());
        for input in values {
            let name = input.name.as_str();
            if name.ends_with('!') {
                // A call begins: elements are counted anew.
                counts.clear();
            }
            let count = counts.entry(name).or_insert(0);
            let bytes = input.ty.bytes(program.model);
            let mut step = step(name, *count, bytes, &mut objects).unwrap_or_default();
            step.bytes = if step.pointer { program.model.ptr_bytes() } else { bytes };
            *count += 1;
            steps.push(step);
        }
        let mut undefined = BTreeMap::new();
        if let Some(body) =
            program.func_named("<external objects>").and_then(|f| program.funcs[f].body.as_ref())
        {
            for &e in &body.edges {
                let mut objects = BTreeSet::new();
                program.edges[e].op.each_expr(|x| {
                    each_object(program, x, &mut |o| {
                        objects.insert(o);
                    })
                });
                for o in objects {
                    undefined.insert(program.objects[o].name.to_string(), program.objects[o].size);
                }
            }
        }
        Outside {
            steps,
            objects,
            undefined,
            stdin: outside::stdin_text(all),
            arguments: outside::arguments(all),
            environment: outside::environment(all),
            environment_variables: values.iter().any(|i| i.name.as_str() == "getenv"),
        }
    }

    /// The C text behind the list of inputs.
    pub fn text(&self, program: &Program) -> String {
        let mut out = String::new();
        let externals: Vec<FuncId> = program.funcs.keys().filter(|&f| is_external(program, f)).collect();
        for (name, size) in &self.undefined {
            let _ =
                writeln!(out, "__attribute__((weak, aligned(16))) unsigned char {name}[{}];", (*size).max(1));
        }
        for name in self.objects.iter().filter(|n| !self.undefined.contains_key(*n)) {
            let _ = writeln!(out, "extern unsigned char {name}[];");
        }
        if !externals.is_empty() || !self.objects.is_empty() {
            out.push_str("static const struct { int into, target; long offset; int bytes, pointer; } cairn_steps[] = {\n");
            for s in &self.steps {
                let _ = writeln!(
                    out,
                    "    {{{}, {}, {}, {}, {}}},",
                    s.into,
                    s.target,
                    s.offset,
                    s.bytes,
                    u8::from(s.pointer)
                );
            }
            out.push_str("    {0, 0, 0, 0, 0}\n};\n");
            let names: Vec<String> = self.objects.iter().map(|n| format!("{n}, ")).collect();
            let _ = writeln!(out, "static unsigned char *const cairn_objects[] = {{{}0}};", names.concat());
            out.push_str(APPLY);
        }
        for f in externals {
            out.extend(function(program, f));
        }
        if self.environment_variables {
            out.push_str(GETENV);
        }
        out.push_str(&self.start());
        out
    }

    /// What happens before `main`.
    fn start(&self) -> String {
        let initial = self.steps.first().is_some_and(|s| s.into == 2);
        if self.stdin.is_none() && self.arguments.is_none() && self.environment.is_none() && !initial {
            return String::new();
        }
        let mut out = String::from(
            "\nextern void *tmpfile(void);\nextern unsigned long fwrite(const void *, unsigned long, unsigned long, void *);\n\
             extern void rewind(void *);\nextern int fileno(void *), dup2(int, int), setenv(const char *, const char *, int);\n\
             extern int execve(const char *, char *const *, char *const *);\nextern char **environ;\n\
             extern int strcmp(const char *, const char *);\n\n\
             CAIRN_OWN int cairn_started(void) {\n    for (char **e = environ; *e; e++)\n        \
             if (!strcmp(*e, \"CAIRN_STARTED=1\")) return 1;\n    return 0;\n}\n\n\
             /* The process starts itself once more, with the arguments of the failure. */\n\
             __attribute__((constructor)) CAIRN_OWN void cairn_start(void) {\n",
        );
        let vector = |all: &[Vec<u8>]| {
            let words: Vec<String> = all.iter().map(|a| format!("{}, ", outside::quoted(a))).collect();
            format!("{{{}0}}", words.concat())
        };
        if self.arguments.is_some() || self.environment.is_some() {
            let arguments = self.arguments.clone().unwrap_or_else(|| vec![b"program".to_vec()]);
            let _ = write!(
                out,
                "    static char *arguments[] = {};\n    if (!cairn_started()) {{\n",
                vector(&arguments)
            );
            match &self.environment {
                Some(all) => {
                    let mut all = all.clone();
                    all.push(b"CAIRN_STARTED=1".to_vec());
                    let _ = writeln!(
                        out,
                        "        static char *strings[] = {};\n        execve(\"/proc/self/exe\", arguments, strings);",
                        vector(&all)
                    );
                }
                None => out.push_str(
                    "        setenv(\"CAIRN_STARTED\", \"1\", 1);\n        \
                     execve(\"/proc/self/exe\", arguments, environ);\n",
                ),
            }
            out.push_str("        cairn_end(108, \"the program cannot be started again\");\n    }\n");
        }
        if let Some(text) = &self.stdin {
            let _ = write!(
                out,
                "    static const char text[] = {};\n    void *file = tmpfile();\n    \
                 fwrite(text, 1, sizeof text - 1, file);\n    rewind(file);\n    dup2(fileno(file), 0);\n",
                outside::quoted(text)
            );
        }
        if initial {
            out.push_str("    cairn_apply(0);\n");
        }
        out + "}\n"
    }
}

/// Where a value of this name goes, the `count`th of that name.
fn step(name: &str, count: u64, bytes: u64, objects: &mut Vec<String>) -> Option<Step> {
    let (name, pointer) = match name.strip_suffix('*') {
        Some(name) => (name, true),
        None => (name, false),
    };
    if name.ends_with('!') || (pointer && !name.contains([':', '>'])) {
        return None;
    }
    let (mut into, mut target) = (3, 0);
    let mut rest = match name.rsplit_once("->") {
        Some((_, rest)) => rest,
        None => {
            let (who, rest) = name.split_once(':')?;
            let end = rest.find(['+', '[']).unwrap_or(rest.len());
            let (what, rest) = rest.split_at(end);
            if who == "extern" {
                into = 2;
                target = objects.iter().position(|o| o == what).unwrap_or_else(|| {
                    objects.push(what.to_owned());
                    objects.len() - 1
                });
            } else {
                into = 1;
                target = what.strip_prefix("arg")?.parse::<usize>().ok()?.checked_sub(1)?;
            }
            rest
        }
    };
    // Offsets add up; the elements are one behind another.
    let (mut offset, mut stride) = (0u64, None);
    while !rest.is_empty() {
        let number = |text: &str| text.parse::<u64>().ok();
        if let Some(text) = rest.strip_prefix('[') {
            let (size, behind) = text.split_once(']')?;
            stride = Some(number(size)?);
            rest = behind;
        } else {
            let text = rest.strip_prefix('+')?;
            let end = text.find(['+', '[']).unwrap_or(text.len());
            offset += number(&text[..end])?;
            rest = &text[end..];
        }
    }
    let stride = stride.unwrap_or(if into == 2 { 0 } else { bytes });
    Some(Step { into, target, offset: offset + count * stride, bytes, pointer })
}

fn each_object(program: &Program, root: cairn_ir::ExprId, found: &mut dyn FnMut(cairn_ir::ObjId)) {
    let mut work = vec![root];
    while let Some(x) = work.pop() {
        if let cairn_ir::Expr::Addr(o) = program.exprs.get(x) {
            found(o);
        }
        work.extend(program.exprs.children(x));
    }
}

const APPLY: &str = "
extern void *calloc(unsigned long, unsigned long);
static unsigned char *cairn_memory;

/* The changes that follow. */
CAIRN_OWN void cairn_apply(void **arguments) {
    for (; cairn_next < CAIRN_COUNT && cairn_steps[cairn_next].into; cairn_next++) {
        int into = cairn_steps[cairn_next].into, target = cairn_steps[cairn_next].target;
        unsigned char *at = into == 1 ? arguments[target] : into == 2 ? cairn_objects[target] : cairn_memory;
        const struct cairn_input *value = &cairn_inputs[cairn_next];
        if (!at) continue;
        at += cairn_steps[cairn_next].offset;
        if (!cairn_steps[cairn_next].pointer)
            __builtin_memcpy(at, value, cairn_steps[cairn_next].bytes);
        else if (value->lo == 1)
            *(void **)at = 0;
        else if (value->lo == 2)
            *(void **)at = cairn_memory = calloc(1, 256);
        else if (value->lo == 3)
            cairn_memory = *(void **)at;
    }
}

";

/// The variables of the environment, as the model in the front end chooses them.
const GETENV: &str = "
__attribute__((no_instrument_function)) char *getenv(const char *name) {
    static struct { const char *name; char *value, text[9]; } known[8];
    static int count;
    for (int i = 0; i < count; i++)
        if (!__builtin_strcmp(known[i].name, name)) return known[i].value;
    if (count == 8) cairn_end(108, \"too many variables of the environment\");
    known[count].name = name;
    if (cairn_take(\"getenv\").lo) {
        known[count].value = known[count].text;
        for (int i = 0; i < 8 && (known[count].text[i] = cairn_take(\"getenv\").lo); i++) {}
    }
    return known[count++].value;
}
";

/// The definition of a function from outside. Nothing if it takes or gives what C has no name for here.
fn function(program: &Program, f: FuncId) -> Option<String> {
    let func = &program.funcs[f];
    let name = func.name.as_str();
    let takes = |suffix: &str| {
        let wanted = format!("{name}{suffix}");
        func.body
            .iter()
            .flat_map(|b| &b.edges)
            .any(|&e| matches!(program.edges[e].op, Op::Input { name, .. } if name.as_str() == wanted))
    };
    let named = func.sig.params.len() - usize::from(func.sig.variadic);
    let (mut params, mut pointers, mut arguments) = (Vec::new(), Vec::new(), Vec::new());
    for (n, &ty) in func.sig.params[..named].iter().enumerate() {
        if ty == Ty::Ptr {
            params.push(format!("void *a{n}"));
            arguments.push(format!("a{n}"));
            pointers.push(format!("a{n}"));
        } else {
            params.push(format!("{} a{n}", c_type(ty, program.model)?));
            arguments.push("0".to_owned());
        }
    }
    if func.sig.variadic {
        params.push("...".to_owned());
    }
    let result = match func.sig.ret {
        None => "void",
        Some(Ty::Ptr) => "void *",
        Some(ty) => c_type(ty, program.model)?,
    };
    arguments.push("0".to_owned());
    let params = if params.is_empty() { "void".to_owned() } else { params.join(", ") };
    let mut out = format!(
        "CAIRN_WEAK {result} {name}({params}) {{\n    void *arguments[] = {{{}}};\n",
        arguments.join(", ")
    );
    if takes("!") {
        let _ = writeln!(out, "    cairn_take(\"{name}\");\n    cairn_apply(arguments);");
    }
    if func.sig.ret == Some(Ty::Ptr) {
        if takes("*") {
            let _ = write!(
                out,
                "    void *results[] = {{0, 0, {}0}};\n    unsigned char kind = cairn_take(\"{name}\").lo;\n    \
                 if (kind == 1) {{\n        void *result = cairn_memory = calloc(1, 256);\n        \
                 cairn_apply(arguments);\n        return result;\n    }}\n    return kind < {} ? results[kind] : 0;\n",
                pointers.iter().map(|p| format!("{p}, ")).collect::<String>(),
                2 + pointers.len()
            );
        } else {
            out.push_str("    return 0;\n");
        }
    } else if let Some(ty) = func.sig.ret {
        let _ = writeln!(
            out,
            "    struct cairn_input i = cairn_take(\"{name}\");\n    {result} v;\n    \
             __builtin_memcpy(&v, &i, {});\n    return v;",
            ty.bytes(program.model)
        );
    }
    Some(out + "}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_where_values_go() {
        let mut objects = Vec::new();
        let mut at = |name: &str, count| {
            step(name, count, 4, &mut objects).map(|s| (s.into, s.target, s.offset, s.pointer))
        };
        assert_eq!(at("f", 0), None);
        assert_eq!(at("f!", 0), None);
        assert_eq!(at("f*", 0), None);
        assert_eq!(at("f:arg2", 3), Some((1, 1, 12, false)));
        assert_eq!(at("f:arg1[16]+8", 2), Some((1, 0, 40, false)));
        assert_eq!(at("f:arg1[16]+8*", 0), Some((1, 0, 8, true)));
        assert_eq!(at("f:arg1[16]+8->", 1), Some((3, 0, 4, false)));
        assert_eq!(at("extern:g+12", 5), Some((2, 0, 12, false)));
        assert_eq!(at("extern:h", 0), Some((2, 1, 0, false)));
        assert_eq!(at("extern:g+8[4]+0", 2), Some((2, 0, 16, false)));
        assert_eq!(at("f->[16]+4", 0), Some((3, 0, 4, false)));
    }
}
