//! Writes contract files.

use super::file::Contract;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};

/// The number of files that this process has written, which keeps the temporary files of parallel tests separate.
static WRITTEN: AtomicU64 = AtomicU64::new(0);

impl Contract {
    /// Writes the contract file atomically: after a crash, or for a concurrent reader, the file is either old or new, never
    /// partial. Creates the parent folder if necessary. A symbolic link is replaced with a file, and its target is unchanged.
    ///
    /// # Errors
    /// Returns an error if the folder or the file cannot be written.
    pub fn write(&self, path: impl AsRef<Path>) -> io::Result<()> {
        let path = path.as_ref();
        let name = path.file_name().ok_or(io::ErrorKind::InvalidFilename)?;
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        let (temporary, file) = create_temporary(path, &name.to_string_lossy())?;
        let written = write_all(file, &self.to_text()).and_then(|()| fs::rename(&temporary, path));
        if written.is_err() {
            // report the first error, because it is more useful
            let _ = fs::remove_file(&temporary);
        }
        written
    }
}

/// Creates a temporary file next to the path, skipping numbers whose files another process has left behind.
fn create_temporary(path: &Path, name: &str) -> io::Result<(PathBuf, File)> {
    loop {
        let count = WRITTEN.fetch_add(1, Ordering::Relaxed);
        let temporary = path.with_file_name(format!(".{name}.{}.{count}", process::id()));
        match File::create_new(&temporary) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            created => return created.map(|file| (temporary, file)),
        }
    }
}

fn write_all(mut file: File, text: &str) -> io::Result<()> {
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_another_process_left_is_not_touched() {
        let text = r#"{
            "contract_format": 1,
            "agent": { "name": "math_agent" },
            "skills": {}, "mountable": {}, "tools": {}, "state": {}, "routes": {}
        }"#;
        let contract = Contract::parse(text).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("contract.json");
        let start = WRITTEN.load(Ordering::Relaxed);
        let left: Vec<_> = (start..start + 100)
            .map(|count| format!(".contract.json.{}.{count}", process::id()))
            .map(|name| folder.path().join(name))
            .collect();
        left.iter()
            .for_each(|path| fs::write(path, "left").unwrap());
        contract.write(&path).unwrap();
        assert_eq!(Contract::read(&path), Ok(contract));
        for path in left {
            assert_eq!(fs::read_to_string(path).unwrap(), "left");
        }
    }
}
