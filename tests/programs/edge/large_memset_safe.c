// A large piece of memory is filled, without inputs.
#include <assert.h>
#include <string.h>

static unsigned char memory[1 << 20];

int main(void) {
    memset(memory, 0xa5, sizeof memory);
    assert(memory[0] == 0xa5 && memory[sizeof memory - 1] == 0xa5);
    return 0;
}
