// Characters, lines and formatted text on streams (see stream.c for what may fail).

//@ printf
int printf(const char *format, ...) {
    va_list ap;
    __builtin_va_start(ap, format);
    int n = __cairn_printf(1, format, __cairn_va_area(ap));
    __builtin_va_end(ap);
    return n;
}

//@ vprintf
int vprintf(const char *format, va_list ap) {
    return __cairn_printf(1, format, __cairn_va_area(ap));
}

//@ __cairn_print_text
// Makes the text in memory and writes it; a negative number if that fails, as `__cairn_put`.
size_t __cairn_put(FILE *stream, const void *bytes, size_t n);
int __model_vasprintf(char **result, const char *format, va_list ap);
int __cairn_print_text(FILE *stream, const char *format, va_list ap) {
    char *text;
    int n = __model_vasprintf(&text, format, ap);
    if (n < 0)
        return n;
    size_t done = __cairn_put(stream, text, (size_t)n);
    __cairn_free(text);
    return done == (size_t)n ? n : -1;
}

//@ __cairn_counting_printf
// `printf` by a format with `%n`: its text is made here, because the vocabulary changes no memory.
extern FILE __cairn_files[3];
int __cairn_print_text(FILE *stream, const char *format, va_list ap);
int __cairn_counting_printf(const char *format, ...) {
    va_list ap;
    __builtin_va_start(ap, format);
    int n = __cairn_print_text(&__cairn_files[1], format, ap);
    __builtin_va_end(ap);
    return n;
}

//@ __cairn_counting_fprintf
// The same for `fprintf`.
int __cairn_print_text(FILE *stream, const char *format, va_list ap);
int __cairn_counting_fprintf(FILE *stream, const char *format, ...) {
    va_list ap;
    __builtin_va_start(ap, format);
    int n = __cairn_print_text(stream, format, ap);
    __builtin_va_end(ap);
    return n;
}

//@ vfprintf
int __cairn_fd(FILE *stream);
int __cairn_print_text(FILE *stream, const char *format, va_list ap);
int vfprintf(FILE *stream, const char *format, va_list ap) {
    int fd = __cairn_fd(stream);
    if (fd == 1 || fd == 2)
        return __cairn_printf(fd, format, __cairn_va_area(ap));
    return __cairn_print_text(stream, format, ap);
}

//@ fprintf
int __model_vfprintf(FILE *stream, const char *format, va_list ap);
int fprintf(FILE *stream, const char *format, ...) {
    va_list ap;
    __builtin_va_start(ap, format);
    int n = __model_vfprintf(stream, format, ap);
    __builtin_va_end(ap);
    return n;
}

//@ vdprintf
// -1 with EBADF on a descriptor that is not open; any error on others than standard output.
int __cairn_fd_open(int fd);
int __cairn_refuse(int error);
int __cairn_fail(void);
int __cairn_input_dprintf(void);
int vdprintf(int fd, const char *format, va_list ap) {
    int n = __cairn_printf(fd, format, __cairn_va_area(ap));
    if (!__cairn_fd_open(fd))
        return __cairn_refuse(9); // EBADF
    if (fd > 2 && __cairn_input_dprintf() < 0)
        return __cairn_fail();
    return n;
}

//@ dprintf
int __model_vdprintf(int fd, const char *format, va_list ap);
int dprintf(int fd, const char *format, ...) {
    va_list ap;
    __builtin_va_start(ap, format);
    int n = __model_vdprintf(fd, format, ap);
    __builtin_va_end(ap);
    return n;
}

//@ vsnprintf
struct list { va_list ap; };
int __cairn_format(char *buf, size_t room, const char *format, struct list *args);
int vsnprintf(char *buf, size_t n, const char *format, va_list ap) {
    struct list args;
    __builtin_va_copy(args.ap, ap);
    return __cairn_format(buf, n, format, &args);
}

//@ snprintf
struct list { va_list ap; };
int __cairn_format(char *buf, size_t room, const char *format, struct list *args);
int snprintf(char *buf, size_t n, const char *format, ...) {
    struct list args;
    __builtin_va_start(args.ap, format);
    return __cairn_format(buf, n, format, &args);
}

//@ vsprintf
int __model_vsnprintf(char *buf, size_t n, const char *format, va_list ap);
int vsprintf(char *buf, const char *format, va_list ap) {
    return __model_vsnprintf(buf, 0x7fffffff, format, ap);
}

//@ sprintf
struct list { va_list ap; };
int __cairn_format(char *buf, size_t room, const char *format, struct list *args);
int sprintf(char *buf, const char *format, ...) {
    struct list args;
    __builtin_va_start(args.ap, format);
    return __cairn_format(buf, 0x7fffffff, format, &args);
}

//@ vasprintf
// -1 if there is no memory.
void *malloc(size_t n);
int __model_vsnprintf(char *buf, size_t n, const char *format, va_list ap);
int vasprintf(char **result, const char *format, va_list ap) {
    int len = __model_vsnprintf(0, 0, format, ap);
    if (len < 0)
        return len;
    char *buf = malloc((size_t)len + 1);
    if (!buf)
        return -1;
    *result = buf;
    return __model_vsnprintf(buf, (size_t)len + 1, format, ap);
}

//@ asprintf
int __model_vasprintf(char **result, const char *format, va_list ap);
int asprintf(char **result, const char *format, ...) {
    va_list ap;
    __builtin_va_start(ap, format);
    int n = __model_vasprintf(result, format, ap);
    __builtin_va_end(ap);
    return n;
}

//@ puts
size_t __model_strlen(const char *s);
int puts(const char *s) {
    size_t n = __model_strlen(s);
    __cairn_write(1, s, n);
    __cairn_write(1, "\n", 1);
    return (int)n + 1;
}

//@ fputs
// EOF if it fails, as `__cairn_put`.
size_t __model_strlen(const char *s);
size_t __cairn_put(FILE *stream, const void *bytes, size_t n);
int fputs(const char *s, FILE *stream) {
    size_t n = __model_strlen(s);
    return __cairn_put(stream, s, n) == n ? 1 : -1;
}
//@= fputs fputs_unlocked

//@ putchar
int putchar(int c) {
    char byte = (char)c;
    __cairn_write(1, &byte, 1);
    return (unsigned char)c;
}

//@= putchar putchar_unlocked

//@ fputc
// EOF if it fails, as `__cairn_put`.
size_t __cairn_put(FILE *stream, const void *bytes, size_t n);
int fputc(int c, FILE *stream) {
    char byte = (char)c;
    return __cairn_put(stream, &byte, 1) == 1 ? (unsigned char)c : -1;
}
//@= fputc putc _IO_putc putc_unlocked fputc_unlocked

//@ __overflow
int __model_fputc(int c, FILE *stream);
int __overflow(FILE *stream, int c) {
    return __model_fputc(c, stream);
}

//@ fwrite
// Gives how many elements were written: fewer if it fails, as `__cairn_put`.
size_t __cairn_put(FILE *stream, const void *bytes, size_t n);
size_t fwrite(const void *data, size_t size, size_t count, FILE *stream) {
    if (size == 0 || count == 0)
        return 0;
    size_t done = __cairn_put(stream, data, size * count);
    return done == size * count ? count : done / size;
}
//@= fwrite fwrite_unlocked

//@ putw
size_t __model_fwrite(const void *data, size_t size, size_t count, FILE *stream);
int putw(int word, FILE *stream) {
    return __model_fwrite(&word, sizeof word, 1, stream) == 1 ? 0 : -1;
}

//@ getw
size_t __model_fread(void *data, size_t size, size_t count, FILE *stream);
int getw(FILE *stream) {
    int word;
    return __model_fread(&word, sizeof word, 1, stream) == 1 ? word : -1;
}

//@ perror
int __model_fprintf(FILE *stream, const char *format, ...);
char *__model_strerror(int error);
int *__errno_location(void);
extern FILE *stderr;
void perror(const char *s) {
    const char *text = __model_strerror(*__errno_location());
    if (s && *s)
        __model_fprintf(stderr, "%s: %s\n", s, text);
    else
        __model_fprintf(stderr, "%s\n", text);
}

//@ psignal
int __model_fprintf(FILE *stream, const char *format, ...);
char *__model_strsignal(int signal);
extern FILE *stderr;
void psignal(int signal, const char *s) {
    if (s && *s)
        __model_fprintf(stderr, "%s: %s\n", s, __model_strsignal(signal));
    else
        __model_fprintf(stderr, "%s\n", __model_strsignal(signal));
}

//@ fgets
int __model_fgetc(FILE *stream);
char *fgets(char *buf, int n, FILE *stream) {
    if (n <= 0)
        return 0;
    if (n == 1) {
        buf[0] = 0;
        return buf;
    }
    int i = 0;
    while (i < n - 1) {
        int c = __model_fgetc(stream);
        if (c < 0)
            break;
        buf[i++] = (char)c;
        if (c == '\n')
            break;
    }
    if (i == 0)
        return 0;
    buf[i] = 0;
    return buf;
}

//@= fgets fgets_unlocked

//@ gets
int __model_getchar(void);
char *gets(char *buf) {
    int i = 0, c;
    while ((c = __model_getchar()) >= 0 && c != '\n')
        buf[i++] = (char)c;
    if (c < 0 && i == 0)
        return 0;
    buf[i] = 0;
    return buf;
}

//@ fread
int __model_fgetc(FILE *stream);
size_t fread(void *data, size_t size, size_t count, FILE *stream) {
    unsigned char *p = data;
    if (size == 0)
        return 0;
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < size; j++) {
            int c = __model_fgetc(stream);
            if (c < 0)
                return i;
            *p++ = (unsigned char)c;
        }
    return count;
}

//@= fread fread_unlocked

//@ getdelim
// -1 at the end, or if reading fails, or if there is no memory.
int __model_fgetc(FILE *stream);
void *malloc(size_t n);
void *realloc(void *p, size_t n);
ptrdiff_t getdelim(char **line, size_t *room, int delimiter, FILE *stream) {
    if (!line || !room)
        return -1;
    if (!*line || *room == 0) {
        *room = 120;
        *line = realloc(*line, *room);
        if (!*line)
            return -1;
    }
    size_t n = 0;
    int c;
    while ((c = __model_fgetc(stream)) >= 0) {
        if (n + 2 > *room) {
            *room = *room * 2 > n + 2 ? *room * 2 : n + 2;
            *line = realloc(*line, *room);
            if (!*line)
                return -1;
        }
        (*line)[n++] = (char)c;
        if (c == delimiter)
            break;
    }
    if (n == 0)
        return -1;
    (*line)[n] = 0;
    return (ptrdiff_t)n;
}
//@= getdelim __getdelim

//@ getline
ptrdiff_t __model_getdelim(char **line, size_t *room, int delimiter, FILE *stream);
ptrdiff_t getline(char **line, size_t *room, FILE *stream) {
    return __model_getdelim(line, room, '\n', stream);
}

//@ remove
// -1 with any error.
int __cairn_fail(void);
int __cairn_input_remove(void);
int remove(const char *path) {
    *(volatile const char *)path;
    return __cairn_input_remove() < 0 ? __cairn_fail() : 0;
}

//@ rename
// -1 with any error.
int __cairn_fail(void);
int __cairn_input_rename(void);
int rename(const char *from, const char *to) {
    *(volatile const char *)from;
    *(volatile const char *)to;
    return __cairn_input_rename() < 0 ? __cairn_fail() : 0;
}

//@ tmpnam
// A name, or null.
char __cairn_input_tmpnam(void);
char *tmpnam(char *buf) {
    static char own[20];
    char *name = buf ? buf : own;
    if (__cairn_input_tmpnam() < 0)
        return 0;
    __cairn_copy(name, "/tmp/file", 9);
    for (int i = 9; i < 15; i++) {
        char c = __cairn_input_tmpnam();
        name[i] = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ? c : 'x';
    }
    name[15] = 0;
    return name;
}

//@ ctermid
char *ctermid(char *buf) {
    static char own[9];
    char *name = buf ? buf : own;
    __cairn_copy(name, "/dev/tty", 9);
    return name;
}
