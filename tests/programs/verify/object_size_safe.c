// The size of an object that the expression names is known; what is known of others only when optimising is not.
#include <assert.h>
#include <stdlib.h>

unsigned __VERIFIER_nondet_uint(void);

struct message {
    unsigned length;
    char text[12];
};

int main(void) {
    struct message m;
    unsigned n = __VERIFIER_nondet_uint();
    if (n > __builtin_object_size(m.text, 1))
        return 0;
    for (unsigned i = 0; i < n; i++)
        m.text[i] = 'x';
    assert(n <= sizeof m.text);
    assert(__builtin_object_size(&m, 0) < 100);
    return 0;
}
