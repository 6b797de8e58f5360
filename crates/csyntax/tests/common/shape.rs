//! Trees as short text: expressions fully parenthesised, declarations in the
//! way one reads them aloud. What the tests compare.

use cairn_csyntax::ast::*;

pub fn declaration(d: &Declaration) -> String {
    let base = specs(&d.specs);
    if d.declarators.is_empty() {
        return base;
    }
    let each = |d: &InitDeclarator| {
        let init = d.init.as_ref().map_or(String::new(), |i| format!(" = {}", initializer(i)));
        format!("{}{init}", declared(&d.declarator, &base))
    };
    d.declarators.iter().map(each).collect::<Vec<_>>().join("; ")
}

pub fn declared(d: &Declarator, base: &str) -> String {
    let name = d.name.map_or("_".to_owned(), |n| n.to_string());
    let label = d.asm_label.as_ref().map_or(String::new(), |l| format!(" asm({l})"));
    format!("{name}: {}{base}{}{label}", derived(&d.derived), attrs(&d.attrs))
}

fn derived(list: &[Derived]) -> String {
    let one = |d: &Derived| match d {
        Derived::Pointer { quals, attrs: list } => {
            format!("{}pointer{} to ", self::quals(*quals), attrs(list))
        }
        Derived::Array { size, quals, is_static } => {
            let size = match size {
                ArraySize::Unknown => String::new(),
                ArraySize::Star => " *".into(),
                ArraySize::Expr(e) => format!(" {}", expr(e)),
            };
            format!("{}{}array{size} of ", self::quals(*quals), if *is_static { "static " } else { "" })
        }
        Derived::Function(Params::Prototype { params, variadic }) => {
            let mut list: Vec<String> =
                params.iter().map(|p| declared(&p.declarator, &specs(&p.specs))).collect();
            if *variadic {
                list.push("...".into());
            }
            format!("function({}) returning ", list.join(", "))
        }
        Derived::Function(Params::Knr(names)) => {
            let names: Vec<String> = names.iter().map(|(n, _)| n.to_string()).collect();
            format!("knr({}) returning ", names.join(", "))
        }
    };
    list.iter().map(one).collect()
}

fn quals(q: Quals) -> String {
    let words = [
        (q.is_const, "const "),
        (q.is_volatile, "volatile "),
        (q.is_restrict, "restrict "),
        (q.is_atomic, "atomic "),
    ];
    words.iter().filter(|w| w.0).map(|w| w.1).collect()
}

fn attrs(list: &[Attr]) -> String {
    let arg = |a: &AttrArg| match a {
        AttrArg::Expr(e) => expr(e),
        AttrArg::Type(t) => type_name(t),
    };
    let one = |a: &Attr| match a.args.is_empty() {
        true => format!(" @{}", a.name),
        false => format!(" @{}({})", a.name, a.args.iter().map(arg).collect::<Vec<_>>().join(", ")),
    };
    list.iter().map(one).collect()
}

pub fn specs(s: &DeclSpecs) -> String {
    let mut out = String::new();
    if let Some(storage) = s.storage {
        out += &format!("{storage:?} ").to_lowercase();
    }
    for (set, word) in [(s.thread_local, "thread "), (s.inline, "inline "), (s.noreturn, "noreturn ")] {
        out += if set { word } else { "" };
    }
    for align in &s.align {
        out += &match align {
            AlignSpec::Expr(e) => format!("alignas({}) ", expr(e)),
            AlignSpec::Type(t) => format!("alignas({}) ", type_name(t)),
        };
    }
    out += &quals(s.quals);
    out += &match &s.ty {
        TypeSpec::Basic(b) => format!("{b:?}"),
        TypeSpec::Complex(b) => format!("Complex {b:?}"),
        TypeSpec::Record(r) => record(r),
        TypeSpec::Enum(e) => enumeration(e),
        TypeSpec::Typedef(name) => name.to_string(),
        TypeSpec::TypeofExpr(e) => format!("typeof({})", expr(e)),
        TypeSpec::TypeofType(t) => format!("typeof({})", type_name(t)),
        TypeSpec::Auto => "auto".into(),
        TypeSpec::Atomic(t) => format!("atomic({})", type_name(t)),
        TypeSpec::VaList => "va_list".into(),
        TypeSpec::Size => "size_t".into(),
        TypeSpec::SignedSize => "ssize_t".into(),
        TypeSpec::Missing => "missing".into(),
    };
    out + &attrs(&s.attrs)
}

fn record(r: &RecordSpec) -> String {
    let kind = if r.is_union { "union" } else { "struct" };
    let tag = r.tag.map_or(String::new(), |t| format!(" {t}"));
    let pack = r.pack.map_or(String::new(), |p| format!(" pack {p}"));
    let member = |m: &Member| match m {
        Member::StaticAssert(s) => format!("assert {}", expr(&s.cond)),
        Member::Fields { specs, declarators, .. } if declarators.is_empty() => self::specs(specs),
        Member::Fields { specs, declarators, .. } => {
            let base = self::specs(specs);
            let field = |f: &FieldDeclarator| {
                let width = f.width.as_ref().map_or(String::new(), |w| format!(" width {}", expr(w)));
                format!("{}{width}", declared(&f.declarator, &base))
            };
            declarators.iter().map(field).collect::<Vec<_>>().join("; ")
        }
    };
    let body = r.members.as_ref().map_or(String::new(), |members| {
        format!(" {{{}}}", members.iter().map(member).collect::<Vec<_>>().join("; "))
    });
    format!("{kind}{tag}{body}{pack}{}", attrs(&r.attrs))
}

fn enumeration(e: &EnumSpec) -> String {
    let tag = e.tag.map_or(String::new(), |t| format!(" {t}"));
    let one = |e: &Enumerator| match &e.value {
        None => e.name.to_string(),
        Some(value) => format!("{} = {}", e.name, expr(value)),
    };
    let body = e.enumerators.as_ref().map_or(String::new(), |list| {
        format!(" {{{}}}", list.iter().map(one).collect::<Vec<_>>().join(", "))
    });
    format!("enum{tag}{body}{}", attrs(&e.attrs))
}

pub fn type_name(t: &TypeName) -> String {
    format!("{}{}", derived(&t.declarator.derived), specs(&t.specs))
}

pub fn initializer(i: &Initializer) -> String {
    match i {
        Initializer::Expr(e) => expr(e),
        Initializer::List { items, .. } => {
            let one = |i: &InitItem| format!("{}{}", designators(&i.designators), initializer(&i.init));
            format!("{{{}}}", items.iter().map(one).collect::<Vec<_>>().join(", "))
        }
    }
}

fn path(list: &[Designator]) -> String {
    let one = |d: &Designator| match d {
        Designator::Field(name, _) => format!(".{name}"),
        Designator::Index(e) => format!("[{}]", expr(e)),
        Designator::Range(a, b) => format!("[{}...{}]", expr(a), expr(b)),
    };
    list.iter().map(one).collect()
}

fn designators(list: &[Designator]) -> String {
    if list.is_empty() { String::new() } else { format!("{} = ", path(list)) }
}

fn exprs(list: &[Expr]) -> String {
    list.iter().map(expr).collect::<Vec<_>>().join(", ")
}

pub fn expr(e: &Expr) -> String {
    match &e.kind {
        ExprKind::Ident(name) => name.to_string(),
        ExprKind::Int(i) => {
            let imaginary = if i.imaginary { "i" } else { "" };
            let unsigned = if i.unsigned { "u" } else { "" };
            format!("{}{unsigned}{}{imaginary}", i.value, "l".repeat(i.longs.into()))
        }
        ExprKind::Float(f) => format!("{}{}{}", f.text, f.suffix, if f.imaginary { "i" } else { "" }),
        ExprKind::Char { value, prefix } => format!("'{value}'{prefix:?}"),
        ExprKind::String { units, prefix } => format!("{units:?}{prefix:?}"),
        ExprKind::FuncName => "__func__".into(),
        ExprKind::Paren(e) => expr(e),
        ExprKind::Call { callee, args } => format!("{}({})", expr(callee), exprs(args)),
        ExprKind::Member { base, arrow, name, .. } => {
            format!("{}{}{name}", expr(base), if *arrow { "->" } else { "." })
        }
        ExprKind::Index { base, index } => format!("{}[{}]", expr(base), expr(index)),
        ExprKind::Unary { op, arg } => format!("({op:?} {})", expr(arg)),
        ExprKind::Binary { op, lhs, rhs } => format!("({op:?} {} {})", expr(lhs), expr(rhs)),
        ExprKind::Assign { op: None, lhs, rhs } => format!("(= {} {})", expr(lhs), expr(rhs)),
        ExprKind::Assign { op: Some(op), lhs, rhs } => format!("({op:?}= {} {})", expr(lhs), expr(rhs)),
        ExprKind::Cond { cond, then, other } => {
            let then = then.as_ref().map_or("_".to_owned(), |t| expr(t));
            format!("(? {} {then} {})", expr(cond), expr(other))
        }
        ExprKind::Cast { ty, arg } => format!("(cast {}, {})", type_name(ty), expr(arg)),
        ExprKind::CompoundLiteral { ty, init } => {
            format!("(literal {} {})", type_name(ty), initializer(init))
        }
        ExprKind::SizeofExpr(e) => format!("(sizeof {})", expr(e)),
        ExprKind::SizeofType(t) => format!("(sizeof type {})", type_name(t)),
        ExprKind::AlignofExpr(e) => format!("(alignof {})", expr(e)),
        ExprKind::AlignofType(t) => format!("(alignof type {})", type_name(t)),
        ExprKind::PreferredAlignofExpr(e) => format!("(preferred {})", expr(e)),
        ExprKind::PreferredAlignofType(t) => format!("(preferred type {})", type_name(t)),
        ExprKind::Generic { control, arms } => {
            let arm = |(ty, e): &(Option<TypeName>, Expr)| {
                format!("{}: {}", ty.as_ref().map_or("default".to_owned(), type_name), expr(e))
            };
            format!("(generic {} {})", expr(control), arms.iter().map(arm).collect::<Vec<_>>().join(", "))
        }
        ExprKind::Comma(a, b) => format!("(, {} {})", expr(a), expr(b)),
        ExprKind::StmtExpr(b) => format!("({})", block(b)),
        ExprKind::LabelAddr(name) => format!("&&{name}"),
        ExprKind::ConvertVector { value, ty } => format!("(convertvector {} {})", expr(value), type_name(ty)),
        ExprKind::VaArg { list, ty } => format!("(va_arg {} {})", expr(list), type_name(ty)),
        ExprKind::Offsetof { ty, path: p } => format!("(offsetof {} {})", type_name(ty), path(p)),
        ExprKind::TypesCompatible(a, b) => format!("(compatible {} {})", type_name(a), type_name(b)),
        ExprKind::ChooseExpr { cond, then, other } => {
            format!("(choose {} {} {})", expr(cond), expr(then), expr(other))
        }
        ExprKind::ComplexPart { imag, arg } => {
            format!("({} {})", if *imag { "imag" } else { "real" }, expr(arg))
        }
    }
}

pub fn block(b: &Block) -> String {
    let labels: String = b.local_labels.iter().map(|l| format!("local {l} ")).collect();
    format!("{{{labels}{}}}", b.items.iter().map(item).collect::<Vec<_>>().join(" "))
}

fn item(i: &BlockItem) -> String {
    match i {
        BlockItem::Decl(d) => format!("[{}]", declaration(d)),
        BlockItem::Stmt(s) => stmt(s),
        BlockItem::StaticAssert(s) => format!("assert {};", expr(&s.cond)),
        BlockItem::Function(f) => function(f),
    }
}

pub fn function(f: &FunctionDef) -> String {
    let knr: String = f.knr.iter().map(|d| format!(" [{}]", declaration(d))).collect();
    format!("define {}{knr} {}", declared(&f.declarator, &specs(&f.specs)), stmt(&f.body))
}

pub fn stmt(s: &Stmt) -> String {
    match &s.kind {
        StmtKind::Empty => ";".into(),
        StmtKind::Expr(e) => format!("{};", expr(e)),
        StmtKind::Compound(b) => block(b),
        StmtKind::If { cond, then, other } => {
            let other = other.as_ref().map_or(String::new(), |o| format!(" else {}", stmt(o)));
            format!("if {} {}{other}", expr(cond), stmt(then))
        }
        StmtKind::Switch { value, body } => format!("switch {} {}", expr(value), stmt(body)),
        StmtKind::While { cond, body } => format!("while {} {}", expr(cond), stmt(body)),
        StmtKind::Do { body, cond } => format!("do {} while {}", stmt(body), expr(cond)),
        StmtKind::For { init, cond, step, body } => {
            let init = init.as_ref().map_or(";".to_owned(), |i| item(i));
            let cond = cond.as_ref().map_or("_".to_owned(), expr);
            let step = step.as_ref().map_or("_".to_owned(), expr);
            format!("for ({init} {cond} {step}) {}", stmt(body))
        }
        StmtKind::Goto(name, _) => format!("goto {name};"),
        StmtKind::GotoPtr(e) => format!("goto *{};", expr(e)),
        StmtKind::Continue => "continue;".into(),
        StmtKind::Break => "break;".into(),
        StmtKind::Return(e) => format!("return {};", e.as_ref().map_or("_".to_owned(), expr)),
        StmtKind::Label { name, stmt: s } => format!("{name}: {}", stmt(s)),
        StmtKind::Case { low, high, stmt: s } => {
            let high = high.as_ref().map_or(String::new(), |h| format!("...{}", expr(h)));
            format!("case {}{high}: {}", expr(low), stmt(s))
        }
        StmtKind::Default { stmt: s } => format!("default: {}", stmt(s)),
        StmtKind::Asm(a) => asm(a),
    }
}

pub fn asm(a: &Asm) -> String {
    let parts = [
        (!a.outputs.is_empty(), " outputs"),
        (!a.inputs.is_empty(), " inputs"),
        (!a.labels.is_empty(), " labels"),
    ];
    let parts: String = parts.iter().filter(|p| p.0).map(|p| p.1).collect();
    format!("asm({}{parts});", a.template)
}

pub fn unit(u: &Unit) -> String {
    let one = |i: &Item| match i {
        Item::Function(f) => function(f),
        Item::Decl(d) => declaration(d),
        Item::StaticAssert(s) => {
            format!(
                "assert {}{}",
                expr(&s.cond),
                s.message.as_ref().map_or(String::new(), |m| format!(" {m}"))
            )
        }
        Item::Asm(a) => asm(a),
    };
    u.items.iter().map(one).collect::<Vec<_>>().join("\n")
}
