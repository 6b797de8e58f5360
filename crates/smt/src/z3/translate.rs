//! Terms to Z3's expressions and its values back.

use std::cell::{Cell, RefCell};
use std::ffi::{CStr, CString, c_uint};
use std::mem::ManuallyDrop;
use std::rc::Rc;

use cairn_base::{Budget, Pace};
use cairn_term::sort::{float_format, ieee_width};
use cairn_term::{ArrayValue, Op, Pool, Round, Rounded, Sort, SortId, TermId, Value};
use cairn_value::FloatTy;
use num_bigint::BigInt;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::library::{Ast, Context, Library, Model};
use crate::Why;

/// Terms between two looks at the budget.
const TERMS_PER_BUDGET_CHECK: u32 = 1 << 10;

/// After so many expressions a thread gets a new context.
const FULL: usize = 400_000;

/// One of Z3's contexts. To make one and to end it takes longer than most questions do, so all
/// solvers of a thread share it (and so can never leave the thread).
pub struct Shared {
    lib: &'static Library,
    pub ctx: Context,
    /// Expressions that were made in it.
    made: Cell<usize>,
}

impl Shared {
    fn new(lib: &'static Library) -> Shared {
        // SAFETY: the calls and their order are those the interface prescribes; the handler keeps
        // Z3 from ending the process on an error, which `error` then asks for.
        let ctx = unsafe {
            let config = (lib.Z3_mk_config)();
            let ctx = (lib.Z3_mk_context_rc)(config);
            (lib.Z3_del_config)(config);
            (lib.Z3_set_error_handler)(ctx, Some(ignore));
            ctx
        };
        Shared { lib, ctx, made: Cell::new(0) }
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        // SAFETY: no solver or term of the context is left, each would hold a reference.
        unsafe { (self.lib.Z3_del_context)(self.ctx) }
    }
}

thread_local! {
    /// The context that new solvers get. The last one goes with the process: to take it apart at the
    /// end serves no purpose.
    static CURRENT: RefCell<Option<ManuallyDrop<Rc<Shared>>>> = const { RefCell::new(None) };
}

fn current(lib: &'static Library) -> Rc<Shared> {
    CURRENT.with_borrow_mut(|current| {
        if current.as_ref().is_some_and(|s| s.made.get() > FULL)
            && let Some(full) = current.take()
        {
            // It ends with the last of its solvers.
            drop(ManuallyDrop::into_inner(full));
        }
        let shared = current.get_or_insert_with(|| ManuallyDrop::new(Rc::new(Shared::new(lib))));
        Rc::clone(shared)
    })
}

/// The expressions of terms, in one of Z3's contexts.
pub struct Translator {
    pub lib: &'static Library,
    pub ctx: Context,
    shared: Rc<Shared>,
    terms: FxHashMap<TermId, Ast>,
    sorts: FxHashMap<SortId, super::library::Sort>,
}

/// Kinds of array expressions, from z3_api.h.
const OP_STORE: c_uint = 0x300;
const OP_CONST_ARRAY: c_uint = 0x302;

unsafe extern "C" fn ignore(_: Context, _: c_uint) {}

impl Translator {
    pub fn new(lib: &'static Library) -> Translator {
        let shared = current(lib);
        let (terms, sorts) = (FxHashMap::default(), FxHashMap::default());
        Translator { lib, ctx: shared.ctx, shared, terms, sorts }
    }

    /// The context, to be kept.
    pub fn shared(&self) -> Rc<Shared> {
        Rc::clone(&self.shared)
    }

    /// Is this its context?
    pub fn is_of(&self, shared: &Rc<Shared>) -> bool {
        Rc::ptr_eq(&self.shared, shared)
    }

    /// What Z3 last complained about, if it did.
    pub fn error(&self) -> Result<(), String> {
        // SAFETY: the context is alive; the message is copied at once.
        unsafe {
            match (self.lib.Z3_get_error_code)(self.ctx) {
                0 => Ok(()),
                code => Err(self.text((self.lib.Z3_get_error_msg)(self.ctx, code))),
            }
        }
    }

    /// A copy of a string of Z3's.
    pub fn text(&self, s: *const std::ffi::c_char) -> String {
        if s.is_null() {
            return String::new();
        }
        // SAFETY: Z3 hands out terminated strings, valid until the next call.
        unsafe { CStr::from_ptr(s) }.to_string_lossy().into_owned()
    }

    /// The expression of a term. At a limit what has been translated by then stays.
    pub fn term(&mut self, pool: &Pool, root: TermId, budget: &Budget) -> Result<Ast, Why> {
        let mut pace = Pace::new(budget, TERMS_PER_BUDGET_CHECK);
        let mut seen = FxHashSet::from_iter([root]);
        let mut order = vec![root];
        let mut at = 0;
        while at < order.len() {
            pace.step().map_err(Why::Limit)?;
            let t = order[at];
            at += 1;
            if !self.terms.contains_key(&t) {
                order.extend(pool.args(t).iter().copied().filter(|&a| seen.insert(a)));
            }
        }
        order.sort_unstable();
        for t in order {
            if self.terms.contains_key(&t) {
                continue;
            }
            pace.step().map_err(Why::Limit)?;
            let ast = self.build(pool, t).map_err(Why::Failed)?;
            if ast.is_null() {
                self.error().map_err(Why::Failed)?;
                return Err(Why::Failed(format!("Z3 refuses {:?}", pool.op(t))));
            }
            // SAFETY: just made, not yet collected. The cache keeps it for good.
            unsafe { (self.lib.Z3_inc_ref)(self.ctx, ast) };
            self.terms.insert(t, ast);
        }
        Ok(self.terms[&root])
    }

    fn sort(&mut self, pool: &Pool, id: SortId) -> super::library::Sort {
        if let Some(&sort) = self.sorts.get(&id) {
            return sort;
        }
        let (lib, c) = (self.lib, self.ctx);
        // SAFETY: sorts are reference counted like expressions, and kept.
        let sort = unsafe {
            let sort = match pool.sort_of(id) {
                Sort::Bool => (lib.Z3_mk_bool_sort)(c),
                Sort::Int => (lib.Z3_mk_int_sort)(c),
                Sort::Bits(w) => (lib.Z3_mk_bv_sort)(c, w.into()),
                Sort::Float(ty) => self.float_sort(ty),
                Sort::Array(index, element) => {
                    let (index, element) = (self.sort(pool, index), self.sort(pool, element));
                    (lib.Z3_mk_array_sort)(c, index, element)
                }
            };
            (lib.Z3_inc_ref)(c, sort);
            sort
        };
        self.sorts.insert(id, sort);
        sort
    }

    fn float_sort(&self, ty: FloatTy) -> super::library::Sort {
        let (e, s) = float_format(ty);
        // SAFETY: the sort is used before anything else is made, or counted by `sort`.
        unsafe { (self.lib.Z3_mk_fpa_sort)(self.ctx, e, s) }
    }

    /// A number in decimal as a constant of the sort.
    fn numeral(&mut self, pool: &Pool, text: String, sort: SortId) -> Ast {
        let sort = self.sort(pool, sort);
        let text = CString::new(text).unwrap_or_default();
        // SAFETY: the string lives through the call.
        unsafe { (self.lib.Z3_mk_numeral)(self.ctx, text.as_ptr(), sort) }
    }

    fn build(&mut self, pool: &Pool, t: TermId) -> Result<Ast, String> {
        let (lib, c) = (self.lib, self.ctx);
        let sort_id = pool.sort_id_of(t);
        let args: SmallVec<[Ast; 4]> = pool.args(t).iter().map(|a| self.terms[a]).collect();
        let count = args.len() as c_uint;
        let arg = |n: usize| args[n];
        // SAFETY: all arguments are live expressions of this context whose sorts fit the operation
        // (terms are checked when they are made); intermediate results are protected by `keep`.
        unsafe {
            let keep = |ast: Ast| {
                if !ast.is_null() {
                    (lib.Z3_inc_ref)(c, ast);
                }
                ast
            };
            let rne = || keep((lib.Z3_mk_fpa_rne)(c));
            Ok(match pool.op(t) {
                Op::Var(v) => {
                    let name = CString::new(pool.var_name(v).as_str().replace('\0', "?")).unwrap_or_default();
                    let sort = self.sort(pool, sort_id);
                    (lib.Z3_mk_const)(c, (lib.Z3_mk_string_symbol)(c, name.as_ptr()), sort)
                }
                Op::Bool(true) => (lib.Z3_mk_true)(c),
                Op::Bool(false) => (lib.Z3_mk_false)(c),
                Op::Number(_) => {
                    let text = pool.as_int(t).map(BigInt::to_string).unwrap_or_default();
                    self.numeral(pool, text, sort_id)
                }
                Op::Word(..) => {
                    let text = pool.as_bits(t).unwrap_or(0).to_string();
                    self.numeral(pool, text, sort_id)
                }
                Op::Float(_, ty) => {
                    let ieee = pool.float_ieee_bits(t).unwrap_or(0);
                    let bits = keep(self.bits(ieee_width(ty), ieee));
                    (lib.Z3_mk_fpa_to_fp_bv)(c, bits, self.float_sort(ty))
                }
                Op::Not => (lib.Z3_mk_not)(c, arg(0)),
                Op::And => (lib.Z3_mk_and)(c, count, args.as_ptr()),
                Op::Or => (lib.Z3_mk_or)(c, count, args.as_ptr()),
                Op::Eq => (lib.Z3_mk_eq)(c, arg(0), arg(1)),
                Op::Ite => (lib.Z3_mk_ite)(c, arg(0), arg(1), arg(2)),
                Op::Add => (lib.Z3_mk_add)(c, count, args.as_ptr()),
                Op::Mul => (lib.Z3_mk_mul)(c, count, args.as_ptr()),
                Op::Div => (lib.Z3_mk_div)(c, arg(0), arg(1)),
                Op::Mod => (lib.Z3_mk_mod)(c, arg(0), arg(1)),
                Op::Le => (lib.Z3_mk_le)(c, arg(0), arg(1)),
                Op::BitsToInt => (lib.Z3_mk_bv2int)(c, arg(0), false),
                Op::IntToBits(w) => (lib.Z3_mk_int2bv)(c, w.into(), arg(0)),
                Op::BvNot => (lib.Z3_mk_bvnot)(c, arg(0)),
                Op::BvNeg => (lib.Z3_mk_bvneg)(c, arg(0)),
                Op::BvAdd => (lib.Z3_mk_bvadd)(c, arg(0), arg(1)),
                Op::BvMul => (lib.Z3_mk_bvmul)(c, arg(0), arg(1)),
                Op::BvUdiv => (lib.Z3_mk_bvudiv)(c, arg(0), arg(1)),
                Op::BvUrem => (lib.Z3_mk_bvurem)(c, arg(0), arg(1)),
                Op::BvSdiv => (lib.Z3_mk_bvsdiv)(c, arg(0), arg(1)),
                Op::BvSrem => (lib.Z3_mk_bvsrem)(c, arg(0), arg(1)),
                Op::BvShl => (lib.Z3_mk_bvshl)(c, arg(0), arg(1)),
                Op::BvLshr => (lib.Z3_mk_bvlshr)(c, arg(0), arg(1)),
                Op::BvAshr => (lib.Z3_mk_bvashr)(c, arg(0), arg(1)),
                Op::BvAnd => (lib.Z3_mk_bvand)(c, arg(0), arg(1)),
                Op::BvOr => (lib.Z3_mk_bvor)(c, arg(0), arg(1)),
                Op::BvXor => (lib.Z3_mk_bvxor)(c, arg(0), arg(1)),
                Op::BvUlt => (lib.Z3_mk_bvult)(c, arg(0), arg(1)),
                Op::BvSlt => (lib.Z3_mk_bvslt)(c, arg(0), arg(1)),
                Op::BvUmulO => {
                    let fits = keep((lib.Z3_mk_bvmul_no_overflow)(c, arg(0), arg(1), false));
                    (lib.Z3_mk_not)(c, fits)
                }
                Op::BvSmulO => {
                    let over = keep((lib.Z3_mk_bvmul_no_overflow)(c, arg(0), arg(1), true));
                    let under = keep((lib.Z3_mk_bvmul_no_underflow)(c, arg(0), arg(1)));
                    let fits = keep((lib.Z3_mk_and)(c, 2, [over, under].as_ptr()));
                    (lib.Z3_mk_not)(c, fits)
                }
                Op::Concat => (lib.Z3_mk_concat)(c, arg(0), arg(1)),
                Op::Extract(hi, lo) => (lib.Z3_mk_extract)(c, hi.into(), lo.into(), arg(0)),
                Op::ZeroExt(n) => (lib.Z3_mk_zero_ext)(c, n.into(), arg(0)),
                Op::SignExt(n) => (lib.Z3_mk_sign_ext)(c, n.into(), arg(0)),
                Op::Select => (lib.Z3_mk_select)(c, arg(0), arg(1)),
                Op::Store => (lib.Z3_mk_store)(c, arg(0), arg(1), arg(2)),
                Op::ConstArray(sort) => match pool.sort_of(sort) {
                    Sort::Array(index, _) => {
                        let index = self.sort(pool, index);
                        (lib.Z3_mk_const_array)(c, index, arg(0))
                    }
                    other => return Err(format!("a constant array of sort {other}")),
                },
                Op::FpAdd => (lib.Z3_mk_fpa_add)(c, rne(), arg(0), arg(1)),
                Op::FpSub => (lib.Z3_mk_fpa_sub)(c, rne(), arg(0), arg(1)),
                Op::FpMul => (lib.Z3_mk_fpa_mul)(c, rne(), arg(0), arg(1)),
                Op::FpDiv => (lib.Z3_mk_fpa_div)(c, rne(), arg(0), arg(1)),
                Op::FpRem => (lib.Z3_mk_fpa_rem)(c, arg(0), arg(1)),
                Op::FpSqrt => (lib.Z3_mk_fpa_sqrt)(c, rne(), arg(0)),
                Op::FpNeg => (lib.Z3_mk_fpa_neg)(c, arg(0)),
                Op::FpAbs => (lib.Z3_mk_fpa_abs)(c, arg(0)),
                Op::FpRound(mode) => {
                    let mode = keep(match mode {
                        Round::NearestEven => (lib.Z3_mk_fpa_rne)(c),
                        Round::NearestAway => (lib.Z3_mk_fpa_rna)(c),
                        Round::Up => (lib.Z3_mk_fpa_rtp)(c),
                        Round::Down => (lib.Z3_mk_fpa_rtn)(c),
                        Round::ToZero => (lib.Z3_mk_fpa_rtz)(c),
                    });
                    (lib.Z3_mk_fpa_round_to_integral)(c, mode, arg(0))
                }
                Op::FpLt => (lib.Z3_mk_fpa_lt)(c, arg(0), arg(1)),
                Op::FpLe => (lib.Z3_mk_fpa_leq)(c, arg(0), arg(1)),
                Op::FpEq => (lib.Z3_mk_fpa_eq)(c, arg(0), arg(1)),
                Op::FpIsNan => (lib.Z3_mk_fpa_is_nan)(c, arg(0)),
                Op::FpIsInf => (lib.Z3_mk_fpa_is_infinite)(c, arg(0)),
                Op::FpIsZero => (lib.Z3_mk_fpa_is_zero)(c, arg(0)),
                Op::FpIsNormal => (lib.Z3_mk_fpa_is_normal)(c, arg(0)),
                Op::FpIsSubnormal => (lib.Z3_mk_fpa_is_subnormal)(c, arg(0)),
                Op::FpIsNegative => (lib.Z3_mk_fpa_is_negative)(c, arg(0)),
                Op::FpFromIeee(ty) => (lib.Z3_mk_fpa_to_fp_bv)(c, arg(0), self.float_sort(ty)),
                Op::FpToIeee => {
                    // Z3 is free to encode the NaN as it likes.
                    let ty = pool.float_ty(pool.arg(t, 0));
                    let one_nan = keep(self.bits(ieee_width(ty), nan_encoding(ty)));
                    let is_nan = keep((lib.Z3_mk_fpa_is_nan)(c, arg(0)));
                    let encoding = keep((lib.Z3_mk_fpa_to_ieee_bv)(c, arg(0)));
                    (lib.Z3_mk_ite)(c, is_nan, one_nan, encoding)
                }
                Op::FpDirected(op, mode) => {
                    let mode = keep(match mode {
                        Round::NearestEven => (lib.Z3_mk_fpa_rne)(c),
                        Round::NearestAway => (lib.Z3_mk_fpa_rna)(c),
                        Round::Up => (lib.Z3_mk_fpa_rtp)(c),
                        Round::Down => (lib.Z3_mk_fpa_rtn)(c),
                        Round::ToZero => (lib.Z3_mk_fpa_rtz)(c),
                    });
                    match op {
                        Rounded::Add => (lib.Z3_mk_fpa_add)(c, mode, arg(0), arg(1)),
                        Rounded::Sub => (lib.Z3_mk_fpa_sub)(c, mode, arg(0), arg(1)),
                        Rounded::Mul => (lib.Z3_mk_fpa_mul)(c, mode, arg(0), arg(1)),
                        Rounded::Div => (lib.Z3_mk_fpa_div)(c, mode, arg(0), arg(1)),
                        Rounded::Sqrt => (lib.Z3_mk_fpa_sqrt)(c, mode, arg(0)),
                        Rounded::ToFp(ty) => {
                            (lib.Z3_mk_fpa_to_fp_float)(c, mode, arg(0), self.float_sort(ty))
                        }
                        Rounded::FromSbv(ty) => {
                            (lib.Z3_mk_fpa_to_fp_signed)(c, mode, arg(0), self.float_sort(ty))
                        }
                        Rounded::FromUbv(ty) => {
                            (lib.Z3_mk_fpa_to_fp_unsigned)(c, mode, arg(0), self.float_sort(ty))
                        }
                    }
                }
                Op::FpToBits => self.pattern(pool, t, arg(0), arg(1)),
                Op::FpToFp(ty) => (lib.Z3_mk_fpa_to_fp_float)(c, rne(), arg(0), self.float_sort(ty)),
                Op::FpFromSbv(ty) => (lib.Z3_mk_fpa_to_fp_signed)(c, rne(), arg(0), self.float_sort(ty)),
                Op::FpFromUbv(ty) => (lib.Z3_mk_fpa_to_fp_unsigned)(c, rne(), arg(0), self.float_sort(ty)),
                Op::FpToSbv(w) => {
                    let rtz = keep((lib.Z3_mk_fpa_rtz)(c));
                    (lib.Z3_mk_fpa_to_sbv)(c, rtz, arg(0), w.into())
                }
                Op::FpToUbv(w) => {
                    let rtz = keep((lib.Z3_mk_fpa_rtz)(c));
                    (lib.Z3_mk_fpa_to_ubv)(c, rtz, arg(0), w.into())
                }
            })
        }
    }

    /// [`Op::FpToBits`] of a float and the pattern of a NaN.
    fn pattern(&self, pool: &Pool, t: TermId, float: Ast, nan: Ast) -> Ast {
        let (lib, c) = (self.lib, self.ctx);
        let ty = pool.float_ty(pool.arg(t, 0));
        let significand = float_format(ty).1;
        let width = ieee_width(ty);
        let x87 = ty == FloatTy::X80;
        // SAFETY: as in `build`.
        unsafe {
            let keep = |ast: Ast| {
                if !ast.is_null() {
                    (lib.Z3_inc_ref)(c, ast);
                }
                ast
            };
            let part = |hi: u32, lo: u32, of: Ast| keep((lib.Z3_mk_extract)(c, hi, lo, of));
            // The x87 patterns show the leading bit of the significand, encodings do not.
            let nan =
                if x87 { keep((lib.Z3_mk_concat)(c, part(79, 64, nan), part(62, 0, nan))) } else { nan };
            let fraction = part(significand - 2, 0, nan);
            let none = keep(self.bits((significand - 1) as u8, 0));
            let empty = keep((lib.Z3_mk_eq)(c, fraction, none));
            let one_nan = nan_encoding(ty);
            let quiet = keep(self.bits(width, one_nan));
            let plain = keep(self.bits(width, one_nan & !(1 << (significand - 2))));
            let ones = keep((lib.Z3_mk_ite)(c, empty, quiet, plain));
            let nan = keep((lib.Z3_mk_bvor)(c, nan, ones));
            let is_nan = keep((lib.Z3_mk_fpa_is_nan)(c, float));
            let encoding = keep((lib.Z3_mk_fpa_to_ieee_bv)(c, float));
            let ieee = (lib.Z3_mk_ite)(c, is_nan, nan, encoding);
            if !x87 {
                return ieee;
            }
            let ieee = keep(ieee);
            let no_exponent = keep((lib.Z3_mk_eq)(c, part(77, 63, ieee), keep(self.bits(15, 0))));
            let (clear, set) = (keep(self.bits(1, 0)), keep(self.bits(1, 1)));
            let leading = keep((lib.Z3_mk_ite)(c, no_exponent, clear, set));
            let low = keep((lib.Z3_mk_concat)(c, leading, part(62, 0, ieee)));
            (lib.Z3_mk_concat)(c, part(78, 63, ieee), low)
        }
    }

    fn bits(&self, width: u8, bits: u128) -> Ast {
        let text = CString::new(bits.to_string()).unwrap_or_default();
        // SAFETY: as in `numeral`.
        unsafe {
            let sort = (self.lib.Z3_mk_bv_sort)(self.ctx, width.into());
            (self.lib.Z3_mk_numeral)(self.ctx, text.as_ptr(), sort)
        }
    }

    /// A new boolean constant that no term has as its name.
    pub fn proxy(&self, number: usize) -> Ast {
        let name = CString::new(format!("assumption|{number}")).unwrap_or_default();
        // SAFETY: the constant is counted, and kept as long as the context.
        unsafe {
            let symbol = (self.lib.Z3_mk_string_symbol)(self.ctx, name.as_ptr());
            let ast = (self.lib.Z3_mk_const)(self.ctx, symbol, (self.lib.Z3_mk_bool_sort)(self.ctx));
            (self.lib.Z3_inc_ref)(self.ctx, ast);
            ast
        }
    }

    /// The value of a variable in a model.
    pub fn value(&mut self, pool: &Pool, model: Model, var: TermId) -> Result<Value, String> {
        // A variable is translated in one step.
        let ast = self.term(pool, var, &Budget::default()).map_err(|why| why.to_string())?;
        let value = self.evaluated(model, ast)?;
        self.read(pool, model, value, pool.sort_id_of(var))
    }

    fn evaluated(&self, model: Model, ast: Ast) -> Result<Ast, String> {
        let mut value = std::ptr::null_mut();
        // SAFETY: both are alive; the result is counted and kept.
        let done = unsafe { (self.lib.Z3_model_eval)(self.ctx, model, ast, true, &mut value) };
        if !done || value.is_null() {
            self.error()?;
            return Err("Z3 has no value for a variable".into());
        }
        unsafe { (self.lib.Z3_inc_ref)(self.ctx, value) };
        Ok(value)
    }

    fn numeral_text(&self, ast: Ast) -> Result<String, String> {
        // SAFETY: the string is copied at once.
        unsafe {
            if !(self.lib.Z3_is_numeral_ast)(self.ctx, ast) {
                return Err("Z3's value is no numeral".into());
            }
            Ok(self.text((self.lib.Z3_get_numeral_string)(self.ctx, ast)))
        }
    }

    fn read(&mut self, pool: &Pool, model: Model, ast: Ast, sort: SortId) -> Result<Value, String> {
        let (lib, c) = (self.lib, self.ctx);
        match pool.sort_of(sort) {
            // SAFETY: the expression is alive.
            Sort::Bool => match unsafe { (lib.Z3_get_bool_value)(c, ast) } {
                1 => Ok(Value::Bool(true)),
                -1 => Ok(Value::Bool(false)),
                _ => Err("Z3's value is no boolean".into()),
            },
            Sort::Int => {
                let text = self.numeral_text(ast)?;
                text.parse().map(Value::Int).map_err(|_| format!("`{text}` is no integer"))
            }
            Sort::Bits(w) => Ok(Value::bits(w, self.word(ast)?)),
            Sort::Float(ty) => {
                // SAFETY: the expressions are alive or counted by `evaluated`.
                let (is_nan, encoding) = unsafe {
                    let is_nan = (lib.Z3_mk_fpa_is_nan)(c, ast);
                    let is_nan = self.evaluated(model, is_nan)?;
                    let encoding = (lib.Z3_mk_fpa_to_ieee_bv)(c, ast);
                    (is_nan, self.evaluated(model, encoding)?)
                };
                let ieee = match unsafe { (lib.Z3_get_bool_value)(c, is_nan) } {
                    1 => nan_encoding(ty),
                    -1 => self.word(encoding)?,
                    _ => return Err("Z3's value is no float".into()),
                };
                Ok(Value::from_ieee(ty, ieee))
            }
            Sort::Array(index, element) => self.read_array(pool, model, ast, sort, index, element),
        }
    }

    fn word(&self, ast: Ast) -> Result<u128, String> {
        let text = self.numeral_text(ast)?;
        text.parse().map_err(|_| format!("`{text}` is no bit-vector"))
    }

    /// An array: stores on top of a constant one or of a table.
    fn read_array(
        &mut self,
        pool: &Pool,
        model: Model,
        ast: Ast,
        sort: SortId,
        index: SortId,
        element: SortId,
    ) -> Result<Value, String> {
        let (lib, c) = (self.lib, self.ctx);
        let mut stores = Vec::new();
        let mut at = ast;
        // SAFETY: all expressions are parts of the live value `ast`, or counted.
        unsafe {
            let mut array = loop {
                if (lib.Z3_is_as_array)(c, at) {
                    break self.read_table(pool, model, at, sort, index, element)?;
                }
                if !(lib.Z3_is_app)(c, at) {
                    return Err("Z3's value of an array is no table".into());
                }
                match (lib.Z3_get_decl_kind)(c, (lib.Z3_get_app_decl)(c, at)) {
                    OP_STORE if (lib.Z3_get_app_num_args)(c, at) == 3 => {
                        let place = self.read(pool, model, (lib.Z3_get_app_arg)(c, at, 1), index)?;
                        let value = self.read(pool, model, (lib.Z3_get_app_arg)(c, at, 2), element)?;
                        stores.push((place, value));
                        at = (lib.Z3_get_app_arg)(c, at, 0);
                    }
                    OP_CONST_ARRAY => {
                        let default = self.read(pool, model, (lib.Z3_get_app_arg)(c, at, 0), element)?;
                        break ArrayValue::constant(pool, sort, default);
                    }
                    _ => return Err("Z3's value of an array is no table".into()),
                }
            };
            for (place, value) in stores.into_iter().rev() {
                array.set(place, value);
            }
            Ok(Value::Array(Box::new(array)))
        }
    }

    /// # Safety
    /// `ast` must be a live expression of the form `(_ as-array f)`.
    unsafe fn read_table(
        &mut self,
        pool: &Pool,
        model: Model,
        ast: Ast,
        sort: SortId,
        index: SortId,
        element: SortId,
    ) -> Result<ArrayValue, String> {
        let (lib, c) = (self.lib, self.ctx);
        unsafe {
            let interp = (lib.Z3_model_get_func_interp)(c, model, (lib.Z3_get_as_array_func_decl)(c, ast));
            if interp.is_null() {
                return Err("Z3 has no table of an array".into());
            }
            (lib.Z3_func_interp_inc_ref)(c, interp);
            let default = self.read(pool, model, (lib.Z3_func_interp_get_else)(c, interp), element);
            let mut array = default.map(|d| ArrayValue::constant(pool, sort, d));
            for n in 0..(lib.Z3_func_interp_get_num_entries)(c, interp) {
                let entry = (lib.Z3_func_interp_get_entry)(c, interp, n);
                (lib.Z3_func_entry_inc_ref)(c, entry);
                let place = self.read(pool, model, (lib.Z3_func_entry_get_arg)(c, entry, 0), index);
                let value = self.read(pool, model, (lib.Z3_func_entry_get_value)(c, entry), element);
                (lib.Z3_func_entry_dec_ref)(c, entry);
                array = array.and_then(|mut a| {
                    a.set(place?, value?);
                    Ok(a)
                });
            }
            (lib.Z3_func_interp_dec_ref)(c, interp);
            array
        }
    }
}

impl Drop for Translator {
    fn drop(&mut self) {
        self.shared.made.set(self.shared.made.get() + self.terms.len());
        for (_, ast) in self.terms.drain() {
            // SAFETY: counted when it was made.
            unsafe { (self.lib.Z3_dec_ref)(self.ctx, ast) };
        }
    }
}

/// The encoding [`Op::FpToIeee`] gives the NaN.
fn nan_encoding(ty: FloatTy) -> u128 {
    let (e, s) = float_format(ty);
    ((1 << (e + 1)) - 1) << (s - 2)
}
