// Few cases are a chain, many a search; cases are just locations.
int few(unsigned x) {
    switch (x) {
    case 1:
    case 2:
        return 5;
    case 10 ... 20:
        x++;
    default:
        return x;
    case -1:
        break;
    }
    return 0;
}
int many(int x) {
    switch (x) {
    case 4: return 1;
    case -5: return 2;
    case 9: return 3;
    case 7: return 4;
    case 0: return 5;
    }
    return 6;
}
void duff(char *to, char *from, int n) {
    switch (n % 2) {
    case 0:
        do {
            *to++ = *from++;
    case 1:
            *to++ = *from++;
        } while ((n -= 2) > 0);
    }
}
int inside(int x) {
    switch (x) {
        int a[2];
    case 1:
        a[0] = x;
        return a[0];
    }
    return 0;
}
