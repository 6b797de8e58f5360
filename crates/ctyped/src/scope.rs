//! The names in sight: ordinary identifiers and tags, each a map from name to
//! its innermost meaning, with a log of what each open scope has hidden.

use cairn_base::{Span, Symbol};
use cairn_value::Bits;
use rustc_hash::FxHashMap;

use crate::hir::{FuncId, GlobalId, LocalId};
use crate::types::{EnumId, QType, RecordId};

/// What an ordinary identifier means.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum NameKind {
    Typedef,
    Enumerator(Bits),
    Local(LocalId),
    Global(GlobalId),
    Func(FuncId),
    /// A parameter of a prototype that is no definition: has a type but no object.
    ProtoParam,
    /// Its declaration was wrong, which has been reported.
    Broken,
}

#[derive(Copy, Clone, Debug)]
pub(crate) struct Name {
    pub kind: NameKind,
    /// As this unit and scope see it.
    pub ty: QType,
    /// Typedefs with an `aligned` attribute.
    pub align: Option<u64>,
    pub span: Span,
    pub depth: u32,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum TagKind {
    Record(RecordId),
    Enum(EnumId),
}

#[derive(Copy, Clone, Debug)]
pub(crate) struct Tag {
    pub kind: TagKind,
    pub span: Span,
    pub depth: u32,
}

enum Hidden {
    Name(Symbol, Option<Name>),
    Tag(Symbol, Option<Tag>),
}

/// Depth 0 is file scope.
#[derive(Default)]
pub(crate) struct Scopes {
    names: FxHashMap<Symbol, Name>,
    tags: FxHashMap<Symbol, Tag>,
    hidden: Vec<Hidden>,
    marks: Vec<usize>,
}

impl Scopes {
    pub fn depth(&self) -> u32 {
        self.marks.len() as u32
    }

    pub fn push(&mut self) {
        self.marks.push(self.hidden.len());
    }

    pub fn pop(&mut self) {
        let mark = self.marks.pop().unwrap_or(0);
        while self.hidden.len() > mark {
            match self.hidden.pop() {
                Some(Hidden::Name(name, Some(old))) => {
                    self.names.insert(name, old);
                }
                Some(Hidden::Name(name, None)) => {
                    self.names.remove(&name);
                }
                Some(Hidden::Tag(name, Some(old))) => {
                    self.tags.insert(name, old);
                }
                Some(Hidden::Tag(name, None)) => {
                    self.tags.remove(&name);
                }
                None => break,
            }
        }
    }

    pub fn name(&self, name: Symbol) -> Option<&Name> {
        self.names.get(&name)
    }

    /// The meaning given in the innermost scope itself.
    pub fn name_here(&self, name: Symbol) -> Option<Name> {
        self.names.get(&name).copied().filter(|n| n.depth == self.depth())
    }

    /// Declares in the innermost scope. `name.depth` is set here.
    pub fn declare(&mut self, symbol: Symbol, name: Name) {
        let depth = self.depth();
        let old = self.names.insert(symbol, Name { depth, ..name });
        if depth > 0 && old.is_none_or(|o| o.depth < depth) {
            self.hidden.push(Hidden::Name(symbol, old));
        }
    }

    /// Declares at file scope while inner scopes are open.
    pub fn declare_in_file(&mut self, symbol: Symbol, name: Name) {
        let name = Name { depth: 0, ..name };
        if self.names.get(&symbol).is_some_and(|n| n.depth > 0) {
            for h in &mut self.hidden {
                if let Hidden::Name(s, old) = h
                    && *s == symbol
                {
                    *old = Some(name);
                    return;
                }
            }
        }
        self.names.insert(symbol, name);
    }

    /// Changes the type of the innermost meaning (an array gets its length).
    pub fn retype(&mut self, symbol: Symbol, ty: QType) {
        if let Some(name) = self.names.get_mut(&symbol) {
            name.ty = ty;
        }
    }

    pub fn tag(&self, tag: Symbol) -> Option<Tag> {
        self.tags.get(&tag).copied()
    }

    pub fn tag_here(&self, tag: Symbol) -> Option<Tag> {
        self.tag(tag).filter(|t| t.depth == self.depth())
    }

    pub fn declare_tag(&mut self, symbol: Symbol, kind: TagKind, span: Span) {
        let depth = self.depth();
        let old = self.tags.insert(symbol, Tag { kind, span, depth });
        if depth > 0 && old.is_none_or(|o| o.depth < depth) {
            self.hidden.push(Hidden::Tag(symbol, old));
        }
    }
}
