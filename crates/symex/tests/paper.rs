//! The paper's examples: how large the tree is, and that the verdicts are right.

mod common;

use cairn_symex::{Interpolation, Options, Strategy};
use common::{booleans, proved, refuted, shortest_path, straight};

/// Figure 4: one interpolant at each level subsumes whatever comes there later.
#[test]
fn the_tree_of_booleans_is_linear() {
    let nodes = |n| proved(&booleans(n), Options { strategy: Strategy::Dfs, ..Options::default() }).nodes;
    let (ten, twenty, forty) = (nodes(10), nodes(20), nodes(40));
    assert!(ten <= 60, "{ten}");
    assert_eq!(twenty - ten, (forty - twenty) / 2, "{ten} {twenty} {forty}");
}

/// Without subsumption, or with cores alone, it is exponential.
#[test]
fn abduction_is_what_makes_it_linear() {
    let core = Options { interpolation: Interpolation::Core, ..Options::default() };
    let none = Options { subsumption: false, ..Options::default() };
    let full = proved(&booleans(6), Options::default()).paths;
    assert_eq!(full, 1);
    assert_eq!(proved(&booleans(6), none).paths, 64);
    assert!(proved(&booleans(6), core).paths > 6);
}

#[test]
fn the_order_does_not_matter() {
    use Strategy::*;
    for strategy in [Dfs, RandomPath, Coverage, Distance, Interleaved, Adaptive] {
        let options = Options { strategy, ..Options::default() };
        proved(&booleans(6), options);
        proved(&shortest_path(5, 0), options);
        refuted(&shortest_path(5, 1), options);
    }
}

/// Figure 1: the number of paths is exponential, that of states at a node of the graph is not.
#[test]
fn shortest_paths_are_found() {
    let small = proved(&shortest_path(6, 0), Options::default());
    let large = proved(&shortest_path(12, 0), Options::default());
    assert!(large.nodes < 6 * small.nodes, "{small:?} {large:?}");
    refuted(&shortest_path(12, 1), Options::default());
}

/// Every edge of the graph is followed once, and the solver is not asked about each.
#[test]
fn the_tree_of_a_graph_is_linear_in_its_edges() {
    let stats = proved(&shortest_path(30, 0), Options::default());
    assert!(stats.nodes < 5 * 30 * 30 / 2, "{stats:?}");
    // In debug runs what is found without the solver is verified by it.
    assert!(cfg!(debug_assertions) || stats.solved < 5 * 30, "{stats:?}");
}

/// The proof has a case for each level, so that the check is linear as well.
#[test]
fn straight_code_is_proved_by_cases() {
    for array in [false, true] {
        let stats = proved(&straight(80, array), Options::default());
        assert_eq!((stats.paths, stats.subsumed), (1, 80));
    }
}
