//! The results as one self-contained page: a summary, the plots, and a table
//! of tasks and configurations that sorts and filters with a few lines of
//! script. Nothing is loaded from anywhere.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use crate::results::Row;
use crate::runner::Plan;
use crate::score::Status;
use crate::summary::Summary;

/// Text as HTML and XML want it.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\'' => out += "&#39;",
            _ => out.push(c),
        }
    }
    out
}

/// A path as a link: what URLs reserve is written in percent signs.
fn link(path: &Path) -> String {
    let mut out = String::new();
    for byte in path.display().to_string().bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'+' => {
                out.push(byte.into())
            }
            _ => {
                let _ = write!(out, "%{byte:02X}");
            }
        }
    }
    out
}

/// What the page is made of.
pub struct Page<'a> {
    pub rows: &'a [Row],
    pub configs: &'a [String],
    /// How each was run, in the order of `configs`.
    pub commands: &'a [String],
    /// The limits, in words.
    pub limits: &'a str,
    /// SVG pictures.
    pub plots: &'a [String],
    /// Runs that are still missing.
    pub missing: usize,
}

/// A task and a property, and the run of each configuration.
type Runs<'a> = ((&'a str, &'a str), BTreeMap<&'a str, &'a Row>);

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

impl Page<'_> {
    pub fn render(&self) -> String {
        let tasks = self.tasks();
        let mut html = format!(
            "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
             <meta name=\"viewport\" content=\"width=device-width\">\
             <title>Benchmark results</title>\n<style>\n{STYLE}</style></head>\n<body>\n\
             <h1>Benchmark results</h1>\n<p>{} {}, {} {}; limits of each run: {}.{}</p>\n",
            tasks.len(),
            if tasks.len() == 1 { "task" } else { "tasks" },
            self.configs.len(),
            if self.configs.len() == 1 { "configuration" } else { "configurations" },
            escape(self.limits),
            match self.missing {
                0 => String::new(),
                n => format!(" <strong>{n} runs are missing.</strong>"),
            }
        );
        self.summary(&mut html);
        html += "<h2>Plots</h2>\n<div class=\"plots\">\n";
        for plot in self.plots {
            html += plot;
        }
        html += "</div>\n";
        self.table(&tasks, &mut html);
        let _ = writeln!(html, "<script>\n{SCRIPT}</script>\n</body></html>");
        html
    }

    /// The rows of each task, by configuration.
    fn tasks(&self) -> Vec<Runs<'_>> {
        let mut order: Vec<Runs> = Vec::new();
        let mut place = BTreeMap::new();
        for row in self.rows {
            let key = (row.task.as_str(), row.property.as_str());
            let at = *place.entry(key).or_insert_with(|| {
                order.push((key, BTreeMap::new()));
                order.len() - 1
            });
            order[at].1.insert(&row.config, row);
        }
        order
    }

    fn summary(&self, html: &mut String) {
        let summaries = Summary::of(self.rows, self.configs);
        let common = summaries.first().map_or(0, |s| s.common);
        *html += "<div class=\"wide\"><table class=\"summary\"><thead><tr><th>configuration</th>";
        for (name, _) in Summary::default().cells() {
            let _ = write!(html, "<th>{name}</th>");
        }
        *html += "</tr></thead><tbody>\n";
        for (summary, command) in summaries.iter().zip(self.commands) {
            let _ = write!(html, "<tr><th title=\"{}\">{}</th>", escape(command), escape(&summary.config));
            for (name, value) in summary.cells() {
                let class = match name {
                    "wrong true" | "wrong false" if value != "0" => " class=\"wrong\"",
                    "score" => " class=\"score\"",
                    _ if value == "0" => " class=\"zero\"",
                    _ => "",
                };
                let _ = write!(html, "<td{class}>{value}</td>");
            }
            *html += "</tr>\n";
        }
        let _ = write!(
            html,
            "</tbody></table></div>\n<p class=\"note\">{common} tasks were solved by all.</p>\n"
        );
        *html += "<details><summary>Commands</summary><dl>";
        for (config, command) in self.configs.iter().zip(self.commands) {
            let _ = write!(html, "<dt>{}</dt><dd><code>{}</code></dd>", escape(config), escape(command));
        }
        *html += "</dl></details>\n";
    }

    fn table(&self, tasks: &[Runs], html: &mut String) {
        let prefix = common_folder(tasks.iter().map(|((task, _), _)| *task));
        let properties: std::collections::BTreeSet<&str> = tasks.iter().map(|((_, p), _)| *p).collect();
        *html += "<h2>Tasks</h2>\n<p class=\"controls\"><input id=\"filter\" type=\"search\" placeholder=\"filter tasks\" \
                  aria-label=\"filter tasks\"> <select id=\"show\" aria-label=\"show\"><option value=\"\">all tasks</option>\
                  <option value=\"wrong\">some wrong</option><option value=\"unsolved\">some unsolved</option>\
                  <option value=\"differ\">configurations differ</option></select> <span id=\"count\"></span></p>\n";
        *html += "<div class=\"wide tall\"><table class=\"tasks\"><thead><tr><th rowspan=\"2\" data-sort=\"0\">task</th>\
                  <th rowspan=\"2\" data-sort=\"1\">expected</th>";
        for config in self.configs {
            let _ = write!(html, "<th colspan=\"3\" class=\"first\">{}</th>", escape(config));
        }
        *html += "</tr><tr>";
        for index in 0..self.configs.len() {
            let at = 2 + 3 * index;
            let _ = write!(
                html,
                "<th class=\"first\" data-sort=\"{at}\">verdict</th><th data-sort=\"{}\">CPU s</th><th data-sort=\"{}\">MB</th>",
                at + 1,
                at + 2
            );
        }
        *html += "</tr></thead><tbody>\n";
        for ((task, property), runs) in tasks {
            let short = escape(task.strip_prefix(prefix).unwrap_or(task));
            let shown = if properties.len() > 1 {
                format!("{short} <small>{}</small>", escape(property))
            } else {
                short
            };
            let expected = runs.values().next().map_or("", |r| r.expected.as_str());
            let _ = write!(
                html,
                "<tr><td class=\"task\" title=\"{}\">{shown}</td><td>{}</td>",
                escape(task),
                escape(expected)
            );
            for config in self.configs {
                match runs.get(config.as_str()) {
                    Some(row) => cell(row, html),
                    None => *html += "<td class=\"first\"></td><td></td><td></td>",
                }
            }
            *html += "</tr>\n";
        }
        *html += "</tbody></table></div>\n";
    }
}

fn cell(row: &Row, html: &mut String) {
    let class = match row.status {
        Status::CorrectTrue | Status::CorrectFalse => "correct",
        Status::WrongTrue | Status::WrongFalse => "wrong",
        Status::Unknown => "unknown",
        Status::Timeout | Status::OutOfMemory => "limit",
        Status::Error => "error",
        Status::Unchecked => "unchecked",
    };
    // The first word in the cell, all of it in the tip.
    let brief = row.verdict.split(['(', ' ']).next().filter(|_| row.status != Status::OutOfMemory);
    let _ = write!(
        html,
        "<td class=\"first {class}\"><a href=\"{}\" title=\"{}: {}, exit {}, wall {:.2} s\">{}</a></td>\
         <td class=\"n\">{:.2}</td><td class=\"n\">{:.0}</td>",
        link(&Plan::log_of(row)),
        row.status,
        escape(&row.verdict),
        escape(&row.exit),
        row.wall.as_secs_f64(),
        escape(brief.unwrap_or("memory")),
        row.cpu.as_secs_f64(),
        row.memory as f64 / 1e6
    );
}

/// The folders that all names start with.
fn common_folder<'a>(mut names: impl Iterator<Item = &'a str>) -> &'a str {
    let Some(first) = names.next() else { return "" };
    let mut end = first.rfind('/').map_or(0, |at| at + 1);
    for name in names {
        let same = first.bytes().zip(name.bytes()).take_while(|(a, b)| a == b).count().min(end);
        end = first[..same].rfind('/').map_or(0, |at| at + 1);
    }
    &first[..end]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::tests::row;

    #[test]
    fn names_are_text_never_markup() {
        let rows = [
            row("d/<b>&.yml", "x\"y", Status::WrongTrue, 5),
            row("d/e/c.yml", "x\"y", Status::CorrectTrue, 5),
        ];
        let configs = ["x\"y".to_owned(), "none".to_owned()];
        let page = Page {
            rows: &rows,
            configs: &configs,
            commands: &["run <it>".to_owned(), String::new()],
            limits: "1 s",
            plots: &["<svg></svg>".to_owned()],
            missing: 3,
        };
        let html = page.render();
        assert!(html.contains("&lt;b&gt;&amp;.yml</td>") && !html.contains("<b>&"), "{html}");
        assert!(html.contains("x&quot;y") && !html.contains("x\"y"));
        assert!(html.contains(">e/c.yml</td>") && html.contains("3 runs are missing"));
        assert_eq!(html.matches("<tr>").count(), 3 + 2 + 2);
        assert!(
            !html.contains("http://") || html.matches("http").count() == html.matches("www.w3.org").count()
        );
    }

    #[test]
    fn folders_in_common() {
        let common = |names: &[&'static str]| common_folder(names.iter().copied());
        assert_eq!(common(&["a/b/c.yml", "a/b/d.yml"]), "a/b/");
        assert_eq!(common(&["a/bc/c.yml", "a/bd/d.yml"]), "a/");
        assert_eq!(common(&["x.yml", "a/d.yml"]), "");
        assert_eq!(common(&[]), "");
    }
}
