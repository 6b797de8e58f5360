// No inputs: numbers in texts, formatted floats and the rest of a text.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
void reach_error(void);

int main(void) {
    char *end, text[64];
    double d = strtod("  2.5e1xyz", &end);
    if (d != 25.0 || strcmp(end, "xyz"))
        reach_error();
    int n = snprintf(text, sizeof text, "%.3f|%5d|%s", 1.0 / 3, 42, "hey");
    if (strcmp(text, "0.333|   42|hey") || n != 14)
        reach_error();
    if (strtof("0.1", 0) != 0.1f || strtold("0.5", 0) != 0.5L)
        reach_error();
    return 0;
}
