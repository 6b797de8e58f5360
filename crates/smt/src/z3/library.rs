//! The part of Z3's C interface that is used, bound when first needed.
//!
//! Why not the crates `z3` or `z3-sys`: their build script runs before any of
//! ours and so cannot be told where a library is that our own script fetches,
//! and what they link is loaded at every start of the program, query or not.
//! Here the library is opened on first use, which costs 18 ms with a context,
//! and a program that asks nothing pays nothing.
//!
//! With the feature `static-z3` the same functions are linked from the
//! `libz3.a` in `CAIRN_Z3_DIR` (configure Z3 with `-DZ3_BUILD_LIBZ3_SHARED=OFF`
//! and build; half an hour and more) and the binary needs no other file.

#![allow(non_snake_case)]

use std::ffi::{c_char, c_int, c_uint, c_void};
use std::sync::OnceLock;

/// Pointers into Z3. They are only ever handed back to it.
pub type Config = *mut c_void;
pub type Context = *mut c_void;
pub type Symbol = *mut c_void;
pub type Sort = *mut c_void;
pub type Ast = *mut c_void;
pub type Decl = *mut c_void;
pub type SolverPtr = *mut c_void;
pub type Model = *mut c_void;
pub type Vector = *mut c_void;
pub type Interp = *mut c_void;
pub type Entry = *mut c_void;
pub type Params = *mut c_void;
pub type Statistics = *mut c_void;
pub type Handler = Option<unsafe extern "C" fn(Context, c_uint)>;
pub type Str = *const c_char;

macro_rules! functions {
    ($(fn $name:ident($($arg:ty),*) $(-> $ret:ty)?;)*) => {
        pub struct Library {
            /// Keeps the code loaded.
            #[cfg(not(feature = "static-z3"))]
            _handle: libloading::Library,
            $(pub $name: unsafe extern "C" fn($($arg),*) $(-> $ret)?,)*
        }

        #[cfg(not(feature = "static-z3"))]
        impl Library {
            fn bind(handle: libloading::Library) -> Result<Library, libloading::Error> {
                $(
                    // SAFETY: the declarations below are those of z3_api.h and z3_fpa.h.
                    let $name = unsafe { *handle.get(stringify!($name))? };
                )*
                Ok(Library { _handle: handle, $($name,)* })
            }
        }

        #[cfg(feature = "static-z3")]
        mod linked {
            use super::*;
            unsafe extern "C" {
                $(pub fn $name($(_: $arg),*) $(-> $ret)?;)*
            }
        }

        #[cfg(feature = "static-z3")]
        fn load() -> Result<Library, String> {
            Ok(Library { $($name: linked::$name,)* })
        }
    };
}

functions! {
    fn Z3_global_param_set(Str, Str);
    fn Z3_mk_config() -> Config;
    fn Z3_del_config(Config);
    fn Z3_mk_context_rc(Config) -> Context;
    fn Z3_del_context(Context);
    fn Z3_set_error_handler(Context, Handler);
    fn Z3_get_error_code(Context) -> c_uint;
    fn Z3_get_error_msg(Context, c_uint) -> Str;
    fn Z3_get_full_version() -> Str;
    fn Z3_inc_ref(Context, Ast);
    fn Z3_dec_ref(Context, Ast);
    fn Z3_interrupt(Context);
    fn Z3_mk_string_symbol(Context, Str) -> Symbol;

    fn Z3_mk_solver(Context) -> SolverPtr;
    fn Z3_mk_simple_solver(Context) -> SolverPtr;
    fn Z3_mk_solver_for_logic(Context, Symbol) -> SolverPtr;
    fn Z3_solver_inc_ref(Context, SolverPtr);
    fn Z3_solver_dec_ref(Context, SolverPtr);
    fn Z3_solver_set_params(Context, SolverPtr, Params);
    fn Z3_mk_params(Context) -> Params;
    fn Z3_params_inc_ref(Context, Params);
    fn Z3_params_dec_ref(Context, Params);
    fn Z3_params_set_uint(Context, Params, Symbol, c_uint);
    fn Z3_params_set_bool(Context, Params, Symbol, bool);
    fn Z3_solver_push(Context, SolverPtr);
    fn Z3_solver_pop(Context, SolverPtr, c_uint);
    fn Z3_solver_assert(Context, SolverPtr, Ast);
    fn Z3_solver_check_assumptions(Context, SolverPtr, c_uint, *const Ast) -> c_int;
    fn Z3_solver_get_model(Context, SolverPtr) -> Model;
    fn Z3_solver_get_unsat_core(Context, SolverPtr) -> Vector;
    fn Z3_solver_get_statistics(Context, SolverPtr) -> Statistics;
    fn Z3_stats_inc_ref(Context, Statistics);
    fn Z3_stats_dec_ref(Context, Statistics);
    fn Z3_stats_size(Context, Statistics) -> c_uint;
    fn Z3_stats_get_key(Context, Statistics, c_uint) -> Str;
    fn Z3_stats_get_uint_value(Context, Statistics, c_uint) -> c_uint;
    fn Z3_solver_get_reason_unknown(Context, SolverPtr) -> Str;

    fn Z3_ast_vector_inc_ref(Context, Vector);
    fn Z3_ast_vector_dec_ref(Context, Vector);
    fn Z3_ast_vector_size(Context, Vector) -> c_uint;
    fn Z3_ast_vector_get(Context, Vector, c_uint) -> Ast;

    fn Z3_model_inc_ref(Context, Model);
    fn Z3_model_dec_ref(Context, Model);
    fn Z3_model_eval(Context, Model, Ast, bool, *mut Ast) -> bool;
    fn Z3_model_get_func_interp(Context, Model, Decl) -> Interp;
    fn Z3_func_interp_inc_ref(Context, Interp);
    fn Z3_func_interp_dec_ref(Context, Interp);
    fn Z3_func_interp_get_num_entries(Context, Interp) -> c_uint;
    fn Z3_func_interp_get_entry(Context, Interp, c_uint) -> Entry;
    fn Z3_func_interp_get_else(Context, Interp) -> Ast;
    fn Z3_func_entry_inc_ref(Context, Entry);
    fn Z3_func_entry_dec_ref(Context, Entry);
    fn Z3_func_entry_get_value(Context, Entry) -> Ast;
    fn Z3_func_entry_get_arg(Context, Entry, c_uint) -> Ast;
    fn Z3_get_numeral_string(Context, Ast) -> Str;
    fn Z3_is_numeral_ast(Context, Ast) -> bool;
    fn Z3_get_bool_value(Context, Ast) -> c_int;
    fn Z3_is_as_array(Context, Ast) -> bool;
    fn Z3_get_as_array_func_decl(Context, Ast) -> Decl;
    fn Z3_is_app(Context, Ast) -> bool;
    fn Z3_get_app_decl(Context, Ast) -> Decl;
    fn Z3_get_app_num_args(Context, Ast) -> c_uint;
    fn Z3_get_app_arg(Context, Ast, c_uint) -> Ast;
    fn Z3_get_decl_kind(Context, Decl) -> c_uint;

    fn Z3_mk_bool_sort(Context) -> Sort;
    fn Z3_mk_int_sort(Context) -> Sort;
    fn Z3_mk_bv_sort(Context, c_uint) -> Sort;
    fn Z3_mk_array_sort(Context, Sort, Sort) -> Sort;
    fn Z3_mk_fpa_sort(Context, c_uint, c_uint) -> Sort;
    fn Z3_mk_const(Context, Symbol, Sort) -> Ast;
    fn Z3_mk_numeral(Context, Str, Sort) -> Ast;
    fn Z3_mk_true(Context) -> Ast;
    fn Z3_mk_false(Context) -> Ast;
    fn Z3_mk_not(Context, Ast) -> Ast;
    fn Z3_mk_and(Context, c_uint, *const Ast) -> Ast;
    fn Z3_mk_or(Context, c_uint, *const Ast) -> Ast;
    fn Z3_mk_eq(Context, Ast, Ast) -> Ast;
    fn Z3_mk_ite(Context, Ast, Ast, Ast) -> Ast;
    fn Z3_mk_add(Context, c_uint, *const Ast) -> Ast;
    fn Z3_mk_mul(Context, c_uint, *const Ast) -> Ast;
    fn Z3_mk_div(Context, Ast, Ast) -> Ast;
    fn Z3_mk_mod(Context, Ast, Ast) -> Ast;
    fn Z3_mk_le(Context, Ast, Ast) -> Ast;
    fn Z3_mk_bv2int(Context, Ast, bool) -> Ast;
    fn Z3_mk_int2bv(Context, c_uint, Ast) -> Ast;
    fn Z3_mk_bvnot(Context, Ast) -> Ast;
    fn Z3_mk_bvneg(Context, Ast) -> Ast;
    fn Z3_mk_bvadd(Context, Ast, Ast) -> Ast;
    fn Z3_mk_bvmul(Context, Ast, Ast) -> Ast;
    fn Z3_mk_bvudiv(Context, Ast, Ast) -> Ast;
    fn Z3_mk_bvurem(Context, Ast, Ast) -> Ast;
    fn Z3_mk_bvsdiv(Context, Ast, Ast) -> Ast;
    fn Z3_mk_bvsrem(Context, Ast, Ast) -> Ast;
    fn Z3_mk_bvshl(Context, Ast, Ast) -> Ast;
    fn Z3_mk_bvlshr(Context, Ast, Ast) -> Ast;
    fn Z3_mk_bvashr(Context, Ast, Ast) -> Ast;
    fn Z3_mk_bvand(Context, Ast, Ast) -> Ast;
    fn Z3_mk_bvor(Context, Ast, Ast) -> Ast;
    fn Z3_mk_bvxor(Context, Ast, Ast) -> Ast;
    fn Z3_mk_bvult(Context, Ast, Ast) -> Ast;
    fn Z3_mk_bvslt(Context, Ast, Ast) -> Ast;
    fn Z3_mk_bvmul_no_overflow(Context, Ast, Ast, bool) -> Ast;
    fn Z3_mk_bvmul_no_underflow(Context, Ast, Ast) -> Ast;
    fn Z3_mk_concat(Context, Ast, Ast) -> Ast;
    fn Z3_mk_extract(Context, c_uint, c_uint, Ast) -> Ast;
    fn Z3_mk_zero_ext(Context, c_uint, Ast) -> Ast;
    fn Z3_mk_sign_ext(Context, c_uint, Ast) -> Ast;
    fn Z3_mk_select(Context, Ast, Ast) -> Ast;
    fn Z3_mk_store(Context, Ast, Ast, Ast) -> Ast;
    fn Z3_mk_const_array(Context, Sort, Ast) -> Ast;

    fn Z3_mk_fpa_rne(Context) -> Ast;
    fn Z3_mk_fpa_rna(Context) -> Ast;
    fn Z3_mk_fpa_rtp(Context) -> Ast;
    fn Z3_mk_fpa_rtn(Context) -> Ast;
    fn Z3_mk_fpa_rtz(Context) -> Ast;
    fn Z3_mk_fpa_add(Context, Ast, Ast, Ast) -> Ast;
    fn Z3_mk_fpa_sub(Context, Ast, Ast, Ast) -> Ast;
    fn Z3_mk_fpa_mul(Context, Ast, Ast, Ast) -> Ast;
    fn Z3_mk_fpa_div(Context, Ast, Ast, Ast) -> Ast;
    fn Z3_mk_fpa_rem(Context, Ast, Ast) -> Ast;
    fn Z3_mk_fpa_sqrt(Context, Ast, Ast) -> Ast;
    fn Z3_mk_fpa_neg(Context, Ast) -> Ast;
    fn Z3_mk_fpa_abs(Context, Ast) -> Ast;
    fn Z3_mk_fpa_round_to_integral(Context, Ast, Ast) -> Ast;
    fn Z3_mk_fpa_lt(Context, Ast, Ast) -> Ast;
    fn Z3_mk_fpa_leq(Context, Ast, Ast) -> Ast;
    fn Z3_mk_fpa_eq(Context, Ast, Ast) -> Ast;
    fn Z3_mk_fpa_is_nan(Context, Ast) -> Ast;
    fn Z3_mk_fpa_is_infinite(Context, Ast) -> Ast;
    fn Z3_mk_fpa_is_zero(Context, Ast) -> Ast;
    fn Z3_mk_fpa_is_normal(Context, Ast) -> Ast;
    fn Z3_mk_fpa_is_subnormal(Context, Ast) -> Ast;
    fn Z3_mk_fpa_is_negative(Context, Ast) -> Ast;
    fn Z3_mk_fpa_to_fp_bv(Context, Ast, Sort) -> Ast;
    fn Z3_mk_fpa_to_fp_float(Context, Ast, Ast, Sort) -> Ast;
    fn Z3_mk_fpa_to_fp_signed(Context, Ast, Ast, Sort) -> Ast;
    fn Z3_mk_fpa_to_fp_unsigned(Context, Ast, Ast, Sort) -> Ast;
    fn Z3_mk_fpa_to_sbv(Context, Ast, Ast, c_uint) -> Ast;
    fn Z3_mk_fpa_to_ubv(Context, Ast, Ast, c_uint) -> Ast;
    fn Z3_mk_fpa_to_ieee_bv(Context, Ast) -> Ast;
}

/// The library, loaded by the first call, or why there is none.
pub fn get() -> Result<&'static Library, String> {
    static LIBRARY: OnceLock<Result<Library, String>> = OnceLock::new();
    LIBRARY.get_or_init(|| load().inspect(configure)).as_ref().map_err(Clone::clone)
}

/// Models are read once, value by value: to make them short first takes a quarter of the time of
/// getting them.
fn configure(library: &Library) {
    // SAFETY: both strings end with a zero byte and are copied.
    unsafe { (library.Z3_global_param_set)(c"model.compact".as_ptr(), c"false".as_ptr()) }
}

#[cfg(not(feature = "static-z3"))]
fn load() -> Result<Library, String> {
    let mut failures = String::new();
    for path in candidates() {
        // SAFETY: loading Z3 runs only its own initialisers.
        match unsafe { libloading::Library::new(&path) }.and_then(Library::bind) {
            Ok(library) => return Ok(library),
            Err(e) => failures = format!("{failures}; {}: {e}", path.display()),
        }
    }
    Err(format!(
        "no usable libz3.so (set CAIRN_Z3_DIR to its directory, or install pip or libz3 and build again){failures}"
    ))
}

/// Where the library may be: where the user says, beside the program, where the build put it,
/// where the system looks.
#[cfg(not(feature = "static-z3"))]
fn candidates() -> Vec<std::path::PathBuf> {
    use std::path::PathBuf;
    let mut paths = Vec::new();
    if let Some(dir) = std::env::var_os("CAIRN_Z3_DIR") {
        return vec![PathBuf::from(dir).join("libz3.so")];
    }
    if let Ok(program) = std::env::current_exe()
        && let Some(dir) = program.parent()
    {
        paths.extend([dir.join("libz3.so"), dir.join("../lib/libz3.so")]);
    }
    paths.extend(option_env!("CAIRN_Z3_BUILT").map(|dir| PathBuf::from(dir).join("libz3.so")));
    paths.retain(|p| p.exists());
    paths.extend(["libz3.so", "libz3.so.4"].map(PathBuf::from));
    paths
}

/// The program `z3` that came with the fetched library, if there is one.
pub fn program() -> Option<std::path::PathBuf> {
    let dir = std::env::var_os("CAIRN_Z3_DIR")
        .map(std::path::PathBuf::from)
        .or_else(|| option_env!("CAIRN_Z3_BUILT").map(std::path::PathBuf::from))?;
    Some(dir.join("z3")).filter(|p| p.exists())
}
