//! The kinds of tokens and the spellings of keywords.

/// Kinds of tokens. Every GNU spelling of a keyword (`__const`, `__const__`) has the kind of the plain one.
#[rustfmt::skip]
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Tok {
    Eof, Ident, Number, Char, Str,
    /// A byte or literal that is no C token; the parser says why when it gets there.
    Bad,
    LParen, RParen, LBrace, RBrace, LBracket, RBracket,
    Semi, Comma, Colon, Question, Dot, Arrow, Ellipsis,
    Plus, Minus, Star, Slash, Percent, Amp, Pipe, Caret, Tilde, Bang,
    Shl, Shr, AndAnd, OrOr, EqEq, Ne, Lt, Gt, Le, Ge, PlusPlus, MinusMinus,
    Eq, PlusEq, MinusEq, StarEq, SlashEq, PercentEq, AmpEq, PipeEq, CaretEq, ShlEq, ShrEq,
    Hash,
    // storage classes and function specifiers
    Typedef, Extern, Static, Auto, Register, ThreadLocal, Inline, Noreturn,
    // qualifiers
    Const, Volatile, Restrict, Atomic,
    // type words
    Void, CharWord, Short, Int, Long, Float, Double, Signed, Unsigned, Bool, Complex,
    Int128, Float16, Float32, Float64, Float128, Float32x, Float64x,
    Decimal32, Decimal64, Decimal128, Struct, Union, Enum, Typeof, AutoType,
    Alignas, Attribute, Extension,
    // statements
    If, Else, While, Do, For, Switch, Case, Default, Break, Continue, Return, Goto, LabelDecl, Asm, StaticAssert,
    // expressions
    Sizeof, Alignof, PreferredAlignof, Generic, Real, Imag, FuncName,
    VaArg, ConvertVector, Offsetof, TypesCompatible, ChooseExpr,
    /// Built-in operators that take types or sub-trees Cairn has no form for.
    OddBuiltin,
    /// `_Pragma`, consumed by the lexer.
    PragmaOp,
}

/// Which spellings are keywords.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Dialect {
    /// `asm`, `typeof` and (before C99) `inline` are keywords: the `-std=gnu…` modes.
    pub gnu: bool,
    /// `restrict` and `inline` are keywords: C99 and later.
    pub c99: bool,
}

impl Default for Dialect {
    fn default() -> Dialect {
        Dialect { gnu: true, c99: true }
    }
}

impl Dialect {
    /// The dialect that a `-std=` option names.
    pub fn from_std(std: &str) -> Dialect {
        let gnu = std.starts_with("gnu");
        let c99 = !["89", "90", "iso9899:199409"].iter().any(|old| std.ends_with(old))
            && std != "iso9899:1990"
            && std != "ansi";
        Dialect { gnu, c99 }
    }
}

/// The kind of an identifier-like word.
pub fn keyword(word: &[u8], dialect: Dialect) -> Tok {
    match word {
        b"asm" | b"typeof" if !dialect.gnu => return Tok::Ident,
        b"inline" if !dialect.gnu && !dialect.c99 => return Tok::Ident,
        b"restrict" if !dialect.c99 => return Tok::Ident,
        _ => {}
    }
    match word {
        b"typedef" => Tok::Typedef,
        b"extern" => Tok::Extern,
        b"static" => Tok::Static,
        b"auto" => Tok::Auto,
        b"register" => Tok::Register,
        b"_Thread_local" | b"__thread" => Tok::ThreadLocal,
        b"inline" | b"__inline" | b"__inline__" => Tok::Inline,
        b"_Noreturn" => Tok::Noreturn,
        b"const" | b"__const" | b"__const__" => Tok::Const,
        b"volatile" | b"__volatile" | b"__volatile__" => Tok::Volatile,
        b"restrict" | b"__restrict" | b"__restrict__" => Tok::Restrict,
        b"_Atomic" => Tok::Atomic,
        b"void" => Tok::Void,
        b"char" => Tok::CharWord,
        b"short" => Tok::Short,
        b"int" => Tok::Int,
        b"long" => Tok::Long,
        b"float" => Tok::Float,
        b"double" => Tok::Double,
        b"signed" | b"__signed" | b"__signed__" => Tok::Signed,
        b"unsigned" => Tok::Unsigned,
        b"_Bool" => Tok::Bool,
        b"_Complex" | b"__complex" | b"__complex__" => Tok::Complex,
        b"__int128" => Tok::Int128,
        b"_Float16" => Tok::Float16,
        b"_Float32" => Tok::Float32,
        b"_Float64" => Tok::Float64,
        b"_Float128" => Tok::Float128,
        b"_Float32x" => Tok::Float32x,
        b"_Float64x" => Tok::Float64x,
        b"_Decimal32" => Tok::Decimal32,
        b"_Decimal64" => Tok::Decimal64,
        b"_Decimal128" => Tok::Decimal128,
        b"struct" => Tok::Struct,
        b"union" => Tok::Union,
        b"enum" => Tok::Enum,
        b"typeof" | b"__typeof" | b"__typeof__" => Tok::Typeof,
        b"__auto_type" => Tok::AutoType,
        b"_Alignas" => Tok::Alignas,
        b"__attribute" | b"__attribute__" => Tok::Attribute,
        b"__extension__" => Tok::Extension,
        b"if" => Tok::If,
        b"else" => Tok::Else,
        b"while" => Tok::While,
        b"do" => Tok::Do,
        b"for" => Tok::For,
        b"switch" => Tok::Switch,
        b"case" => Tok::Case,
        b"default" => Tok::Default,
        b"break" => Tok::Break,
        b"continue" => Tok::Continue,
        b"return" => Tok::Return,
        b"goto" => Tok::Goto,
        b"__label__" => Tok::LabelDecl,
        b"asm" | b"__asm" | b"__asm__" => Tok::Asm,
        b"_Static_assert" => Tok::StaticAssert,
        b"sizeof" => Tok::Sizeof,
        b"_Alignof" => Tok::Alignof,
        b"__alignof" | b"__alignof__" => Tok::PreferredAlignof,
        b"_Generic" => Tok::Generic,
        b"__real" | b"__real__" => Tok::Real,
        b"__imag" | b"__imag__" => Tok::Imag,
        b"__func__" | b"__FUNCTION__" | b"__PRETTY_FUNCTION__" => Tok::FuncName,
        b"__builtin_va_arg" => Tok::VaArg,
        b"__builtin_offsetof" => Tok::Offsetof,
        b"__builtin_types_compatible_p" => Tok::TypesCompatible,
        b"__builtin_choose_expr" => Tok::ChooseExpr,
        b"__builtin_convertvector" => Tok::ConvertVector,
        b"__builtin_tgmath" | b"__builtin_has_attribute" | b"__builtin_call_with_static_chain" => {
            Tok::OddBuiltin
        }
        b"_Pragma" => Tok::PragmaOp,
        _ => Tok::Ident,
    }
}
