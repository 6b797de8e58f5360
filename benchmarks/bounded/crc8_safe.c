// A checksum by table and by bits is the same.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

#define N 4

int main(void) {
    unsigned char table[16];
    unsigned char data[N];
    for (int i = 0; i < 16; i++) {
        unsigned char c = (unsigned char)(i << 4);
        for (int k = 0; k < 4; k++) c = (unsigned char)(c & 0x80 ? c << 1 ^ 0x07 : c << 1);
        table[i] = c;
    }
    for (int i = 0; i < N; i++) data[i] = __VERIFIER_nondet_uchar();
    unsigned char bitwise = 0, fast = 0;
    for (int i = 0; i < N; i++) {
        bitwise ^= data[i];
        for (int k = 0; k < 8; k++)
            bitwise = (unsigned char)(bitwise & 0x80 ? bitwise << 1 ^ 0x07 : bitwise << 1);
    }
    for (int i = 0; i < N; i++) {
        fast ^= data[i];
        fast = (unsigned char)(fast << 4 ^ table[fast >> 4]);
        fast = (unsigned char)(fast << 4 ^ table[fast >> 4]);
    }
    if (bitwise != fast) reach_error();
    return 0;
}
