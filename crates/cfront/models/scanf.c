// Formatted input from standard input, byte by byte with one byte of look-ahead,
// as a stream demands. Numbers are collected as text and converted like `strtol`.

//@ __cairn_take __cairn_give __cairn_taken
// Input with the number of bytes consumed, for `%n`.
int __model_getchar(void);
int __model_ungetc(int c, FILE *stream);
int __cairn_taken;
int __cairn_take(void) {
    int c = __model_getchar();
    __cairn_taken += c >= 0;
    return c;
}
void __cairn_give(int c) {
    __cairn_taken -= c >= 0;
    __model_ungetc(c, 0);
}

//@ __cairn_scan_number
// Reads the text of a number of at most `width` bytes that `strtol` (or, with `real`, `strtod`)
// would take, and at most `size - 1`. Gives its length.
int __cairn_take(void);
void __cairn_give(int c);
static int is_digit(int c, int base) {
    int d = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'z' ? c - 'a' + 10 : c >= 'A' && c <= 'Z' ? c - 'A' + 10 : 99;
    return d < base;
}
int __cairn_scan_number(char *text, int size, int width, int base, int real) {
    int n = 0, c = __cairn_take(), digits = 0;
    if (width > size - 1)
        width = size - 1;
    if (n < width && (c == '-' || c == '+')) {
        text[n++] = (char)c;
        c = __cairn_take();
    }
    if (n < width && c == '0' && (base == 0 || base == 16)) {
        text[n++] = (char)c;
        digits = 1;
        c = __cairn_take();
        if (n < width && (c == 'x' || c == 'X')) {
            text[n++] = (char)c;
            base = 16;
            digits = 0;
            c = __cairn_take();
        } else if (base == 0)
            base = 8;
    }
    if (base == 0)
        base = 10;
    while (n < width && is_digit(c, base)) {
        text[n++] = (char)c;
        digits = 1;
        c = __cairn_take();
    }
    if (real && n < width && c == '.') {
        text[n++] = (char)c;
        c = __cairn_take();
        while (n < width && is_digit(c, base)) {
            text[n++] = (char)c;
            digits = 1;
            c = __cairn_take();
        }
    }
    if (real && digits && n < width && (c == 'e' || c == 'E')) {
        text[n++] = (char)c;
        c = __cairn_take();
        if (n < width && (c == '-' || c == '+')) {
            text[n++] = (char)c;
            c = __cairn_take();
        }
        while (n < width && is_digit(c, 10)) {
            text[n++] = (char)c;
            c = __cairn_take();
        }
    }
    __cairn_give(c);
    text[n] = 0;
    return digits ? n : 0;
}

//@ __cairn_vscanf
int __cairn_take(void);
void __cairn_give(int c);
unsigned long long __model_strtoull(const char *text, char **end, int base);
long long __model_strtoll(const char *text, char **end, int base);
int __cairn_scan_number(char *text, int size, int width, int base, int real);
extern int __cairn_taken;
static int is_space(int c) {
    return c == ' ' || (c >= 9 && c <= 13);
}
static int skip_space(void) {
    int c;
    do
        c = __cairn_take();
    while (is_space(c));
    __cairn_give(c);
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
int __cairn_vscanf(const char *format, struct list *args) {
    int stored = 0;
    __cairn_taken = 0;
    char text[512];
    for (const char *f = format; *f; f++) {
        if (is_space(*f)) {
            skip_space();
            continue;
        }
        if (*f != '%') {
            int c = __cairn_take();
            if (c != (unsigned char)*f) {
                __cairn_give(c);
                return c < 0 && !stored ? -1 : stored;
            }
            continue;
        }
        f++;
        int discard = 0, width = 0, size = 0;
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
            else
                break;
        }
        if (*f == 'n') {
            if (!discard)
                *__builtin_va_arg(args->ap, int *) = __cairn_taken;
            continue;
        }
        if (*f != 'c' && *f != '[' && skip_space() < 0)
            return stored ? stored : -1;
        if (*f == '%') {
            int c = __cairn_take();
            if (c != '%') {
                __cairn_give(c);
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
            if (__cairn_scan_number(text, sizeof text, width ? width : 0x7fffffff, base, 0) == 0)
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
        case 'E':
        case 'G': {
            if (__cairn_scan_number(text, sizeof text, width ? width : 0x7fffffff, 10, 1) == 0)
                return stored;
            if (discard)
                break;
            double value = __cairn_strtod(text, 0);
            void *p = __builtin_va_arg(args->ap, void *);
            if (size == 0)
                *(float *)p = (float)value;
            else if (size == 1)
                *(double *)p = value;
            else
                *(long double *)p = value;
            stored++;
            break;
        }
        case 'c': {
            char *p = discard ? 0 : __builtin_va_arg(args->ap, char *);
            for (int i = 0; i < (width ? width : 1); i++) {
                int c = __cairn_take();
                if (c < 0)
                    return stored ? stored : -1;
                if (p)
                    *p++ = (char)c;
            }
            stored += !discard;
            break;
        }
        case 's':
        case '[': {
            char *p = discard ? 0 : __builtin_va_arg(args->ap, char *);
            const char *set = f + 1, *end = f;
            int n = 0, c;
            while (n < (width ? width : 0x7fffffff) && (c = __cairn_take()) >= 0) {
                if (*f == 's' ? is_space(c) : !in_set(set, c, &end)) {
                    __cairn_give(c);
                    break;
                }
                if (p)
                    *p++ = (char)c;
                n++;
            }
            if (*f == '[')
                in_set(set, 0, &end);
            if (n == 0)
                return c < 0 && !stored ? -1 : stored;
            if (p)
                *p = 0;
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

//@ scanf
struct list { va_list ap; };
int __cairn_vscanf(const char *format, struct list *args);
int scanf(const char *format, ...) {
    struct list args;
    __builtin_va_start(args.ap, format);
    return __cairn_vscanf(format, &args);
}

//@ __isoc99_scanf
struct list { va_list ap; };
int __cairn_vscanf(const char *format, struct list *args);
int __isoc99_scanf(const char *format, ...) {
    struct list args;
    __builtin_va_start(args.ap, format);
    return __cairn_vscanf(format, &args);
}

//@ fscanf
struct list { va_list ap; };
int __cairn_vscanf(const char *format, struct list *args);
int __cairn_fd(FILE *stream);
int fscanf(FILE *stream, const char *format, ...) {
    struct list args;
    if (__cairn_fd(stream) != 0)
        return -1;
    __builtin_va_start(args.ap, format);
    return __cairn_vscanf(format, &args);
}

//@ __isoc99_fscanf
struct list { va_list ap; };
int __cairn_vscanf(const char *format, struct list *args);
int __cairn_fd(FILE *stream);
int __isoc99_fscanf(FILE *stream, const char *format, ...) {
    struct list args;
    if (__cairn_fd(stream) != 0)
        return -1;
    __builtin_va_start(args.ap, format);
    return __cairn_vscanf(format, &args);
}
