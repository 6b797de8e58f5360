// More than 32 functions can be registered, and run in the opposite order.
#include <assert.h>
#include <stdlib.h>

static int next = 40;

static void handler(void) {
    assert(next > 0);
    next--;
}

static void last(void) {
    assert(next == 0);
}

int main(void) {
    if (atexit(last) != 0)
        return 1;
    for (int i = 0; i < 40; i++) {
        int failed = atexit(handler);
        assert(!failed);
    }
    return 0;
}
