// 2:8: expected '{' before ';'
struct ;
