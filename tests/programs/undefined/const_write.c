// A const object is written to through a cast.
static const int limit = 5;

int main(void) {
    const int *p = &limit;
    *(int *)p = 6;
    return *p;
}
