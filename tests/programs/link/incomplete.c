// Types completed in one unit only, extern arrays of unknown size, opaque handles.
#include <stdio.h>

struct opaque;
struct opaque *make(int);
int get(const struct opaque *);
void drop(struct opaque *);
extern int numbers[];
extern const int count;

int main(void) {
    struct opaque *o = make(7);
    int s = get(o);
    drop(o);
    for (int i = 0; i < count; i++) s = s * 10 + numbers[i];
    printf("%d\n", s);
    return 0;
}
