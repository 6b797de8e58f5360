/* What harnesses for KLEE call, as far as it has a model. */
#ifndef KLEE_H
#define KLEE_H
#include <stddef.h>
#include <stdint.h>

void klee_make_symbolic(void *object, size_t size, const char *name);
void klee_assume(uintptr_t condition);
int klee_int(const char *name);
int klee_range(int begin, int end, const char *name);
void klee_silent_exit(int status) __attribute__((noreturn));
void klee_abort(void) __attribute__((noreturn));
void klee_report_error(const char *file, int line, const char *message, const char *suffix)
    __attribute__((noreturn));
void klee_prefer_cex(void *object, uintptr_t condition);
void klee_warning(const char *message);
void klee_warning_once(const char *message);
void klee_mark_global(void *object);
void klee_open_merge(void);
void klee_close_merge(void);

void __assert_fail(const char *, const char *, unsigned, const char *) __attribute__((noreturn));
#define klee_assert(e) ((e) ? (void)0 : __assert_fail(#e, __FILE__, __LINE__, __func__))
#endif
