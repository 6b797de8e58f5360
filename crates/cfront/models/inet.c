// <arpa/inet.h>: the order of bytes on the network is the other one than that of x86.

//@ htonl
unsigned htonl(unsigned x) {
    return __builtin_bswap32(x);
}
//@= htonl ntohl

//@ htons
unsigned short htons(unsigned short x) {
    return __builtin_bswap16(x);
}
//@= htons ntohs
