// Atomic objects of eight bytes are aligned to eight, also where their types are not.
#include <assert.h>

struct with {
    char c;
    _Atomic long long n;
};

int main(void) {
    assert(_Alignof(_Atomic long long) == 8 && _Alignof(_Atomic double) == 8);
    assert(__builtin_offsetof(struct with, n) == 8);
    return 0;
}
