// A line is any line.
#include <stdio.h>
#include <string.h>
extern void reach_error(void);
int main(void) {
    char line[6];
    if (!fgets(line, sizeof line, stdin))
        return 0;
    if (strcmp(line, "hi\n") == 0)
        reach_error();
    printf("%s", line);
    return 0;
}
