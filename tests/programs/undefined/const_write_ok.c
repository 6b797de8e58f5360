// The object is not const; casting const away is fine.
static int limit = 5;

int main(void) {
    const int *p = &limit;
    *(int *)p = 6;
    return *p;
}
