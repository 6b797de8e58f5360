//! Initialisers: the walk over braces, designators and elided braces (C11
//! 6.7.9), the same for static and automatic objects. Static objects become
//! bytes and addresses, automatic ones a list of stores.

use cairn_base::{Span, Symbol};
use cairn_csyntax::ast::{self, CharPrefix, Designator, Initializer};

use crate::check::{Checker, Fail, Res, error, unsupported};
use crate::consteval::Const;
use crate::convert::{Into, has_effects};
use crate::hir::{
    AddrTarget, Expr, ExprKind, GlobalInit, InitItem, LValue, LValueKind, LocalInit, StaticData,
};
use crate::static_data::{MAX_DATA, StaticBuilder};
use crate::types::{ArrayLen, BitField, QType, Type, TypeId};

/// A finished initialiser of a static object.
pub(crate) struct StaticInit {
    /// Arrays of unknown length have got theirs.
    pub ty: QType,
    /// Bytes needed; more than the type's size with a flexible array member.
    pub size: u64,
    pub data: StaticData,
}

enum Sink {
    Static(StaticBuilder),
    Local { items: Vec<InitItem>, zero_fill: bool },
}

/// A part of the object being initialised.
#[derive(Copy, Clone)]
struct Slot {
    ty: QType,
    offset: u64,
    bits: Option<BitField>,
}

/// An aggregate whose parts are being initialised one after the other.
struct Frame {
    slot: Slot,
    next: u64,
}

struct Walk {
    sink: Sink,
    /// The most elements an array of unknown length at the top has needed.
    length: u64,
    /// Bytes needed so far.
    end: u64,
    /// Which member of which union (by place and type) was designated last.
    unions: Vec<(u64, TypeId, u64)>,
}

/// The value of a list item, checked at most once while braces are elided.
enum Item<'a> {
    Syntax(&'a ast::Expr),
    Checked(Expr),
}

impl Checker {
    pub(crate) fn static_initializer(
        &mut self,
        ty: QType,
        init: &Initializer,
        span: Span,
    ) -> Res<StaticInit> {
        let mut walk =
            Walk { sink: Sink::Static(StaticBuilder::default()), length: 0, end: 0, unions: Vec::new() };
        let ty = self.initialize(ty, init, span, &mut walk)?;
        let Some(size) = self.types.size_of(ty.id) else {
            return error(span, "initializer for an object of incomplete type");
        };
        let data = match walk.sink {
            Sink::Static(builder) => builder.finish(),
            Sink::Local { .. } => StaticData::default(),
        };
        for i in 0..data.addresses.len() {
            self.take_address(data.addresses[i].target);
        }
        Ok(StaticInit { ty, size: size.max(walk.end), data })
    }

    pub(crate) fn local_initializer(
        &mut self,
        ty: QType,
        init: &Initializer,
        span: Span,
    ) -> Res<(LocalInit, QType)> {
        let zero_fill = matches!(init, Initializer::List { .. });
        let mut walk = Walk {
            sink: Sink::Local { items: Vec::new(), zero_fill },
            length: 0,
            end: 0,
            unions: Vec::new(),
        };
        let ty = self.initialize(ty, init, span, &mut walk)?;
        if walk.end > self.types.size_of(ty.id).unwrap_or(u64::MAX) {
            return error(span, "non-static initialization of a flexible array member");
        }
        match walk.sink {
            Sink::Local { items, zero_fill } => Ok((LocalInit { zero_fill, items }, ty)),
            Sink::Static(_) => Err(Fail::reported()),
        }
    }

    fn initialize(&mut self, ty: QType, init: &Initializer, span: Span, walk: &mut Walk) -> Res<QType> {
        let top = Slot { ty, offset: 0, bits: None };
        match init {
            Initializer::List { items, span } => self.init_list(top, items, *span, walk)?,
            Initializer::Expr(e) => match self.types.get(ty.id) {
                Type::Array { .. } => {
                    if !self.init_array_by_expr(top, e, walk)? {
                        return error(e.span, "invalid initializer");
                    }
                }
                _ => {
                    let item = Item::Syntax(e);
                    if !self.init_whole(top, item, walk)? {
                        return error(span, "invalid initializer");
                    }
                }
            },
        }
        Ok(match *self.types.get(ty.id) {
            Type::Array { elem, len: ArrayLen::Unknown } => {
                let id = self.types.intern(Type::Array { elem, len: ArrayLen::Fixed(walk.length) });
                QType { id, ..ty }
            }
            _ => ty,
        })
    }

    /// `= expr` for a scalar or record. False if a record needs braces.
    fn init_whole(&mut self, slot: Slot, item: Item<'_>, walk: &mut Walk) -> Res<bool> {
        if let (Sink::Static(_), Item::Syntax(e)) = (&walk.sink, &item)
            && self.init_by_compound_literal(slot, e, walk)?
        {
            return Ok(true);
        }
        let value = match item {
            Item::Syntax(e) => self.rvalue(e)?,
            Item::Checked(value) => value,
        };
        let is_scalar = self.is_scalar(slot.ty.id);
        if !is_scalar && value.ty != slot.ty.id {
            self.require_supported(slot.ty.id, value.span)?;
            if matches!(self.types.get(slot.ty.id), Type::Record(r) if self.types.records[*r].layout.is_some())
                && self.is_scalar(value.ty)
            {
                return error(value.span, "invalid initializer");
            }
        }
        let value = self.assign_to(value, slot.ty.id, Into::Init)?;
        self.store(slot, value, walk)?;
        Ok(true)
    }

    /// A string, or a compound literal of array type. False if it is neither.
    fn init_array_by_expr(&mut self, slot: Slot, e: &ast::Expr, walk: &mut Walk) -> Res<bool> {
        if self.init_by_string(slot, e, walk)? {
            return Ok(true);
        }
        self.init_by_compound_literal(slot, e, walk)
    }

    /// GNU C: an object may be initialised by a compound literal of its type as if by its list.
    fn init_by_compound_literal(&mut self, slot: Slot, e: &ast::Expr, walk: &mut Walk) -> Res<bool> {
        let ast::ExprKind::CompoundLiteral { ty, init } = &peel(e).kind else { return Ok(false) };
        let (literal, _) = self.type_name_of(ty)?;
        if !self.types.compatible(literal.id, slot.ty.id) {
            return Ok(false);
        }
        match &**init {
            Initializer::List { items, span } => {
                if let Sink::Local { zero_fill, .. } = &mut walk.sink {
                    *zero_fill = true;
                }
                let mut inner = slot;
                // The literal's length is the object's if that has none.
                if let Type::Array { len: ArrayLen::Fixed(n), .. } = self.types.get(literal.id)
                    && let Type::Array { len: ArrayLen::Unknown, .. } = self.types.get(slot.ty.id)
                {
                    walk.length = walk.length.max(*n);
                    inner.ty.id = literal.id;
                }
                self.init_list(inner, items, *span, walk)?;
                Ok(true)
            }
            Initializer::Expr(inner) => self.init_array_by_expr(slot, inner, walk),
        }
    }

    /// `char s[] = "…"`. False if the slot is no character array or `e` no fitting string.
    fn init_by_string(&mut self, slot: Slot, e: &ast::Expr, walk: &mut Walk) -> Res<bool> {
        let literal = peel(e);
        let ast::ExprKind::String { units, prefix } = &literal.kind else { return Ok(false) };
        let Type::Array { elem, len } = *self.types.get(slot.ty.id) else { return Ok(false) };
        let own = self.string_element(*prefix);
        let (Some(a), Some(b)) = (self.types.integer_of(elem.id), self.types.integer_of(own)) else {
            return Ok(false);
        };
        let narrow = matches!(prefix, CharPrefix::None | CharPrefix::Utf8);
        if a.bits != b.bits
            || (narrow && a.bits != 8)
            || matches!(self.types.get(elem.id), Type::Bool | Type::Enum(_))
        {
            return Ok(false);
        }
        let width = u64::from(a.bits / 8);
        let with_zero = units.len() as u64 + 1;
        let count = match len {
            ArrayLen::Fixed(n) => n.min(with_zero),
            ArrayLen::Unknown => with_zero,
            ArrayLen::Vla(_) => return error(e.span, "variable-sized object may not be initialized"),
        };
        if slot.offset == 0 && len == ArrayLen::Unknown {
            walk.length = walk.length.max(with_zero);
        }
        walk.end = walk.end.max(slot.offset + count * width);
        if walk.end > MAX_DATA && matches!(walk.sink, Sink::Static(_)) {
            return unsupported(e.span, "the initialised part of the object is too large");
        }
        match &mut walk.sink {
            Sink::Static(builder) => {
                let mut bytes = Vec::with_capacity((count * width) as usize);
                for i in 0..count as usize {
                    let unit = units.get(i).copied().unwrap_or(0);
                    bytes.extend_from_slice(&unit.to_le_bytes()[..width as usize]);
                }
                if let ArrayLen::Fixed(n) = len {
                    builder.clear(slot.offset, n * width);
                }
                builder.write(slot.offset, &bytes);
            }
            Sink::Local { .. } => {
                let global = self.string_literal(units, *prefix, literal.span);
                self.use_global(global);
                let ty = QType::plain(self.globals[global].ty);
                let lv = LValue { kind: LValueKind::Global(global), ty, span: e.span };
                let value = Expr { kind: ExprKind::Read(lv), ty: ty.id, span: e.span };
                let Sink::Local { items, zero_fill } = &mut walk.sink else { return Ok(true) };
                *zero_fill = true;
                items.push(InitItem { offset: slot.offset, bits: None, value, len: count * width });
            }
        }
        Ok(true)
    }

    /// Puts a converted value into its slot.
    fn store(&mut self, slot: Slot, value: Expr, walk: &mut Walk) -> Res<()> {
        let len = self.types.size_of(slot.ty.id).unwrap_or(0);
        let end = slot.offset + len;
        if slot.bits.is_none() {
            walk.end = walk.end.max(end);
        }
        match &mut walk.sink {
            Sink::Local { items, .. } => {
                items.push(InitItem { offset: slot.offset, bits: slot.bits, value, len });
                Ok(())
            }
            Sink::Static(builder) => {
                if end > MAX_DATA {
                    return unsupported(value.span, "the initialised part of the object is too large");
                }
                if self.is_scalar(slot.ty.id) {
                    match (self.eval_initializer(&value), slot.bits) {
                        (Some(Const::Num(bits)), Some(place)) => builder.write_bits(slot.offset, place, bits),
                        (Some(Const::Num(bits)), None) => {
                            let mut bytes = [0; 16];
                            bytes.copy_from_slice(&bits.to_le_bytes());
                            builder.write(slot.offset, &bytes[..len as usize]);
                        }
                        (Some(Const::Addr { target, addend }), None) => {
                            builder.write_address(slot.offset, len as u8, target, addend);
                        }
                        _ if self.is_link_time(&value) => {
                            return unsupported(value.span, "constant that only the linker could compute");
                        }
                        _ => return self.not_constant(value.span),
                    }
                    return Ok(());
                }
                // A record: gcc takes the contents of another constant object.
                let ExprKind::Read(lv) = &value.kind else { return self.not_constant(value.span) };
                let Some(Const::Addr { target: AddrTarget::Global(g), addend }) = self.constant_place(lv)
                else {
                    return self.not_constant(value.span);
                };
                match &self.globals[g].init {
                    GlobalInit::Data(data) if self.globals[g].is_const && addend >= 0 => {
                        builder.copy_from(slot.offset, data, addend as u64, len);
                        Ok(())
                    }
                    _ => self.not_constant(value.span),
                }
            }
        }
    }

    /// A braced list for `slot`.
    fn init_list(&mut self, slot: Slot, items: &[ast::InitItem], span: Span, walk: &mut Walk) -> Res<()> {
        match *self.types.get(slot.ty.id) {
            Type::Array { .. } => {
                // `char s[] = { "abc" }`
                if let [ast::InitItem { designators, init: Initializer::Expr(e) }] = items
                    && designators.is_empty()
                    && self.init_by_string(slot, e, walk)?
                {
                    return Ok(());
                }
            }
            Type::Record(r) if self.types.records[r].layout.is_none() => {
                return error(span, format!("'{}' has an incomplete type", self.type_name(slot.ty)));
            }
            Type::Record(_) => {}
            _ => return self.init_scalar_list(slot, items, span, walk),
        }
        let mut stack = vec![Frame { slot, next: 0 }];
        for item in items {
            if let Err(fail) = self.init_item(&mut stack, item, walk) {
                if self.give_up() {
                    return Err(fail);
                }
                // Further items may be wrong too.
                self.report(fail);
                stack.truncate(1);
            }
            if let Type::Array { len: ArrayLen::Unknown, .. } = self.types.get(slot.ty.id)
                && slot.offset == 0
            {
                walk.length = walk.length.max(stack[0].next);
            }
        }
        Ok(())
    }

    /// `{ 1 }` for a scalar; excess elements are ignored, as gcc does.
    fn init_scalar_list(
        &mut self,
        slot: Slot,
        items: &[ast::InitItem],
        span: Span,
        walk: &mut Walk,
    ) -> Res<()> {
        self.require_supported(slot.ty.id, span)?;
        let Some(first) = items.first() else { return Ok(()) };
        if let Some(designator) = first.designators.first() {
            let span = match designator {
                Designator::Field(_, span) => *span,
                Designator::Index(e) | Designator::Range(e, _) => e.span,
            };
            return error(span, "designator in initializer for scalar type");
        }
        match &first.init {
            Initializer::List { items, span } => self.init_scalar_list(slot, items, *span, walk),
            Initializer::Expr(e) => self.init_whole(slot, Item::Syntax(e), walk).map(|_| ()),
        }
    }

    fn init_item(&mut self, stack: &mut Vec<Frame>, item: &ast::InitItem, walk: &mut Walk) -> Res<()> {
        if let Some((first, rest)) = item.designators.split_first() {
            stack.truncate(1);
            return self.init_designated(stack, first, rest, &item.init, walk);
        }
        loop {
            let Some(top) = stack.last() else { return Ok(()) };
            match self.part(&top.slot, top.next) {
                Some(slot) => {
                    if let Some(top) = stack.last_mut() {
                        top.next = self.after(&top.slot, top.next);
                    }
                    return self.init_part(stack, slot, &item.init, walk);
                }
                None if stack.len() > 1 => {
                    stack.pop();
                }
                // Excess elements: never evaluated, but they must be C.
                None => return self.skip_initializer(&item.init),
            }
        }
    }

    fn skip_initializer(&mut self, init: &Initializer) -> Res<()> {
        match init {
            Initializer::Expr(e) => {
                self.unevaluated += 1;
                let result = self.expr(e);
                self.unevaluated -= 1;
                result.map(|_| ())
            }
            Initializer::List { items, .. } => items.iter().try_for_each(|i| self.skip_initializer(&i.init)),
        }
    }

    /// Initialises one part by an item of the list, descending into it where its braces are elided.
    fn init_part(
        &mut self,
        stack: &mut Vec<Frame>,
        slot: Slot,
        init: &Initializer,
        walk: &mut Walk,
    ) -> Res<()> {
        let e = match init {
            Initializer::List { items, span } => {
                self.start_over(slot, walk);
                return self.init_list(slot, items, *span, walk);
            }
            Initializer::Expr(e) => e,
        };
        let mut slot = slot;
        let mut item = Item::Syntax(e);
        loop {
            match *self.types.get(slot.ty.id) {
                Type::Array { .. } => {
                    if let Item::Syntax(e) = item
                        && self.init_array_by_expr(slot, e, walk)?
                    {
                        return Ok(());
                    }
                }
                Type::Record(_) => {
                    if let (Sink::Static(_), Item::Syntax(e)) = (&walk.sink, &item)
                        && self.init_by_compound_literal(slot, e, walk)?
                    {
                        return Ok(());
                    }
                    let value = match item {
                        Item::Syntax(e) => self.rvalue(e)?,
                        Item::Checked(value) => value,
                    };
                    if value.ty == slot.ty.id {
                        return self.store(slot, value, walk);
                    }
                    // A value was checked for its type; strings are looked at again below.
                    item = if matches!(peel(e).kind, ast::ExprKind::String { .. }) {
                        Item::Syntax(e)
                    } else {
                        Item::Checked(value)
                    };
                }
                _ => return self.init_whole(slot, item, walk).map(|_| ()),
            }
            let mut frame = Frame { slot, next: 0 };
            match self.part(&slot, 0) {
                Some(inner) => {
                    frame.next = self.after(&slot, 0);
                    stack.push(frame);
                    slot = inner;
                }
                None if matches!(self.types.get(slot.ty.id), Type::Record(r) if self.types.records[*r].layout.is_none()) =>
                {
                    return error(e.span, "invalid use of an incomplete type");
                }
                // An empty aggregate takes nothing; the item is for what follows.
                None => {
                    let Some(top) = stack.last() else { return Ok(()) };
                    match self.part(&top.slot, top.next) {
                        Some(next) => {
                            if let Some(top) = stack.last_mut() {
                                top.next = self.after(&top.slot, top.next);
                            }
                            slot = next;
                        }
                        None if stack.len() > 1 => {
                            stack.pop();
                            return Ok(());
                        }
                        None => return Ok(()),
                    }
                }
            }
        }
    }

    /// Part `n` of an aggregate, if it has that many to be initialised.
    fn part(&self, slot: &Slot, n: u64) -> Option<Slot> {
        match *self.types.get(slot.ty.id) {
            Type::Array { elem, len } => {
                let within = match len {
                    ArrayLen::Fixed(count) => n < count,
                    ArrayLen::Unknown => true,
                    ArrayLen::Vla(_) => false,
                };
                let size = self.types.size_of(elem.id)?;
                within.then(|| Slot { ty: elem, offset: slot.offset + n * size, bits: None })
            }
            Type::Record(r) => {
                let record = &self.types.records[r];
                let field = record.layout.as_ref()?.fields.get(usize::try_from(n).ok()?)?;
                Some(Slot { ty: field.ty, offset: slot.offset + field.offset, bits: field.bits })
            }
            _ => None,
        }
    }

    /// The number of the part that follows part `n`: in a union, none does.
    fn after(&self, slot: &Slot, n: u64) -> u64 {
        match *self.types.get(slot.ty.id) {
            Type::Record(r) if self.types.records[r].is_union => u64::MAX,
            _ => n + 1,
        }
    }

    fn init_designated(
        &mut self,
        stack: &mut Vec<Frame>,
        designator: &Designator,
        rest: &[Designator],
        init: &Initializer,
        walk: &mut Walk,
    ) -> Res<()> {
        match designator {
            Designator::Field(name, span) => {
                self.enter_field(stack, *name, *span, walk)?;
                self.init_rest(stack, rest, init, walk)
            }
            Designator::Index(e) => {
                let n = self.index_designator(stack, e)?;
                if let Some(top) = stack.last_mut() {
                    top.next = n;
                }
                self.init_rest(stack, rest, init, walk)
            }
            Designator::Range(low, high) => {
                let (low_n, high_n) =
                    (self.index_designator(stack, low)?, self.index_designator(stack, high)?);
                if low_n > high_n {
                    return error(low.span, "empty index range in initializer");
                }
                self.init_range(stack, low_n, high_n, rest, init, low.span, walk)
            }
        }
    }

    /// `[low ... high] = init`: a static part is copied; an automatic one is computed for each
    /// element, which must not be noticeable.
    #[allow(clippy::too_many_arguments)]
    fn init_range(
        &mut self,
        stack: &mut Vec<Frame>,
        low: u64,
        high: u64,
        rest: &[Designator],
        init: &Initializer,
        span: Span,
        walk: &mut Walk,
    ) -> Res<()> {
        let depth = stack.len();
        let whole = rest.is_empty() && matches!(walk.sink, Sink::Static(_));
        let last = if whole { low } else { high };
        for n in low..=last {
            stack.truncate(depth);
            if let Some(top) = stack.last_mut() {
                top.next = n;
            }
            let before = match &walk.sink {
                Sink::Local { items, .. } => items.len(),
                Sink::Static(_) => 0,
            };
            self.init_rest(stack, rest, init, walk)?;
            if let Sink::Local { items, .. } = &walk.sink
                && low < high
                && items
                    .get(before..)
                    .unwrap_or(&[])
                    .iter()
                    .any(|i| has_effects(&i.value) && !is_literal(&i.value))
            {
                return unsupported(span, "range designator with a value that has side effects");
            }
        }
        if whole {
            stack.truncate(depth);
            let slot = stack.last().and_then(|top| self.part(&top.slot, low));
            if let (Some(slot), Sink::Static(builder)) = (slot, &mut walk.sink) {
                let size = self.types.size_of(slot.ty.id).unwrap_or(0);
                let count = high - low + 1;
                if size
                    .checked_mul(count)
                    .and_then(|n| n.checked_add(slot.offset))
                    .is_none_or(|n| n > MAX_DATA)
                {
                    return unsupported(span, "the initialised part of the object is too large");
                }
                builder.repeat(slot.offset, size, count);
                walk.end = walk.end.max(slot.offset + size * count);
            }
            if let Some(top) = stack.last_mut() {
                top.next = high + 1;
            }
        }
        Ok(())
    }

    /// The top frame stands at the designated part: go on with the other designators or initialise.
    fn init_rest(
        &mut self,
        stack: &mut Vec<Frame>,
        rest: &[Designator],
        init: &Initializer,
        walk: &mut Walk,
    ) -> Res<()> {
        let Some(top) = stack.last_mut() else { return Ok(()) };
        let (slot, at) = (top.slot, top.next);
        let part = self.part(&slot, at);
        let next = self.after(&slot, at);
        if let Some(top) = stack.last_mut() {
            top.next = next;
        }
        let Some(part) = part else { return Err(Fail::reported()) };
        match rest.split_first() {
            None => self.init_part(stack, part, init, walk),
            Some((designator, rest)) => {
                stack.push(Frame { slot: part, next: 0 });
                self.init_designated(stack, designator, rest, init, walk)
            }
        }
    }

    fn index_designator(&mut self, stack: &[Frame], e: &ast::Expr) -> Res<u64> {
        let Some(top) = stack.last() else { return Err(Fail::reported()) };
        let slot = top.slot;
        let (n, negative) = self.integer_constant(e, "nonconstant array index in initializer")?;
        let Type::Array { len, elem } = *self.types.get(slot.ty.id) else {
            return error(e.span, "array index in non-array initializer");
        };
        let size = Ord::max(self.types.size_of(elem.id).unwrap_or(1), 1);
        let fits = match len {
            ArrayLen::Fixed(count) => n < u128::from(count),
            _ => n < u128::from(i64::MAX as u64 / size),
        };
        if negative || !fits {
            return error(e.span, "array index in initializer exceeds array bounds");
        }
        Ok(n as u64)
    }

    /// Moves to a member, through anonymous members if it lies in one.
    fn enter_field(&mut self, stack: &mut Vec<Frame>, name: Symbol, span: Span, walk: &mut Walk) -> Res<()> {
        let Some(top) = stack.last() else { return Err(Fail::reported()) };
        let ty = top.slot.ty.id;
        let Type::Record(_) = *self.types.get(ty) else {
            return error(span, "field name not in record or union initializer");
        };
        let Some(path) = self.field_path(ty, name) else {
            return error(span, format!("'{}' has no member named '{name}'", self.plain_name(ty)));
        };
        for (i, &n) in path.iter().enumerate() {
            let Some(top) = stack.last_mut() else { return Err(Fail::reported()) };
            top.next = n;
            let slot = top.slot;
            self.choose_union_member(slot, n, walk);
            if i + 1 < path.len() {
                let Some(part) = self.part(&slot, n) else { return Err(Fail::reported()) };
                let next = self.after(&slot, n);
                if let Some(top) = stack.last_mut() {
                    top.next = next;
                }
                stack.push(Frame { slot: part, next: 0 });
            }
        }
        Ok(())
    }

    /// Designating another member of a union undoes the member initialised before.
    fn choose_union_member(&mut self, slot: Slot, n: u64, walk: &mut Walk) {
        if !matches!(*self.types.get(slot.ty.id), Type::Record(r) if self.types.records[r].is_union) {
            return;
        }
        let last = walk.unions.iter_mut().find(|u| u.0 == slot.offset && u.1 == slot.ty.id);
        // Without designators it is the first.
        let before = last.as_ref().map_or(0, |u| u.2);
        match last {
            Some(last) => last.2 = n,
            None => walk.unions.push((slot.offset, slot.ty.id, n)),
        }
        if before != n {
            self.start_over(slot, walk);
        }
    }

    /// Numbers of the members that lead to `name`, outermost first.
    fn field_path(&self, ty: TypeId, name: Symbol) -> Option<Vec<u64>> {
        let Type::Record(r) = *self.types.get(ty) else { return None };
        let layout = self.types.records[r].layout.as_ref()?;
        for (n, field) in layout.fields.iter().enumerate() {
            if field.name == Some(name) {
                return Some(vec![n as u64]);
            }
            if field.name.is_none()
                && let Some(mut path) = self.field_path(field.ty.id, name)
            {
                path.insert(0, n as u64);
                return Some(path);
            }
        }
        None
    }

    /// A new list for a part that may have been initialised before replaces all of it.
    fn start_over(&mut self, slot: Slot, walk: &mut Walk) {
        let Some(len) = self.types.size_of(slot.ty.id) else { return };
        if slot.bits.is_some() {
            return;
        }
        match &mut walk.sink {
            Sink::Static(builder) => builder.clear(slot.offset, len),
            Sink::Local { items, .. } => {
                if items.last().is_some_and(|i| i.offset >= slot.offset) {
                    items.retain(|i| i.offset < slot.offset || i.offset >= slot.offset + len);
                }
            }
        }
    }
}

/// Without parentheses and `__extension__`.
pub(crate) fn peel(e: &ast::Expr) -> &ast::Expr {
    match &e.kind {
        ast::ExprKind::Paren(inner) | ast::ExprKind::Unary { op: ast::UnaryOp::Extension, arg: inner } => {
            peel(inner)
        }
        _ => e,
    }
}

/// Reading a string literal or a constant.
fn is_literal(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Const(_) => true,
        ExprKind::Read(LValue { kind: LValueKind::Global(_), ty, .. }) => !ty.is_volatile,
        _ => false,
    }
}
