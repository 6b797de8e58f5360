// 2:1: unknown type name 'This'
This is not a C program at all.
