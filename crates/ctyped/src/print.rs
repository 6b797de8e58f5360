//! Types in C syntax, as gcc words them in its messages.

use crate::types::{ArrayLen, FloatKind, IntKind, QType, Type, TypeId, Types};

impl Types {
    /// The type as C writes it: `const char *`, `int (*)(int, char *)`, `struct s[3]`.
    pub fn type_name(&self, ty: QType) -> String {
        self.declare(ty, String::new())
    }

    pub fn plain_name(&self, id: TypeId) -> String {
        self.type_name(QType::plain(id))
    }

    /// `ty` around a declarator written so far (inside out, as C declares). A loop, not a
    /// recursion: types nest by the thousand, and each step replaces what it grows.
    fn declare(&self, mut ty: QType, mut inner: String) -> String {
        loop {
            let (quals, of) = (qualifiers(ty), self.get(ty.id));
            (ty, inner) = match of {
                Type::Pointer(to) => {
                    let inner = match quals {
                        "" => format!("*{inner}"),
                        _ => format!("* {}{inner}", quals.trim_end()),
                    };
                    let needs_parens = matches!(self.get(to.id), Type::Array { .. } | Type::Function(_));
                    (*to, if needs_parens { format!("({inner})") } else { inner })
                }
                Type::Array { elem, len } => {
                    let len = match len {
                        ArrayLen::Fixed(n) => n.to_string(),
                        ArrayLen::Unknown => String::new(),
                        ArrayLen::Vla(_) => "*".to_string(),
                    };
                    (*elem, format!("{inner}[{len}]"))
                }
                Type::Function(f) => {
                    let mut params: Vec<String> = f.params.iter().map(|&p| self.plain_name(p)).collect();
                    if f.variadic {
                        params.push("...".to_string());
                    } else if f.prototyped && params.is_empty() {
                        params.push("void".to_string());
                    }
                    (f.ret, format!("{inner}({})", params.join(", ")))
                }
                _ => {
                    let base = self.base_name(of);
                    let space = if inner.starts_with('*') || inner.starts_with("(*") { " " } else { "" };
                    return format!("{quals}{base}{space}{inner}");
                }
            };
        }
    }

    /// A type that is not made from another one.
    fn base_name(&self, ty: &Type) -> String {
        match ty {
            Type::Pointer(_) | Type::Array { .. } | Type::Function(_) => String::new(),
            Type::Void => "void".to_string(),
            Type::Bool => "_Bool".to_string(),
            Type::Int(kind) => int_name(*kind).to_string(),
            Type::Float(kind) => float_name(*kind).to_string(),
            Type::Enum(e) => match self.enums[*e].tag {
                Some(tag) => format!("enum {tag}"),
                None => "enum <anonymous>".to_string(),
            },
            Type::Record(r) => {
                let record = &self.records[*r];
                let keyword = if record.is_union { "union" } else { "struct" };
                match record.tag {
                    Some(tag) => format!("{keyword} {tag}"),
                    None => format!("{keyword} <anonymous>"),
                }
            }
            Type::VaListElem => "__va_list_tag".to_string(),
            Type::BitField { bits, signed } => {
                format!("{}:{bits}", if *signed { "long long int" } else { "long long unsigned int" })
            }
            Type::Unsupported { what, .. } => what.to_string(),
        }
    }
}

fn qualifiers(ty: QType) -> &'static str {
    match (ty.is_const, ty.is_volatile) {
        (false, false) => "",
        (true, false) => "const ",
        (false, true) => "volatile ",
        (true, true) => "const volatile ",
    }
}

fn int_name(kind: IntKind) -> &'static str {
    match kind {
        IntKind::Char => "char",
        IntKind::SChar => "signed char",
        IntKind::UChar => "unsigned char",
        IntKind::Short => "short int",
        IntKind::UShort => "short unsigned int",
        IntKind::Int => "int",
        IntKind::UInt => "unsigned int",
        IntKind::Long => "long int",
        IntKind::ULong => "long unsigned int",
        IntKind::LongLong => "long long int",
        IntKind::ULongLong => "long long unsigned int",
        IntKind::Int128 => "__int128",
        IntKind::UInt128 => "__int128 unsigned",
    }
}

fn float_name(kind: FloatKind) -> &'static str {
    match kind {
        FloatKind::Float => "float",
        FloatKind::Double => "double",
        FloatKind::LongDouble => "long double",
        FloatKind::Float32 => "_Float32",
        FloatKind::Float64 => "_Float64",
        FloatKind::Float32x => "_Float32x",
        FloatKind::Float64x => "_Float64x",
        FloatKind::Float128 => "_Float128",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::FuncType;
    use cairn_base::DataModel;

    #[test]
    fn declarators_nest_inside_out() {
        let mut t = Types::new(DataModel::Lp64);
        let int = QType::plain(t.intern(Type::Int(IntKind::Int)));
        let cchar = QType { is_const: true, ..QType::plain(t.intern(Type::Int(IntKind::Char))) };
        let ptr = t.intern(Type::Pointer(cchar));
        assert_eq!(t.plain_name(ptr), "const char *");
        let array = t.intern(Type::Array { elem: QType::plain(ptr), len: ArrayLen::Fixed(3) });
        assert_eq!(t.plain_name(array), "const char *[3]");
        let to_array = t.intern(Type::Pointer(QType::plain(array)));
        assert_eq!(t.plain_name(to_array), "const char *(*)[3]");
        let f = FuncType { ret: int, params: vec![int.id, ptr], variadic: true, prototyped: true };
        let func = t.intern(Type::Function(f));
        assert_eq!(t.plain_name(func), "int(int, const char *, ...)");
        let to_func = QType { is_const: true, ..QType::plain(t.intern(Type::Pointer(QType::plain(func)))) };
        assert_eq!(t.type_name(to_func), "int (* const)(int, const char *, ...)");
    }
}
