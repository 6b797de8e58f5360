// A bit-field is read when only its neighbour was set.
struct s { unsigned a : 3, b : 4; };

static void set(struct s *p) { p->a = 5; }

int main(void) {
    struct s x;
    set(&x);
    return x.b == 5;
}
