//! The dependencies of a new crate: versions, or paths into a checkout.

use super::toml;
use crate::failure::Failure;
use crate::walk::is_missing;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

/// The version of the published crates.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The two dependencies as TOML values, without features.
#[derive(Debug)]
pub(super) struct Dependencies {
    pub(super) core: String,
    pub(super) agent: String,
}

/// Returns the dependencies of a crate in `folder`, which need not exist yet.
///
/// # Errors
/// Returns an error if the path is not a checkout.
pub(super) fn dependencies(
    checkout: Option<&Path>,
    folder: &Path,
) -> Result<Dependencies, Failure> {
    let version = format!("version = {}", toml::string(VERSION));
    let Some(checkout) = checkout else {
        return Ok(Dependencies {
            core: version.clone(),
            agent: version,
        });
    };
    check(checkout)?;
    let path = path_from(folder, checkout).map_err(|error| Failure::NotACheckout {
        path: checkout.display().to_string(),
        why: format!("it cannot be resolved: {error}"),
        help: None,
    })?;
    let dependency = |package: &str| -> Result<String, Failure> {
        let path = path.join(package);
        let text = path.to_str();
        let text = text.ok_or_else(|| Failure::NotACheckout {
            path: checkout.display().to_string(),
            why: "its path is not UTF-8, as a text in `Cargo.toml` is".to_owned(),
            help: None,
        })?;
        Ok(format!("{version}, path = {}", toml::string(text)))
    };
    Ok(Dependencies {
        core: dependency("skill-core")?,
        agent: dependency("skill-agent")?,
    })
}

/// Checks that a checkout contains both packages.
fn check(checkout: &Path) -> Result<(), Failure> {
    let no_checkout = |why: &str| Failure::NotACheckout {
        path: checkout.display().to_string(),
        why: why.to_owned(),
        help: None,
    };
    if is_missing(checkout) {
        return Err(no_checkout("there is no such folder"));
    }
    if !checkout.is_dir() {
        return Err(no_checkout("it is not a folder"));
    }
    let has = |folder: &Path, package: &str| folder.join(package).join("Cargo.toml").is_file();
    let Some(missing) = ["skill-core", "skill-agent"]
        .into_iter()
        .find(|package| !has(checkout, package))
    else {
        return Ok(());
    };
    let above = checkout.join("..");
    Err(Failure::NotACheckout {
        path: checkout.display().to_string(),
        why: format!("it has no `{missing}/Cargo.toml`"),
        help: has(&above, "skill-core").then_some("name the folder above it"),
    })
}

/// Returns the path from a manifest in `folder` to a checkout. A relative path is converted, so that it is relative to `folder`.
fn path_from(folder: &Path, checkout: &Path) -> io::Result<PathBuf> {
    if checkout.is_absolute() {
        return Ok(checkout.to_owned());
    }
    let target = fs::canonicalize(checkout)?;
    let folder = resolved(folder)?;
    let common = folder.components().zip(target.components());
    let common = common.take_while(|(one, other)| one == other).count();
    if common == 0 {
        // on Windows, the checkout is on a different drive
        return Ok(target);
    }
    let up = folder
        .components()
        .skip(common)
        .map(|_| Component::ParentDir);
    Ok(up.chain(target.components().skip(common)).collect())
}

/// Returns the absolute path, with links resolved, of a folder that need not exist yet.
fn resolved(folder: &Path) -> io::Result<PathBuf> {
    let folder = std::path::absolute(folder)?;
    let mut missing = Vec::new();
    let mut existing = &*folder;
    loop {
        match (
            fs::canonicalize(existing),
            existing.parent(),
            existing.file_name(),
        ) {
            (Ok(path), ..) => {
                return Ok(missing
                    .iter()
                    .rev()
                    .fold(path, |path, name| path.join(name)));
            }
            (Err(_), Some(parent), Some(name)) => {
                missing.push(name.to_owned());
                existing = parent;
            }
            (Err(error), ..) => return Err(error),
        }
    }
}

/// Returns the manifest of the nearest workspace above a folder. Cargo would treat the new crate as a member of that workspace.
pub(super) fn workspace_above(folder: &Path) -> Option<PathBuf> {
    let folder = resolved(folder).ok()?;
    let mut manifests = folder
        .ancestors()
        .skip(1)
        .map(|above| above.join("Cargo.toml"));
    manifests.find(|manifest| {
        let text = fs::read_to_string(manifest).unwrap_or_default();
        text.lines()
            .any(|line| line.trim_start().starts_with("[workspace"))
    })
}
