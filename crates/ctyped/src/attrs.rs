//! The attributes that change what a declaration means. All others (hints,
//! warnings, optimisation) are ignored; those that would change behaviour in a
//! way not modelled here are reported as unsupported.

use cairn_base::{Span, Symbol};
use cairn_csyntax::ast::{self, Attr, AttrArg, ExprKind};

use crate::check::{Checker, Res, error, unsupported};
use crate::types::{FloatKind, IntKind, QType, Type};

#[derive(Default, Debug)]
pub(crate) struct Attrs {
    pub packed: bool,
    pub align: Option<u64>,
    pub noreturn: bool,
    pub pure: bool,
    pub weak: bool,
    pub gnu_inline: bool,
    pub transparent_union: bool,
    pub alias: Option<String>,
    pub mode: Option<(Symbol, Span)>,
    pub vector_size: Option<u64>,
    /// Priority; lower ones come first (destructors: last).
    pub constructor: Option<u32>,
    pub destructor: Option<u32>,
    /// An attribute whose effect on a definition is not modelled.
    pub unsupported: Option<(&'static str, Span)>,
}

impl Checker {
    pub(crate) fn attrs(&mut self, lists: &[&[Attr]]) -> Res<Attrs> {
        let mut out = Attrs::default();
        for attr in lists.iter().copied().flatten() {
            self.attr(attr, &mut out)?;
        }
        Ok(out)
    }

    fn attr(&mut self, attr: &Attr, out: &mut Attrs) -> Res<()> {
        match attr.name.as_str() {
            "packed" => out.packed = true,
            "aligned" => {
                let align = match attr.args.first() {
                    // The largest alignment any type needs.
                    None => 16,
                    Some(AttrArg::Expr(e)) => self.alignment(e)?,
                    Some(AttrArg::Type(t)) => {
                        let (ty, align) = self.type_name_of(t)?;
                        align.or(self.types.align_of(ty.id)).unwrap_or(1)
                    }
                };
                out.align = Some(out.align.unwrap_or(1).max(align));
            }
            "noreturn" => out.noreturn = true,
            "pure" | "const" => out.pure = true,
            "weak" => out.weak = true,
            "gnu_inline" => out.gnu_inline = true,
            "transparent_union" => out.transparent_union = true,
            "alias" => {
                if let Some(AttrArg::Expr(e)) = attr.args.first()
                    && let ExprKind::String { units, .. } = &e.kind
                {
                    out.alias = Some(units.iter().filter_map(|&u| char::from_u32(u)).collect());
                }
            }
            "weakref" => out.unsupported = Some(("weakref", attr.span)),
            "ifunc" => out.unsupported = Some(("ifunc", attr.span)),
            "constructor" => out.constructor = Some(self.priority(attr)?),
            "destructor" => out.destructor = Some(self.priority(attr)?),
            "cleanup" => out.unsupported = Some(("cleanup", attr.span)),
            "scalar_storage_order" => out.unsupported = Some(("scalar_storage_order", attr.span)),
            "ms_struct" => out.unsupported = Some(("ms_struct", attr.span)),
            "mode" => {
                if let Some(AttrArg::Expr(e)) = attr.args.first()
                    && let ExprKind::Ident(name) = e.kind
                {
                    out.mode = Some((name, attr.span));
                }
            }
            "vector_size" => {
                if let Some(AttrArg::Expr(e)) = attr.args.first() {
                    let size =
                        self.integer_constant(e, "'vector_size' attribute argument is not constant")?;
                    out.vector_size = Some(size.0 as u64);
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// The argument of `constructor(n)`; those without come after all others.
    fn priority(&mut self, attr: &Attr) -> Res<u32> {
        match attr.args.first() {
            Some(AttrArg::Expr(e)) => {
                let (n, _) = self.integer_constant(e, "constructor priorities must be integers")?;
                Ok(n.min(65535) as u32)
            }
            _ => Ok(65536),
        }
    }

    /// The value of `aligned(n)` or `_Alignas(n)`.
    pub(crate) fn alignment(&mut self, e: &ast::Expr) -> Res<u64> {
        let (value, negative) = self.integer_constant(e, "requested alignment is not an integer constant")?;
        if negative || (value != 0 && !value.is_power_of_two()) || value > 1 << 28 {
            return error(e.span, "requested alignment is not a positive power of 2");
        }
        Ok((value as u64).max(1))
    }

    /// A type after `mode(…)` and `vector_size(…)`.
    pub(crate) fn apply_type_attrs(&mut self, ty: QType, attrs: &Attrs, span: Span) -> Res<QType> {
        let mut ty = ty;
        if let Some((mode, span)) = attrs.mode {
            ty.id = self.mode_type(ty, mode.as_str().trim_matches('_'), span)?;
        }
        if let Some(size) = attrs.vector_size {
            ty.id = match *self.types.get(ty.id) {
                Type::Unsupported { what, .. } => {
                    self.types.intern(Type::Unsupported { what, size, align: size })
                }
                _ => self.vector_type(ty.id, size, span)?,
            };
        }
        Ok(ty)
    }

    pub(crate) fn mode_type(&mut self, ty: QType, mode: &str, span: Span) -> Res<crate::types::TypeId> {
        let signed = match self.types.get(ty.id) {
            Type::Float(_) => {
                let kind = match mode {
                    "SF" => FloatKind::Float,
                    "DF" => FloatKind::Double,
                    "XF" => FloatKind::LongDouble,
                    "TF" => FloatKind::Float128,
                    _ => return unsupported(span, format!("machine mode '{mode}'")),
                };
                return Ok(self.types.intern(Type::Float(kind)));
            }
            Type::Int(kind) => self.types.int_ty(*kind).signed,
            Type::Pointer(_) if matches!(mode, "pointer" | "word" | "SI" | "DI") => return Ok(ty.id),
            Type::Enum(e) => self.types.enums[*e].repr.is_none_or(|k| self.types.int_ty(k).signed),
            Type::Unsupported { .. } => return Ok(ty.id),
            Type::Bool => return unsupported(span, format!("machine mode '{mode}' for '_Bool'")),
            _ => return error(span, format!("mode '{mode}' applied to inappropriate type")),
        };
        use IntKind::*;
        let lp64 = self.types.model == cairn_base::DataModel::Lp64;
        let pair = match mode {
            "QI" | "byte" => (SChar, UChar),
            "HI" => (Short, UShort),
            "SI" => (Int, UInt),
            "DI" if lp64 => (Long, ULong),
            "word" | "pointer" | "unwind_word" if lp64 => (Long, ULong),
            "DI" => (LongLong, ULongLong),
            "word" | "pointer" | "unwind_word" => (Int, UInt),
            "TI" if lp64 => (Int128, UInt128),
            _ => return unsupported(span, format!("machine mode '{mode}'")),
        };
        Ok(self.types.intern(Type::Int(if signed { pair.0 } else { pair.1 })))
    }
}
