// As the safe twin; the second time it is not called.
#include <assert.h>
#include <pthread.h>
#include <threads.h>

int __VERIFIER_nondet_int(void);

static int calls, others;
static once_flag flag = ONCE_FLAG_INIT;
static pthread_once_t other = PTHREAD_ONCE_INIT;

static void init(void) {
    calls++;
}

static void init_other(void) {
    others++;
}

int main(void) {
    int twice = __VERIFIER_nondet_int();
    call_once(&flag, init);
    if (twice)
        call_once(&flag, init);
    assert(calls == (twice ? 2 : 1));
    int r = twice ? pthread_once(&other, init_other) : 0;
    assert(r == 0 && others == (twice != 0));
    return 0;
}
