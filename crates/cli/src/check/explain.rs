//! `--explain`: how the verdict came about, as a page or a picture. Engines record
//! what they did; here it is put together with the verdict, the proofs
//! of loops and the source.

use std::fmt::Write as _;
use std::path::Path;

use cairn_bench::escape;
use cairn_csyntax::render;
use cairn_explain::Shown;
use cairn_portfolio::strategy::{self, Strategy};
use cairn_portfolio::table::{self, ENGINES};

use super::Finished;
use super::output::{loop_text, verdict_line};
use cairn_portfolio::Decision;

const STYLE: &str = include_str!("explain.css");
const SCRIPT: &str = include_str!("explain.js");
/// Longer sources are cut.
const MOST_LINES: usize = 3000;

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Format {
    Html,
    Svg,
}

/// The format that the name of a file asks for.
pub fn format(path: &Path) -> Result<Format, String> {
    let extension = path.extension().map(|e| e.to_string_lossy().to_lowercase());
    match extension.as_deref() {
        Some("html" | "htm") => Ok(Format::Html),
        Some("svg") => Ok(Format::Svg),
        _ => Err(format!("--explain {}: the name must end in .html or .svg", path.display())),
    }
}

/// Is there an engine in the strategy that explains what it does?
pub fn possible(engine: &str) -> Result<(), String> {
    let explains = match strategy::named(engine)? {
        Strategy::Auto => true,
        Strategy::One(engine) => table::explains(engine),
        Strategy::Race(engines) => engines.into_iter().any(table::explains),
    };
    if explains {
        return Ok(());
    }
    let known: Vec<&str> = ENGINES.iter().filter(|row| row.explains).map(|row| row.name).collect();
    Err(format!(
        "--explain: the engine `{engine}` has nothing to draw; those that have are {}",
        known.join(", ")
    ))
}

/// The file's text; `None` if no engine that explains itself came to its turn.
pub fn text(f: &Finished<'_>, format: Format) -> Option<String> {
    let last = f.explanations.last()?;
    Some(match format {
        Format::Svg => cairn_explain::show(last).picture,
        Format::Html => page(f),
    })
}

fn page(f: &Finished<'_>) -> String {
    let (_, verdict) = verdict_line(f);
    let class = match &f.decision {
        Decision::Safe(_) => "true",
        Decision::Unsafe(..) => "false",
        Decision::Unknown(_) => "unknown",
    };
    let files = f.setup.files();
    let names: Vec<String> = files.iter().map(|p| p.display().to_string()).collect();
    let name = escape(&names.join(", "));
    let mut body = format!(
        "<h1>{name} <span class=\"verdict {class}\">{}</span></h1>\n<p class=\"dim\">Property {}, data model {}, \
         engine {}, {:.2} s. {}</p>\n",
        escape(&verdict),
        escape(f.task.property.name()),
        f.task.program.model,
        f.engine,
        f.time.as_secs_f64(),
        said(f)
    );
    proofs(f, &mut body);
    for explanation in &f.explanations {
        course(&cairn_explain::show(explanation), &mut body);
    }
    sources(&files, &mut body);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{name}: {}</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n{body}<script>\n{SCRIPT}</script>\n</body>\n</html>\n",
        escape(&verdict)
    )
}

/// What the verdict rests on, in a sentence.
fn said(f: &Finished<'_>) -> String {
    let own = f.explanations.last().is_some_and(|_| table::explains(f.engine));
    let by = if own { "" } else { " The verdict is another engine's; what is shown here was tried before." };
    let checked = match &f.decision {
        Decision::Safe(_) => "The proof passed the independent checker.".to_owned(),
        Decision::Unsafe(..) => "The error was replayed by the executor.".to_owned(),
        Decision::Unknown(why) => format!("Why unknown: {}", escape(&why.detail)),
    };
    checked + by
}

fn proofs(f: &Finished<'_>, body: &mut String) {
    if f.loops.is_empty() {
        return;
    }
    *body += "<h2>Loops</h2>\n<table>\n<tr><th>loop</th><th>function</th><th>what is known</th></tr>\n";
    for l in &f.loops {
        let at = escape(&render::position(&f.compiled.map, l.place));
        let (function, known) = (escape(l.function.as_str()), escape(&loop_text(&l.status)));
        let _ = writeln!(body, "<tr><td>{at}</td><td>{function}</td><td><code>{known}</code></td></tr>");
    }
    *body += "</table>\n";
}

fn course(shown: &Shown, body: &mut String) {
    let Shown { title, picture, steps, summary } = shown;
    let _ = writeln!(body, "<h2>{}</h2>", escape(title));
    for line in summary {
        let _ = writeln!(body, "<p>{}</p>", escape(line));
    }
    let _ = writeln!(
        body,
        "<div class=\"bar\"><button data-zoom=\"0.8\">−</button> <button data-zoom=\"1.25\">+</button> \
         <button data-zoom=\"0\">fit</button></div>\n<div class=\"picture\">{picture}</div>\n<h3>What happened</h3>\n\
         <table class=\"steps\">\n<tr><th></th><th></th><th></th></tr>"
    );
    for (i, step) in steps.iter().enumerate() {
        let at = step.at.as_ref().map_or_else(String::new, |at| format!(" data-at=\"{}\"", escape(at)));
        let kind = step.what.replace(' ', "-");
        let _ = writeln!(
            body,
            "<tr{at}><td class=\"n\">{}</td><td><span class=\"kind {}\">{}</span></td><td>{}</td></tr>",
            i + 1,
            escape(&kind),
            escape(&step.what),
            escape(&step.text)
        );
    }
    *body += "</table>\n";
}

fn sources(files: &[std::path::PathBuf], body: &mut String) {
    for file in files {
        let Ok(bytes) = std::fs::read(file) else { continue };
        let text = String::from_utf8_lossy(&bytes);
        let total = text.lines().count();
        let _ = writeln!(body, "<h2>{}</h2>\n<pre class=\"source\">", escape(&file.display().to_string()));
        for (i, line) in text.lines().take(MOST_LINES).enumerate() {
            let _ = write!(body, "<span data-line=\"{0}\"><i>{0}</i>{1}</span>", i + 1, escape(line));
        }
        if total > MOST_LINES {
            let _ = writeln!(body, "<span><i></i>… {} more lines</span>", total - MOST_LINES);
        }
        *body += "</pre>\n";
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_and_engines() {
        assert_eq!(format(Path::new("a/b.HTML")), Ok(Format::Html));
        assert_eq!(format(Path::new("b.svg")), Ok(Format::Svg));
        assert!(format(Path::new("b.pdf")).is_err() && format(Path::new("-")).is_err());
        for engine in ["gps", "cra", "auto", "race:bmc,gps"] {
            assert_eq!(possible(engine), Ok(()), "{engine}");
        }
        for engine in ["bmc", "kinduction", "race:bmc,kinduction"] {
            assert!(possible(engine).is_err(), "{engine}");
        }
    }
}
