// goto into and out of blocks, backwards and forwards, past declarations.
#include <stdio.h>

int main(void) {
    int n = 0, steps = 0;
    goto inside;
    {
        int x;
    inside:
        x = n * 2;
        steps += x;
        if (n < 5) {
            n++;
            goto inside;
        }
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            if (i == 1 && j == 1) goto out;
            printf("%d%d ", i, j);
        }
    }
out:
    printf("%d %d\n", n, steps);
    if (0) {
    middle:
        printf("middle\n");
        goto end;
    }
    goto middle;
end:
    {
        __label__ local;
        if (n) goto local;
        printf("skipped\n");
    local:
        printf("local\n");
    }
    return 0;
}
