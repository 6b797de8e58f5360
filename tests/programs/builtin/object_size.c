// Object sizes known at compile time and frame queries that must parse.
#include <stdio.h>

int main(void) {
    printf("%s\n", __func__);
    printf("%s %s\n", __FUNCTION__, __PRETTY_FUNCTION__);
    printf("%d %d\n", __LINE__, sizeof __func__ == 5);
    printf("%s\n", __FILE__ + sizeof __FILE__ - 14);
    printf("%d\n", __builtin_classify_type(1.0));
    printf("%d\n", __builtin_huge_val() > 1e308);
    return 0;
}
