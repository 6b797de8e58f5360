// Reading a struct through a pointer to it.
struct small { int a; };
struct large { int a, b; };

int main(void) {
    struct large s = {1, 2}; struct large *p = &s;
    struct large copy = *p;
    return copy.a;
}
