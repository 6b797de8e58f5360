// 2:10: expected an identifier before '}'
enum e { };
