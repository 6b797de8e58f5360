# 1 "original.c"
# 1 "<built-in>"
# 1 "<command-line>"
# 1 "original.c"
# 1 "header.h" 1 3 4
typedef int number;
# 2 "original.c" 2
number from_i(number x) {
    return x * 2 + 1;
}
