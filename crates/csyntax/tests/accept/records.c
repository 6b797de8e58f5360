// Structures, unions, enumerations and their attributes.
struct empty {}; union uempty {}; struct s0 { int a; struct { int b, c; }; union { int d; float e; }; };
struct bits { unsigned a : 3, : 0, b : 5; int : 4; signed c : 2; _Bool d : 1; };
struct flex { int n; char data[]; }; struct zero { int n; char data[0]; };
struct __attribute__((packed)) p1 { char c; int i; };
struct p2 { char c; int i; } __attribute__((packed, aligned(2)));
struct p3 { char c __attribute__((aligned(8))); int i __attribute__((packed)), j; } x1, *x2;
struct p4 { __attribute__((aligned(16))) int a; int b : 3 __attribute__((packed)); };
struct stray { int a;; ; int b; };
struct no_semi { int a };
struct forward; struct forward *fp; struct forward { struct forward *next; };
struct ext { __extension__ union { int a; long b; }; __extension__ int c; };
struct sa { int a; _Static_assert(sizeof(int) == 4, "int"); _Static_assert(1); };
struct implicit { const a; const b : 2; };
struct al { _Alignas(16) char c; };
enum e0 { A, B = 3, C, D = B << 2, }; enum e1; enum __attribute__((packed)) e2 { E2A };
enum e3 { F __attribute__((deprecated)), G __attribute__((unused)) = 4 } __attribute__((packed));
struct nest { struct inner { enum { IN = 1 } k; } i; int arr[IN]; };
struct fnp { int (*f)(struct fnp *), *(*g)(void); const char *const names[2]; };
typedef struct { int x; } anon_t; typedef struct tagged { int y; } tagged; tagged tg;
#pragma pack(push, 1)
struct packed1 { char c; int i; };
#pragma pack(2)
struct packed2 { char c; int i; };
#pragma pack(pop)
struct natural { char c; int i; };
