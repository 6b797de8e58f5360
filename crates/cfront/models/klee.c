// What harnesses for KLEE call. The header they include is in `csyntax`.

//@ klee_make_symbolic
// What fits into one number is one input; other objects are inputs word by word, or byte by byte.
unsigned char __VERIFIER_nondet_uchar(void);
unsigned short __VERIFIER_nondet_ushort(void);
unsigned __VERIFIER_nondet_uint(void);
unsigned long long __VERIFIER_nondet_ulonglong(void);
void klee_make_symbolic(void *object, size_t size, const char *name) {
    char *p = object;
    if (size == 2) {
        unsigned short value = __VERIFIER_nondet_ushort();
        __cairn_copy(p, &value, 2);
    } else if (size == 8) {
        unsigned long long value = __VERIFIER_nondet_ulonglong();
        __cairn_copy(p, &value, 8);
    } else if (size % 4 == 0) {
        for (size_t i = 0; i < size; i += 4) {
            unsigned value = __VERIFIER_nondet_uint();
            __cairn_copy(p + i, &value, 4);
        }
    } else {
        for (size_t i = 0; i < size; i++)
            p[i] = __VERIFIER_nondet_uchar();
    }
}

//@ klee_assume
void klee_assume(unsigned long condition) {
    __cairn_assume(condition != 0);
}

//@ klee_assert
// A macro in the header; here for those who declare it themselves.
void klee_assert(int condition) {
    if (!condition)
        __cairn_assert_fail("klee_assert", "", 0, "");
}

//@ klee_int
int __VERIFIER_nondet_int(void);
int klee_int(const char *name) {
    return __VERIFIER_nondet_int();
}

//@ klee_range
int __VERIFIER_nondet_int(void);
int klee_range(int begin, int end, const char *name) {
    int value = __VERIFIER_nondet_int();
    __cairn_assume(begin <= value && value < end);
    return value;
}

//@ klee_silent_exit
void klee_silent_exit(int status) {
    __cairn_exit(status);
}

//@ klee_abort
void klee_abort(void) {
    __cairn_abort();
}

//@ klee_report_error
void klee_report_error(const char *file, int line, const char *message, const char *suffix) {
    __cairn_assert_fail(message, file, line, "");
}

//@ klee_prefer_cex klee_warning klee_warning_once klee_mark_global klee_open_merge klee_close_merge
// Advice and remarks.
void klee_prefer_cex(void *object, unsigned long condition) {}
void klee_warning(const char *message) {}
void klee_warning_once(const char *message) {}
void klee_mark_global(void *object) {}
void klee_open_merge(void) {}
void klee_close_merge(void) {}
