// What every unit of models starts with: the types of the data model in force,
// and the vocabulary that lowering gives a meaning to.

typedef typeof(sizeof 0) size_t;
typedef typeof((char *)0 - (char *)0) ptrdiff_t;
typedef int wchar_t; // in ILP32 `long`, which is as wide
typedef unsigned wint_t;
typedef __builtin_va_list va_list;

// A stream. What glibc's headers may look into comes first and is zero but for the flags: with
// empty buffers, their macros call the functions. Standard input keeps its state elsewhere
// (`__cairn_pushed`, `__cairn_at_end`): scalars are easier to reason about.
typedef struct _IO_FILE FILE;
struct _IO_FILE {
    int flags; // 16: the end was met; 32: it has failed
    char buffers[212];
    int fd;
    char reads, writes, appends;
    char kind; // 0: behind a descriptor; 1: memory of fixed size; 2: memory that grows; 3: a string
    unsigned char pushed_count, pushed[4];
    long position;
    char *data;
    size_t size, room;
    char **result;
    size_t *result_size;
};

void *__cairn_alloc(size_t size);
void *__cairn_alloc_zeroed(size_t size);
void __cairn_free(void *p);
void __cairn_copy(void *dst, const void *src, size_t n);
void __cairn_move(void *dst, const void *src, size_t n);
void __cairn_fill(void *dst, int byte, size_t n);
void *__cairn_va_area(va_list ap);
void __cairn_assume(int condition);
void __cairn_exit(int code);
void __cairn_abort(void);
void __cairn_assert_fail(const char *text, const char *file, unsigned line, const char *function);
int __cairn_printf(int fd, const char *format, void *area);
int __cairn_snprintf(char *buf, size_t n, const char *format, void *area);
void __cairn_write(int fd, const void *data, size_t n);
int __cairn_read_byte(int fd);
void __cairn_suppose(const char *condition);
size_t __cairn_object_size(const void *p);
void __cairn_place(const void *p, size_t base, size_t alignment);
float __cairn_strtof(const char *text, char **end);
double __cairn_strtod(const char *text, char **end);
long double __cairn_strtold(const char *text, char **end);
