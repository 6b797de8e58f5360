// A second thread.
#include <pthread.h>

static int shared;

static void *work(void *arg) {
    shared = *(int *)arg;
    return 0;
}

int main(void) {
    pthread_t t;
    int value = 5;
    pthread_create(&t, 0, work, &value);
    pthread_join(t, 0);
    return shared;
}
