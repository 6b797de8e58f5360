// A table says what stat writes.
#include <sys/stat.h>

extern void reach_error(void);

int main(void) {
    struct stat s;
    int r = stat("file", &s);
    if (r == 0 && s.st_size == 7)
        reach_error();
    return 0;
}
