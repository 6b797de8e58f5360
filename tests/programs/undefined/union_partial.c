// A union member is read whose upper bytes were never set.
union u { char c; int i; };

int main(void) {
    union u u;
    u.c = 1;
    return u.i == 1;
}
