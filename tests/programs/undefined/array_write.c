// A write before the start of a global array.
int before[4];
int a[4];
int after[4];

int main(void) {
    for (int i = 3; i >= -1; i--) a[i] = i;
    return a[2];
}
