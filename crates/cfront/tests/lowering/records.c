// Records travel through memory.
struct s { int x, y; char name[4]; };
struct s make(int x) {
    struct s r = {x, .name = "ab"};
    return r;
}
int use(struct s v, int n) { return v.x + n; }
int records(struct s *p, int c) {
    struct s a = make(1), b;
    b = a;
    *p = c ? a : make(2);
    b = (struct s){b.y, b.x};
    return use(b, make(3).y) + use(*p, c++) + (a = b).x + ({ struct s t = *p; t; }).y;
}
