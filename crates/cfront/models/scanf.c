// Formatted input, byte by byte with one byte of look-ahead, as a stream demands.
// Strings are streams of their own. Numbers are collected as text and converted like
// `strtol`; an integer too large for its type is cut to it. EOF where the input ends, or
// fails as `fgetc` says.

//@ __cairn_take __cairn_give __cairn_taken
// Input with the number of bytes consumed, for `%n`.
int __model_fgetc(FILE *stream);
int __model_ungetc(int c, FILE *stream);
int __cairn_taken;
int __cairn_take(FILE *stream) {
    int c = __model_fgetc(stream);
    __cairn_taken += c >= 0;
    return c;
}
void __cairn_give(FILE *stream, int c) {
    __cairn_taken -= c >= 0;
    __model_ungetc(c, stream);
}

//@ __cairn_scan_number
// Reads the text of a number of at most `width` bytes that `strtol` (or, with `real`, `strtod`)
// would take, and at most `size - 1`. Gives its length.
int __cairn_take(FILE *stream);
void __cairn_give(FILE *stream, int c);
static int is_digit(int c, int base) {
    int d = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'z' ? c - 'a' + 10 : c >= 'A' && c <= 'Z' ? c - 'A' + 10 : 99;
    return d < base;
}
int __cairn_scan_number(FILE *stream, char *text, int size, int width, int base, int real) {
    int n = 0, c = __cairn_take(stream), digits = 0;
    if (width > size - 1)
        width = size - 1;
    if (n < width && (c == '-' || c == '+')) {
        text[n++] = (char)c;
        c = __cairn_take(stream);
    }
    if (real && n < width && (c == 'i' || c == 'I' || c == 'n' || c == 'N')) {
        // "inf", "infinity" or "nan"; part of a word is no number.
        const char *word = c == 'i' || c == 'I' ? "infinity" : "nan";
        int k = 0;
        while (n < width && word[k] && (c | 32) == word[k]) {
            text[n++] = (char)c;
            k++;
            c = __cairn_take(stream);
        }
        __cairn_give(stream, c);
        text[n] = 0;
        return k == 3 || k == 8 ? n : 0;
    }
    if (n < width && c == '0' && (base == 0 || base == 16 || real)) {
        text[n++] = (char)c;
        digits = 1;
        c = __cairn_take(stream);
        if (n < width && (c == 'x' || c == 'X')) {
            text[n++] = (char)c;
            base = 16;
            digits = 0;
            c = __cairn_take(stream);
        } else if (base == 0)
            base = 8;
    }
    if (base == 0)
        base = 10;
    while (n < width && is_digit(c, base)) {
        text[n++] = (char)c;
        digits = 1;
        c = __cairn_take(stream);
    }
    if (real && n < width && c == '.') {
        text[n++] = (char)c;
        c = __cairn_take(stream);
        while (n < width && is_digit(c, base)) {
            text[n++] = (char)c;
            digits = 1;
            c = __cairn_take(stream);
        }
    }
    if (real && digits && n < width && (c | 32) == (base == 16 ? 'p' : 'e')) {
        text[n++] = (char)c;
        digits = 0;
        c = __cairn_take(stream);
        if (n < width && (c == '-' || c == '+')) {
            text[n++] = (char)c;
            c = __cairn_take(stream);
        }
        while (n < width && is_digit(c, 10)) {
            text[n++] = (char)c;
            digits = 1;
            c = __cairn_take(stream);
        }
    }
    __cairn_give(stream, c);
    text[n] = 0;
    return digits ? n : 0;
}

//@ __cairn_vscanf
int __cairn_take(FILE *stream);
void __cairn_give(FILE *stream, int c);
unsigned long long __model_strtoull(const char *text, char **end, int base);
long long __model_strtoll(const char *text, char **end, int base);
int __cairn_scan_number(FILE *stream, char *text, int size, int width, int base, int real);
extern int __cairn_taken;
static int is_space(int c) {
    return c == ' ' || (c >= 9 && c <= 13);
}
static int skip_space(FILE *stream) {
    int c;
    do
        c = __cairn_take(stream);
    while (is_space(c));
    __cairn_give(stream, c);
    return c;
}
// Is `c` in the set between the brackets that `set` points behind? `*end` gets the closing one.
static int in_set(const char *set, int c, const char **end) {
    int negated = *set == '^', found = 0;
    if (negated)
        set++;
    const char *first = set;
    for (; *set && (*set != ']' || set == first); set++) {
        if (set[1] == '-' && set[2] && set[2] != ']') {
            found |= (unsigned char)set[0] <= c && c <= (unsigned char)set[2];
            set += 2;
        } else
            found |= (unsigned char)*set == c;
    }
    *end = set;
    return found != negated;
}
// The list travels in a record, so that it is passed the same way in both data models.
struct list { va_list ap; };
// Where characters go: nowhere, to an array of the caller's, or (`%ms`) to one that grows.
struct target {
    char *at;
    int wide, discard;
    char **owner;
    size_t n, room;
};
static void aim(struct target *t, int discard, int allocate, struct list *args) {
    t->at = 0;
    t->n = t->room = 0;
    t->discard = discard;
    if (discard)
        return;
    if (!allocate) {
        t->at = __builtin_va_arg(args->ap, char *);
        return;
    }
    t->owner = __builtin_va_arg(args->ap, char **);
    t->room = 64;
    t->at = *t->owner = __cairn_alloc(t->room);
}
static void store(struct target *t, int c) {
    if (t->discard)
        return;
    if (t->owner && t->n + sizeof(wchar_t) > t->room) {
        char *more = __cairn_alloc(2 * t->room);
        __cairn_copy(more, t->at, t->n);
        __cairn_free(t->at);
        t->room *= 2;
        t->at = *t->owner = more;
    }
    if (t->wide) {
        *(wchar_t *)(t->at + t->n) = c;
        t->n += sizeof(wchar_t);
    } else
        t->at[t->n++] = (char)c;
}
int __cairn_vscanf(FILE *stream, const char *format, struct list *args) {
    int stored = 0;
    __cairn_taken = 0;
    char text[512];
    for (const char *f = format; *f; f++) {
        if (is_space(*f)) {
            skip_space(stream);
            continue;
        }
        if (*f != '%') {
            int c = __cairn_take(stream);
            if (c != (unsigned char)*f) {
                __cairn_give(stream, c);
                return c < 0 && !stored ? -1 : stored;
            }
            continue;
        }
        f++;
        int discard = 0, allocate = 0, width = 0, size = 0;
        if (*f == '*') {
            discard = 1;
            f++;
        }
        for (; *f >= '0' && *f <= '9'; f++)
            width = width * 10 + (*f - '0');
        for (;; f++) {
            if (*f == 'h')
                size--;
            else if (*f == 'l')
                size++;
            else if (*f == 'L' || *f == 'q' || *f == 'j')
                size = 2;
            else if (*f == 'z' || *f == 't')
                size = 1;
            else if (*f == 'm')
                allocate = 1;
            else
                break;
        }
        if (*f == 'n') {
            void *p = discard ? 0 : __builtin_va_arg(args->ap, void *);
            if (p && size >= 2)
                *(long long *)p = __cairn_taken;
            else if (p && size == 1)
                *(long *)p = __cairn_taken;
            else if (p && size == 0)
                *(int *)p = __cairn_taken;
            else if (p && size == -1)
                *(short *)p = (short)__cairn_taken;
            else if (p)
                *(signed char *)p = (signed char)__cairn_taken;
            continue;
        }
        if (*f != 'c' && *f != 'C' && *f != '[' && skip_space(stream) < 0)
            return stored ? stored : -1;
        if (*f == '%') {
            int c = __cairn_take(stream);
            if (c != '%') {
                __cairn_give(stream, c);
                return stored;
            }
            continue;
        }
        int base = 10;
        switch (*f) {
        case 'i':
            base = 0;
            goto integer;
        case 'o':
            base = 8;
            goto integer;
        case 'x':
        case 'X':
        case 'p':
            base = 16;
        case 'd':
        case 'u':
        integer: {
            if (__cairn_scan_number(stream, text, sizeof text, width ? width : 0x7fffffff, base, 0) == 0)
                return stored;
            if (discard)
                break;
            int is_signed = *f == 'd' || *f == 'i';
            void *p = __builtin_va_arg(args->ap, void *);
            if (*f == 'p')
                *(void **)p = (void *)(size_t)__model_strtoull(text, 0, base);
            else if (size >= 2)
                *(long long *)p = is_signed ? __model_strtoll(text, 0, base) : (long long)__model_strtoull(text, 0, base);
            else {
                long long wide = is_signed ? __model_strtoll(text, 0, base) : (long long)__model_strtoull(text, 0, base);
                long long most = (long long)((unsigned long)-1 / 2);
                if (is_signed && wide > most)
                    wide = most;
                if (is_signed && wide < -most - 1)
                    wide = -most - 1;
                if (size == 1)
                    *(long *)p = (long)wide;
                else if (size == 0)
                    *(int *)p = (int)wide;
                else if (size == -1)
                    *(short *)p = (short)wide;
                else
                    *(char *)p = (char)wide;
            }
            stored++;
            break;
        }
        case 'a':
        case 'e':
        case 'f':
        case 'g':
        case 'A':
        case 'E':
        case 'F':
        case 'G': {
            if (__cairn_scan_number(stream, text, sizeof text, width ? width : 0x7fffffff, 10, 1) == 0)
                return stored;
            if (discard)
                break;
            void *where = __builtin_va_arg(args->ap, void *);
            if (size == 0)
                *(float *)where = __cairn_strtof(text, 0);
            else if (size == 1)
                *(double *)where = __cairn_strtod(text, 0);
            else
                *(long double *)where = __cairn_strtold(text, 0);
            stored++;
            break;
        }
        case 'C':
        case 'c': {
            struct target t = {.wide = *f == 'C' || size == 1, .owner = 0};
            aim(&t, discard, allocate, args);
            for (int i = 0; i < (width ? width : 1); i++) {
                int c = __cairn_take(stream);
                if (c < 0)
                    return stored ? stored : -1;
                store(&t, c);
            }
            stored += !discard;
            break;
        }
        case 'S':
        case 's':
        case '[': {
            struct target t = {.wide = *f == 'S' || size == 1, .owner = 0};
            const char *set = f + 1, *end = f;
            int n = 0, c = 0;
            aim(&t, discard, allocate, args);
            while (n < (width ? width : 0x7fffffff) && (c = __cairn_take(stream)) >= 0) {
                if (*f != '[' ? is_space(c) : !in_set(set, c, &end)) {
                    __cairn_give(stream, c);
                    break;
                }
                store(&t, c);
                n++;
            }
            if (*f == '[')
                in_set(set, 0, &end);
            if (n == 0)
                return c < 0 && !stored ? -1 : stored;
            store(&t, 0);
            f = end;
            stored += !discard;
            break;
        }
        default:
            return stored;
        }
    }
    return stored;
}

//@ vfscanf
struct list { va_list ap; };
int __cairn_vscanf(FILE *stream, const char *format, struct list *args);
int vfscanf(FILE *stream, const char *format, va_list ap) {
    struct list args;
    __builtin_va_copy(args.ap, ap);
    return __cairn_vscanf(stream, format, &args);
}
//@= vfscanf __isoc99_vfscanf __isoc23_vfscanf

//@ fscanf
struct list { va_list ap; };
int __cairn_vscanf(FILE *stream, const char *format, struct list *args);
int fscanf(FILE *stream, const char *format, ...) {
    struct list args;
    __builtin_va_start(args.ap, format);
    return __cairn_vscanf(stream, format, &args);
}
//@= fscanf __isoc99_fscanf __isoc23_fscanf

//@ vscanf
extern FILE __cairn_files[3];
int __model_vfscanf(FILE *stream, const char *format, va_list ap);
int vscanf(const char *format, va_list ap) {
    return __model_vfscanf(&__cairn_files[0], format, ap);
}
//@= vscanf __isoc99_vscanf __isoc23_vscanf

//@ scanf
struct list { va_list ap; };
extern FILE __cairn_files[3];
int __cairn_vscanf(FILE *stream, const char *format, struct list *args);
int scanf(const char *format, ...) {
    struct list args;
    __builtin_va_start(args.ap, format);
    return __cairn_vscanf(&__cairn_files[0], format, &args);
}
//@= scanf __isoc99_scanf __isoc23_scanf

//@ vsscanf
struct list { va_list ap; };
int __cairn_vscanf(FILE *stream, const char *format, struct list *args);
int vsscanf(const char *text, const char *format, va_list ap) {
    FILE stream = {.fd = -1, .reads = 1, .kind = 3, .data = (char *)text, .size = (size_t)-1};
    struct list args;
    __builtin_va_copy(args.ap, ap);
    return __cairn_vscanf(&stream, format, &args);
}
//@= vsscanf __isoc99_vsscanf __isoc23_vsscanf

//@ sscanf
struct list { va_list ap; };
int __cairn_vscanf(FILE *stream, const char *format, struct list *args);
int sscanf(const char *text, const char *format, ...) {
    FILE stream = {.fd = -1, .reads = 1, .kind = 3, .data = (char *)text, .size = (size_t)-1};
    struct list args;
    __builtin_va_start(args.ap, format);
    return __cairn_vscanf(&stream, format, &args);
}
//@= sscanf __isoc99_sscanf __isoc23_sscanf
