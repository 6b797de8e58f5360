// A struct with an unset member is copied; only the set member is used.
struct s { int a, b; };

int main(void) {
    struct s x, y;
    x.a = 4;
    y = x;
    return y.a == 4;
}
