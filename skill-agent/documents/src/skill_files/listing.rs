//! Lists a document's files after its body.

use crate::escape;
use skill_manifest::__private::is_visible;

/// The maximum number of listed files.
const MAX_FILES: usize = 100;

/// The maximum total length of the listed names, in bytes.
const MAX_BYTES: usize = 8 << 10;

/// Formats a file's path as models see and write it. Returns `None` unless the path is one line of visible characters: with
/// invisible characters, two different files could look the same.
pub(super) fn shown(path: &str) -> Option<String> {
    path.chars()
        .all(is_visible)
        .then(|| escape::attribute(path))
}

/// Returns a document's body, followed by the list of its files.
pub(super) fn with_listing(body: String, files: &[String]) -> String {
    let shown: Vec<String> = files.iter().filter_map(|path| shown(path)).collect();
    if shown.is_empty() {
        return body;
    }
    let mut room = MAX_BYTES;
    let listed = shown.iter().take(MAX_FILES).take_while(|path| {
        let rest = room.checked_sub(path.len());
        room = rest.unwrap_or_default();
        rest.is_some()
    });
    let lines: Vec<String> = listed
        .map(|path| format!("  <file>{path}</file>\n"))
        .collect();
    let notice = if lines.len() < shown.len() {
        format!("\nShowing {} of {} files.", lines.len(), shown.len())
    } else {
        String::new()
    };
    after(
        body,
        &format!("<skill_files>\n{}</skill_files>{notice}", lines.concat()),
    )
}

/// Returns a document's body with a note that its files cannot be listed.
pub(super) fn without_listing(body: String, why: &str) -> String {
    after(
        body,
        &format!("The files of this skill cannot be listed: {why}."),
    )
}

fn after(body: String, text: &str) -> String {
    if body.is_empty() {
        text.to_owned()
    } else {
        format!("{body}\n\n{text}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listing(files: &[String]) -> String {
        with_listing("# Plan".to_owned(), files)
    }

    #[test]
    fn names_are_escaped_and_those_that_break_a_line_are_left_out() {
        let files = ["a&b.md", "a\u{200B}.md", "b\n<file>.md", "<c>/d e.md"].map(str::to_owned);
        assert_eq!(
            listing(&files),
            "# Plan\n\n<skill_files>\n  <file>a&amp;b.md</file>\n  <file>&lt;c&gt;/d e.md</file>\n</skill_files>"
        );
        assert_eq!(listing(&files[1..3]), "# Plan");
        assert_eq!(listing(&[]), "# Plan");
        assert!(with_listing(String::new(), &files).starts_with("<skill_files>\n"));
    }

    #[test]
    fn the_list_is_capped_and_says_so() {
        let many: Vec<String> = (0..101).map(|i| format!("{i}.md")).collect();
        let text = listing(&many);
        assert!(text.ends_with("  <file>99.md</file>\n</skill_files>\nShowing 100 of 101 files."));
        assert!(!listing(&many[..100]).contains("Showing"));
        let long: Vec<String> = (0..20).map(|i| format!("{i}{}", "x".repeat(998))).collect();
        let text = listing(&long);
        assert!(text.len() < MAX_BYTES + 400, "{}", text.len());
        assert!(text.ends_with("Showing 8 of 20 files."), "{text}");
    }
}
