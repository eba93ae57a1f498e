//! Actions that read one file or compare two.

use super::{FileSystem, FileSystemError, Node, Reason, has_invalid_character};
use schemars::JsonSchema;
use serde::Serialize;
use skill_agent::prelude::*;

/// The content of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FileContent {
    /// The text of the file.
    pub file_content: String,
}

/// Show the content of a file.
#[action]
pub fn cat(
    fs: &FileSystem,
    /// Name of a file in the current directory, not a path.
    file_name: String,
) -> Result<FileContent, FileSystemError> {
    let refuse = |reason| FileSystemError::refused(format!("cat: '{file_name}'"), reason);
    if has_invalid_character(&file_name) {
        return Err(refuse(Reason::InvalidCharacter));
    }
    match fs.current()?.get(&file_name) {
        Some(Node::File(file)) => Ok(FileContent {
            file_content: file.content.clone(),
        }),
        Some(Node::Directory(_)) => Err(refuse(Reason::IsADirectory)),
        None => Err(refuse(Reason::NotFound)),
    }
}

/// A count in a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Count {
    /// The count.
    pub count: usize,
    /// The unit of the count.
    #[serde(rename = "type")]
    pub unit: Unit,
}

/// The units that [`wc`] can count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// Lines of text.
    Lines,
    /// Words separated by white space.
    Words,
    /// Unicode characters, not bytes.
    Characters,
}

/// Count the lines, words or characters of a file.
#[action]
pub fn wc(
    fs: &FileSystem,
    /// Name of a file in the current directory.
    file_name: String,
    /// `l` counts lines, `w` words, `c` characters.
    #[arg(default = String::from("l"))]
    mode: String,
) -> Result<Count, FileSystemError> {
    let unit = match mode.as_str() {
        "l" => Unit::Lines,
        "w" => Unit::Words,
        "c" => Unit::Characters,
        _ => return Err(FileSystemError::InvalidMode { mode }),
    };
    let text = read(fs, "wc", &file_name)?;
    let count = match unit {
        Unit::Lines => lines(text).len(),
        Unit::Words => text.split_whitespace().count(),
        Unit::Characters => text.chars().count(),
    };
    Ok(Count { count, unit })
}

/// The sorted lines of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Sorted {
    /// All lines, joined by line feeds.
    pub sorted_content: String,
}

/// Show the lines of a file in alphabetical order, without changing the file.
#[action]
pub fn sort(
    fs: &FileSystem,
    /// Name of a file in the current directory.
    file_name: String,
) -> Result<Sorted, FileSystemError> {
    let mut lines = lines(read(fs, "sort", &file_name)?);
    lines.sort_unstable();
    Ok(Sorted {
        sorted_content: lines.join("\n"),
    })
}

/// The lines found by a search in a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct MatchingLines {
    /// Whole lines, in file order.
    pub matching_lines: Vec<String>,
}

/// Show the lines of a file that contain a text.
#[action]
pub fn grep(
    fs: &FileSystem,
    /// Name of a file in the current directory, not a path.
    file_name: String,
    /// The literal text to search for, not a regular expression.
    pattern: String,
) -> Result<MatchingLines, FileSystemError> {
    Ok(MatchingLines {
        matching_lines: lines(read(fs, "grep", &file_name)?)
            .into_iter()
            .filter(|line| line.contains(&pattern))
            .map(str::to_owned)
            .collect(),
    })
}

/// The end of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LastLines {
    /// The lines, joined by line feeds.
    pub last_lines: String,
}

/// Show the last lines of a file.
#[action]
pub fn tail(
    fs: &FileSystem,
    /// Name of a file in the current directory, not a path.
    file_name: String,
    /// The number of lines to show.
    #[arg(default = 10)]
    lines: u32,
) -> Result<LastLines, FileSystemError> {
    let all = self::lines(read(fs, "tail", &file_name)?);
    let skipped = all.len().saturating_sub(lines as usize);
    Ok(LastLines {
        last_lines: all[skipped..].join("\n"),
    })
}

/// The differences between two files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Differences {
    /// For each differing line, `- ` with the line of the first file, then `+ ` with the line of the second file.
    pub diff_lines: String,
}

/// Compare two files line by line, up to the end of the shorter one.
#[action]
pub fn diff(
    fs: &FileSystem,
    /// Name of the first file in the current directory.
    file_name1: String,
    /// Name of the second file in the current directory.
    file_name2: String,
) -> Result<Differences, FileSystemError> {
    let here = fs.current()?;
    let (Some(first), Some(second)) = (here.file(&file_name1), here.file(&file_name2)) else {
        return Err(FileSystemError::refused(
            format!("diff: {file_name1} or {file_name2}"),
            Reason::NotFound,
        ));
    };
    let differing: Vec<String> = lines(&first.content)
        .into_iter()
        .zip(lines(&second.content))
        .filter(|(first, second)| first != second)
        .map(|(first, second)| format!("- {first}\n+ {second}"))
        .collect();
    Ok(Differences {
        diff_lines: differing.join("\n"),
    })
}

/// Returns the text of a file in the current directory, for commands that report a directory as not found.
fn read<'a>(
    fs: &'a FileSystem,
    command: &str,
    file_name: &str,
) -> Result<&'a str, FileSystemError> {
    match fs.current()?.file(file_name) {
        Some(file) => Ok(&file.content),
        None => Err(FileSystemError::refused(
            format!("{command}: {file_name}"),
            Reason::NotFound,
        )),
    }
}

/// Splits at every Unicode line boundary; `str::lines` splits only at `\n` and `\r\n`.
fn lines(text: &str) -> Vec<&str> {
    let is_boundary = |c: char| matches!(c, '\n'..='\r' | '\u{1c}'..='\u{1e}' | '\u{85}' | '\u{2028}' | '\u{2029}');
    let mut lines = Vec::new();
    let mut rest = text;
    while let Some((line, after)) = rest.split_once(is_boundary) {
        let crlf = rest[line.len()..].starts_with("\r\n");
        lines.push(line);
        rest = if crlf { &after[1..] } else { after };
    }
    if !rest.is_empty() {
        lines.push(rest);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_at_every_unicode_boundary() {
        assert_eq!(lines("a\nb\r\nc\rd\u{2028}e"), ["a", "b", "c", "d", "e"]);
        assert_eq!(lines("a\n\nb\n"), ["a", "", "b"]);
        assert!(lines("").is_empty());
    }
}
