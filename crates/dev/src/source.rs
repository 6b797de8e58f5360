//! A large C source made of realistic pieces, for measuring the front end:
//! structs, tables, functions with loops, switches, string handling and calls,
//! all different from each other. The same size always gives the same text.

use std::fmt::Write;

use oorandom::Rand64;

/// About `lines` lines of C, already preprocessed (there are no directives).
pub fn large(lines: usize) -> String {
    let mut random = Rand64::new(2024);
    let mut text = String::with_capacity(lines * 32);
    text.push_str("typedef unsigned long size_type;\nextern int printf(const char *, ...);\nextern void *malloc(size_type);\n");
    let mut count = 3;
    let mut unit = 0;
    while count + 12 < lines {
        let piece = piece(unit, &mut random);
        count += piece.lines().count();
        text.push_str(&piece);
        unit += 1;
    }
    text.push_str("int main(void) {\n    int total = 0;\n");
    for n in (0..unit).step_by((unit / 6).max(1)) {
        let _ = writeln!(text, "    total += entry_{n}({n});");
    }
    text.push_str("    printf(\"%d\\n\", total);\n    return 0;\n}\n");
    text
}

/// One module: a struct, a table, helpers and an entry point.
fn piece(n: usize, random: &mut Rand64) -> String {
    let mut pick = |limit: u64| random.rand_range(1..limit);
    let (size, step, mask, shift) = (pick(60) + 4, pick(9), pick(250), pick(7));
    let table: Vec<String> = (0..12).map(|_| pick(1000).to_string()).collect();
    let table = table.join(", ");
    let previous = n.saturating_sub(1 + (step as usize % 5));
    let call = if n == 0 { "seed".to_owned() } else { format!("helper_{previous}(seed, {step})") };
    format!(
        r#"
/* module {n} */
struct record_{n} {{
    int id;
    unsigned char flags;
    char name[{size}];
    double weight;
    union {{ long count; void *link; }} u;
    struct record_{n} *next;
}};

enum kind_{n} {{ FIRST_{n} = {step}, SECOND_{n}, THIRD_{n} = 1 << {shift} }};

static const int table_{n}[] = {{ {table} }};
static struct record_{n} cache_{n}[{step}];

static int helper_{n}(int value, int depth)
{{
    int result = 0;
    for (int i = 0; i < depth && i < 12; i++) {{
        result += table_{n}[i] * value;
        if (result & {mask})
            result ^= value >> {shift};
        else
            result -= i;
    }}
    return result;
}}

static int classify_{n}(const struct record_{n} *record)
{{
    switch (record->flags & 7) {{
    case FIRST_{n} & 7:
        return record->id;
    case (SECOND_{n} & 7) + 8:
        return -record->id;
    default:
        break;
    }}
    return record->u.count > {mask} ? 1 : 0;
}}

static size_type copy_name_{n}(struct record_{n} *to, const char *from)
{{
    size_type length = 0;
    while (from[length] != '\0' && length + 1 < sizeof to->name) {{
        to->name[length] = from[length];
        length++;
    }}
    to->name[length] = '\0';
    return length;
}}

static struct record_{n} *insert_{n}(struct record_{n} **list, int id, const char *name)
{{
    struct record_{n} *record = malloc(sizeof *record);
    if (!record)
        return 0;
    record->id = id;
    record->flags = (unsigned char)(id * {step} + {mask});
    record->weight = id / 2.0 + {step}.25;
    record->u.count = (long)copy_name_{n}(record, name);
    record->next = *list;
    *list = record;
    return record;
}}

int entry_{n}(int seed)
{{
    struct record_{n} *list = 0;
    int sum = {call};
    for (int i = 0; i < {step}; i++) {{
        struct record_{n} *record = insert_{n}(&list, seed + i, "module {n}");
        if (!record)
            goto out;
        cache_{n}[i] = *record;
        sum += classify_{n}(record) + (int)(record->weight * 4);
    }}
    for (struct record_{n} *r = list; r; r = r->next)
        sum = sum * 31 + r->name[r->id % 3 & 1];
out:
    return sum + helper_{n}(sum, {step}) % 1000;
}}
"#
    )
}

#[cfg(test)]
mod tests {
    #[test]
    fn size_is_as_asked() {
        let lines = super::large(5000).lines().count();
        assert!((4900..=5100).contains(&lines), "{lines}");
    }
}
