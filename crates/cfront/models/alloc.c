// The heap. An allocation succeeds unless no object could be that large.

//@ malloc
void *malloc(size_t n) {
    if (n > (size_t)-1 / 2)
        return 0;
    return __cairn_alloc(n);
}

//@ calloc
void *calloc(size_t count, size_t size) {
    size_t n;
    if (__builtin_mul_overflow(count, size, &n) || n > (size_t)-1 / 2)
        return 0;
    return __cairn_alloc_zeroed(n);
}

//@ free
void free(void *p) {
    __cairn_free(p);
}

//@ cfree
void cfree(void *p) {
    __cairn_free(p);
}

//@ realloc
// Always moves, as it may. As in glibc, a size of 0 frees.
void *realloc(void *p, size_t n) {
    if (n > (size_t)-1 / 2)
        return 0;
    if (!p)
        return __cairn_alloc(n);
    if (n == 0) {
        __cairn_free(p);
        return 0;
    }
    size_t old = __cairn_object_size(p);
    void *q = __cairn_alloc(n);
    __cairn_copy(q, p, old < n ? old : n);
    __cairn_free(p);
    return q;
}

//@ reallocarray
void *realloc(void *p, size_t n);
void *reallocarray(void *p, size_t count, size_t size) {
    size_t n;
    if (__builtin_mul_overflow(count, size, &n))
        return 0;
    return realloc(p, n);
}

//@ aligned_alloc
void *memalign(size_t alignment, size_t n);
void *aligned_alloc(size_t alignment, size_t n) {
    return memalign(alignment, n);
}

//@ memalign
void *malloc(size_t n);
void *memalign(size_t alignment, size_t n) {
    void *p = malloc(n);
    if (p && alignment != 0)
        __cairn_place(p, 0, alignment);
    return p;
}

//@ valloc
void *memalign(size_t alignment, size_t n);
void *valloc(size_t n) {
    return memalign(4096, n);
}

//@ posix_memalign
void *memalign(size_t alignment, size_t n);
int posix_memalign(void **result, size_t alignment, size_t n) {
    if (alignment % sizeof(void *) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0)
        return 22; // EINVAL
    void *p = memalign(alignment, n);
    if (!p)
        return 12; // ENOMEM
    *result = p;
    return 0;
}

//@ malloc_usable_size
size_t malloc_usable_size(void *p) {
    return p ? __cairn_object_size(p) : 0;
}
