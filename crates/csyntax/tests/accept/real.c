// What real headers contain.
typedef unsigned long size_t; typedef __builtin_va_list __gnuc_va_list; typedef __gnuc_va_list va_list;
extern int printf (const char *__restrict __format, ...) __attribute__ ((__format__ (__printf__, 1, 2)));
extern int __REDIRECT_sscanf (const char *__s) __asm__ ("" "__isoc99_sscanf") ;
extern void __assert_fail (const char *__assertion, const char *__file, unsigned int __line, const char *__function) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__noreturn__));
typedef struct { int __val[2]; } __fsid_t; typedef union { struct { int a; } b; long __align; } pthread_mutex_t;
extern __inline __attribute__ ((__gnu_inline__)) int atoi_ (const char *__nptr) { return (int) (long) __nptr; }
typedef struct { long long __max_align_ll __attribute__((__aligned__(__alignof__(long long)))); long double __max_align_ld __attribute__((__aligned__(__alignof__(long double)))); } max_align_t;
typedef float _Complex_f; __extension__ typedef struct { long long int quot; long long int rem; } lldiv_t;
typedef int (*__compar_fn_t) (const void *, const void *); typedef __compar_fn_t comparison_fn_t;
extern void qsort (void *__base, size_t __nmemb, size_t __size, __compar_fn_t __compar) __attribute__ ((__nonnull__ (1, 4)));
void check(int x) { ((void) sizeof ((x > 0) ? 1 : 0), __extension__ ({ if (x > 0) ; else __assert_fail ("x > 0", "f.c", 3, __extension__ __PRETTY_FUNCTION__); })); }
static inline unsigned short bswap(unsigned short x) { return __builtin_bswap16(x); }
int list_for_each(void) { struct list { struct list *next; } head; struct list *pos; for (pos = (head.next); ({ __builtin_prefetch(pos->next); }), pos != (&head); pos = pos->next) ; return ((size_t) &((struct list *)0)->next); }
int cc(void) { return ({ typeof(1) _min1 = (1); typeof(2) _min2 = (2); (void) (&_min1 == &_min2); _min1 < _min2 ? _min1 : _min2; }); }
# 1 "somewhere.h" 1 3 4
int in_header;
# 20 "real.c" 2
int back;
