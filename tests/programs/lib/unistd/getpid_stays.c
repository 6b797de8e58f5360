// A process keeps its number.
#include <stdio.h>
#include <unistd.h>

int main(void) {
    printf("%d %d\n", getpid() == getpid(), getpid() > 0);
    return 0;
}
