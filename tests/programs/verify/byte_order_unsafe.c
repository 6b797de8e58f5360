// As byte_order_safe, but the order of bytes is forgotten once.
#include <arpa/inet.h>
#include <assert.h>

unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned x = __VERIFIER_nondet_uint(), there = htonl(x);
    unsigned short s = x, back = ntohs(htons(s));
    assert(there == x && back == s);
    assert(*(unsigned char *)&there == x >> 24);
    return 0;
}
