// Classes of wide characters in the "C" locale: those of ASCII. Nothing here fails;
// `wctype` and `wctrans` give 0 for a name they do not know.

//@ iswupper
int iswupper(wint_t c) {
    return c >= 'A' && c <= 'Z';
}

//@ iswlower
int iswlower(wint_t c) {
    return c >= 'a' && c <= 'z';
}

//@ iswalpha
int iswalpha(wint_t c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

//@ iswdigit
int iswdigit(wint_t c) {
    return c >= '0' && c <= '9';
}

//@ iswxdigit
int iswxdigit(wint_t c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'F') || (c >= 'a' && c <= 'f');
}

//@ iswspace
int iswspace(wint_t c) {
    return c == ' ' || (c >= 9 && c <= 13);
}

//@ iswprint
int iswprint(wint_t c) {
    return c >= 32 && c <= 126;
}

//@ iswgraph
int iswgraph(wint_t c) {
    return c >= 33 && c <= 126;
}

//@ iswblank
int iswblank(wint_t c) {
    return c == ' ' || c == 9;
}

//@ iswcntrl
int iswcntrl(wint_t c) {
    return c <= 31 || c == 127;
}

//@ iswpunct
int iswpunct(wint_t c) {
    return (c >= 33 && c <= 47) || (c >= 58 && c <= 64) || (c >= 91 && c <= 96) || (c >= 123 && c <= 126);
}

//@ iswalnum
int iswalnum(wint_t c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

//@ towlower
wint_t towlower(wint_t c) {
    return c >= 'A' && c <= 'Z' ? c + 32 : c;
}

//@ towupper
wint_t towupper(wint_t c) {
    return c >= 'a' && c <= 'z' ? c - 32 : c;
}

//@ wctype
int __model_strcmp(const char *a, const char *b);
unsigned long wctype(const char *name) {
    static const char *const names[] = {"upper", "lower", "alpha", "digit", "xdigit", "space",
                                        "print", "graph", "blank", "cntrl", "punct", "alnum"};
    for (unsigned long i = 0; i < 12; i++)
        if (__model_strcmp(name, names[i]) == 0)
            return i + 1;
    return 0;
}

//@ iswctype
int __model_iswupper(wint_t c);
int __model_iswlower(wint_t c);
int __model_iswalpha(wint_t c);
int __model_iswdigit(wint_t c);
int __model_iswxdigit(wint_t c);
int __model_iswspace(wint_t c);
int __model_iswprint(wint_t c);
int __model_iswgraph(wint_t c);
int __model_iswblank(wint_t c);
int __model_iswcntrl(wint_t c);
int __model_iswpunct(wint_t c);
int __model_iswalnum(wint_t c);
int iswctype(wint_t c, unsigned long class) {
    switch (class) {
    case 1:
        return __model_iswupper(c);
    case 2:
        return __model_iswlower(c);
    case 3:
        return __model_iswalpha(c);
    case 4:
        return __model_iswdigit(c);
    case 5:
        return __model_iswxdigit(c);
    case 6:
        return __model_iswspace(c);
    case 7:
        return __model_iswprint(c);
    case 8:
        return __model_iswgraph(c);
    case 9:
        return __model_iswblank(c);
    case 10:
        return __model_iswcntrl(c);
    case 11:
        return __model_iswpunct(c);
    case 12:
        return __model_iswalnum(c);
    default:
        return 0;
    }
}

//@ wctrans
int __model_strcmp(const char *a, const char *b);
const int *wctrans(const char *name) {
    static const int to[2] = {1, 2};
    return __model_strcmp(name, "toupper") == 0 ? &to[0] : __model_strcmp(name, "tolower") == 0 ? &to[1] : 0;
}

//@ towctrans
wint_t __model_towlower(wint_t c);
wint_t __model_towupper(wint_t c);
wint_t towctrans(wint_t c, const int *to) {
    return !to ? c : *to == 1 ? __model_towupper(c) : __model_towlower(c);
}
