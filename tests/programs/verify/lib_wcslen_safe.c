// The length of a wide string.
#include <wchar.h>

extern void reach_error(void);

int main(void) {
    wchar_t a[8] = L"abc";
    wcscat(a, L"de");
    if (wcslen(a) != 5)
        reach_error();
    return 0;
}
