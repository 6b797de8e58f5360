// 2:12: unknown type name 'u8'
struct s { u8 x; };
