//! From files to a program: preprocess, parse and check each unit, add the
//! models of what the program uses and does not define, lower, verify.

use std::path::PathBuf;

use cairn_base::stack::with_big_stack;
use cairn_base::{DataModel, Diagnostic, Kind, Place, Span, SrcId, Symbol};
use cairn_csyntax::compile_db::CompileDb;
use cairn_csyntax::preprocess::{CppOptions, Loaded, load};
use cairn_csyntax::source::Naming;
use cairn_csyntax::{Dialect, SourceMap, parse};
use cairn_ctyped::Checker;
use cairn_ir as ir;
use cairn_ir::callgraph::CallGraph;
use rustc_hash::FxHashSet;

use crate::lower::{self, Branching, Externals, Lowered, Places, Unmodelled};
use crate::models::Models;

/// A translation unit.
#[derive(Clone, Debug)]
pub enum Input {
    /// A file: preprocessed unless its name ends in `.i`.
    File(PathBuf),
    /// Preprocessed text under a name.
    Text { name: String, text: String },
}

/// How to read the program.
#[derive(Clone, Debug)]
pub struct Options {
    /// The data model, the dialect and the preprocessor's flags.
    pub cpp: CppOptions,
    /// The function a run starts in.
    pub entry: String,
    /// Every `?:`, `&&` and `||` of the user's is a decision with ways of its own, even where a value
    /// without branches would do: for coverage.
    pub keep_decisions: bool,
    /// What functions without body and model may do.
    pub externals: Externals,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            cpp: CppOptions::default(),
            entry: "main".into(),
            keep_decisions: false,
            externals: Externals::Any,
        }
    }
}

impl Options {
    pub fn with_model(model: DataModel) -> Options {
        Options { cpp: CppOptions { model, ..CppOptions::default() }, ..Options::default() }
    }
}

/// A program ready for use.
pub struct Compiled {
    /// Verified. `entry` is set if the function of that name has a body.
    pub program: ir::Program,
    /// The decisions of the source, by the number of the branch (`BranchId`).
    pub decisions: Vec<Branching>,
    pub map: SourceMap,
    pub warnings: Vec<Diagnostic>,
    /// What the program uses and nobody defines or models, in order of first use.
    pub unmodelled: Vec<Unmodelled>,
    /// The functions that the user's units declare or define, called or not.
    pub declared: FxHashSet<Symbol>,
}

/// Why there is no program.
pub struct Rejected {
    pub map: Box<SourceMap>,
    /// At least one.
    pub diagnostics: Vec<Diagnostic>,
    /// It is Cairn's own fault.
    pub internal: bool,
}

/// Compiles and links the inputs. A compilation database gives the flags of the files it lists.
pub fn compile(inputs: &[Input], options: &Options, db: Option<&CompileDb>) -> Result<Compiled, Rejected> {
    // Deep nesting recurses deeply, in every phase and when the trees are dropped.
    with_big_stack(|| {
        let mut front = Front { map: SourceMap::new(), options };
        match front.run(inputs, db) {
            Ok((program, decisions, warnings, unmodelled, declared)) => {
                Ok(Compiled { program, decisions, map: front.map, warnings, unmodelled, declared })
            }
            Err(Failure { diagnostics, internal }) => {
                Err(Rejected { map: Box::new(front.map), diagnostics, internal })
            }
        }
    })
}

struct Front<'a> {
    map: SourceMap,
    options: &'a Options,
}

struct Failure {
    diagnostics: Vec<Diagnostic>,
    internal: bool,
}

impl From<Vec<Diagnostic>> for Failure {
    fn from(diagnostics: Vec<Diagnostic>) -> Failure {
        Failure { diagnostics, internal: false }
    }
}

impl From<Diagnostic> for Failure {
    fn from(diagnostic: Diagnostic) -> Failure {
        vec![diagnostic].into()
    }
}

fn internal(message: String) -> Failure {
    Failure { diagnostics: vec![Diagnostic::global(format!("internal error: {message}"))], internal: true }
}

type Parts = (ir::Program, Vec<Branching>, Vec<Diagnostic>, Vec<Unmodelled>, FxHashSet<Symbol>);

impl Front<'_> {
    fn run(&mut self, inputs: &[Input], db: Option<&CompileDb>) -> Result<Parts, Failure> {
        let mut checker = Checker::new(self.options.cpp.model);
        let mut errors = Vec::new();
        for input in inputs {
            let checked = self.load(input, db).and_then(|unit| {
                let ast = parse(unit.src, self.map.text(unit.src), unit.dialect)?;
                checker.unit(&ast).map_err(Failure::from)
            });
            if let Err(failure) = checked {
                errors.extend(failure.diagnostics);
            }
        }
        if !errors.is_empty() {
            return Err(errors.into());
        }
        let declared = checker.function_names();
        let first_model = self.add_models(&mut checker)?;
        let (hir, warnings) = checker.finish();
        let (unsupported, warnings): (Vec<_>, Vec<_>) =
            warnings.into_iter().partition(|d| d.kind == Kind::Unsupported);
        if !unsupported.is_empty() {
            return Err(unsupported.into());
        }

        let places = Map { map: &self.map, first_model };
        let Lowered {
            mut program,
            decisions,
            external_objects,
            unmodelled,
            unsupported,
            diagnostics,
            conditions,
        } = lower::lower(
            &hir,
            &places,
            self.map.file_names(),
            self.options.keep_decisions,
            self.options.externals,
        );
        if !diagnostics.is_empty() {
            return Err(diagnostics.into());
        }
        let entry = program.func_named(&self.options.entry).filter(|&f| program.funcs[f].body.is_some());
        program.entry = entry;
        if let Some(entry) = entry {
            for condition in conditions {
                program.suppose(ir::Site::Func(entry), condition);
            }
        }
        if let (Some(entry), Some(first)) = (entry, external_objects) {
            lower::begin_with(&mut program, entry, first);
        }
        let rejected = reachable(&program, unsupported);
        if !rejected.is_empty() {
            return Err(rejected.into());
        }
        if let Err(violations) = ir::verify(&program) {
            let first = violations.first().map_or_else(String::new, ToString::to_string);
            return Err(internal(format!("the lowered program breaks its rules: {first}")));
        }
        Ok((program, decisions, warnings, unmodelled, declared))
    }

    fn load(&mut self, input: &Input, db: Option<&CompileDb>) -> Result<Loaded, Failure> {
        let dialect = Dialect::from_std(&self.options.cpp.std);
        match input {
            Input::Text { name, text } => {
                let src = self.map.add_unit(name, text.clone().into_bytes(), Naming::default())?;
                Ok(Loaded { src, dialect })
            }
            Input::File(path) => {
                let mut cpp = match db.and_then(|db| db.lookup(path)) {
                    Some(entry) => entry.options(&self.options.cpp),
                    None => self.options.cpp.clone(),
                };
                // One program has one data model, whatever its units were compiled for.
                cpp.model = self.options.cpp.model;
                Ok(load(&mut self.map, path, &cpp)?)
            }
        }
    }

    /// Adds models until nothing that has one is missing. Gives the first unit that is a model.
    fn add_models(&mut self, checker: &mut Checker) -> Result<Option<SrcId>, Failure> {
        let mut first = None;
        let mut models = None;
        let mut added: FxHashSet<String> = FxHashSet::default();
        loop {
            let mut missing: Vec<Symbol> = checker.undefined_functions();
            missing.extend(checker.undefined_objects());
            if missing.is_empty() {
                return Ok(first);
            }
            let models = models.get_or_insert_with(Models::new);
            let before = added.len();
            for name in missing {
                if name.as_str() == lower::EXIT_HANDLERS {
                    continue;
                }
                self.add_model(name.as_str(), models, checker, &mut added, &mut first)?;
                if lower::reads_format(name.as_str()) {
                    for scanner in lower::SCANNERS {
                        self.add_model(scanner, models, checker, &mut added, &mut first)?;
                    }
                }
                if let Some(counting) = lower::counting(name.as_str())
                    && checker.string_literals().any(|text| cairn_value::format::counts(&text))
                {
                    self.add_model(counting, models, checker, &mut added, &mut first)?;
                }
                if name.as_str() == "atexit" {
                    self.add_model(lower::EXIT_HANDLERS, models, checker, &mut added, &mut first)?;
                }
            }
            if added.len() == before {
                return Ok(first);
            }
        }
    }

    fn add_model(
        &mut self,
        name: &str,
        models: &Models,
        checker: &mut Checker,
        added: &mut FxHashSet<String>,
        first: &mut Option<SrcId>,
    ) -> Result<(), Failure> {
        let Some(model) = models.find(name) else { return Ok(()) };
        if !added.insert(model.key.clone()) {
            return Ok(());
        }
        if first.is_none() {
            for (name, text) in Models::files() {
                self.map.add_file(&name, text.as_bytes().to_vec());
            }
        }
        let src = self.map.add_unit(&model.file, model.text.into_bytes(), Naming::default())?;
        first.get_or_insert(src);
        let ast = parse(src, self.map.text(src), Dialect::default());
        let checked = ast.map_err(|d| vec![d]).and_then(|ast| checker.unit(&ast));
        checked.map_err(|diagnostics| Failure { internal: true, ..Failure::from(diagnostics) })
    }
}

/// The unsupported functions that a run may enter; all, if it is open where a run starts.
fn reachable(program: &ir::Program, unsupported: Vec<(ir::FuncId, Diagnostic)>) -> Vec<Diagnostic> {
    if unsupported.is_empty() {
        return Vec::new();
    }
    let entered = program.entry.map(|entry| CallGraph::new(program).reachable(entry));
    let matters = |f: &ir::FuncId| entered.as_ref().is_none_or(|all| all.contains(f));
    unsupported.into_iter().filter(|(f, _)| matters(f)).map(|(_, d)| d).collect()
}

struct Map<'a> {
    map: &'a SourceMap,
    /// Units from here on are models.
    first_model: Option<SrcId>,
}

impl Places for Map<'_> {
    fn place(&self, span: Span) -> Place {
        self.map.resolve(span)
    }

    fn is_model(&self, src: SrcId) -> bool {
        self.first_model.is_some_and(|first| src >= first)
    }
}
