// Functions whose result depends on the world: only that they can be called is checked.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int main(void) {
    time_t t = time(NULL);
    printf("%d\n", t != (time_t)-1);
    printf("%d\n", getenv("SURELY_NOT_SET_ANYWHERE") == NULL);
    clock();
    return 0;
}
