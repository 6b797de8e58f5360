/* Memory traffic: linked structures, swaps through pointers, a heap sort. */
#include <stdio.h>

#define N 200000

struct item { int key; struct item *other; };
static struct item items[N];

static void swap(struct item *a, struct item *b) {
    struct item t = *a;
    *a = *b;
    *b = t;
}

static void sift(int start, int end) {
    int root = start;
    while (2 * root + 1 <= end) {
        int child = 2 * root + 1;
        if (child + 1 <= end && items[child].key < items[child + 1].key) child++;
        if (items[root].key >= items[child].key) return;
        swap(&items[root], &items[child]);
        root = child;
    }
}

int main(void) {
    unsigned seed = 1, h = 0;
    for (int round = 0; round < 5; round++) {
        for (int i = 0; i < N; i++) {
            seed = seed * 1103515245u + 12345u;
            items[i].key = (int)(seed >> 8);
            items[i].other = &items[(i * 7919LL) % N];
        }
        for (int i = N / 2; i >= 0; i--) sift(i, N - 1);
        for (int end = N - 1; end > 0; end--) {
            swap(&items[0], &items[end]);
            sift(0, end - 1);
        }
        for (struct item *p = items; p < items + N; p += 97) h = h * 31 + (unsigned)p->other->key;
    }
    printf("%u\n", h);
    return 0;
}
