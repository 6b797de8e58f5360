// Bytes in memory.

//@ memcpy
void *memcpy(void *dst, const void *src, size_t n) {
    __cairn_copy(dst, src, n);
    return dst;
}

//@ mempcpy
void *mempcpy(void *dst, const void *src, size_t n) {
    __cairn_copy(dst, src, n);
    return (char *)dst + n;
}

//@ __mempcpy
void *__mempcpy(void *dst, const void *src, size_t n) {
    __cairn_copy(dst, src, n);
    return (char *)dst + n;
}

//@ memmove
void *memmove(void *dst, const void *src, size_t n) {
    __cairn_move(dst, src, n);
    return dst;
}

//@ bcopy
void bcopy(const void *src, void *dst, size_t n) {
    __cairn_move(dst, src, n);
}

//@ memset
void *memset(void *dst, int byte, size_t n) {
    __cairn_fill(dst, byte, n);
    return dst;
}

//@ bzero
void bzero(void *dst, size_t n) {
    __cairn_fill(dst, 0, n);
}

//@ explicit_bzero
void explicit_bzero(void *dst, size_t n) {
    __cairn_fill(dst, 0, n);
}

//@ memcmp
int memcmp(const void *a, const void *b, size_t n) {
    const unsigned char *p = a, *q = b;
    for (size_t i = 0; i < n; i++)
        if (p[i] != q[i])
            return p[i] - q[i];
    return 0;
}

//@ bcmp
int __model_memcmp(const void *a, const void *b, size_t n);
int bcmp(const void *a, const void *b, size_t n) {
    return __model_memcmp(a, b, n);
}

//@ memchr
void *memchr(const void *s, int byte, size_t n) {
    const unsigned char *p = s;
    for (size_t i = 0; i < n; i++)
        if (p[i] == (unsigned char)byte)
            return (void *)(p + i);
    return 0;
}

//@ memrchr
void *memrchr(const void *s, int byte, size_t n) {
    const unsigned char *p = s;
    while (n > 0) {
        n--;
        if (p[n] == (unsigned char)byte)
            return (void *)(p + n);
    }
    return 0;
}

//@ rawmemchr
void *rawmemchr(const void *s, int byte) {
    const unsigned char *p = s;
    while (*p != (unsigned char)byte)
        p++;
    return (void *)p;
}

//@ memccpy
void *memccpy(void *dst, const void *src, int byte, size_t n) {
    unsigned char *d = dst;
    const unsigned char *s = src;
    for (size_t i = 0; i < n; i++) {
        d[i] = s[i];
        if (s[i] == (unsigned char)byte)
            return d + i + 1;
    }
    return 0;
}

//@ memmem
int __model_memcmp(const void *a, const void *b, size_t n);
void *memmem(const void *hay, size_t hay_len, const void *needle, size_t needle_len) {
    const char *h = hay;
    if (needle_len == 0)
        return (void *)h;
    for (size_t i = 0; i + needle_len <= hay_len; i++)
        if (__model_memcmp(h + i, needle, needle_len) == 0)
            return (void *)(h + i);
    return 0;
}

//@ ffs
int ffs(int x) {
    return x ? __builtin_ctz((unsigned)x) + 1 : 0;
}

//@ ffsl
int ffsl(long x) {
    return x ? __builtin_ctzl((unsigned long)x) + 1 : 0;
}

//@ ffsll
int ffsll(long long x) {
    return x ? __builtin_ctzll((unsigned long long)x) + 1 : 0;
}
