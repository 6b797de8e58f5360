// A union member is read after all its bytes were set.
union u { char c; int i; };

int main(void) {
    union u u;
    u.i = 0; u.c = 1;
    return u.i == 1;
}
