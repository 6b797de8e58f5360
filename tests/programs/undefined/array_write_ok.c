// A write to the first element of a global array.
int before[4];
int a[4];
int after[4];

int main(void) {
    for (int i = 3; i >= 0; i--) a[i] = i;
    return a[2];
}
