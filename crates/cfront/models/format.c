// Formatted text in memory. Only the digits of floating-point numbers come from the
// vocabulary; all else is done here, so that everybody who reads the model knows the text.

//@ __cairn_print_one
// `snprintf` for one conversion.
int __cairn_print_one(char *buf, size_t n, const char *format, ...) {
    va_list ap;
    __builtin_va_start(ap, format);
    int len = __cairn_snprintf(buf, n, format, __cairn_va_area(ap));
    __builtin_va_end(ap);
    return len;
}

//@ __cairn_digits
// The digits of a number, last first. Numbers of 32 bits are divided as such.
int __cairn_digits(char *digits, unsigned long long value, unsigned base, int upper) {
    int n = 0;
    char ten = upper ? 'A' - 10 : 'a' - 10;
    if (base != 10) {
        int bits = base == 16 ? 4 : 3;
        for (; value; value >>= bits) {
            unsigned d = (unsigned)value & (base - 1);
            digits[n++] = (char)(d < 10 ? '0' + d : ten + d);
        }
        return n;
    }
    for (; value > 0xffffffff; value /= 10)
        digits[n++] = (char)('0' + value % 10);
    for (unsigned rest = (unsigned)value; rest; rest /= 10)
        digits[n++] = (char)('0' + rest % 10);
    return n;
}

//@ __cairn_format
// Writes as much as there is room for, with a terminator, and gives the length of it all; -1 with
// EILSEQ for a wide character that has no byte. What the vocabulary alone knows (numbered
// arguments) is left to it.
struct list { va_list ap; };
struct out {
    char *buf;
    size_t room, n;
};
struct field {
    int left, zero, plus, space, form, width, precision, size;
};
int __cairn_print_one(char *buf, size_t n, const char *format, ...);
int __cairn_digits(char *digits, unsigned long long value, unsigned base, int upper);
int __cairn_refuse(int error);
char *__model_strerror(int error);
int *__errno_location(void);
static void put(struct out *o, char c) {
    if (o->n + 1 < o->room)
        o->buf[o->n] = c;
    o->n++;
}
static void pad(struct out *o, char c, int n) {
    for (; n > 0; n--)
        put(o, c);
}
static void number(struct out *o, struct field *f, unsigned long long value, char sign, char conversion) {
    char digits[24];
    unsigned base = conversion == 'x' || conversion == 'X' ? 16 : conversion == 'o' ? 8 : 10;
    int n = __cairn_digits(digits, value, base, conversion == 'X');
    int zeros = f->precision > n ? f->precision - n : 0;
    if (f->precision < 0 && n == 0)
        zeros = 1;
    if (f->form && base == 8 && zeros == 0)
        zeros = 1;
    int prefix = f->form && base == 16 && value ? 2 : sign != 0;
    int fill = f->width - prefix - zeros - n;
    if (f->zero && !f->left && f->precision < 0 && fill > 0) {
        zeros += fill;
        fill = 0;
    }
    if (!f->left)
        pad(o, ' ', fill);
    if (prefix == 2) {
        put(o, '0');
        put(o, conversion);
    } else if (prefix)
        put(o, sign);
    pad(o, '0', zeros);
    while (n > 0)
        put(o, digits[--n]);
    if (f->left)
        pad(o, ' ', fill);
}
static void text(struct out *o, struct field *f, const char *s, int n) {
    if (!f->left)
        pad(o, ' ', f->width - n);
    for (int i = 0; i < n; i++)
        put(o, s[i]);
    if (f->left)
        pad(o, ' ', f->width - n);
}
static void real(struct out *o, struct field *f, char conversion, struct list *args) {
    char format[12];
    int k = 0;
    format[k++] = '%';
    if (f->left)
        format[k++] = '-';
    if (f->plus)
        format[k++] = '+';
    if (f->space)
        format[k++] = ' ';
    if (f->form)
        format[k++] = '#';
    if (f->zero)
        format[k++] = '0';
    format[k++] = '*';
    format[k++] = '.';
    format[k++] = '*';
    int wide = f->size >= 3;
    if (wide)
        format[k++] = 'L';
    format[k++] = conversion;
    format[k] = 0;
    double narrow = 0;
    long double all = 0;
    if (wide)
        all = __builtin_va_arg(args->ap, long double);
    else
        narrow = __builtin_va_arg(args->ap, double);
    int n = wide ? __cairn_print_one(0, 0, format, f->width, f->precision, all)
                 : __cairn_print_one(0, 0, format, f->width, f->precision, narrow);
    char *buf = __cairn_alloc((size_t)n + 1);
    if (wide)
        __cairn_print_one(buf, (size_t)n + 1, format, f->width, f->precision, all);
    else
        __cairn_print_one(buf, (size_t)n + 1, format, f->width, f->precision, narrow);
    for (int i = 0; i < n; i++)
        put(o, buf[i]);
    __cairn_free(buf);
}
int __cairn_format(char *buf, size_t room, const char *format, struct list *args) {
    struct out o = {buf, room, 0};
    struct list start;
    __builtin_va_copy(start.ap, args->ap);
    for (const char *p = format; *p; p++) {
        if (*p != '%') {
            put(&o, *p);
            continue;
        }
        p++;
        struct field f = {.precision = -1};
        for (;; p++) {
            if (*p == '-')
                f.left = 1;
            else if (*p == '0')
                f.zero = 1;
            else if (*p == '+')
                f.plus = 1;
            else if (*p == ' ')
                f.space = 1;
            else if (*p == '#')
                f.form = 1;
            else if (*p != '\'' && *p != 'I')
                break;
        }
        if (*p == '*') {
            f.width = __builtin_va_arg(args->ap, int);
            if (f.width < 0) {
                f.left = 1;
                f.width = -f.width;
            }
            p++;
        } else
            for (; *p >= '0' && *p <= '9'; p++)
                f.width = f.width * 10 + (*p - '0');
        if (*p == '.') {
            p++;
            f.precision = 0;
            if (*p == '*') {
                f.precision = __builtin_va_arg(args->ap, int);
                if (f.precision < 0)
                    f.precision = -1;
                p++;
            } else
                for (; *p >= '0' && *p <= '9'; p++)
                    f.precision = f.precision * 10 + (*p - '0');
        }
        for (;; p++) {
            if (*p == 'h')
                f.size--;
            else if (*p == 'l')
                f.size++;
            else if (*p == 'L' || *p == 'q')
                f.size = 3;
            else if (*p == 'j')
                f.size = 2;
            else if (*p == 'z' || *p == 't' || *p == 'Z')
                f.size = 1;
            else
                break;
        }
        char conversion = *p;
        switch (conversion) {
        case '%':
            put(&o, '%');
            break;
        case 'd':
        case 'i': {
            long long value;
            if (f.size >= 2)
                value = __builtin_va_arg(args->ap, long long);
            else if (f.size == 1)
                value = __builtin_va_arg(args->ap, long);
            else {
                int narrow = __builtin_va_arg(args->ap, int);
                value = f.size == 0 ? narrow : f.size == -1 ? (short)narrow : (signed char)narrow;
            }
            unsigned long long size = value < 0 ? 0 - (unsigned long long)value : (unsigned long long)value;
            number(&o, &f, size, value < 0 ? '-' : f.plus ? '+' : f.space ? ' ' : 0, 'd');
            break;
        }
        case 'u':
        case 'o':
        case 'x':
        case 'X': {
            unsigned long long value;
            if (f.size >= 2)
                value = __builtin_va_arg(args->ap, unsigned long long);
            else if (f.size == 1)
                value = __builtin_va_arg(args->ap, unsigned long);
            else {
                unsigned narrow = __builtin_va_arg(args->ap, unsigned);
                value = f.size == 0 ? narrow : f.size == -1 ? (unsigned short)narrow : (unsigned char)narrow;
            }
            number(&o, &f, value, 0, conversion);
            break;
        }
        case 'p': {
            void *value = __builtin_va_arg(args->ap, void *);
            f.form = 1;
            if (!value)
                text(&o, &f, "(nil)", 5);
            else
                number(&o, &f, (size_t)value, 0, 'x');
            break;
        }
        case 'C':
        case 'c': {
            int c = __builtin_va_arg(args->ap, int);
            if ((conversion == 'C' || f.size == 1) && (c < 0 || c > 127))
                return __cairn_refuse(84); // EILSEQ
            char byte = (char)c;
            text(&o, &f, &byte, 1);
            break;
        }
        case 'S':
        case 's': {
            int n = 0;
            if (conversion == 'S' || f.size == 1) {
                const wchar_t *s = __builtin_va_arg(args->ap, const wchar_t *);
                if (!s)
                    s = L"(null)";
                for (; (f.precision < 0 || n < f.precision) && s[n]; n++)
                    if (s[n] < 0 || s[n] > 127)
                        return __cairn_refuse(84); // EILSEQ
                if (!f.left)
                    pad(&o, ' ', f.width - n);
                for (int i = 0; i < n; i++)
                    put(&o, (char)s[i]);
                if (f.left)
                    pad(&o, ' ', f.width - n);
                break;
            }
            const char *s = __builtin_va_arg(args->ap, const char *);
            if (!s)
                s = f.precision < 0 || f.precision >= 6 ? "(null)" : "";
            while ((f.precision < 0 || n < f.precision) && s[n])
                n++;
            text(&o, &f, s, n);
            break;
        }
        case 'm': {
            const char *s = __model_strerror(*__errno_location());
            int n = 0;
            while ((f.precision < 0 || n < f.precision) && s[n])
                n++;
            text(&o, &f, s, n);
            break;
        }
        case 'n': {
            void *where = __builtin_va_arg(args->ap, void *);
            if (f.size >= 2)
                *(long long *)where = (long long)o.n;
            else if (f.size == 1)
                *(long *)where = (long)o.n;
            else if (f.size == 0)
                *(int *)where = (int)o.n;
            else if (f.size == -1)
                *(short *)where = (short)o.n;
            else
                *(signed char *)where = (signed char)o.n;
            break;
        }
        case 'a':
        case 'A':
        case 'e':
        case 'E':
        case 'f':
        case 'F':
        case 'g':
        case 'G':
            real(&o, &f, conversion, args);
            break;
        default:
            return __cairn_snprintf(buf, room, format, __cairn_va_area(start.ap));
        }
    }
    if (room > 0)
        buf[o.n < room ? o.n : room - 1] = 0;
    return (int)o.n;
}
