//! The command line.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Parser, Subcommand, ValueEnum};
use skill_agent::manifest::Dialect;
use std::path::PathBuf;

/// Checks, lists and shows SKILL.md documents
#[derive(Debug, Parser)]
#[command(name = "skills", version)]
pub(crate) struct Args {
    /// Whether to color what is printed; `NO_COLOR` is heard
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto, value_name = "WHEN")]
    pub(crate) color: Color,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Validate(Validate),
    /// List the skills of folders, those that are not trusted too
    List(Sources),
    Show(Show),
    /// Print the block `<available_skills>` for the system prompt of a model
    Prompt(Sources),
    New(New),
}

/// Check documents: exit code 0 when all are valid, 1 when some are not
#[derive(Debug, clap::Args)]
pub(crate) struct Validate {
    /// What the documents have to keep to
    #[arg(long, value_parser = dialects(), ignore_case = true, default_value = Dialect::AGENT_SKILLS.name)]
    pub(crate) dialect: Dialect,
    /// Print one line of JSON for each document
    #[arg(long)]
    pub(crate) json: bool,
    /// Documents, folders of skills, and folders to look through
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
}

/// Where skills are.
#[derive(Debug, clap::Args)]
pub(crate) struct Sources {
    /// What the documents have to keep to
    #[arg(long, value_parser = dialects(), ignore_case = true, default_value = Dialect::AGENT_SKILLS_LENIENT.name)]
    pub(crate) dialect: Dialect,
    /// Folders that hold skills; without one, those in which agents keep them, here and at home
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
}

/// Show what a skill says and brings
#[derive(Debug, clap::Args)]
pub(crate) struct Show {
    /// The id of the skill
    pub(crate) id: String,
    #[command(flatten)]
    pub(crate) sources: Sources,
}

/// Begin a skill: write NAME/SKILL.md
#[derive(Debug, clap::Args)]
pub(crate) struct New {
    /// The name of the skill and of its folder
    pub(crate) name: String,
    /// What the document has to keep to
    #[arg(long, value_parser = dialects(), ignore_case = true, default_value = Dialect::AGENT_SKILLS.name)]
    pub(crate) dialect: Dialect,
    /// The folder that gets the skill
    #[arg(default_value = ".", value_name = "DIR")]
    pub(crate) folder: PathBuf,
}

/// When to color; `Auto` is on a terminal.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Color {
    Auto,
    Always,
    Never,
}

/// A preset by its name, in whatever case.
fn dialects() -> impl TypedValueParser<Value = Dialect> {
    let names = Dialect::PRESETS.iter().map(|it| it.name);
    PossibleValuesParser::new(names).try_map(|name| {
        let mut presets = Dialect::PRESETS.iter().copied();
        let preset = presets.find(|it| it.name.eq_ignore_ascii_case(&name));
        preset.ok_or("there is no such dialect")
    })
}
