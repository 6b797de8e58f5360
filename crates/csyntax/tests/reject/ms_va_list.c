// 2:8: unsupported: '__builtin_ms_va_list'
void f(__builtin_ms_va_list ap);
