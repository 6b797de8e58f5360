// A pointer that nobody has set is followed.
struct list { int v; struct list *next; };

int main(void) {
    struct list a;
    a.v = 1;
    struct list b = a;
    return b.next->v;
}
