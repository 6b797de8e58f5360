// 2:22: unsupported non-standard concatenation of string literals
const void *p = L"a" u"b";
