// A computed goto to a label.
int main(void) {
    int x = 3;
    void *target = &&out;
    if (x == 4) goto inside;
    goto *target;
inside:
    x = 5;
out:
    return x;
}
