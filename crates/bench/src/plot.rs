//! The plots, as SVG written by hand: two kinds with logarithmic axes are less
//! text than the use of a plotting library, and only so can the pictures follow
//! the reader's light or dark scheme and the page's fonts.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::html::escape;
use crate::results::Row;

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 430.0;
const LEFT: f64 = 62.0;
const TOP: f64 = 18.0;
const BOTTOM: f64 = 52.0;

/// Colours that are told apart in both schemes, and without colour vision by the dashes.
const COLOURS: [&str; 8] =
    ["#3b78d8", "#d9662b", "#2c9c5a", "#b8479e", "#b58a00", "#1a9fb0", "#d2433f", "#7d67d8"];
const DASHES: [&str; 3] = ["none", "6 3", "2 3"];

const STYLE: &str = "<style>svg.plot{font:12px system-ui,sans-serif;fill:#222;background:#fff}\
svg.plot .axis{stroke:#888;fill:none}svg.plot .grid{stroke:#8884;fill:none}\
@media(prefers-color-scheme:dark){svg.plot{fill:#ddd;background:#16181c}}</style>";

/// The place of the axes on the paper.
struct Frame {
    right: f64,
    x: Axis,
    y: Axis,
}

enum Axis {
    Linear { max: f64 },
    Log { min: f64, max: f64 },
}

impl Axis {
    /// Where a value lies between 0 and 1.
    fn at(&self, value: f64) -> f64 {
        match self {
            Axis::Linear { max } => value / max,
            Axis::Log { min, max } => (value.max(*min).log10() - min.log10()) / (max.log10() - min.log10()),
        }
        .clamp(0.0, 1.0)
    }

    /// Whole powers of ten around the values.
    fn log(values: impl Iterator<Item = f64>) -> Axis {
        let (mut min, mut max) = (f64::INFINITY, 0.01f64);
        for value in values {
            min = min.min(value.max(0.01));
            max = max.max(value);
        }
        let min = 10f64.powf(min.min(max).log10().floor());
        let max = 10f64.powf(max.log10().ceil());
        Axis::Log { min, max: if max > min { max } else { min * 10.0 } }
    }

    fn ticks(&self) -> Vec<f64> {
        match self {
            Axis::Linear { max } => {
                let step = [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0, 2000.0, 5000.0]
                    .into_iter()
                    .find(|s| max / s <= 8.0)
                    .unwrap_or(10_000.0);
                (0..=(max / step) as u32).map(|i| f64::from(i) * step).collect()
            }
            Axis::Log { min, max } => {
                let (from, to) = (min.log10().round() as i32, (max.log10() + 1e-9).floor() as i32);
                (from..=to).map(|e| 10f64.powi(e)).collect()
            }
        }
    }
}

impl Frame {
    fn x(&self, value: f64) -> f64 {
        LEFT + self.x.at(value) * (WIDTH - self.right - LEFT)
    }

    fn y(&self, value: f64) -> f64 {
        HEIGHT - BOTTOM - self.y.at(value) * (HEIGHT - BOTTOM - TOP)
    }

    /// The start of the picture: axes, grid, their names.
    fn open(&self, title: &str, x_name: &str, y_name: &str) -> String {
        let (x0, x1, y0, y1) = (LEFT, WIDTH - self.right, HEIGHT - BOTTOM, TOP);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
             width=\"{WIDTH}\" height=\"{HEIGHT}\" role=\"img\"><title>{}</title>{STYLE}\n",
            escape(title)
        );
        for tick in self.x.ticks() {
            let x = self.x(tick);
            let _ = writeln!(
                svg,
                "<path class=\"grid\" d=\"M{x:.1} {y0}V{y1}\"/><text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{tick}</text>",
                y0 + 17.0
            );
        }
        for tick in self.y.ticks() {
            let y = self.y(tick);
            let _ = writeln!(
                svg,
                "<path class=\"grid\" d=\"M{x0} {y:.1}H{x1}\"/><text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{tick}</text>",
                x0 - 7.0,
                y + 4.0
            );
        }
        let (middle, side) = (f64::midpoint(x0, x1), f64::midpoint(y0, y1));
        let _ = writeln!(
            svg,
            "<path class=\"axis\" d=\"M{x0} {y1}V{y0}H{x1}\"/>\
             <text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">{}</text>\
             <text transform=\"translate(15 {side}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
            HEIGHT - 12.0,
            escape(x_name),
            escape(y_name)
        );
        svg
    }
}

/// How many tasks each configuration solves, each within how much CPU time.
pub fn cactus(rows: &[Row], configs: &[String]) -> String {
    let series: Vec<Vec<f64>> = configs
        .iter()
        .map(|config| {
            let correct = rows.iter().filter(|r| r.config == *config && r.status.is_correct());
            let mut times: Vec<f64> = correct.map(|r| r.cpu.as_secs_f64().max(0.01)).collect();
            times.sort_by(f64::total_cmp);
            times
        })
        .collect();
    let most = series.iter().map(Vec::len).max().unwrap_or(0).max(1);
    let longest = configs.iter().map(|c| c.chars().count()).max().unwrap_or(0).min(24);
    let frame = Frame {
        // The line, a name, and its count in parentheses.
        right: 84.0 + 8.0 * longest as f64,
        x: Axis::Linear { max: most as f64 },
        y: Axis::log(series.iter().flatten().copied()),
    };
    let mut svg = frame.open("Correct results by CPU time", "correct results", "CPU time of each (s)");
    for (index, (times, config)) in series.iter().zip(configs).enumerate() {
        let colour = COLOURS[index % COLOURS.len()];
        let dash = DASHES[index / COLOURS.len() % DASHES.len()];
        let mut path = String::new();
        for (n, time) in times.iter().enumerate() {
            let start = if n == 0 { 'M' } else { 'L' };
            let _ = write!(path, "{start}{:.1} {:.1}", frame.x((n + 1) as f64), frame.y(*time));
        }
        if let [only] = times.as_slice() {
            let (x, y) = (frame.x(1.0), frame.y(*only));
            let _ = writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{colour}\"/>");
        }
        let _ = writeln!(
            svg,
            "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" stroke-dasharray=\"{dash}\"/>"
        );
        let (x, y) = (WIDTH - frame.right + 14.0, TOP + 10.0 + 18.0 * index as f64);
        let _ = writeln!(
            svg,
            "<path d=\"M{x} {:.1}h18\" stroke=\"{colour}\" stroke-width=\"3\" stroke-dasharray=\"{dash}\"/>\
             <text x=\"{}\" y=\"{y}\">{} ({})</text>",
            y - 4.0,
            x + 24.0,
            escape(&shortened(config, 24)),
            times.len()
        );
    }
    svg + "</svg>\n"
}

/// The CPU times of two configurations, a point for each task that one of them solved. What one
/// did not solve lies on the outer line.
pub fn scatter(rows: &[Row], a: &str, b: &str) -> String {
    let mut points: BTreeMap<(&str, &str), [Option<&Row>; 2]> = BTreeMap::new();
    for row in rows {
        let side = if row.config == a {
            0
        } else if row.config == b {
            1
        } else {
            continue;
        };
        points.entry((&row.task, &row.property)).or_default()[side] = Some(row);
    }
    let solved = |row: Option<&Row>| row.filter(|r| r.status.is_correct()).map(|r| r.cpu.as_secs_f64());
    points.retain(|_, pair| pair.iter().all(Option::is_some) && pair.iter().any(|r| solved(*r).is_some()));
    let times = points.values().flatten().filter_map(|r| solved(*r));
    let Axis::Log { min, max } = Axis::log(times) else { unreachable!("made by Axis::log") };
    // A tenth of the scale beyond the largest power of ten is for what was not solved.
    let beyond = max * 10f64.powf(0.15 * (max / min).log10());
    let axis = || Axis::Log { min, max: beyond };
    let frame = Frame { right: WIDTH - LEFT - (HEIGHT - TOP - BOTTOM), x: axis(), y: axis() };
    let title = format!("CPU time of {a} and {b}");
    let name = |config: &str| format!("{} (s)", shortened(config, 40));
    let mut svg = frame.open(&title, &name(a), &name(b));
    let (x0, x1, y0, y1) = (frame.x(min), frame.x(beyond), frame.y(min), frame.y(beyond));
    let _ = writeln!(
        svg,
        "<path class=\"axis\" d=\"M{x0:.1} {y0:.1}L{x1:.1} {y1:.1}\" stroke-dasharray=\"3 3\"/>\
         <path class=\"axis\" d=\"M{x0:.1} {y1:.1}H{x1:.1}V{y0:.1}\"/>"
    );
    for ((task, _), pair) in &points {
        let (first, second) = (solved(pair[0]), solved(pair[1]));
        let wrong = pair.iter().flatten().any(|r| r.status.is_wrong());
        let colour = if wrong { COLOURS[6] } else { COLOURS[0] };
        let place = |t: Option<f64>| t.map_or(beyond, |t| t.min(max));
        let said = |t: Option<f64>| t.map_or("not solved".to_owned(), |t| format!("{t:.2} s"));
        let _ = writeln!(
            svg,
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3.5\" fill=\"{colour}\" fill-opacity=\"0.55\"><title>{}: {} / {}</title></circle>",
            frame.x(place(first)),
            frame.y(place(second)),
            escape(task),
            said(first),
            said(second)
        );
    }
    let counts = |f: fn(f64, f64) -> bool| {
        let faster = |p: &[Option<&Row>; 2]| {
            let time = |r| solved(r).unwrap_or(f64::INFINITY);
            f(time(p[0]), time(p[1]))
        };
        points.values().filter(|p| faster(p)).count()
    };
    let x = x1 + 22.0;
    for (line, text) in [
        format!("{} faster: {}", shortened(a, 30), counts(|a, b| a < b)),
        format!("{} faster: {}", shortened(b, 30), counts(|a, b| b < a)),
        "on the outer lines: not solved".to_owned(),
        "red: one of the two is wrong".to_owned(),
    ]
    .iter()
    .enumerate()
    {
        let _ = writeln!(
            svg,
            "<text x=\"{x:.1}\" y=\"{:.1}\">{}</text>",
            TOP + 14.0 + 18.0 * line as f64,
            escape(text)
        );
    }
    svg + "</svg>\n"
}

fn shortened(name: &str, most: usize) -> String {
    match name.char_indices().nth(most) {
        None => name.to_owned(),
        Some((at, _)) => format!("{}…", &name[..at]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::Status;
    use crate::summary::tests::row;

    #[test]
    fn lines_rise_with_time_and_points_lie_on_their_side() {
        let rows = [
            row("a", "x<", Status::CorrectTrue, 100),
            row("b", "x<", Status::CorrectTrue, 1000),
            row("c", "x<", Status::WrongTrue, 1),
            row("a", "y", Status::CorrectTrue, 10_000),
            row("b", "y", Status::Timeout, 60_000),
            row("c", "y", Status::CorrectFalse, 100),
        ];
        let svg = cactus(&rows, &["x<".into(), "y".into()]);
        assert!(svg.contains("x&lt; (2)") && svg.contains("y (2)") && !svg.contains("x< "), "{svg}");
        let paths: Vec<&str> = svg.lines().filter(|l| l.contains("stroke-width=\"2\"")).collect();
        let ys: Vec<f64> =
            paths[0].split(['M', 'L', '"']).filter_map(|p| p.split_once(' ')?.1.parse().ok()).collect();
        assert_eq!(ys.len(), 2);
        assert!(ys[0] > ys[1], "a longer time lies higher: {ys:?}");
        let svg = scatter(&rows, "x<", "y");
        assert_eq!(svg.matches("<circle").count(), 3);
        assert!(svg.contains("x&lt; faster: 2") && svg.contains("y faster: 1"), "{svg}");
        assert!(svg.contains("b: 1.00 s / not solved"));
    }

    #[test]
    fn nothing_solved_is_no_reason_to_fail() {
        for rows in
            [vec![], vec![row("a", "x", Status::Unknown, 0)], vec![row("a", "x", Status::CorrectTrue, 0)]]
        {
            for svg in [cactus(&rows, &["x".into()]), cactus(&rows, &[]), scatter(&rows, "x", "y")] {
                assert!(svg.ends_with("</svg>\n") && !svg.contains("NaN") && !svg.contains("inf"), "{svg}");
            }
        }
    }
}
