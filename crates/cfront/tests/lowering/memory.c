// Bit-fields, members, pointers, assignment in all forms.
struct bits { unsigned a : 3; int b : 5; _Bool c : 1; long long d : 40; };
int fields(struct bits *p) {
    p->a = 9;
    int x = p->b = 20;
    p->a += 3;
    p->c = x;
    p->d++;
    return x + p->b-- + --p->a;
}
long arithmetic(short *p, short *q, int i, unsigned u) {
    p += i;
    q = p - u;
    p++;
    --*q;
    char c = p[i];
    c++;
    c *= 2.5;
    return &p[3] - q + (p < q);
}
int narrow(unsigned char c, signed char d, _Bool b, float f) {
    c += d;
    c <<= 3;
    b += 2;
    b--;
    ++f;
    return -c + ~d + b;
}
