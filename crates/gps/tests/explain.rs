//! What is drawn and told of the paper's examples.

mod common;

use cairn_explain::Shown;
use cairn_gps::Options;
use common::search;

const OPTIONS: Options = Options { refine: true, gas: true, summaries: true, search: true, journal: true };

fn told(explanation: &Shown, what: &str) -> Vec<String> {
    explanation.steps.iter().filter(|s| s.what == what).map(|s| s.text.clone()).collect()
}

/// Every tag that is opened is closed, and every step is at a box of the picture.
fn well_formed(explanation: &Shown) {
    let picture = &explanation.picture;
    assert!(picture.starts_with("<svg") && picture.trim_end().ends_with("</svg>"));
    for tag in ["g", "text", "title"] {
        let open =
            picture.matches(&format!("<{tag}>")).count() + picture.matches(&format!("<{tag} ")).count();
        assert_eq!(open, picture.matches(&format!("</{tag}>")).count(), "{tag}");
    }
    for step in &explanation.steps {
        let at = step.at.as_ref().expect("a box");
        assert!(picture.contains(&format!("<g id=\"{at}\">")), "{at}");
    }
}

#[test]
fn ex_1_is_one_test_through_a_folded_loop() {
    let found = search(common::EX_1, OPTIONS);
    assert_eq!(found.came, "unsafe");
    let [explanation] = &found.explanations[..] else { panic!("{:?}", found.explanations) };
    well_formed(explanation);
    let tests = told(explanation, "test");
    let [test] = &tests[..] else { panic!("{tests:?}") };
    assert!(test.starts_with("test 1 from the start with n = 1"), "{test}");
    assert!(test.contains("A → B×") && test.ends_with("→ error; the error is reached"), "{test}");
    let picture = &explanation.picture;
    for part in
        ["1 test, 0 dead ends, 0 covers", "class=\"edge fatal\"", "class=\"folded\"", "the error is reached"]
    {
        assert!(picture.contains(part), "{part}");
    }
    assert!(picture.contains("line 6  loop"), "the loop's head is named by its line");
    assert!(picture.contains("[i &lt; n]; least = least + 1; i = i + 1"), "steps are in the style of C");
    // 2,000 nodes, but not so many boxes.
    assert!(picture.matches("class=\"head\"").count() < 20);
    assert!(explanation.summary.iter().any(|s| s.contains("boxes for")), "{:?}", explanation.summary);
}

/// Without refinement the tree has no labels, only dead ends.
#[test]
fn ex_2_has_dead_ends_and_no_labels() {
    let found = search(common::EX_2, Options { refine: false, ..OPTIONS });
    assert_eq!(found.came, "safe");
    let explanation = found.explanations.last().expect("an explanation");
    well_formed(explanation);
    let dead_ends = told(explanation, "dead end");
    assert!(!dead_ends.is_empty() && dead_ends.iter().all(|d| !d.contains("labels")), "{dead_ends:?}");
    assert!(told(explanation, "cover").is_empty());
    assert!(!explanation.picture.contains("class=\"edge cover\""));
    assert_eq!(
        explanation.picture.matches(">dead end</text>").count(),
        dead_ends.len() + 1,
        "one in the legend"
    );
    assert!(explanation.summary[0].starts_with("Every path is a dead end or covered"));
}

/// With refinement, labels say why; a cover is made, and undone when a label gets stronger.
#[test]
fn ex_2_refined_has_labels_and_a_cover_that_is_undone() {
    let found = search(common::EX_2, OPTIONS);
    assert_eq!(found.came, "safe");
    let explanation = &found.explanations[0];
    well_formed(explanation);
    let tests = told(explanation, "test");
    assert!(tests[0].starts_with("test 1 from the start with n = 1"), "{tests:?}");
    let dead_ends = told(explanation, "dead end");
    assert!(dead_ends.iter().all(|d| d.contains("; labels: ") && d.contains("⊢")), "{dead_ends:?}");
    assert_eq!(told(explanation, "cover").len(), told(explanation, "uncover").len());
    assert!(explanation.picture.contains(">false</text>"), "the label of what is infeasible");
}

/// Where summaries say nothing, covers close loops: Figure 7.
#[test]
fn covers_are_dashed_arrows() {
    let body = "int n = __VERIFIER_nondet_int(), x = 3;
        while (n > 0) { if (x > 5) reach_error(); n--; }";
    let found = search(body, Options { summaries: false, gas: false, ..OPTIONS });
    assert_eq!(found.came, "safe", "{}", found.statistics);
    let explanation = &found.explanations[0];
    well_formed(explanation);
    let covers = told(explanation, "cover");
    assert!(covers.iter().any(|c| c.contains("x <= 5 is kept by the way round")), "{covers:?}");
    let picture = &explanation.picture;
    assert!(picture.contains("class=\"edge cover\"") && picture.contains("covered by n"), "{picture}");
}

/// With summaries one question answers it.
#[test]
fn ex_3_is_excluded_by_the_summary() {
    let found = search(common::EX_3, OPTIONS);
    assert_eq!(found.came, "safe");
    well_formed(&found.explanations[0]);
}

#[test]
fn nothing_is_recorded_unasked() {
    assert!(search(common::EX_1, Options::default()).explanations.is_empty());
}
