//! A workspace of generated crates, whose dependencies are built once.

use super::rustc::{self, MEASURED, Took};
use crate::source::Way;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// This program, in the place of rustc.
const STAND_IN: &str = "stand-in";

/// The folder that everything is generated into.
pub struct Ground {
    root: PathBuf,
    is_offline: bool,
}

/// How a crate is built.
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

impl Ground {
    pub fn new(is_offline: bool) -> Result<Self, String> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/compile");
        fs::create_dir_all(&root).map_err(|error| format!("{}: {error}", root.display()))?;
        // a copy: this program may be built anew meanwhile
        let copied = std::env::current_exe().and_then(|own| fs::copy(own, root.join(STAND_IN)));
        copied.map_err(|error| format!("{STAND_IN}: {error}"))?;
        Ok(Self { root, is_offline })
    }

    /// The dependencies of a crate of tools.
    pub fn dependencies(way: Way) -> String {
        let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let serde = "serde = { version = \"1\", features = [\"derive\"] }\nserde_json = \"1\"\nschemars = \"1\"\n";
        match way {
            Way::Ours => format!(
                "skill-agent = {{ path = {:?} }}\n{serde}",
                repository.join("skill-agent")
            ),
            Way::Hand => serde.to_owned(),
            Way::Rmcp => format!("{}\n{serde}", own_dependency("rmcp")),
            // what the macro writes mentions serde and schemars
            Way::Rig => format!("{}\n{serde}", own_dependency("rig")),
        }
    }

    /// Writes a workspace with these crates, by name, dependencies, file and source. Gives it with dependencies that are built
    /// for `modes`.
    pub fn workspace(&self, name: &str, crates: Vec<Crate>) -> Result<Workspace<'_>, String> {
        let folder = self.root.join(name);
        let members: Vec<_> = crates.iter().map(|it| format!("{:?}", it.name)).collect();
        write(
            &folder.join("Cargo.toml"),
            &format!(
                "[workspace]\nresolver = \"3\"\nmembers = [{}]\n",
                members.join(", ")
            ),
        )?;
        // the versions that `calls` is built with
        let lock = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.lock");
        fs::copy(&lock, folder.join("Cargo.lock"))
            .map_err(|error| format!("{}: {error}", lock.display()))?;
        for it in &crates {
            let manifest = format!(
                "[package]\nname = {:?}\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies]\n{}",
                it.name, it.dependencies
            );
            write(&folder.join(&it.name).join("Cargo.toml"), &manifest)?;
            write(&folder.join(&it.name).join("src").join(it.file), &it.source)?;
        }
        Ok(Workspace {
            ground: self,
            folder,
            crates,
        })
    }
}

/// A crate to be written.
pub struct Crate {
    pub name: String,
    pub dependencies: String,
    /// `lib.rs` or `main.rs`.
    pub file: &'static str,
    pub source: String,
}

/// Generated crates.
pub struct Workspace<'a> {
    ground: &'a Ground,
    pub folder: PathBuf,
    crates: Vec<Crate>,
}

impl Workspace<'_> {
    /// Cargo in the folder, with a target folder that the workspaces share.
    pub fn cargo(&self) -> Command {
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo
            .current_dir(&self.folder)
            .env("CARGO_INCREMENTAL", "0");
        cargo
            .env("CARGO_TARGET_DIR", self.ground.root.join("target"))
            .env_remove("RUSTC_WRAPPER");
        // this program was started by cargo, which says so in many variables
        cargo
            .env_remove("CARGO_MANIFEST_DIR")
            .env_remove("RUSTUP_TOOLCHAIN");
        if self.ground.is_offline {
            cargo.env("CARGO_NET_OFFLINE", "true");
        }
        cargo
    }

    /// Builds a crate alone, and says what rustc took for it.
    pub fn measure(&self, name: &str, mode: Mode) -> Result<Took, String> {
        let it = self
            .crates
            .iter()
            .find(|it| it.name == name)
            .ok_or_else(|| format!("there is no crate `{name}`"))?;
        // written anew: cargo goes by the time
        write(
            &self.folder.join(name).join("src").join(it.file),
            &it.source,
        )?;
        let file = self.folder.join("measured.txt");
        write(&file, "")?;
        let mut cargo = self.cargo();
        cargo.args(mode.arguments()).args(["-q", "-p", name]);
        run(cargo
            .env("RUSTC_WORKSPACE_WRAPPER", self.ground.root.join(STAND_IN))
            .env(MEASURED, &file))?;
        let text = fs::read_to_string(&file).map_err(|error| error.to_string())?;
        rustc::read(&text, name).ok_or_else(|| format!("`{name}` was not built"))
    }

    /// Builds once what the crates depend on, and each of them: the first build of all is not measured.
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

/// The line of our own manifest, so that versions stand in one place.
fn own_dependency(name: &str) -> &'static str {
    let own = include_str!("../../Cargo.toml");
    own.lines()
        .find(|line| line.starts_with(name))
        .expect("the manifest has the peers")
}

pub fn write(path: &Path, text: &str) -> Result<(), String> {
    let written = path
        .parent()
        .map_or(Ok(()), fs::create_dir_all)
        .and_then(|()| fs::write(path, text));
    written.map_err(|error| format!("{}: {error}", path.display()))
}

/// Runs a command; fails with what it said.
pub fn run(command: &mut Command) -> Result<(), String> {
    let ran = command
        .output()
        .map_err(|error| format!("{command:?}: {error}"))?;
    match ran.status.success() {
        true => Ok(()),
        false => Err(format!(
            "{command:?} failed:\n{}",
            String::from_utf8_lossy(&ran.stderr)
        )),
    }
}
