//! Whatever the parser lets through, the checker answers: programs are shuffled
//! token by token from a fixed seed, and nothing may panic.

mod common;

use cairn_base::DataModel;
use common::check;

const SEEDS: [&str; 6] = [
    "struct s { int a : 3 ; unsigned b : 5 ; char c [ 4 ] ; union { int x ; float y ; } ; } g = { 1 , 2 , \"ab\" , .y = 1.5 } ;
     int f ( struct s * p , int n ) { int v [ n ] ; v [ 0 ] = p -> a + p -> x ; return sizeof v + ( * p ) . b ; }",
    "enum e { A , B = 5 , C } ; typedef enum e T ; T t = C ; int a [ ] = { [ B ] = 1 , [ 1 ... 3 ] = 2 } ;
     int sw ( T x ) { switch ( x ) { case A ... B : return 1 ; default : break ; } for ( int i = 0 ; i < 3 ; i ++ ) continue ; return - 1 ; }",
    "int k ( a , b ) char a ; float b ; { static int n = 3 ; goto l ; l : n += a << 2 ; return b ? n : a ?: 4 ; }
     int a0 ; void * tab [ ] = { & a0 , k , 0 } ; extern int ext [ ] ;",
    "typedef int v4 __attribute__ ( ( vector_size ( 16 ) ) ) ; v4 add ( v4 a , v4 b ) { a [ 1 ] = 2 ; return a + b * 3 ; }
     int bi ( unsigned long x , int * p ) { return __builtin_popcountl ( x ) + __builtin_add_overflow ( x , 1 , p ) + __builtin_ffs ( * p ) ; }",
    "int va ( int n , ... ) { __builtin_va_list ap ; __builtin_va_start ( ap , n ) ; int r = __builtin_va_arg ( ap , int ) ;
     __builtin_va_end ( ap ) ; return ( { int q = r ; q * 2 ; } ) + ( ( struct { int m ; } ) { 7 } ) . m + _Generic ( r , int : 1 , default : 2 ) ; }",
    "struct l { struct l * next ; int ( * f ) ( struct l * , long long ) ; } ; long long h ( struct l * p ) { while ( p && p -> f ) { p -> f ( p , 1ll ) ; p = p -> next ; }
     do { __auto_type z = & * p ; __typeof__ ( z ) y = z ; } while ( ! p ) ; return __sync_fetch_and_add ( ( int * ) p , 1 ) ; }",
];

#[test]
fn shuffled_programs_are_answered() {
    let mut state: u64 = 4711;
    let mut below = move |n: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % n
    };
    let pool: Vec<&str> = SEEDS.iter().flat_map(|s| s.split_whitespace()).collect();
    let mut accepted = 0;
    for round in 0..12000 {
        let mut tokens: Vec<&str> = SEEDS[round % SEEDS.len()].split_whitespace().collect();
        for _ in 0..1 + below(3) {
            let at = below(tokens.len());
            match below(8) {
                0..=4 => {
                    // A token of the same kind keeps the syntax more often than not.
                    let same: Vec<&str> =
                        pool.iter().copied().filter(|t| kind(t) == kind(tokens[at])).collect();
                    tokens[at] = same[below(same.len())];
                }
                5 => {
                    tokens.remove(at);
                }
                6 => tokens.insert(at, pool[below(pool.len())]),
                _ => {
                    let other = below(tokens.len());
                    tokens.swap(at, other);
                }
            }
        }
        let model = if round % 2 == 0 { DataModel::Lp64 } else { DataModel::Ilp32 };
        accepted += usize::from(check(&tokens.join(" "), model).is_ok());
    }
    // Some changes keep a program valid; most do not.
    assert!(accepted > 500 && accepted < 9000, "{accepted}");
}

/// Words, numbers, and each punctuation for itself by its length.
fn kind(token: &str) -> usize {
    match token.as_bytes()[0] {
        b'0'..=b'9' => 100,
        b'a'..=b'z' | b'A'..=b'Z' | b'_' => 101,
        _ => token.len(),
    }
}
