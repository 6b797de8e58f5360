// The bit-field that was set is read.
struct s { unsigned a : 3, b : 4; };

static void set(struct s *p) { p->a = 5; }

int main(void) {
    struct s x;
    set(&x);
    return x.a == 5;
}
