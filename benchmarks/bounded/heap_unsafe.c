// A binary heap stays one, and gives the least first: the last child is overlooked.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

#define N 5

int main(void) {
    unsigned char heap[N];
    int n = 0;
    for (int k = 0; k < N; k++) {
        int i = n++;
        unsigned char x = __VERIFIER_nondet_uchar();
        while (i > 0 && heap[(i - 1) / 2] > x) {
            heap[i] = heap[(i - 1) / 2];
            i = (i - 1) / 2;
        }
        heap[i] = x;
    }
    unsigned char last = 0;
    while (n > 0) {
        unsigned char least = heap[0];
        if (least < last) reach_error();
        last = least;
        unsigned char x = heap[--n];
        int i = 0;
        while (2 * i + 1 < n) {
            int child = 2 * i + 1;
            if (child + 2 < n && heap[child + 1] < heap[child]) child++;
            if (heap[child] >= x) break;
            heap[i] = heap[child];
            i = child;
        }
        heap[i] = x;
    }
    return 0;
}
