//! Translates globs for paths to regular expressions, which are matched without backtracking.

use crate::patterns::pattern::compile;
use regex_lite::Regex;
use std::fmt;

/// The error for text that is not a valid glob.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GlobError {
    /// The glob is empty.
    Empty,
    /// The glob begins with `!`.
    Negated,
    /// The glob matches no path: it begins or ends with `/`, or has a segment that is empty, `.` or `..`.
    Segment(String),
    /// A `[` or `{` is not closed, or a `}` is not opened.
    Unbalanced(char),
    /// There is a `/` between `[` and `]`.
    SlashInClass,
    /// A range is reversed, such as `[z-a]`.
    Range(char, char),
    /// The glob ends with `\`.
    Escape,
    /// The regular expression is too large or nested too deeply.
    TooLarge,
}

impl fmt::Display for GlobError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("it is empty"),
            Self::Negated => f.write_str("it begins with `!`, and a glob cannot exclude paths"),
            Self::Segment(segment) => write!(
                f,
                "it has the segment `{segment}`; write it relative to the project, like `src/**/*.rs`"
            ),
            Self::Unbalanced('}') => f.write_str("the `}` is not opened"),
            Self::Unbalanced(open) => write!(f, "the `{open}` is not closed"),
            Self::SlashInClass => f.write_str("`[…]` matches one character other than `/`"),
            Self::Range(from, to) => write!(f, "the range `{from}-{to}` is reversed"),
            Self::Escape => f.write_str("nothing follows the `\\` at the end"),
            Self::TooLarge => f.write_str("it is too large"),
        }
    }
}

impl std::error::Error for GlobError {}

/// Compiles a glob of [`Triggers::paths`](crate::Triggers::paths) to a regular expression that matches whole paths.
///
/// # Errors
/// Fails if the glob is invalid or too large.
pub fn compile_glob(glob: &str) -> Result<Regex, GlobError> {
    compile(&glob_to_regex(glob)?, false).map_err(|_| GlobError::TooLarge)
}

/// Translates a glob to a regular expression that matches whole paths, relative to the project and separated by `/`.
///
/// `*` matches any characters of a segment, and `?` matches one. `[a-z]` and `[!a-z]` match a character that is or is not listed.
/// `{a,b}` matches either glob, and `\` makes the next character literal. `**` as a whole segment matches any number of segments,
/// or at least one at the end. Elsewhere, `**` is the same as `*`.
///
/// # Errors
/// Fails if the glob is invalid or can match no path.
pub fn glob_to_regex(glob: &str) -> Result<String, GlobError> {
    if glob.is_empty() {
        return Err(GlobError::Empty);
    }
    if glob.starts_with('!') {
        return Err(GlobError::Negated);
    }
    let no_name = |segment: &&str| matches!(*segment, "" | "." | "..");
    if let Some(segment) = glob.split('/').find(no_name) {
        return Err(GlobError::Segment(segment.to_owned()));
    }
    let mut translation = Translation {
        rest: glob,
        regex: String::from("^(?s:"),
        begins_segment: true,
        open: Vec::new(),
    };
    while let Some(c) = translation.next() {
        translation.push(c)?;
    }
    if !translation.open.is_empty() {
        return Err(GlobError::Unbalanced('{'));
    }
    Ok(translation.regex + ")$")
}

struct Translation<'a> {
    rest: &'a str,
    regex: String,
    /// Whether the next character begins a segment.
    begins_segment: bool,
    /// One element for each open `{`, which says whether it began a segment.
    open: Vec<bool>,
}

impl Translation<'_> {
    fn next(&mut self) -> Option<char> {
        let mut chars = self.rest.chars();
        let next = chars.next();
        self.rest = chars.as_str();
        next
    }

    fn push(&mut self, c: char) -> Result<(), GlobError> {
        let first = std::mem::replace(&mut self.begins_segment, c == '/');
        match c {
            '*' => self.stars(first),
            '?' => self.regex.push_str("[^/]"),
            '[' => self.class()?,
            '{' => {
                self.open.push(first);
                self.begins_segment = first;
                self.regex.push_str("(?:");
            }
            '}' => {
                self.open.pop().ok_or(GlobError::Unbalanced('}'))?;
                self.regex.push(')');
            }
            ',' if !self.open.is_empty() => {
                self.begins_segment = self.open.last() == Some(&true);
                self.regex.push('|');
            }
            '\\' => {
                let literal = self.next().ok_or(GlobError::Escape)?;
                push_literal(&mut self.regex, literal);
            }
            c => push_literal(&mut self.regex, c),
        }
        Ok(())
    }

    /// Translates the rest of `*` or `**` after the first star.
    fn stars(&mut self, first: bool) {
        let after = self.rest.trim_start_matches('*');
        let two = self.rest.len() - after.len() == 1;
        self.rest = after;
        let alternative_ends = !self.open.is_empty() && after.starts_with([',', '}']);
        match after.strip_prefix('/') {
            Some(after) if first && two => {
                self.rest = after;
                self.begins_segment = true;
                self.regex.push_str("(?:[^/]+/)*");
            }
            None if first && two && (after.is_empty() || alternative_ends) => {
                self.regex.push_str(".+");
            }
            _ => self.regex.push_str("[^/]*"),
        }
    }

    /// Translates the rest of `[…]` after the bracket.
    fn class(&mut self) -> Result<(), GlobError> {
        let negated = self.rest.starts_with(['!', '^']);
        if negated {
            self.next();
        }
        let mut ranges = Vec::new();
        loop {
            let from = match self.next().ok_or(GlobError::Unbalanced('['))? {
                ']' if !ranges.is_empty() => break,
                c => self.class_char(c)?,
            };
            let mut ahead = self.rest.chars();
            let is_range = ahead.next() == Some('-') && ahead.next().is_some_and(|c| c != ']');
            let to = if is_range {
                self.next();
                let to = self.next().ok_or(GlobError::Unbalanced('['))?;
                self.class_char(to)?
            } else {
                from
            };
            if from > to {
                return Err(GlobError::Range(from, to));
            }
            ranges.push((from, to));
        }
        self.regex.push_str(if negated { "[^/" } else { "[" });
        for (from, to) in ranges {
            // a range around `/` does not match `/`
            if from < '/' && '/' < to {
                push_range(&mut self.regex, from, '.');
                push_range(&mut self.regex, '0', to);
            } else {
                push_range(&mut self.regex, from, to);
            }
        }
        self.regex.push(']');
        Ok(())
    }

    fn class_char(&mut self, c: char) -> Result<char, GlobError> {
        match c {
            '/' => Err(GlobError::SlashInClass),
            '\\' => match self.next().ok_or(GlobError::Unbalanced('['))? {
                '/' => Err(GlobError::SlashInClass),
                c => Ok(c),
            },
            c => Ok(c),
        }
    }
}

fn push_range(regex: &mut String, from: char, to: char) {
    push_literal(regex, from);
    regex.push('-');
    push_literal(regex, to);
}

fn push_literal(regex: &mut String, c: char) {
    if c.is_ascii_punctuation() {
        regex.push('\\');
    }
    regex.push(c);
}

/// Splits a list of globs at commas outside braces and brackets, as in `src/*.{ts,tsx}, docs/**`.
pub(crate) fn split_globs(text: &str) -> Vec<String> {
    let mut globs = Vec::new();
    let mut glob = String::new();
    let (mut depth, mut escaped, mut class) = (0usize, false, false);
    for c in text.chars() {
        match c {
            _ if escaped => {}
            '[' => class = true,
            ']' => class = false,
            '{' if !class => depth += 1,
            '}' if !class => depth = depth.saturating_sub(1),
            ',' if depth == 0 && !class => {
                globs.push(std::mem::take(&mut glob));
                continue;
            }
            _ => {}
        }
        escaped = c == '\\' && !escaped;
        glob.push(c);
    }
    globs.push(glob);
    let globs = globs.iter().map(|glob| glob.trim().to_owned());
    globs.filter(|glob| !glob.is_empty()).collect()
}

#[cfg(test)]
mod tests;
