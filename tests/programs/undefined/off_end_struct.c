// Reading a struct through a pointer to a smaller object.
struct small { int a; };
struct large { int a, b; };

int main(void) {
    struct small s = {1}; struct large *p = (struct large *)&s;
    struct large copy = *p;
    return copy.a;
}
