// __builtin_unreachable is not reached.
static int f(int x) {
    switch (x) {
    case 1: return 10;
    case 2: return 20;
    case 3: return 30;
    default: __builtin_unreachable();
    }
}

int main(void) { return f(3); }
