//! `cairn bench`: run sets of tasks with several configurations and tools, and
//! compare them.

use std::io::IsTerminal;
use std::path::PathBuf;
use std::time::Duration;

use cairn_base::Cancel;
use cairn_bench::{
    BenchError, Config, Description, Limits, Observer, Patterns, Plan, Row, Rule, Summary, Template, cases,
    report, run,
};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use crate::args::seconds;
use crate::exit::Exit;
use crate::terminal;

const EXAMPLES: &str = "\
Examples:
  cairn bench tests/programs/verify                    the default strategy on all tasks of a folder
  cairn bench loops.set --config bmc='--engine bmc' --config ki='--engine kinduction' --time 60
  cairn bench 'tasks/*.yml' --config cairn --tool cbmc='cbmc {32?--32:--64} {file}' --out compare
  cairn bench --file bench.yml --resume                go on with what a description file says

Placeholders of commands and options:
  {file} {files} {task} {property} {property_file} {model} {bits} {time} {memory} {tmp}
  {32?A:B} is A for tasks of the 32-bit data model, else B; {{ and }} are braces

Exit codes:
   0  all runs are done and no verdict is wrong
   1  wrong usage, or results that cannot be written
   2  a task file is missing or malformed
   5  interrupted by Ctrl-C; the tables show what is finished
  10  all runs are done and some verdict is wrong";

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct BenchArgs {
    /// Task files (.yml), folders, patterns, or .set files with a pattern a line
    #[arg(value_name = "SET", required_unless_present = "file")]
    sets: Vec<String>,

    /// Run `cairn check` with these options under this name (default: one without options)
    #[arg(long, value_name = "NAME[=OPTIONS]")]
    config: Vec<String>,

    /// Run another tool by this command
    #[arg(long, value_name = "NAME=COMMAND")]
    tool: Vec<String>,

    /// How the verdict of a tool is read: like cairn, cbmc, cpachecker, ultimate, symbiotic, esbmc,
    /// klee or gps, or by patterns true:REGEX, false:REGEX, unknown:REGEX (the last match counts)
    ///
    /// Known tools are recognised by the name of their program or of the configuration.
    #[arg(long, value_name = "NAME=RULE")]
    verdict: Vec<String>,

    /// CPU seconds for each run, all its processes together [default: 60]
    #[arg(long, value_name = "S", value_parser = seconds)]
    time: Option<Duration>,

    /// Seconds on the clock for each run [default: twice the CPU time and 10 more]
    #[arg(long, value_name = "S", value_parser = seconds)]
    wall: Option<Duration>,

    /// Resident memory for each run in megabytes, all its processes together [default: 4000]
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..=1 << 30))]
    memory: Option<u64>,

    /// Runs at the same time [default: half the processors]
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,

    /// The folder of the results [default: bench-results]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Go on with the results that are there
    #[arg(long)]
    resume: bool,

    /// The property to decide, by the name of its file, or `all` [default: unreach-call]
    #[arg(long, value_name = "NAME")]
    property: Option<String>,

    /// Only the first N cases
    #[arg(long, value_name = "N")]
    limit: Option<usize>,

    /// Read all this from a description file (YAML); options given here come first
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
}

pub fn bench(args: &BenchArgs, cancel: &Cancel) -> Exit {
    let fail = |message: &str, exit: Exit| {
        terminal::usage_error(message);
        exit
    };
    let described = match args.file.as_deref().map(Description::read).transpose() {
        Ok(described) => described.unwrap_or_default(),
        Err(message) => return fail(&message, Exit::Usage),
    };
    let configs = match configs(args, &described) {
        Ok(configs) => configs,
        Err(message) => return fail(&message, Exit::Usage),
    };
    let limits = match limits(args, &described) {
        Ok(limits) => limits,
        Err(message) => return fail(&message, Exit::Usage),
    };
    let property = args.property.as_deref().or(described.property.as_deref()).unwrap_or("unreach-call");
    let sets: Vec<String> = args.sets.iter().chain(&described.tasks).cloned().collect();
    let mut selected = match cases(&sets, property) {
        Ok(selected) => selected,
        Err(message) => return fail(&message, Exit::Rejected),
    };
    if selected.cases.is_empty() {
        return fail(&format!("none of these tasks has the property `{property}`"), Exit::Rejected);
    }
    if selected.without_property > 0 {
        terminal::report(&format!(
            "{} tasks do not have the property `{property}`\n",
            selected.without_property
        ));
    }
    selected.cases.truncate(args.limit.unwrap_or(usize::MAX));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let out = args.out.clone().or(described.out.map(PathBuf::from));
    let plan = Plan {
        cases: selected.cases,
        configs,
        limits,
        jobs: args.jobs.map(usize::from).or(described.jobs).unwrap_or((cores / 2).max(1)),
        out: out.unwrap_or_else(|| PathBuf::from("bench-results")),
    };
    match work(&plan, args.resume, cancel) {
        Ok(exit) => exit,
        Err(error) => fail(&error.to_string(), Exit::Usage),
    }
}

fn work(plan: &Plan, resume: bool, cancel: &Cancel) -> Result<Exit, BenchError> {
    let bar =
        Bar(if std::io::stderr().is_terminal() { ProgressBar::no_length() } else { ProgressBar::hidden() });
    let rows = run(plan, resume, cancel, &bar);
    bar.0.finish_and_clear();
    let rows = rows?;
    let page = report::write(plan, &rows)?;
    let names: Vec<String> = plan.configs.iter().map(|c| c.name.clone()).collect();
    let mut text = Summary::text(&Summary::of(&rows, &names));
    for row in rows.iter().filter(|r| r.status.is_wrong()) {
        text +=
            &format!("wrong: {} says {}, expected {}: {}\n", row.config, row.verdict, row.expected, row.task);
    }
    let missing = plan.cases.len() * plan.configs.len() - rows.len();
    if missing > 0 {
        text += &format!("{missing} runs are missing; --resume goes on with them\n");
    }
    terminal::output(&format!("{text}Results: {}\n", page.display()));
    Ok(if missing > 0 {
        Exit::Limit
    } else if rows.iter().any(|r| r.status.is_wrong()) {
        Exit::Error
    } else {
        Exit::Normal
    })
}

struct Bar(ProgressBar);

impl Observer for Bar {
    fn planned(&self, total: usize, done: usize) {
        if let Ok(style) =
            ProgressStyle::with_template("{bar:30} {pos}/{len} runs, {elapsed}, {eta} left  {msg}")
        {
            self.0.set_style(style);
        }
        self.0.set_length(total as u64);
        self.0.set_position(done as u64);
        self.0.enable_steady_tick(Duration::from_millis(250));
    }

    fn finished(&self, row: &Row) {
        let said = format!("{} {}: {}", row.config, row.task, row.status);
        if row.status.is_wrong() {
            self.0.println(&said);
        }
        self.0.set_message(said);
        self.0.inc(1);
    }
}

fn limits(args: &BenchArgs, described: &Description) -> Result<Limits, String> {
    let time = |given: Option<Duration>, described: Option<f64>| match (given, described) {
        (Some(given), _) => Ok(Some(given)),
        (None, Some(described)) => seconds(&described.to_string()).map(Some),
        (None, None) => Ok(None),
    };
    let cpu = time(args.time, described.limits.time)?.unwrap_or(Duration::from_secs(60));
    let wall = time(args.wall, described.limits.wall)?.unwrap_or(2 * cpu + Duration::from_secs(10));
    let memory = args.memory.or(described.limits.memory).unwrap_or(4000);
    let bytes = memory.checked_mul(1 << 20).filter(|b| *b > 0).ok_or("the memory limit makes no sense")?;
    Ok(Limits { cpu: Some(cpu), wall: Some(wall), memory: Some(bytes) })
}

/// All configurations, those of the command line first.
fn configs(args: &BenchArgs, described: &Description) -> Result<Vec<Config>, String> {
    let mut configs = Vec::new();
    let split = |text: &str| {
        let (name, rest) = text.split_once('=').unwrap_or((text, ""));
        (name.trim().to_owned(), rest.to_owned())
    };
    let mut own: Vec<(String, String)> = args.config.iter().map(|c| split(c)).collect();
    own.extend(described.configs.iter().map(|c| (c.name.clone(), c.options.clone())));
    let mut tools: Vec<(String, String, Vec<String>)> = Vec::new();
    for tool in &args.tool {
        let (name, command) = split(tool);
        tools.push((name, command, Vec::new()));
    }
    tools.extend(described.tools.iter().map(|t| (t.name.clone(), t.command.clone(), t.verdicts.clone())));
    for verdict in &args.verdict {
        let (name, rule) = split(verdict);
        let tool = tools.iter_mut().find(|(n, _, _)| *n == name);
        tool.ok_or(format!("--verdict {verdict}: no tool is named `{name}`"))?.2.push(rule);
    }
    if own.is_empty() && tools.is_empty() {
        own.push(("cairn".to_owned(), String::new()));
    }
    let cairn = std::env::current_exe().map_err(|e| format!("cannot find the cairn command: {e}"))?;
    let words = [cairn.display().to_string(), "check".to_owned()];
    for (name, options) in own {
        let rest = format!("{options} {{32?--32:--64}} --property {{property_file}} {{files}}");
        let template =
            Template::of_words(&words, &rest).map_err(|e| format!("configuration `{name}`: {e}"))?;
        configs.push(Config { name, template, rule: Rule::Cairn });
    }
    for (name, command, verdicts) in tools {
        let template = Template::parse(&command).map_err(|e| format!("tool `{name}`: {e}"))?;
        let rule = rule(&name, &template, &verdicts).map_err(|e| format!("tool `{name}`: {e}"))?;
        configs.push(Config { name, template, rule });
    }
    match configs.iter().find(|c| c.name.is_empty()) {
        Some(_) => Err("a configuration has no name (give NAME=…)".to_owned()),
        None => Ok(configs),
    }
}

/// The rule given, or that of a tool we know by its program or name.
fn rule(name: &str, template: &Template, verdicts: &[String]) -> Result<Rule, String> {
    if let [one] = verdicts
        && Rule::NAMES.contains(&one.as_str())
    {
        return Rule::known(one).ok_or_else(|| format!("`{one}` has no rule"));
    }
    if verdicts.is_empty() {
        let known = template.program().and_then(Rule::known).or_else(|| Rule::known(name));
        return known.ok_or_else(|| {
            format!(
                "say how its verdict is read: --verdict {name}=RULE, one of {} or patterns",
                Rule::NAMES.join(", ")
            )
        });
    }
    let mut patterns = Patterns::default();
    for verdict in verdicts {
        patterns.merge(verdict.parse()?);
    }
    Ok(Rule::Patterns(patterns))
}
