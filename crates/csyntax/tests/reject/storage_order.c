// 2:1: unsupported: #pragma scalar_storage_order
#pragma scalar_storage_order big-endian
struct s { int a; };
