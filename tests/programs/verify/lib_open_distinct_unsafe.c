// Two open descriptors differ.
#include <fcntl.h>
#include <unistd.h>

extern void reach_error(void);

int main(void) {
    int a = open("one", O_RDONLY), b = open("two", O_RDONLY);
    if (a >= 0 && b >= 0)
        reach_error();
    return 0;
}
