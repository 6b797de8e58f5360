// Literals with every prefix, suffix and escape.
int i1 = 0x1F, i2 = 017, i3 = 0b1010, i4 = 0B1; unsigned u1 = 1u, u2 = 2U; long l1 = 1l, l2 = 2L; unsigned long ul = 1ul, ul2 = 2Lu;
long long ll = 1ll, ll2 = 0x7fffffffffffffffLL; unsigned long long ull = 1ull, ull2 = 18446744073709551615uLL;
double d1 = 1., d2 = .5, d3 = 1e10, d4 = 1.5e-3, d5 = 0x1.8p3, d6 = 0x.8P-1, d7 = 1.0d, d8 = 09.5, d9 = 0e0;
float f1 = 1.f, f2 = 2.5F, f3 = 0x1p0f; long double ld = 1.l, ld2 = 1e5L; _Float128 q = 1.0q, q2 = 1.0Q, q3 = 1.0f128; _Float32x f32x = 1.0F32x;
_Complex double c1 = 1.0i, c2 = 2i, c3 = 1.fi, c4 = 3.0j;
char c5 = '\n', c6 = '\'', c7 = '"', c8 = '\\', c9 = '\?', c10 = '\e', c11 = '\E', c12 = '\101', c13 = '\x7f', c14 = '\a';
const char *s1 = "\t\"\\\e\1\12\123\x41z", *s2 = "a" "b"
  "c", *s3 = "\u00e9\U0001F600é", *s4 = "", *s5 = "??/ no trigraph", *s6 = "\q";
const int *w1 = L"wide é", *w2 = L"a" "b"; const unsigned short *w3 = u"u16"; const unsigned *w4 = U"u32"; const char *w5 = u8"utf8";
int dollar$name, été, \u00e9t\u00e8;
