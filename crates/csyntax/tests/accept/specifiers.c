// Type words in any order, qualifiers, storage, GNU spellings.
long unsigned int long a1; int long a2; long long a3; short int unsigned a4; signed char a5; char unsigned a6;
unsigned a7; signed a8; long double a9; double long a10; _Bool a11; unsigned char a12;
__int128 i128; unsigned __int128 u128; __int128 unsigned u128b; __int128_t t128; __uint128_t ut128;
_Float128 f128; __float128 g128; __float80 f80; _Float32 f32; _Float64x f64x; _Float32x f32x; _Float64 f64;
_Complex double cd; double _Complex dc; __complex__ float cf; _Complex int ci; _Complex nothing;
const volatile int cv; int __const__ k1; __volatile int k2; int __volatile__ k3; int *__restrict r1; int *__restrict__ r2;
__signed__ char sc; __signed int si;
static __inline int f1(void) { return 1; } static __inline__ int f2(void) { return 2; }
_Thread_local int tl; static __thread int tl2; extern _Thread_local int tl3;
_Alignas(16) int al; _Alignas(double) char alc; int _Alignas(8) al2;
_Atomic int at; _Atomic(int) at2; int *_Atomic at3; _Atomic(int *) at4;
__builtin_va_list va;
typeof(a1) ty; __typeof(int *) ty2; __typeof__(1 + 2) ty3;
__extension__ typedef long long ext; __extension__ __extension__ int ext2;
__auto_type autov = 3;
int inline_first(void); extern inline int inline_first(void) { return 1; }
register_is_fine(void) { register i; auto j = 1; static k; i = j + k; return i; }
implicit_int;
static implicit_static; const implicit_const = 2;
int __float80_is_a_name(void) { int __float80 = 1; return __float80; }
