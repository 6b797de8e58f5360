// A computed goto through a pointer that is no label.
int main(void) {
    int x = 3;
    void *target = (void *)&x;
    if (x == 4) goto inside;
    goto *target;
inside:
    x = 5;
out:
    return x;
}
