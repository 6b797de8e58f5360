// A string without an end that anybody has set.
#include <string.h>
int main(void) {
    char s[8];
    s[0] = 'a';
    s[1] = 'b';
    return strlen(s) > 2;
}
