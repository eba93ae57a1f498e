//! Workspaces of generated crates. Their dependencies are built once.

use super::rustc::{self, BuildCost, MEASUREMENTS_FILE};
use crate::source::Variant;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The file name of the copy of this program that cargo runs as a wrapper of rustc.
const WRAPPER: &str = "rustc-wrapper";

/// The folder of all generated workspaces.
pub struct BuildRoot {
    root: PathBuf,
    is_offline: bool,
}

/// A build mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    Check,
    Release,
}

impl Mode {
    pub const ALL: [Self; 2] = [Self::Check, Self::Release];

    pub fn name(self) -> &'static str {
        match self {
            Self::Check => "check",
            Self::Release => "release",
        }
    }

    fn arguments(self) -> &'static [&'static str] {
        match self {
            Self::Check => &["check"],
            Self::Release => &["build", "--release"],
        }
    }
}

impl BuildRoot {
    pub fn new(is_offline: bool) -> Result<Self, String> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/compile");
        fs::create_dir_all(&root).map_err(|error| format!("{}: {error}", root.display()))?;
        // a copy, because this program may be rebuilt during the run
        let copied = std::env::current_exe().and_then(|own| fs::copy(own, root.join(WRAPPER)));
        copied.map_err(|error| format!("{WRAPPER}: {error}"))?;
        Ok(Self { root, is_offline })
    }

    /// Returns the dependencies of a crate of tools, as TOML.
    pub fn dependencies(variant: Variant) -> String {
        let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let serde = "serde = { version = \"1\", features = [\"derive\"] }\nserde_json = \"1\"\nschemars = \"1\"\n";
        match variant {
            Variant::Ours => format!(
                "skill-agent = {{ path = {:?} }}\n{serde}",
                repository.join("skill-agent")
            ),
            Variant::Hand => serde.to_owned(),
            Variant::Rmcp => format!("{}\n{serde}", own_dependency("rmcp")),
            // rig's macro expands to paths of serde and schemars
            Variant::Rig => format!("{}\n{serde}", own_dependency("rig")),
        }
    }

    /// Writes a workspace with these crates.
    pub fn workspace(&self, name: &str, crates: Vec<Crate>) -> Result<Workspace<'_>, String> {
        let folder = self.root.join(name);
        let members: Vec<_> = crates
            .iter()
            .map(|member| format!("{:?}", member.name))
            .collect();
        write(
            &folder.join("Cargo.toml"),
            &format!(
                "[workspace]\nresolver = \"3\"\nmembers = [{}]\n",
                members.join(", ")
            ),
        )?;
        // the same versions as for `calls`
        let lock = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.lock");
        fs::copy(&lock, folder.join("Cargo.lock"))
            .map_err(|error| format!("{}: {error}", lock.display()))?;
        for member in &crates {
            let manifest = format!(
                "[package]\nname = {:?}\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies]\n{}",
                member.name, member.dependencies
            );
            let folder = folder.join(&member.name);
            write(&folder.join("Cargo.toml"), &manifest)?;
            write(&folder.join("src").join(member.file), &member.source)?;
        }
        Ok(Workspace {
            root: self,
            folder,
            crates,
        })
    }
}

/// A crate to generate.
pub struct Crate {
    pub name: String,
    pub dependencies: String,
    /// `lib.rs` or `main.rs`.
    pub file: &'static str,
    pub source: String,
}

/// A workspace of generated crates.
pub struct Workspace<'a> {
    root: &'a BuildRoot,
    pub folder: PathBuf,
    crates: Vec<Crate>,
}

impl Workspace<'_> {
    /// Returns a cargo command in the folder, with the target folder that all workspaces share.
    pub fn cargo(&self) -> Command {
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo
            .current_dir(&self.folder)
            .env("CARGO_INCREMENTAL", "0");
        cargo
            .env("CARGO_TARGET_DIR", self.root.root.join("target"))
            .env_remove("RUSTC_WRAPPER");
        // cargo set it for this program; the toolchain that it set too stays, or a dependency with a toolchain file gets another
        cargo.env_remove("CARGO_MANIFEST_DIR");
        if self.root.is_offline {
            cargo.env("CARGO_NET_OFFLINE", "true");
        }
        cargo
    }

    /// Builds a crate and returns the cost of rustc for it alone.
    pub fn measure(&self, name: &str, mode: Mode) -> Result<BuildCost, String> {
        let member = self
            .crates
            .iter()
            .find(|member| member.name == name)
            .ok_or_else(|| format!("there is no crate `{name}`"))?;
        // a new modification time makes cargo build it again
        write(
            &self.folder.join(name).join("src").join(member.file),
            &member.source,
        )?;
        let file = self.folder.join("measured.txt");
        write(&file, "")?;
        let mut cargo = self.cargo();
        cargo.args(mode.arguments()).args(["-q", "-p", name]);
        run(cargo
            .env("RUSTC_WORKSPACE_WRAPPER", self.root.root.join(WRAPPER))
            .env(MEASUREMENTS_FILE, &file))?;
        let text = fs::read_to_string(&file).map_err(|error| error.to_string())?;
        rustc::read(&text, name).ok_or_else(|| format!("`{name}` was not built"))
    }

    /// Builds all crates and their dependencies once before the measurement.
    pub fn warm_up(&self, names: &[String], modes: &[Mode]) -> Result<(), String> {
        for mode in modes {
            for name in names {
                eprintln!("building {name} ({})", mode.name());
                self.measure(name, *mode)?;
            }
        }
        Ok(())
    }
}

/// Returns the line of this package's manifest, so versions are written in one place.
fn own_dependency(name: &str) -> &'static str {
    let own = include_str!("../../Cargo.toml");
    own.lines()
        .find(|line| line.starts_with(name))
        .expect("a dependency of this package")
}

pub fn write(path: &Path, text: &str) -> Result<(), String> {
    let written = path
        .parent()
        .map_or(Ok(()), fs::create_dir_all)
        .and_then(|()| fs::write(path, text));
    written.map_err(|error| format!("{}: {error}", path.display()))
}

/// Runs a command; the error has its standard error.
pub fn run(command: &mut Command) -> Result<(), String> {
    let ran = command
        .output()
        .map_err(|error| format!("{command:?}: {error}"))?;
    if ran.status.success() {
        return Ok(());
    }
    Err(format!(
        "{command:?} failed:\n{}",
        String::from_utf8_lossy(&ran.stderr)
    ))
}
