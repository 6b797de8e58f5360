// A struct with an unset member may be copied; using that member may not.
struct s { int a, b; };

int main(void) {
    struct s x, y;
    x.a = 4;
    y = x;
    return y.b == 4;
}
