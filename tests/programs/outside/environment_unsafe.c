// A variable of the environment is set to anything, or not.
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    char *home = getenv("SURELY_NOT_SET_ANYWHERE");
    if (getenv("SURELY_NOT_SET_ANYWHERE") == home && home && home[0] == '/' && home[1] == 0)
        reach_error();
    return 0;
}
