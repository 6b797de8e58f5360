typedef struct { char c[7]; } local_type;
static inline int bump(void) {
    static int n = 50;
    return n++;
}
extern inline int twice(int x);
inline int twice(int x) { return 2 * x; }
const int limit = sizeof(local_type);
int from_b(void) {
    bump();
    return bump() + twice(1);
}
