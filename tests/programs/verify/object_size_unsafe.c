// As object_size_safe, but the size to the end of the whole object is one more than the text has, and more.
#include <assert.h>

unsigned __VERIFIER_nondet_uint(void);

struct message {
    char text[12];
    unsigned length;
};

int main(void) {
    struct message m;
    unsigned n = __VERIFIER_nondet_uint();
    if (n > __builtin_object_size(m.text, 0))
        return 0;
    assert(n <= sizeof m.text);
    return 0;
}
