//! Prototypes of the library functions gcc knows by itself: their types hold
//! when they are called undeclared or as `__builtin_…`. The primitives of CBMC and
//! ESBMC that have a model are here too, since programs use them undeclared.

use crate::check::Checker;
use crate::types::{FuncType, IntKind, QType, Type, TypeId};

/// Signatures: result, then parameters. `v` void, `i` int, `u` unsigned, `l` long, `L` long long,
/// `m` intmax_t, `z` size_t, `f` float, `d` double, `D` long double, `p` void *, `q` const void *,
/// `s` char *, `c` const char *, `S` char **, `a` va_list, `I` int *, `e` double *, `F` float *,
/// `E` long double *, `w` wint_t; `.` variable arguments.
#[rustfmt::skip]
const FUNCTIONS: &[(&str, &str)] = &[
    ("_Exit", "vi"), ("_exit", "vi"), ("abort", "v"), ("abs", "ii"), ("alloca", "pz"), ("aligned_alloc", "pzz"),
    ("bcmp", "iqqz"), ("bcopy", "vqpz"), ("bzero", "vpz"), ("calloc", "pzz"), ("exit", "vi"), ("ffs", "ii"),
    ("ffsl", "il"), ("ffsll", "iL"), ("fprintf", "ipc."), ("fputc", "iip"), ("fputs", "icp"), ("fscanf", "ipc."),
    ("fwrite", "zqzzp"), ("free", "vp"), ("imaxabs", "mm"), ("index", "sci"), ("isalnum", "ii"), ("isalpha", "ii"),
    ("isascii", "ii"), ("isblank", "ii"), ("iscntrl", "ii"), ("isdigit", "ii"), ("isgraph", "ii"), ("islower", "ii"),
    ("isprint", "ii"), ("ispunct", "ii"), ("isspace", "ii"), ("isupper", "ii"), ("isxdigit", "ii"),
    ("labs", "ll"), ("llabs", "LL"), ("malloc", "pz"), ("memchr", "pqiz"), ("memcmp", "iqqz"), ("memcpy", "ppqz"),
    ("memmove", "ppqz"), ("mempcpy", "ppqz"), ("memset", "ppiz"), ("posix_memalign", "ipzz"), ("printf", "ic."),
    ("putchar", "ii"), ("puts", "ic"), ("realloc", "ppz"), ("rindex", "sci"), ("scanf", "ic."),
    ("snprintf", "iszc."), ("sprintf", "isc."), ("sscanf", "icc."), ("stpcpy", "ssc"), ("stpncpy", "sscz"),
    ("strcasecmp", "icc"), ("strcat", "ssc"), ("strchr", "sci"), ("strcmp", "icc"), ("strcpy", "ssc"),
    ("strcspn", "zcc"), ("strdup", "sc"), ("strlen", "zc"), ("strncasecmp", "iccz"), ("strncat", "sscz"),
    ("strncmp", "iccz"), ("strncpy", "sscz"), ("strndup", "scz"), ("strnlen", "zcz"), ("strpbrk", "scc"),
    ("strrchr", "sci"), ("strspn", "zcc"), ("strstr", "scc"), ("toascii", "ii"), ("tolower", "ii"),
    ("toupper", "ii"), ("vfprintf", "ipca"), ("vfscanf", "ipca"), ("vprintf", "ica"), ("vscanf", "ica"),
    ("vsnprintf", "iszca"), ("vsprintf", "isca"), ("vsscanf", "icca"), ("ilogb", "id"), ("ilogbf", "if"),
    ("ilogbl", "iD"), ("llrint", "Ld"), ("llrintf", "Lf"), ("llrintl", "LD"), ("llround", "Ld"), ("llroundf", "Lf"),
    ("llroundl", "LD"), ("lrint", "ld"), ("lrintf", "lf"), ("lrintl", "lD"), ("lround", "ld"), ("lroundf", "lf"),
    ("lroundl", "lD"), ("frexp", "ddI"), ("frexpf", "ffI"), ("frexpl", "DDI"), ("ldexp", "ddi"), ("ldexpf", "ffi"),
    ("ldexpl", "DDi"), ("scalbn", "ddi"), ("scalbnf", "ffi"), ("scalbnl", "DDi"), ("scalbln", "ddl"),
    ("scalblnf", "ffl"), ("scalblnl", "DDl"), ("modf", "dde"), ("modff", "ffF"), ("modfl", "DDE"),
    ("nan", "dc"), ("nanf", "fc"), ("nanl", "Dc"), ("remquo", "dddI"), ("remquof", "fffI"), ("remquol", "DDDI"),
    ("fma", "dddd"), ("fmaf", "ffff"), ("fmal", "DDDD"), ("nexttoward", "ddD"), ("nexttowardf", "ffD"),
    ("nexttowardl", "DDD"),
];

/// What glibc's headers call with `_FORTIFY_SOURCE`, directly or as `__builtin___…_chk`, without `__` and
/// `_chk`.
#[rustfmt::skip]
const FORTIFIED: &[(&str, &str)] = &[
    ("memcpy", "ppqzz"), ("memmove", "ppqzz"), ("mempcpy", "ppqzz"), ("memset", "ppizz"), ("strcpy", "sscz"),
    ("stpcpy", "sscz"), ("strncpy", "ssczz"), ("stpncpy", "ssczz"), ("strcat", "sscz"), ("strncat", "ssczz"),
    ("printf", "iic."), ("vprintf", "iica"), ("fprintf", "ipic."), ("vfprintf", "ipica"),
    ("sprintf", "isizc."), ("vsprintf", "isizca"), ("snprintf", "iszizc."), ("vsnprintf", "iszizca"),
];

/// Primitives of CBMC, without `__CPROVER_`. Those that check or assume take any scalar as a truth
/// value and have no prototype.
#[rustfmt::skip]
const CPROVER: &[(&str, &str)] = &[
    ("allocate", "pzi"), ("r_ok", "iqz"), ("w_ok", "iqz"), ("rw_ok", "iqz"), ("havoc_slice", "vpz"),
    ("havoc_object", "vp"),
    ("isnanf", "if"), ("isnand", "id"), ("isnanld", "iD"), ("isinff", "if"), ("isinfd", "id"), ("isinfld", "iD"),
    ("isfinitef", "if"), ("isfinited", "id"), ("isfiniteld", "iD"),
    ("isnormalf", "if"), ("isnormald", "id"), ("isnormalld", "iD"), ("signf", "if"), ("signd", "id"),
    ("signld", "iD"), ("fabs", "dd"), ("fabsf", "ff"), ("fabsl", "DD"), ("atomic_begin", "v"), ("atomic_end", "v"),
];

/// Primitives of ESBMC, without `__ESBMC_`; likewise.
#[rustfmt::skip]
const ESBMC: &[(&str, &str)] = &[
    ("isnanf", "if"), ("isnand", "id"), ("isnanld", "iD"), ("isinff", "if"), ("isinfd", "id"), ("isinfld", "iD"),
    ("isfinitef", "if"), ("isfinited", "id"), ("isfiniteld", "iD"),
    ("isnormalf", "if"), ("isnormald", "id"), ("isnormalld", "iD"), ("signf", "if"), ("signd", "id"),
    ("signld", "iD"), ("fabs", "dd"), ("fabsf", "ff"), ("fabsl", "DD"), ("abs", "ii"), ("labs", "ll"),
    ("llabs", "LL"), ("atomic_begin", "v"), ("atomic_end", "v"), ("yield", "v"), ("unreachable", "v"),
    ("get_object_size", "zq"), ("r_ok", "iqz"), ("w_ok", "iqz"), ("rw_ok", "iqz"), ("init_object", "vp"),
];

/// Functions of one floating argument, each also with suffix `f` and `l`.
#[rustfmt::skip]
const FLOAT_UNARY: &[&str] = &[
    "acos", "acosh", "asin", "asinh", "atan", "atanh", "cbrt", "ceil", "cos", "cosh", "erf", "erfc", "exp", "exp2",
    "exp10", "expm1", "fabs", "floor", "lgamma", "log", "log10", "log1p", "log2", "logb", "nearbyint", "rint",
    "round", "roundeven", "sin", "sinh", "sqrt", "tan", "tanh", "tgamma", "trunc", "significand",
];

/// Functions of two floating arguments, likewise.
#[rustfmt::skip]
const FLOAT_BINARY: &[&str] = &[
    "atan2", "copysign", "drem", "fdim", "fmax", "fmin", "fmod", "hypot", "nextafter", "pow", "remainder",
];

/// The signature of a function gcc or CBMC knows, in the code of the table above.
pub(crate) fn signature(name: &str) -> Option<&'static str> {
    for (prefix, table) in [("__CPROVER_", CPROVER), ("__ESBMC_", ESBMC)] {
        if let Some(primitive) = name.strip_prefix(prefix) {
            return table.iter().find(|(n, _)| *n == primitive).map(|(_, signature)| *signature);
        }
    }
    if let Some(plain) = name.strip_prefix("__").and_then(|n| n.strip_suffix("_chk")) {
        return FORTIFIED.iter().find(|(n, _)| *n == plain).map(|(_, signature)| *signature);
    }
    if let Some((_, signature)) = FUNCTIONS.iter().find(|(n, _)| *n == name) {
        return Some(signature);
    }
    let in_family = |family: &[&str], signatures: [&'static str; 3]| {
        if family.contains(&name) {
            return Some(signatures[0]);
        }
        match name.strip_suffix('f') {
            Some(base) if family.contains(&base) => return Some(signatures[1]),
            _ => {}
        }
        match name.strip_suffix('l') {
            Some(base) if family.contains(&base) => Some(signatures[2]),
            _ => None,
        }
    };
    in_family(FLOAT_UNARY, ["dd", "ff", "DD"]).or_else(|| in_family(FLOAT_BINARY, ["ddd", "fff", "DDD"]))
}

/// Is the name one that only a compiler gives a meaning to? Without a definition in the program such a
/// function is no function of the outside.
pub fn is_reserved(name: &str) -> bool {
    ["__builtin_", "__sync_", "__atomic_"].iter().any(|prefix| name.starts_with(prefix))
}

/// The library function a `__builtin_` name stands for.
pub(crate) fn builtin_target(name: &str) -> Option<&str> {
    let base = name.strip_prefix("__builtin_")?;
    signature(base).map(|_| base)
}

impl Checker {
    /// The function type a signature describes.
    pub(crate) fn library_type(&mut self, signature: &str) -> TypeId {
        let mut types = Vec::new();
        let mut variadic = false;
        for code in signature.chars() {
            if code == '.' {
                variadic = true;
            } else {
                types.push(self.coded_type(code));
            }
        }
        let ret = QType::plain(types.remove(0));
        self.types.intern(Type::Function(FuncType { ret, params: types, variadic, prototyped: true }))
    }

    fn coded_type(&mut self, code: char) -> TypeId {
        let c = self.common;
        match code {
            'v' => c.void,
            'i' => c.int,
            'u' | 'w' => c.uint,
            'l' => c.long,
            'L' => c.llong,
            'm' if self.types.model == cairn_base::DataModel::Lp64 => c.long,
            'm' => c.llong,
            'z' => c.size,
            'f' => c.float,
            'd' => c.double,
            'D' => c.ldouble,
            'p' => c.void_ptr,
            'q' => self.pointer_to(QType { is_const: true, ..QType::plain(c.void) }),
            's' => c.char_ptr,
            'c' => self.pointer_to(QType { is_const: true, ..QType::plain(c.char) }),
            'S' => self.pointer_to(QType::plain(c.char_ptr)),
            'a' => match *self.types.get(c.va_list) {
                Type::Array { elem, .. } => self.pointer_to(elem),
                _ => c.va_list,
            },
            'I' => self.pointer_to(QType::plain(c.int)),
            'e' => self.pointer_to(QType::plain(c.double)),
            'F' => self.pointer_to(QType::plain(c.float)),
            'E' => self.pointer_to(QType::plain(c.ldouble)),
            _ => self.types.intern(Type::Int(IntKind::Int)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cairn_base::DataModel;

    #[test]
    fn signatures_become_types() {
        let mut c = Checker::new(DataModel::Lp64);
        let mut name = |f: &str| {
            let ty = signature(f).map(|s| c.library_type(s));
            ty.map(|t| c.plain_name(t))
        };
        assert_eq!(name("memcpy").as_deref(), Some("void *(void *, const void *, long unsigned int)"));
        assert_eq!(name("printf").as_deref(), Some("int(const char *, ...)"));
        assert_eq!(name("abort").as_deref(), Some("void(void)"));
        assert_eq!(name("sqrtf").as_deref(), Some("float(float)"));
        assert_eq!(name("powl").as_deref(), Some("long double(long double, long double)"));
        assert_eq!(name("ceil").as_deref(), Some("double(double)"));
        assert_eq!(name("__CPROVER_isinff").as_deref(), Some("int(float)"));
        assert_eq!(name("__CPROVER_assume"), None);
        assert_eq!(name("main"), None);
    }

    /// Every signature of the tables, by the name after `__builtin_`.
    fn all() -> Vec<(String, &'static str)> {
        let mut all: Vec<(String, &'static str)> = Vec::new();
        all.extend(FUNCTIONS.iter().map(|&(n, s)| (n.to_owned(), s)));
        all.extend(FORTIFIED.iter().map(|&(n, s)| (format!("__{n}_chk"), s)));
        for (family, signatures) in [(FLOAT_UNARY, ["dd", "ff", "DD"]), (FLOAT_BINARY, ["ddd", "fff", "DDD"])]
        {
            for name in family {
                let suffixes = ["", "f", "l"].iter().zip(signatures);
                all.extend(suffixes.map(|(suffix, s)| (format!("{name}{suffix}"), s)));
            }
        }
        all
    }

    fn text(code: char) -> &'static str {
        match code {
            'v' => "void",
            'i' => "int",
            'u' | 'w' => "unsigned",
            'l' => "long",
            'L' => "long long",
            'm' => "__INTMAX__",
            'z' => "__SIZE__",
            'f' => "float",
            'd' => "double",
            'D' => "long double",
            'p' => "void *",
            'q' => "const void *",
            's' => "char *",
            'c' => "const char *",
            'S' => "char **",
            'a' => "__builtin_va_list",
            'I' => "int *",
            'e' => "double *",
            'F' => "float *",
            'E' => "long double *",
            other => panic!("no type for {other}"),
        }
    }

    /// A declaration of `__builtin_name`, with or without a prototype, static, in a block or for all,
    /// changes nothing: calls and addresses still mean the built-in function.
    #[test]
    fn declarations_leave_builtins_alone() {
        use cairn_csyntax::{Dialect, SourceMap, parse, source::Naming};
        for (name, signature) in all() {
            let mut codes = signature.chars().filter(|&c| c != '.').map(text);
            let ret = codes.next().unwrap_or("void");
            let types: Vec<&str> = codes.collect();
            let list = |item: &dyn Fn(usize, &str) -> String| -> String {
                types.iter().enumerate().map(|(i, t)| item(i, t)).collect::<Vec<_>>().join(", ")
            };
            let variadic = if signature.ends_with('.') { ", ..." } else { "" };
            // What a NaN carries has to be a literal.
            let literal = name.starts_with("nan");
            let given = list(&|i, _| if literal { "\"\"".to_owned() } else { format!("a{i}") });
            let params = list(&|i, t| format!("{t} a{i}"));
            let own = if params.is_empty() { "void".to_owned() } else { params.clone() };
            let prototype = format!("{ret} __builtin_{name}({own}{variadic})");
            for declaration in [
                format!("extern {prototype};"),
                format!("static {prototype};"),
                format!("__attribute__((leaf)) {prototype} __attribute__((nothrow));"),
                format!("extern inline {prototype};"),
                format!("{ret} __builtin_{name}();"),
            ] {
                let sizes = "typedef long __INTMAX__; typedef unsigned long __SIZE__;";
                let call = format!("__builtin_{name}({given})");
                let mut program = format!("{sizes} {declaration} void f({own}) {{ {call}; }}");
                if !declaration.starts_with("static") {
                    program += &format!(" void g({own}) {{ {declaration} {call}; }}");
                }
                let mut map = SourceMap::new();
                let src = map.add_unit("t.c", program.clone().into_bytes(), Naming::default()).expect("text");
                let unit = parse(src, map.text(src), Dialect::default());
                let unit = unit.unwrap_or_else(|d| panic!("{}\n{program}", d.message));
                let mut checker = Checker::new(DataModel::Lp64);
                if let Err(d) = checker.unit(&unit) {
                    panic!("{}\n{program}", d[0].message);
                }
                for used in checker.undefined_functions() {
                    assert!(!is_reserved(used.as_str()), "{used} is a function of the outside\n{program}");
                }
                let broken = checker.finish().0.funcs.values().find_map(|f| f.unsupported.clone());
                assert!(broken.is_none(), "{}\n{program}", broken.map_or_else(String::new, |d| d.message));
            }
        }
    }
}
