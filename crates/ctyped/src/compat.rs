//! Compatible and composite types (C11 6.2.7), as gcc decides them.

use crate::types::{ArrayLen, FloatKind, FuncType, IntKind, QType, Type, TypeId, Types};

impl Types {
    pub fn compatible_q(&self, a: QType, b: QType) -> bool {
        a.is_const == b.is_const && a.is_volatile == b.is_volatile && self.compatible(a.id, b.id)
    }

    pub fn compatible(&self, a: TypeId, b: TypeId) -> bool {
        if a == b {
            return true;
        }
        match (self.get(a), self.get(b)) {
            (Type::Enum(e), Type::Int(k)) | (Type::Int(k), Type::Enum(e)) => self.enums[*e].repr == Some(*k),
            (Type::Pointer(p), Type::Pointer(q)) => self.compatible_q(*p, *q),
            (Type::Array { elem: x, len: n }, Type::Array { elem: y, len: m }) => {
                let lengths = match (n, m) {
                    (ArrayLen::Fixed(n), ArrayLen::Fixed(m)) => n == m,
                    _ => true,
                };
                lengths && self.compatible_q(*x, *y)
            }
            (Type::Function(f), Type::Function(g)) => self.compatible_functions(f, g),
            _ => false,
        }
    }

    fn compatible_functions(&self, f: &FuncType, g: &FuncType) -> bool {
        if !self.compatible(f.ret.id, g.ret.id) {
            return false;
        }
        match (f.prototyped, g.prototyped) {
            (true, true) => {
                f.variadic == g.variadic
                    && f.params.len() == g.params.len()
                    && f.params.iter().zip(&g.params).all(|(&a, &b)| self.compatible(a, b))
            }
            (true, false) => !f.variadic && f.params.iter().all(|&p| self.survives_promotion(p)),
            (false, true) => !g.variadic && g.params.iter().all(|&p| self.survives_promotion(p)),
            (false, false) => true,
        }
    }

    /// Is the type what the default argument promotions make of it?
    fn survives_promotion(&self, id: TypeId) -> bool {
        use IntKind::*;
        match self.get(id) {
            Type::Bool | Type::Float(FloatKind::Float) => false,
            Type::Int(kind) => !matches!(kind, Char | SChar | UChar | Short | UShort),
            _ => true,
        }
    }

    /// The type two compatible declarations together give.
    pub fn composite(&mut self, a: TypeId, b: TypeId) -> TypeId {
        if a == b {
            return a;
        }
        match (self.get(a).clone(), self.get(b).clone()) {
            (Type::Pointer(p), Type::Pointer(q)) => {
                let id = self.composite(p.id, q.id);
                self.intern(Type::Pointer(QType { id, ..p }))
            }
            (Type::Array { elem: x, len: n }, Type::Array { elem: y, len: m }) => {
                let elem = QType { id: self.composite(x.id, y.id), ..x };
                let len = match (n, m) {
                    (ArrayLen::Fixed(_), _) | (ArrayLen::Vla(_), ArrayLen::Unknown) => n,
                    (_, ArrayLen::Fixed(_)) | (ArrayLen::Unknown, ArrayLen::Vla(_)) => m,
                    _ => n,
                };
                self.intern(Type::Array { elem, len })
            }
            (Type::Function(f), Type::Function(g)) => {
                let ret = QType { id: self.composite(f.ret.id, g.ret.id), ..f.ret };
                let merged = match (f.prototyped, g.prototyped) {
                    (true, true) => {
                        let params =
                            f.params.iter().zip(&g.params).map(|(&x, &y)| self.composite(x, y)).collect();
                        FuncType { ret, params, ..f }
                    }
                    (false, true) => FuncType { ret, ..g },
                    _ => FuncType { ret, ..f },
                };
                self.intern(Type::Function(merged))
            }
            _ => a,
        }
    }
}
