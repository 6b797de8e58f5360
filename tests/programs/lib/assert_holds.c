// Assertions that hold.
#include <assert.h>
#include <stdio.h>

int main(void) {
    int x = 3;
    assert(x == 3);
    assert(x && "with text");
    printf("%d\n", (assert(x > 0), x));
    return 0;
}
