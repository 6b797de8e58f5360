// <search.h>: linear search, and the links of lists. Nothing here fails.

//@ lfind
void *lfind(const void *key, const void *base, size_t *n, size_t size, int (*compare)(const void *, const void *)) {
    for (size_t i = 0; i < *n; i++) {
        const char *p = (const char *)base + i * size;
        if (compare(key, p) == 0)
            return (void *)p;
    }
    return 0;
}

//@ lsearch
void *__model_lfind(const void *key, const void *base, size_t *n, size_t size,
                    int (*compare)(const void *, const void *));
void *lsearch(const void *key, void *base, size_t *n, size_t size, int (*compare)(const void *, const void *)) {
    void *found = __model_lfind(key, base, n, size, compare);
    if (found)
        return found;
    char *end = (char *)base + *n * size;
    __cairn_copy(end, key, size);
    ++*n;
    return end;
}

//@ insque
struct item { struct item *next, *previous; };
void insque(void *element, void *before) {
    struct item *e = element, *p = before;
    if (!p) {
        e->next = e->previous = 0;
        return;
    }
    e->next = p->next;
    e->previous = p;
    if (p->next)
        p->next->previous = e;
    p->next = e;
}

//@ remque
struct item { struct item *next, *previous; };
void remque(void *element) {
    struct item *e = element;
    if (e->next)
        e->next->previous = e->previous;
    if (e->previous)
        e->previous->next = e->next;
}
