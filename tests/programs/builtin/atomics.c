// The __sync and __atomic builtins in a single thread.
#include <stdio.h>

int main(void) {
    int x = 5;
    printf("%d ", __sync_fetch_and_add(&x, 3));
    printf("%d ", __sync_add_and_fetch(&x, 2));
    printf("%d ", __sync_fetch_and_sub(&x, 1));
    printf("%d\n", x);
    printf("%d ", __sync_bool_compare_and_swap(&x, 9, 20));
    printf("%d ", __sync_val_compare_and_swap(&x, 9, 30));
    printf("%d\n", x);
    __atomic_store_n(&x, 7, __ATOMIC_SEQ_CST);
    printf("%d ", __atomic_load_n(&x, __ATOMIC_ACQUIRE));
    printf("%d ", __atomic_exchange_n(&x, 8, __ATOMIC_RELAXED));
    printf("%d ", __atomic_fetch_or(&x, 3, __ATOMIC_SEQ_CST));
    printf("%d\n", x);
    int e = 0;
    printf("%d ", __atomic_compare_exchange_n(&x, &e, 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
    printf("%d\n", e);
    __sync_synchronize();
    return 0;
}
