// What comes from outside while the program runs: bytes of standard input and of
// files, numbers that `scanf` reads, the environment.
//
// A number is one input and not a row of digits: whatever text stands for it, the program sees
// its value only. White space before it leaves no trace, either. Inputs from standard
// input begin with `stdin`; the executor takes them from the real one where there is one, and
// where there is none, a text can be written down for them (see `cairn_core::stdin`).

//@ __cairn_stdin_ended __cairn_stdin_digits
// Was the end of standard input met? Was the last thing read from it a number, so that no digit follows?
int __cairn_stdin_ended;
int __cairn_stdin_digits;

//@ __cairn_read_byte
// The next byte of a descriptor, or -1. After its end, standard input gives nothing more.
short __cairn_input_stdin(void);
short __cairn_input_file(void);
extern int __cairn_stdin_ended, __cairn_stdin_digits;
int __cairn_read_byte(int fd) {
    if (fd != 0) {
        short byte = __cairn_input_file();
        return byte & ~255 ? -1 : byte;
    }
    if (__cairn_stdin_ended)
        return -1;
    short byte = __cairn_input_stdin();
    int c = byte & ~255 ? -1 : byte;
    if (__cairn_stdin_digits) {
        __cairn_assume(c < '0' || c > '9');
        __cairn_stdin_digits = 0;
    }
    if (c < 0)
        __cairn_stdin_ended = 1;
    return c;
}

//@ __cairn_read_word
// The first byte of standard input that is no white space, or -1.
short __cairn_input_stdin_word(void);
extern int __cairn_stdin_ended, __cairn_stdin_digits, __cairn_pushed, __cairn_at_end;
int __cairn_read_word(void) {
    int c = __cairn_pushed;
    __cairn_pushed = -1;
    if (c >= 0 && c != ' ' && (c < 9 || c > 13))
        return c;
    if (!__cairn_stdin_ended) {
        short byte = __cairn_input_stdin_word();
        c = byte & ~255 ? -1 : byte;
        __cairn_assume(c != ' ' && (c < 9 || c > 13));
        __cairn_stdin_digits = 0;
        if (c >= 0)
            return c;
        __cairn_stdin_ended = 1;
    }
    __cairn_at_end = 1;
    return -1;
}

//@ __cairn_scan_space
// A space in the format.
int __cairn_read_word(void);
extern int __cairn_pushed;
void __cairn_scan_space(void) {
    __cairn_pushed = __cairn_read_word();
}

//@ __cairn_scan_byte
// Another character of the format: 1 if it is there, 0 if another one is, -1 at the end.
int __model_getchar(void);
extern int __cairn_pushed;
int __cairn_scan_byte(int wanted) {
    int c = __model_getchar();
    if (c == wanted)
        return 1;
    __cairn_pushed = c;
    return c < 0 ? -1 : 0;
}

//@ __cairn_scan_c
// `%c`, with the same results.
int __model_getchar(void);
int __cairn_scan_c(char *p) {
    int c = __model_getchar();
    if (c < 0)
        return -1;
    *p = (char)c;
    return 1;
}

//@ __cairn_scan_s
// `%s` with a width, or 0.
int __model_getchar(void);
int __cairn_read_word(void);
extern int __cairn_pushed;
int __cairn_scan_s(char *p, int width) {
    int c = __cairn_read_word(), n = 0;
    if (c < 0)
        return -1;
    for (;;) {
        p[n++] = (char)c;
        if (n == width)
            break;
        c = __model_getchar();
        if (c < 0)
            break;
        if (c == ' ' || (c >= 9 && c <= 13)) {
            __cairn_pushed = c;
            break;
        }
    }
    p[n] = 0;
    return 1;
}

//@ __cairn_scan_digits
// A decimal number whose first byte was read already, byte by byte. An overflow gives the largest.
int __cairn_read_byte(int fd);
extern int __cairn_pushed;
int __cairn_scan_digits(int c, unsigned long long *value, int *negative) {
    unsigned long long n = 0;
    *negative = c == '-';
    if (c == '-' || c == '+')
        c = __cairn_read_byte(0);
    int digits = 0;
    while (c >= '0' && c <= '9') {
        unsigned long long more;
        if (__builtin_mul_overflow(n, 10ULL, &more) || __builtin_add_overflow(more, (unsigned long long)(c - '0'), &more))
            n = -1ULL;
        else
            n = more;
        digits = 1;
        c = __cairn_read_byte(0);
    }
    __cairn_pushed = c;
    *value = n;
    return digits;
}

//@ __cairn_scan_d
// `%d` (or `%u`) for a char (size -2), a short (-1), an int (0), a long (1) or a long long: 1 if it was
// read, 0 if there is none, -1 at the end.
short __cairn_input_stdin_number(void);
long long __cairn_input_stdin_d(void);
unsigned long long __cairn_input_stdin_u(void);
int __cairn_scan_digits(int c, unsigned long long *value, int *negative);
extern int __cairn_stdin_ended, __cairn_stdin_digits, __cairn_pushed, __cairn_at_end;
int __cairn_scan_d(void *p, int size, int is_signed) {
    long long value;
    // An unsigned number may be negative; where it is narrow, that must not be lost before it is known to fit.
    int narrow = !is_signed && size < 2 && sizeof(long) == 4;
    int c = __cairn_pushed;
    __cairn_pushed = -1;
    if (c >= 0 && c != ' ' && (c < 9 || c > 13)) {
        unsigned long long n;
        int negative;
        if (!__cairn_scan_digits(c, &n, &negative)) {
            if (c != '-' && c != '+')
                __cairn_pushed = c;
            return 0;
        }
        unsigned long long most = -1ULL / 2;
        if (!is_signed && !narrow)
            value = (long long)(negative ? -n : n);
        else if (negative)
            value = n > most ? -(long long)most - 1 : -(long long)n;
        else
            value = n > most ? (long long)most : (long long)n;
    } else {
        short kind = __cairn_stdin_ended ? -1 : __cairn_input_stdin_number();
        if (kind < 0) {
            __cairn_stdin_ended = __cairn_at_end = 1;
            return -1;
        }
        __cairn_stdin_digits = 1;
        if (kind < 256) {
            // It is no number. A sign is taken nevertheless.
            __cairn_assume(kind != ' ' && (kind < 9 || kind > 13) && (kind < '0' || kind > '9'));
            if (kind != '-' && kind != '+') {
                __cairn_pushed = kind;
                __cairn_stdin_digits = 0;
            }
            return 0;
        }
        if (kind > 256)
            __cairn_stdin_ended = __cairn_at_end = 1;
        value = is_signed || narrow ? __cairn_input_stdin_d() : (long long)__cairn_input_stdin_u();
    }
    long long most = (long long)((unsigned long)-1 / 2);
    if (is_signed && size < 2)
        value = value > most ? most : value < -most - 1 ? -most - 1 : value;
    if (narrow && (value > 0xffffffffLL || value < -0xffffffffLL))
        value = 0xffffffff;
    if (size == 2)
        *(long long *)p = value;
    else if (size == 1)
        *(long *)p = (long)value;
    else if (size == 0)
        *(int *)p = (int)value;
    else if (size == -1)
        *(short *)p = (short)value;
    else
        *(char *)p = (char)value;
    return 1;
}

//@ __cairn_scan_f
// `%f` (size 0) and `%lf` (size 1), with the same results. What follows a byte that was given back is
// not read as a number.
short __cairn_input_stdin_real(void);
double __cairn_input_stdin_f(void);
extern int __cairn_stdin_ended, __cairn_stdin_digits, __cairn_pushed, __cairn_at_end;
int __cairn_scan_f(void *p, int size) {
    int c = __cairn_pushed;
    if (c >= 0 && c != ' ' && (c < 9 || c > 13)) {
        __cairn_suppose("no byte is given back to standard input before a real number");
        __cairn_assume((c < '0' || c > '9') && c != '-' && c != '+' && c != '.');
        return 0;
    }
    __cairn_pushed = -1;
    short kind = __cairn_stdin_ended ? -1 : __cairn_input_stdin_real();
    if (kind < 0) {
        __cairn_stdin_ended = __cairn_at_end = 1;
        return -1;
    }
    __cairn_stdin_digits = 1;
    if (kind < 256) {
        __cairn_assume(kind != ' ' && (kind < 9 || kind > 13) && (kind < '0' || kind > '9'));
        if (kind != '-' && kind != '+' && kind != '.') {
            __cairn_pushed = kind;
            __cairn_stdin_digits = 0;
        }
        return 0;
    }
    if (kind > 256)
        __cairn_stdin_ended = __cairn_at_end = 1;
    double value = __cairn_input_stdin_f();
    if (size == 0)
        *(float *)p = (float)value;
    else
        *(double *)p = value;
    return 1;
}

//@ getenv
// Null or a string, the same for the same name.
unsigned char __cairn_input_getenv(void);
int __model_strcmp(const char *a, const char *b);
char *getenv(const char *name) {
    static struct { const char *name; char *value; } known[8];
    static int count;
    for (int i = 0; i < count; i++)
        if (known[i].name == name || __model_strcmp(known[i].name, name) == 0)
            return known[i].value;
    char *value = 0;
    if (__cairn_input_getenv() != 0) {
        __cairn_suppose("the environment's strings have at most 8 characters");
        value = __cairn_alloc_zeroed(9);
        for (int i = 0; i < 8; i++) {
            value[i] = (char)__cairn_input_getenv();
            if (value[i] == 0)
                break;
        }
    }
    if (count < 8) {
        known[count].name = name;
        known[count].value = value;
        count++;
    }
    return value;
}
