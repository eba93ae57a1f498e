//! Writes contract files.

use super::file::Contract;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};

/// Files that this process has written, so that tests that run at the same time write into files of their own.
static WRITTEN: AtomicU64 = AtomicU64::new(0);

impl Contract {
    /// Writes the contract file at once: a reader sees the old file or the new one, and a crash leaves one of them. Creates the
    /// folder if the path has no other.
    ///
    /// # Errors
    /// If the folder or the file cannot be written.
    pub fn write(&self, path: impl AsRef<Path>) -> io::Result<()> {
        let path = path.as_ref();
        let name = path.file_name().ok_or(io::ErrorKind::InvalidFilename)?;
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        let count = WRITTEN.fetch_add(1, Ordering::Relaxed);
        let name = name.to_string_lossy();
        let temporary = path.with_file_name(format!(".{name}.{}.{count}", process::id()));
        let written =
            write_new(&temporary, &self.to_text()).and_then(|()| fs::rename(&temporary, path));
        if written.is_err() {
            // the first error says more
            let _ = fs::remove_file(&temporary);
        }
        written
    }
}

fn write_new(path: &Path, text: &str) -> io::Result<()> {
    let mut file = File::create_new(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}
