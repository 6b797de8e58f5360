// Multibyte characters in the "C" locale, which every program starts in and which the
// models keep (`setlocale` knows no other): one byte is one character, bytes from 0x80
// on are none. A conversion that meets one fails with EILSEQ.

//@ __ctype_get_mb_cur_max
size_t __ctype_get_mb_cur_max(void) {
    return 1;
}

//@ btowc
wint_t btowc(int c) {
    return c >= 0 && c < 128 ? (wint_t)c : (wint_t)-1;
}

//@ wctob
int wctob(wint_t c) {
    return c < 128 ? (int)c : -1;
}

//@ mbsinit
int mbsinit(const void *state) {
    return 1;
}

//@ mbrtowc
int *__errno_location(void);
size_t mbrtowc(wchar_t *result, const char *s, size_t n, void *state) {
    if (!s)
        return 0;
    if (n == 0)
        return (size_t)-2;
    unsigned char c = (unsigned char)*s;
    if (c >= 128) {
        *__errno_location() = 84; // EILSEQ
        return (size_t)-1;
    }
    if (result)
        *result = c;
    return c != 0;
}

//@ mbrlen
size_t __model_mbrtowc(wchar_t *result, const char *s, size_t n, void *state);
size_t mbrlen(const char *s, size_t n, void *state) {
    return __model_mbrtowc(0, s, n, state);
}
//@= mbrlen __mbrlen

//@ mbtowc
size_t __model_mbrtowc(wchar_t *result, const char *s, size_t n, void *state);
int mbtowc(wchar_t *result, const char *s, size_t n) {
    if (!s)
        return 0;
    size_t used = __model_mbrtowc(result, s, n, 0);
    return used > 1 ? -1 : (int)used;
}

//@ mblen
size_t __model_mbrtowc(wchar_t *result, const char *s, size_t n, void *state);
int mblen(const char *s, size_t n) {
    if (!s)
        return 0;
    size_t used = __model_mbrtowc(0, s, n, 0);
    return used > 1 ? -1 : (int)used;
}

//@ wcrtomb
int *__errno_location(void);
size_t wcrtomb(char *s, wchar_t c, void *state) {
    if (!s)
        return 1;
    if (c < 0 || c >= 128) {
        *__errno_location() = 84; // EILSEQ
        return (size_t)-1;
    }
    *s = (char)c;
    return 1;
}

//@ wctomb
size_t __model_wcrtomb(char *s, wchar_t c, void *state);
int wctomb(char *s, wchar_t c) {
    if (!s)
        return 0;
    return (int)__model_wcrtomb(s, c, 0);
}

//@ mbsnrtowcs
int *__errno_location(void);
size_t mbsnrtowcs(wchar_t *dst, const char **src, size_t bytes, size_t n, void *state) {
    const char *s = *src;
    size_t i = 0;
    for (; i < bytes && (!dst || i < n); i++) {
        unsigned char c = (unsigned char)s[i];
        if (c >= 128) {
            if (dst)
                *src = s + i;
            *__errno_location() = 84; // EILSEQ
            return (size_t)-1;
        }
        if (dst)
            dst[i] = c;
        if (!c) {
            if (dst)
                *src = 0;
            return i;
        }
    }
    if (dst)
        *src = s + i;
    return i;
}

//@ mbsrtowcs
size_t __model_mbsnrtowcs(wchar_t *dst, const char **src, size_t bytes, size_t n, void *state);
size_t mbsrtowcs(wchar_t *dst, const char **src, size_t n, void *state) {
    return __model_mbsnrtowcs(dst, src, (size_t)-1, n, state);
}

//@ mbstowcs
size_t __model_mbsnrtowcs(wchar_t *dst, const char **src, size_t bytes, size_t n, void *state);
size_t mbstowcs(wchar_t *dst, const char *src, size_t n) {
    return __model_mbsnrtowcs(dst, &src, (size_t)-1, n, 0);
}

//@ wcsnrtombs
int *__errno_location(void);
size_t wcsnrtombs(char *dst, const wchar_t **src, size_t characters, size_t n, void *state) {
    const wchar_t *s = *src;
    size_t i = 0;
    for (; i < characters && (!dst || i < n); i++) {
        if (s[i] < 0 || s[i] >= 128) {
            if (dst)
                *src = s + i;
            *__errno_location() = 84; // EILSEQ
            return (size_t)-1;
        }
        if (dst)
            dst[i] = (char)s[i];
        if (!s[i]) {
            if (dst)
                *src = 0;
            return i;
        }
    }
    if (dst)
        *src = s + i;
    return i;
}

//@ wcsrtombs
size_t __model_wcsnrtombs(char *dst, const wchar_t **src, size_t characters, size_t n, void *state);
size_t wcsrtombs(char *dst, const wchar_t **src, size_t n, void *state) {
    return __model_wcsnrtombs(dst, src, (size_t)-1, n, state);
}

//@ wcstombs
size_t __model_wcsnrtombs(char *dst, const wchar_t **src, size_t characters, size_t n, void *state);
size_t wcstombs(char *dst, const wchar_t *src, size_t n) {
    return __model_wcsnrtombs(dst, &src, (size_t)-1, n, 0);
}

//@ mbrtoc32
size_t __model_mbrtowc(wchar_t *result, const char *s, size_t n, void *state);
size_t mbrtoc32(unsigned *result, const char *s, size_t n, void *state) {
    return __model_mbrtowc((wchar_t *)result, s, n, state);
}

//@ c32rtomb
size_t __model_wcrtomb(char *s, wchar_t c, void *state);
size_t c32rtomb(char *s, unsigned c, void *state) {
    return __model_wcrtomb(s, (wchar_t)c, state);
}

//@ mbrtoc16
size_t __model_mbrtowc(wchar_t *result, const char *s, size_t n, void *state);
size_t mbrtoc16(unsigned short *result, const char *s, size_t n, void *state) {
    wchar_t c = 0;
    size_t used = __model_mbrtowc(&c, s, n, state);
    if (s && result && used <= 1)
        *result = (unsigned short)c;
    return used;
}

//@ c16rtomb
size_t __model_wcrtomb(char *s, wchar_t c, void *state);
size_t c16rtomb(char *s, unsigned short c, void *state) {
    return __model_wcrtomb(s, c, state);
}
