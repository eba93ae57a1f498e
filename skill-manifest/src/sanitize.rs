//! Folder names from arbitrary text.

/// Returns a folder name for a text: lower case, only `a-z`, `0-9`, `.`, `_` and `-`, with every run of other characters
/// replaced by one `-`, neither `.` nor `-` at an end, at most 255 characters; `unnamed-skill` if nothing is left. The name
/// never leads out of its folder.
///
/// ```
/// use skill_manifest::sanitize_name;
///
/// assert_eq!(sanitize_name("Convex Best Practices"), "convex-best-practices");
/// assert_eq!(sanitize_name("../../secret"), "secret");
/// assert_eq!(sanitize_name("---"), "unnamed-skill");
/// ```
#[must_use]
pub fn sanitize_name(text: &str) -> String {
    let mut name = String::new();
    let mut gap = false;
    for c in text.chars().flat_map(char::to_lowercase) {
        match c {
            'a'..='z' | '0'..='9' | '.' | '_' => {
                if std::mem::take(&mut gap) {
                    name.push('-');
                }
                name.push(c);
            }
            _ => gap = true,
        }
    }
    let ends = ['.', '-'];
    let name = name.trim_matches(ends);
    // everything left is ASCII
    let name = name[..name.len().min(255)].trim_end_matches(ends);
    match name {
        "" => "unnamed-skill".to_owned(),
        name => name.to_owned(),
    }
}
