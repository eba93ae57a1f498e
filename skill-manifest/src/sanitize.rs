//! Creates folder names from arbitrary text.

/// Returns a folder name for text. The name is in lower case, has at most 255 characters and contains only `a-z`, `0-9`, `.`, `_`
/// and `-`. Each run of other characters becomes a single `-`, and the name neither begins nor ends with `.` or `-`. If nothing
/// is left, returns `unnamed-skill`. The name never points outside of its parent folder.
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
    // only ASCII is left
    let name = name[..name.len().min(255)].trim_end_matches(ends);
    match name {
        "" => "unnamed-skill".to_owned(),
        name => name.to_owned(),
    }
}
