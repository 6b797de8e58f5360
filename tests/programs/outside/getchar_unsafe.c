// Bytes of standard input are any bytes, and then it ends.
#include <stdio.h>
extern void reach_error(void);
int main(void) {
    int c, open = 0;
    while ((c = getchar()) != EOF && c != '\n') {
        if (c == '(')
            open++;
        if (c == ')')
            open--;
    }
    if (open == 2)
        reach_error();
    printf("%d\n", open);
    return 0;
}
