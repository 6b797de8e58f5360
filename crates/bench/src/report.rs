//! Writing the pages and plots of what has been run.

use std::fs;
use std::path::PathBuf;

use crate::html::Page;
use crate::plot;
use crate::results::Row;
use crate::runner::{BenchError, Plan, cannot_write, file_name, limits};

/// Writes `results.html`, `cactus.svg` and, for the first configuration against each other one,
/// `scatter-NAME.svg`. Says where the page is.
pub fn write(plan: &Plan, rows: &[Row]) -> Result<PathBuf, BenchError> {
    let configs: Vec<String> = plan.configs.iter().map(|c| c.name.clone()).collect();
    let commands: Vec<String> = plan.configs.iter().map(|c| c.template.text().to_owned()).collect();
    let mut plots = vec![plot::cactus(rows, &configs)];
    let mut files = vec!["cactus.svg".to_owned()];
    if let Some((first, others)) = configs.split_first() {
        for other in others {
            plots.push(plot::scatter(rows, first, other));
            files.push(format!("scatter-{}.svg", file_name(other)));
        }
    }
    let limits = limits(&plan.limits);
    let missing = plan.cases.len() * configs.len() - rows.len();
    let page = Page { rows, configs: &configs, commands: &commands, limits: &limits, plots: &plots, missing };
    let html = page.render();
    let put = |name: &str, text: &str| {
        let path = plan.out.join(name);
        fs::write(&path, text).map_err(|e| cannot_write(&path, &e)).map(|()| path)
    };
    for (file, plot) in files.iter().zip(&plots) {
        put(file, plot)?;
    }
    put("results.html", &html)
}
