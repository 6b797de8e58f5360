// 2:8: unknown type name 'foo_t'
static foo_t *p;
