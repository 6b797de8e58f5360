// Character classes of the "C" locale. As in glibc, the answer "yes" is the bit of
// the class in the table that <ctype.h> exposes.

//@ isupper
int isupper(int c) {
    return (c >= 'A' && c <= 'Z') ? 256 : 0;
}

//@ islower
int islower(int c) {
    return (c >= 'a' && c <= 'z') ? 512 : 0;
}

//@ isalpha
int isalpha(int c) {
    return ((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z')) ? 1024 : 0;
}

//@ isdigit
int isdigit(int c) {
    return (c >= '0' && c <= '9') ? 2048 : 0;
}

//@ isxdigit
int isxdigit(int c) {
    return ((c >= '0' && c <= '9') || (c >= 'A' && c <= 'F') || (c >= 'a' && c <= 'f')) ? 4096 : 0;
}

//@ isspace
int isspace(int c) {
    return (c == ' ' || (c >= 9 && c <= 13)) ? 8192 : 0;
}

//@ isprint
int isprint(int c) {
    return (c >= 32 && c <= 126) ? 16384 : 0;
}

//@ isgraph
int isgraph(int c) {
    return (c >= 33 && c <= 126) ? 32768 : 0;
}

//@ isblank
int isblank(int c) {
    return (c == ' ' || c == 9) ? 1 : 0;
}

//@ iscntrl
int iscntrl(int c) {
    return ((c >= 0 && c <= 31) || c == 127) ? 2 : 0;
}

//@ ispunct
int ispunct(int c) {
    return ((c >= 33 && c <= 47) || (c >= 58 && c <= 64) || (c >= 91 && c <= 96) || (c >= 123 && c <= 126)) ? 4 : 0;
}

//@ isalnum
int isalnum(int c) {
    return ((c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z')) ? 8 : 0;
}

//@ isascii
int isascii(int c) {
    return (c & ~0x7f) == 0;
}

//@ toascii
int toascii(int c) {
    return c & 0x7f;
}

//@ tolower
int tolower(int c) {
    return c >= 'A' && c <= 'Z' ? c + 32 : c;
}

//@ toupper
int toupper(int c) {
    return c >= 'a' && c <= 'z' ? c - 32 : c;
}

//@ __ctype_b_loc
// Indexed from -128 to 255.
const unsigned short **__ctype_b_loc(void) {
    static const unsigned short table[384] = {
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 2, 2, 2,
        2, 2, 2, 2, 2, 8195, 8194, 8194, 8194, 8194, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2,
        24577, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156,
        49156, 49156, 55304, 55304, 55304, 55304, 55304, 55304, 55304, 55304, 55304, 55304, 49156, 49156,
        49156, 49156, 49156, 49156, 49156, 54536, 54536, 54536, 54536, 54536, 54536, 50440, 50440, 50440,
        50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440,
        50440, 50440, 50440, 49156, 49156, 49156, 49156, 49156, 49156, 54792, 54792, 54792, 54792, 54792,
        54792, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696,
        50696, 50696, 50696, 50696, 50696, 50696, 50696, 49156, 49156, 49156, 49156, 2, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    };
    static const unsigned short *zero = table + 128;
    return &zero;
}

//@ __cairn_case_table
// Fills a table of conversions, indexed from -128 to 255; -1 (EOF) stays.
void __cairn_case_table(int *table, int first, int change) {
    for (int i = -128; i < 256; i++) {
        int c = i < -1 ? i + 256 : i;
        table[i + 128] = c >= first && c < first + 26 ? c + change : c;
    }
}

//@ __ctype_tolower_loc
void __cairn_case_table(int *table, int first, int change);
const int **__ctype_tolower_loc(void) {
    static int table[384];
    static const int *zero;
    if (!zero) {
        __cairn_case_table(table, 'A', 32);
        zero = table + 128;
    }
    return &zero;
}

//@ __ctype_toupper_loc
void __cairn_case_table(int *table, int first, int change);
const int **__ctype_toupper_loc(void) {
    static int table[384];
    static const int *zero;
    if (!zero) {
        __cairn_case_table(table, 'a', -32);
        zero = table + 128;
    }
    return &zero;
}
