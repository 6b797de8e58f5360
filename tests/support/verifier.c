/* The verification functions for programs built with gcc, the oracle of the
 * test harness. Values come from the environment variable CAIRN_INPUTS (a
 * comma-separated list, consumed in order); reaching the error ends the
 * process with exit code 99, a failed assumption with 98. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *next_value(void) {
    static char *rest;
    static int started;
    if (!started) {
        const char *all = getenv("CAIRN_INPUTS");
        rest = all ? strdup(all) : 0;
        started = 1;
    }
    char *value = rest ? strsep(&rest, ",") : 0;
    if (!value || !*value) {
        fflush(stdout);
        fprintf(stderr, "verifier.c: no input value left\n");
        _Exit(97);
    }
    return value;
}

static unsigned long long next_integer(void) {
    const char *value = next_value();
    if (value[0] == '\'') return (unsigned long long)(long long)value[1];
    return value[0] == '-' ? (unsigned long long)strtoll(value, 0, 0) : strtoull(value, 0, 0);
}

#define INTEGER(name, type) type __VERIFIER_nondet_##name(void) { return (type)next_integer(); }
INTEGER(bool, _Bool)
INTEGER(char, char)
INTEGER(uchar, unsigned char)
INTEGER(short, short)
INTEGER(ushort, unsigned short)
INTEGER(int, int)
INTEGER(uint, unsigned)
INTEGER(unsigned, unsigned)
INTEGER(u32, unsigned)
INTEGER(long, long)
INTEGER(ulong, unsigned long)
INTEGER(longlong, long long)
INTEGER(ulonglong, unsigned long long)
INTEGER(size_t, __SIZE_TYPE__)
INTEGER(loff_t, long long)
INTEGER(sector_t, unsigned long)

float __VERIFIER_nondet_float(void) { return (float)strtod(next_value(), 0); }
double __VERIFIER_nondet_double(void) { return strtod(next_value(), 0); }

void __VERIFIER_assume(int holds) {
    if (holds) return;
    fflush(stdout);
    _Exit(98);
}

__attribute__((weak)) void reach_error(void) {
    fflush(stdout);
    _Exit(99);
}

void __VERIFIER_error(void) { reach_error(); }
