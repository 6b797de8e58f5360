// A wide copy has the characters of its source.
#include <wchar.h>

extern void reach_error(void);

int main(void) {
    wchar_t a[4];
    wcscpy(a, L"abc");
    if (a[0] == L'a')
        reach_error();
    return 0;
}
