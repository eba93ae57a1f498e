//! Command-line arguments.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Parser, Subcommand, ValueEnum};
use skill_agent_documents::Dialect;
#[cfg(not(feature = "mcp"))]
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};

/// Checks, lists and shows SKILL.md documents
#[derive(Debug, Parser)]
#[command(name = "skills", version)]
pub(crate) struct Args {
    /// Whether to color the output; `NO_COLOR` is respected
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto, value_name = "WHEN")]
    pub(crate) color: Color,
    #[command(subcommand)]
    pub(crate) command: CliCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum CliCommand {
    Validate(ValidateArgs),
    Check(CheckArgs),
    /// List the skills of folders, including those that are not trusted
    List(SourceArgs),
    Show(ShowArgs),
    /// Print the block `<available_skills>` for the system prompt of a model
    ///
    /// A path may also name a single skill.
    Prompt(SourceArgs),
    Explain(ExplainArgs),
    /// Serve skills to an MCP client over standard input and output
    ///
    /// A path may also name a single skill.
    #[cfg(feature = "mcp")]
    Mcp(SourceArgs),
    #[cfg(not(feature = "mcp"))]
    #[command(hide = true, disable_help_flag = true)]
    Mcp(LeftOutArgs),
    Contract(ContractArgs),
    New(NewArgs),
}

/// Check documents: exit code 0 if all are valid, 1 if some are not, 2 if a path does not exist
#[derive(Debug, clap::Args)]
pub(crate) struct ValidateArgs {
    /// The dialect that the documents must follow
    #[arg(long, value_parser = dialect_parser(), ignore_case = true, default_value = Dialect::AGENT_SKILLS.name)]
    pub(crate) dialect: Dialect,
    /// Print one line of JSON for each document
    #[arg(long)]
    pub(crate) json: bool,
    /// Documents, folders of skills, or folders to search
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
}

/// Check that documents name tools that exist: exit code 0 if they do, 1 if some do not, 2 if a path does not exist
///
/// A word in backticks that looks like a misspelled name of a tool is reported with the name that was meant.
#[derive(Debug, clap::Args)]
pub(crate) struct CheckArgs {
    /// The contract file of the agent, which has the names of its tools
    #[arg(long, value_name = "FILE")]
    pub(crate) contract: PathBuf,
    /// The dialect of the documents, which determines the names of their files
    #[arg(long, value_parser = dialect_parser(), ignore_case = true, default_value = Dialect::AGENT_SKILLS_LENIENT.name)]
    pub(crate) dialect: Dialect,
    /// Print one line of JSON for each document
    #[arg(long)]
    pub(crate) json: bool,
    /// Documents, folders of skills, or folders to search
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
}

/// Where to find skills.
#[derive(Debug, clap::Args)]
pub(crate) struct SourceArgs {
    /// The dialect that the documents must follow
    #[arg(long, value_parser = dialect_parser(), ignore_case = true, default_value = Dialect::AGENT_SKILLS_LENIENT.name)]
    pub(crate) dialect: Dialect,
    /// Follow symbolic links out of the folders that are named, as an installer makes them
    #[arg(long, requires = "paths")]
    pub(crate) follow_links: bool,
    /// Folders that contain skills; by default the folders in which agents keep them, here and at home
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
}

/// The arguments of a command that this build lacks.
#[cfg(not(feature = "mcp"))]
#[derive(Debug, clap::Args)]
pub(crate) struct LeftOutArgs {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    _any: Vec<OsString>,
}

/// Show the contents of a skill and the files that it bundles
#[derive(Debug, clap::Args)]
pub(crate) struct ShowArgs {
    /// The id of the skill
    pub(crate) id: String,
    #[command(flatten)]
    pub(crate) sources: SourceArgs,
}

/// Explain which skills a request selects, and why
///
/// Skills with triggers are selected by them, the others by their names and descriptions. A skill that is not trusted is not
/// selected. `+` marks what a model is shown, `-` what is left out.
#[derive(Debug, clap::Args)]
pub(crate) struct ExplainArgs {
    /// The request of a user
    pub(crate) query: String,
    /// How skills are disclosed to a model
    #[arg(long, value_enum, default_value_t = Policy::Tiers)]
    pub(crate) policy: Policy,
    /// A file that the request is about; may be repeated
    #[arg(long = "file", value_name = "FILE")]
    pub(crate) files: Vec<String>,
    /// The most tokens of the selected texts together; a token is four bytes
    #[arg(long, value_name = "TOKENS")]
    pub(crate) budget: Option<usize>,
    /// Print the text that a model is shown after the explanation
    #[arg(long)]
    pub(crate) text: bool,
    #[command(flatten)]
    pub(crate) sources: SourceArgs,
}

/// How skills are disclosed to a model.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Policy {
    /// By the request: nothing, their number, a list, or full texts
    Tiers,
    /// One list, from which the model loads a skill with a tool
    LazyTool,
    /// A list, or the one skill that the request names
    Index,
}

/// Compare two contract files: exit code 1 if a change is breaking and no version accounts for it, 2 if a file cannot be read
///
/// A contract file is written by a test with `testing::assert_contract`.
#[derive(Debug, clap::Args)]
pub(crate) struct ContractArgs {
    /// Print one line of JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// The contract file before
    #[arg(value_name = "OLD")]
    pub(crate) old: PathBuf,
    /// The contract file after
    #[arg(value_name = "NEW")]
    pub(crate) new: PathBuf,
}

/// Create a skill: write NAME/SKILL.md, or a crate with a skill or an agent in Rust
#[derive(Debug, clap::Args)]
pub(crate) struct NewArgs {
    /// Create a library crate instead: a skill in Rust with tests, its contract and a CI file
    #[arg(long = "crate", group = "kind", conflicts_with = "dialect")]
    is_crate: bool,
    /// Create a program instead: an agent with two skills, which is kept in a file, its tests, and a chat in the terminal
    #[arg(long = "agent", group = "kind", conflicts_with = "dialect")]
    is_agent: bool,
    /// A checkout of skill-agent on which the crate depends; without it, the crate depends on the published version
    #[arg(long, value_name = "CHECKOUT", requires = "kind")]
    pub(crate) path: Option<PathBuf>,
    /// The name of the skill or agent, and of its folder
    pub(crate) name: String,
    /// The dialect that the document must follow
    #[arg(long, value_parser = dialect_parser(), ignore_case = true, default_value = Dialect::AGENT_SKILLS.name)]
    pub(crate) dialect: Dialect,
    /// The parent of the new folder NAME
    #[arg(default_value = ".", value_name = "DIR")]
    folder: PathBuf,
    /// The same, for those who write it as an option
    #[arg(
        long = "dir",
        value_name = "DIR",
        conflicts_with = "folder",
        hide = true
    )]
    dir: Option<PathBuf>,
}

impl NewArgs {
    /// Returns the parent of the new folder.
    pub(crate) fn folder(&self) -> &Path {
        self.dir.as_ref().unwrap_or(&self.folder)
    }

    /// Returns the kind of crate to create, or `None` for a document.
    pub(crate) fn crate_kind(&self) -> Option<CrateKind> {
        if self.is_agent {
            Some(CrateKind::Agent)
        } else {
            self.is_crate.then_some(CrateKind::Skill)
        }
    }
}

/// The content of a new crate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CrateKind {
    Skill,
    Agent,
}

impl CrateKind {
    /// Returns the words for such a crate in a message.
    pub(crate) fn with_article(self) -> &'static str {
        match self {
            Self::Skill => "a skill crate",
            Self::Agent => "an agent",
        }
    }
}

/// Writes the word for the content.
impl fmt::Display for CrateKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Skill => "skill",
            Self::Agent => "agent",
        })
    }
}

/// When to color the output, which `Auto` does only on a terminal.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Color {
    Auto,
    Always,
    Never,
}

/// Parses the name of a preset, ignoring case.
fn dialect_parser() -> impl TypedValueParser<Value = Dialect> {
    let names = Dialect::PRESETS.iter().map(|preset| preset.name);
    PossibleValuesParser::new(names).try_map(|name| {
        let mut presets = Dialect::PRESETS.iter().copied();
        let preset = presets.find(|preset| preset.name.eq_ignore_ascii_case(&name));
        preset.ok_or("there is no such dialect")
    })
}
