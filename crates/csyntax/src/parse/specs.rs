//! Declaration specifiers: storage, qualifiers, function specifiers and the
//! multiset of words that name a basic type.

use super::{Parsed, Parser};
use crate::ast::{Attr, Basic, DeclSpecs, Declarator, Quals, Storage, TypeName, TypeSpec};
use crate::lex::Token;
use crate::token::Tok;

/// Names that gcc declares as if by `typedef` before the first line, and those
/// that CBMC does: a program may declare them as something else.
#[derive(Copy, Clone)]
pub(super) enum BuiltinType {
    Basic(Basic),
    VaList,
    MsVaList,
    Size,
    SignedSize,
}

impl BuiltinType {
    pub(super) fn named(name: &str) -> Option<BuiltinType> {
        Some(match name {
            "__builtin_va_list" | "__builtin_sysv_va_list" => BuiltinType::VaList,
            "__builtin_ms_va_list" => BuiltinType::MsVaList,
            "__int128_t" => BuiltinType::Basic(Basic::Int128),
            "__uint128_t" => BuiltinType::Basic(Basic::UInt128),
            "__float80" => BuiltinType::Basic(Basic::LongDouble),
            "__float128" => BuiltinType::Basic(Basic::Float128),
            "__CPROVER_bool" => BuiltinType::Basic(Basic::Bool),
            "__CPROVER_size_t" => BuiltinType::Size,
            "__CPROVER_ssize_t" => BuiltinType::SignedSize,
            _ => return None,
        })
    }
}

/// The basic-type words seen so far.
#[derive(Copy, Clone, Default)]
struct Words {
    base: Option<Tok>,
    /// `int` next to other words; alone it is the base.
    int: bool,
    longs: u8,
    short: bool,
    signed: bool,
    unsigned: bool,
    complex: bool,
}

impl Parser<'_> {
    /// Can the next token begin a declaration? (A name only if it is a typedef.)
    pub(super) fn starts_declaration(&self) -> bool {
        self.starts_specs(0)
    }

    /// Same for the token `ahead` places further.
    pub(super) fn starts_specs(&self, ahead: usize) -> bool {
        match self.peek_at(ahead) {
            Tok::Typedef
            | Tok::Extern
            | Tok::Static
            | Tok::Auto
            | Tok::Register
            | Tok::ThreadLocal
            | Tok::Inline
            | Tok::Noreturn => true,
            _ => self.starts_type(ahead),
        }
    }

    /// Can the next token begin a type name?
    pub(super) fn starts_type_name(&self) -> bool {
        self.starts_type(0)
    }

    pub(super) fn starts_type(&self, ahead: usize) -> bool {
        match self.peek_at(ahead) {
            Tok::Ident => self.is_typedef_name(self.list[self.pos + ahead]),
            Tok::Const
            | Tok::Volatile
            | Tok::Restrict
            | Tok::Atomic
            | Tok::Struct
            | Tok::Union
            | Tok::Enum
            | Tok::Typeof
            | Tok::AutoType
            | Tok::Alignas
            | Tok::Attribute => true,
            other => is_type_word(other),
        }
    }

    /// Reads specifiers as long as they come; `attrs` came before them.
    pub(super) fn specs(&mut self, attrs: Vec<Attr>) -> Parsed<DeclSpecs> {
        let start = self.here();
        let mut words = Words::default();
        let mut out = DeclSpecs {
            storage: None,
            thread_local: false,
            inline: false,
            noreturn: false,
            quals: Quals::default(),
            ty: TypeSpec::Missing,
            align: vec![],
            attrs,
            span: start,
        };
        let first = self.pos;
        let mut typed = false;
        loop {
            let kind = self.peek();
            match kind {
                Tok::Ident if !typed && self.at_typedef_name() => {
                    let token = self.bump();
                    out.ty = match self.builtin_types.iter().find(|(name, _)| *name == token.name) {
                        None => TypeSpec::Typedef(self.symbol(token)),
                        Some((_, builtin)) => self.builtin_type(*builtin, token)?,
                    };
                    typed = true;
                }
                Tok::Typedef | Tok::Extern | Tok::Static | Tok::Auto | Tok::Register => {
                    self.storage(&mut out)?;
                }
                Tok::ThreadLocal => {
                    self.bump();
                    out.thread_local = true;
                }
                Tok::Inline => {
                    self.bump();
                    out.inline = true;
                }
                Tok::Noreturn => {
                    self.bump();
                    out.noreturn = true;
                }
                Tok::Atomic if self.peek_at(1) == Tok::LParen => {
                    self.one_type(typed)?;
                    self.bump();
                    self.bump();
                    out.ty = TypeSpec::Atomic(Box::new(self.type_name()?));
                    self.expect(Tok::RParen, "')'")?;
                    typed = true;
                }
                Tok::Const | Tok::Volatile | Tok::Restrict | Tok::Atomic => {
                    self.qualifier(&mut out.quals);
                }
                Tok::Alignas => {
                    let align = self.alignas()?;
                    out.align.push(align);
                }
                Tok::Attribute => self.attributes(&mut out.attrs)?,
                Tok::LBracket if self.pos != first && self.at_attribute() => {
                    self.attributes(&mut out.attrs)?;
                }
                Tok::Extension => {
                    self.bump();
                }
                Tok::Struct | Tok::Union => {
                    self.one_type(typed)?;
                    out.ty = TypeSpec::Record(Box::new(self.record()?));
                    typed = true;
                }
                Tok::Enum => {
                    self.one_type(typed)?;
                    out.ty = TypeSpec::Enum(Box::new(self.enumeration()?));
                    typed = true;
                }
                Tok::Typeof => {
                    self.one_type(typed)?;
                    out.ty = self.typeof_spec()?;
                    typed = true;
                }
                Tok::AutoType => {
                    self.one_type(typed)?;
                    self.bump();
                    out.ty = TypeSpec::Auto;
                    typed = true;
                }
                _ if is_type_word(kind) => {
                    if typed && words.is_empty() {
                        return Err(self.two_types());
                    }
                    self.type_word(&mut words)?;
                    typed = true;
                }
                _ => break,
            }
        }
        out.span =
            if self.pos == first { cairn_base::Span { hi: start.lo, ..start } } else { self.since(start) };
        if !words.is_empty() {
            out.ty = words.resolve().map_err(|why| self.error(out.span, why))?;
        }
        Ok(out)
    }

    fn builtin_type(&self, builtin: BuiltinType, token: Token) -> Parsed<TypeSpec> {
        match builtin {
            BuiltinType::Basic(basic) => Ok(TypeSpec::Basic(basic)),
            BuiltinType::VaList => Ok(TypeSpec::VaList),
            BuiltinType::Size => Ok(TypeSpec::Size),
            BuiltinType::SignedSize => Ok(TypeSpec::SignedSize),
            BuiltinType::MsVaList => Err(self.unsupported(self.span_of(token), "'__builtin_ms_va_list'")),
        }
    }

    fn storage(&mut self, out: &mut DeclSpecs) -> Parsed<()> {
        let token = self.bump();
        let storage = match token.kind {
            Tok::Typedef => Storage::Typedef,
            Tok::Extern => Storage::Extern,
            Tok::Static => Storage::Static,
            Tok::Auto => Storage::Auto,
            _ => Storage::Register,
        };
        if out.storage.is_some() {
            let message = "multiple storage classes in declaration specifiers";
            return Err(self.error(self.span_of(token), message));
        }
        out.storage = Some(storage);
        Ok(())
    }

    /// A second type is an error.
    fn one_type(&self, typed: bool) -> Parsed<()> {
        if typed { Err(self.two_types()) } else { Ok(()) }
    }

    fn two_types(&self) -> Box<cairn_base::Diagnostic> {
        self.error(self.here(), "two or more data types in declaration specifiers")
    }

    pub(super) fn qualifier(&mut self, quals: &mut Quals) {
        match self.bump().kind {
            Tok::Const => quals.is_const = true,
            Tok::Volatile => quals.is_volatile = true,
            Tok::Restrict => quals.is_restrict = true,
            _ => quals.is_atomic = true,
        }
    }

    fn typeof_spec(&mut self) -> Parsed<TypeSpec> {
        self.bump();
        self.expect(Tok::LParen, "'('")?;
        self.enter()?;
        let spec = if self.starts_type_name() {
            TypeSpec::TypeofType(Box::new(self.type_name()?))
        } else {
            TypeSpec::TypeofExpr(Box::new(self.expr()?))
        };
        self.leave();
        self.expect(Tok::RParen, "')'")?;
        Ok(spec)
    }

    fn type_word(&mut self, words: &mut Words) -> Parsed<()> {
        let token = self.token();
        let duplicate = match token.kind {
            Tok::Int => std::mem::replace(&mut words.int, true),
            Tok::Long => {
                words.longs += 1;
                words.longs > 2
            }
            Tok::Short => std::mem::replace(&mut words.short, true),
            Tok::Signed => std::mem::replace(&mut words.signed, true),
            Tok::Unsigned => std::mem::replace(&mut words.unsigned, true),
            Tok::Complex => std::mem::replace(&mut words.complex, true),
            base => words.base.replace(base).is_some(),
        };
        if duplicate {
            return Err(self.two_types());
        }
        self.bump();
        Ok(())
    }

    /// `specs abstract-declarator`, as in casts.
    pub(super) fn type_name(&mut self) -> Parsed<TypeName> {
        let start = self.here();
        let specs = self.specs(vec![])?;
        if matches!(specs.ty, TypeSpec::Missing) && specs.span.lo == specs.span.hi {
            return Err(self.expected("a type name"));
        }
        let declarator = self.abstract_declarator()?;
        Ok(TypeName { specs, declarator, span: self.since(start) })
    }

    /// The declarator of a bare type, with the place where a name would stand.
    pub(super) fn no_declarator(&self) -> Declarator {
        let here = self.here();
        let span = cairn_base::Span { hi: here.lo, ..here };
        Declarator { name: None, name_span: span, derived: vec![], attrs: vec![], asm_label: None, span }
    }
}

fn is_type_word(kind: Tok) -> bool {
    matches!(
        kind,
        Tok::Void
            | Tok::CharWord
            | Tok::Short
            | Tok::Int
            | Tok::Long
            | Tok::Float
            | Tok::Double
            | Tok::Signed
            | Tok::Unsigned
            | Tok::Bool
            | Tok::Complex
            | Tok::Int128
            | Tok::Float16
            | Tok::Float32
            | Tok::Float64
            | Tok::Float128
            | Tok::Float32x
            | Tok::Float64x
            | Tok::Decimal32
            | Tok::Decimal64
            | Tok::Decimal128
    )
}

impl Words {
    fn is_empty(self) -> bool {
        self.base.is_none()
            && !self.int
            && self.longs == 0
            && !(self.short || self.signed || self.unsigned || self.complex)
    }

    /// The type that the words name together (C11 6.7.2).
    fn resolve(self) -> Result<TypeSpec, &'static str> {
        if self.signed && self.unsigned {
            return Err("both 'signed' and 'unsigned' in declaration specifiers");
        }
        if self.short && self.longs > 0 {
            return Err("both 'long' and 'short' in declaration specifiers");
        }
        let unsigned = self.unsigned;
        let sign_given = self.signed || unsigned;
        let plain = !self.int && self.longs == 0 && !self.short;
        let basic = match self.base {
            None if self.complex && plain && !sign_given => Basic::Double,
            None => match (self.short, self.longs) {
                (true, _) => pick(unsigned, Basic::UShort, Basic::Short),
                (_, 0) => pick(unsigned, Basic::UInt, Basic::Int),
                (_, 1) => pick(unsigned, Basic::ULong, Basic::Long),
                _ => pick(unsigned, Basic::ULongLong, Basic::LongLong),
            },
            Some(Tok::CharWord) if plain => match (self.signed, unsigned) {
                (true, _) => Basic::SChar,
                (_, true) => Basic::UChar,
                _ => Basic::Char,
            },
            Some(Tok::Int128) if plain => pick(unsigned, Basic::UInt128, Basic::Int128),
            Some(Tok::Double) if self.longs == 1 && !self.int && !self.short && !sign_given => {
                Basic::LongDouble
            }
            Some(base) if plain && !sign_given => match base {
                Tok::Void => Basic::Void,
                Tok::Bool => Basic::Bool,
                Tok::Float => Basic::Float,
                Tok::Double => Basic::Double,
                Tok::Float16 => Basic::Float16,
                Tok::Float32 => Basic::Float32,
                Tok::Float64 => Basic::Float64,
                Tok::Float128 => Basic::Float128,
                Tok::Float32x => Basic::Float32x,
                Tok::Float64x => Basic::Float64x,
                Tok::Decimal32 => Basic::Decimal32,
                Tok::Decimal64 => Basic::Decimal64,
                _ => Basic::Decimal128,
            },
            Some(_) => return Err("two or more data types in declaration specifiers"),
        };
        if !self.complex {
            return Ok(TypeSpec::Basic(basic));
        }
        match basic {
            Basic::Void | Basic::Bool => Err("invalid '_Complex' type"),
            _ => Ok(TypeSpec::Complex(basic)),
        }
    }
}

fn pick(unsigned: bool, yes: Basic, no: Basic) -> Basic {
    if unsigned { yes } else { no }
}
