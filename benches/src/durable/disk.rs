//! The disk below the stores.

use crate::measure::Sample;
use crate::report::{Figure, Report};
use std::fs::File;
use std::io::{Result, Seek, Write};
use std::path::Path;
use std::time::Instant;

const FSYNCS: usize = 200;
const BLOCK: [u8; 4096] = [7; 4096];

pub struct Disk {
    file_system: String,
    append: Sample,
    overwrite: Sample,
}

impl Disk {
    /// Measures the disk of a folder.
    pub fn measure(folder: &Path) -> Self {
        let path = folder.join("fsync");
        let measured = File::create(path).and_then(|mut file| {
            let append = times(&mut file, append)?;
            let overwrite = times(&mut file, |file| {
                file.rewind()?;
                file.write_all(&BLOCK)?;
                file.sync_data()
            })?;
            Ok((append, overwrite))
        });
        let (append, overwrite) = measured.expect("a file is written and synced");
        Self {
            file_system: file_system(folder),
            append: Sample::new("fsync", append),
            overwrite: Sample::new("fdatasync", overwrite),
        }
    }

    pub fn print(&self, report: &mut Report) {
        let description = format!(
            "The stores are on {}. The fsyncs are {FSYNCS} of one file, before the other measurements.",
            self.file_system
        );
        let append = "4 KiB appended, fsync";
        let overwrite = "4 KiB overwritten, fdatasync";
        let figures = [
            Figure::of(append, &self.append, "ms"),
            Figure::of(overwrite, &self.overwrite, "ms"),
        ];
        report.section("The disk", &description, &figures);
    }
}

/// Appends a block, and waits until it is on disk.
pub fn append(file: &mut File) -> Result<()> {
    file.write_all(&BLOCK)?;
    file.sync_all()
}

/// Writes and syncs, and returns the times in milliseconds.
fn times(file: &mut File, mut write: impl FnMut(&mut File) -> Result<()>) -> Result<Vec<f64>> {
    let mut times = Vec::with_capacity(FSYNCS);
    for _ in 0..FSYNCS {
        let start = Instant::now();
        write(file)?;
        times.push(super::milliseconds(start));
    }
    Ok(times)
}

/// Returns the type of the file system of a folder, and where it is mounted.
fn file_system(folder: &Path) -> String {
    let mounts = std::fs::read_to_string("/proc/mounts").unwrap_or_default();
    let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    let mounted = mounts.lines().filter_map(|line| {
        let mut words = line.split(' ').skip(1);
        let (place, kind) = (words.next()?, words.next()?);
        folder.starts_with(place).then_some((place, kind))
    });
    match mounted.max_by_key(|(place, _)| place.len()) {
        Some((place, kind)) => format!("{kind}, mounted at `{place}`"),
        None => "an unknown file system".to_owned(),
    }
}

/// Returns how many bytes this process has written to files so far, if the system counts them.
pub fn written() -> Option<f64> {
    let counters = std::fs::read_to_string("/proc/self/io").ok()?;
    let line = counters
        .lines()
        .find_map(|line| line.strip_prefix("wchar: "));
    line?.parse().ok()
}
