//! Pictures of hand-written and random functions.

use super::layout::{Input, InputArrow, layout};
use super::{Arrow, ArrowLook, DrawnBox, Look, Picture, dot, svg};
use cairn_ir::testing::{Rng, random_program};
use cairn_ir::text::parse;
use cairn_ir::*;

const LOOP: &str = r#"program LP64
entry main.0
branches 2
file 0 "a.c"
func main.0 (i32) -> i32 {
  entry l0 exit l1
  params n.0
  param n.0: i32
  local i.1: i32
  l0:
    e0 -> l2: i.1 := 0i32 @0:2:3-2:8
  l1:
  l2: loop @0:3:3-4:9 label "again"
    e1 -> l3: when i.1 < n.0 branch 0 true
    e2 -> l5: unless i.1 < n.0 branch 0 false
  l3:
    e3 -> l4: i.1 := i.1 + 1i32
  l4:
    e4 -> l2: nop
  l5:
    e5 -> l6: when i.1 == 7i32 branch 1 true
    e6 -> l8: unless i.1 == 7i32 branch 1 false
  l6:
    e7 -> l7: call builtin error()
  l7:
  l8:
    e8 -> l1: return i.1
}
"#;

#[test]
fn a_loop_and_an_error() {
    let p = parse(LOOP).expect("parses");
    let picture = Picture::new(&p, FuncId::from_u32(0)).expect("has a body");
    assert_eq!(picture.title, "main(n)");
    let shown: Vec<_> = picture.boxes.iter().map(|b| (b.head.as_str(), b.lines.join("; "), b.look)).collect();
    assert_eq!(
        shown,
        [
            ("l0  line 2", "i = 0".to_string(), Look::Entry),
            ("l2  again:", String::new(), Look::LoopHead),
            ("l5", String::new(), Look::Plain),
            ("l8..l1", "return i".to_string(), Look::Exit),
            ("l6..l7", "reach_error()".to_string(), Look::Error),
            ("l3..l4", "i = i + 1".to_string(), Look::Plain),
        ]
    );
    let labels: Vec<_> = picture.arrows.iter().map(|a| (a.label.as_str(), a.back)).collect();
    assert!(labels.contains(&("i < n", false)) && labels.contains(&("i >= n", false)), "{labels:?}");
    assert_eq!(labels.iter().filter(|l| l.1).count(), 1);
    let dot = dot(&p, None);
    assert!(dot.contains("l5 -> l8 [label=\"i != 7\"]"), "{dot}");
    assert_eq!(dot.matches('{').count(), dot.matches('}').count());
}

#[test]
fn drawings_are_well_formed_and_show_every_operation() {
    for seed in 0..40 {
        let p = random_program(seed, 12);
        let text = svg(&p, None);
        for tag in ["svg", "g", "text", "style", "defs", "marker", "title"] {
            let open = text.matches(&format!("<{tag}>")).count() + text.matches(&format!("<{tag} ")).count();
            assert_eq!(open, text.matches(&format!("</{tag}>")).count(), "seed {seed}: {tag}");
        }
        let pictures = super::pictures(&p, None);
        let boxes: usize = pictures.iter().map(|x| x.boxes.len()).sum();
        assert_eq!(text.matches("class=\"head\"").count(), boxes);
        let arrows: usize = pictures.iter().map(|x| x.arrows.len()).sum();
        assert_eq!(text.matches("class=\"edge").count(), arrows);
        assert!(!text.contains("NaN") && !text.contains("inf,"), "seed {seed}");
        assert_eq!(dot(&p, None).matches(" -> l").count(), arrows);
    }
}

/// No two boxes and no two labels overlap, and forward arrows go down.
#[test]
fn nothing_overlaps() {
    let mut rng = Rng::new(3);
    for round in 0..60 {
        let n = 2 + rng.below(40);
        let boxes: Vec<(f64, f64)> =
            (0..n).map(|_| (30.0 + rng.below(200) as f64, 20.0 + rng.below(90) as f64)).collect();
        let mut arrows = Vec::new();
        for _ in 0..n + rng.below(n) {
            let (from, to) = (rng.below(n), rng.below(n));
            let label = if rng.one_in(2) { (60.0, 15.0) } else { (0.0, 0.0) };
            arrows.push(InputArrow { from, to, back: to <= from, label });
        }
        let input = Input { boxes, arrows };
        let out = layout(&input);
        let mut areas: Vec<(f64, f64, f64, f64)> = Vec::new();
        for (&(w, h), &(x, y)) in input.boxes.iter().zip(&out.boxes) {
            areas.push((x, y, x + w, y + h));
        }
        for (a, drawn) in input.arrows.iter().zip(&out.arrows).filter(|(a, _)| a.label.0 > 0.0) {
            let ((w, h), (x, y)) = (a.label, drawn.label);
            areas.push((x - w / 2.0, y - h / 2.0, x + w / 2.0, y + h / 2.0));
        }
        for (i, a) in areas.iter().enumerate() {
            assert!(
                a.0 >= -0.1 && a.2 <= out.width + 0.1 && a.1 >= 0.0 && a.3 <= out.height,
                "round {round}: {a:?} in {} x {}",
                out.width,
                out.height
            );
            for b in &areas[i + 1..] {
                let apart = a.2 <= b.0 + 0.1 || b.2 <= a.0 + 0.1 || a.3 <= b.1 + 0.1 || b.3 <= a.1 + 0.1;
                assert!(apart, "round {round}: {a:?} and {b:?}");
            }
        }
        for a in input.arrows.iter().filter(|a| !a.back) {
            assert!(out.boxes[a.from].1 < out.boxes[a.to].1, "round {round}");
        }
    }
}

/// A picture of something else than a program: a note, a label of two lines, a cover.
#[test]
fn other_graphs_are_drawn() {
    let shape = |id: &str, look| DrawnBox {
        id: id.into(),
        head: id.into(),
        lines: vec!["x < 3".into()],
        notes: vec!["a note".into()],
        look,
    };
    let label = "n = input(); [n > 100000]; first = second; third = fourth; [n != 7]".to_owned();
    let picture = Picture {
        title: "a tree".into(),
        legend: vec![(Look::Closed, "closed".into())],
        boxes: vec![shape("a", Look::Visited), shape("b", Look::Covered)],
        arrows: vec![
            Arrow { from: 0, to: 1, label, look: ArrowLook::Walked, back: false },
            Arrow { from: 1, to: 0, label: String::new(), look: ArrowLook::Cover, back: true },
        ],
    };
    let text = picture.svg();
    for part in [
        ">n = input(); [n &gt; 100000]; first = second;</text>",
        ">third = fourth; [n != 7]</text>",
        "<g id=\"a\"><rect class=\"visited\"",
        "class=\"edge cover\"",
        "class=\"note\"",
        ">closed</text>",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!text.contains("NaN"));
}
