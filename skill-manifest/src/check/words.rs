//! Splits strings into parts.

/// Splits a list of tools at blanks and commas, except within parentheses, as in `Bash(git add:*), Read`.
pub(crate) fn tools(text: &str) -> Vec<String> {
    let mut tools = Vec::new();
    let mut tool = String::new();
    let mut depth = 0usize;
    for c in text.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ if depth == 0 && (c == ',' || c.is_whitespace()) => {
                tools.push(std::mem::take(&mut tool));
                continue;
            }
            _ => {}
        }
        tool.push(c);
    }
    tools.push(tool);
    tools.retain(|it| !it.is_empty());
    tools
}

/// Whether a path stays within its folder, judging by its text alone.
pub(crate) fn stays_inside(path: &str) -> bool {
    let drive = path.as_bytes().get(1) == Some(&b':');
    let mut parts = path.split(['/', '\\']);
    !path.is_empty()
        && !drive
        && !path.starts_with(['/', '\\', '~'])
        && !path.contains('\0')
        && !parts.any(|it| it == "..")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tools_are_parted_outside_of_brackets() {
        assert_eq!(
            tools("Read, Write,Bash(git add:*, x) Grep"),
            ["Read", "Write", "Bash(git add:*, x)", "Grep"]
        );
        assert_eq!(tools(" \n"), Vec::<String>::new());
        assert_eq!(tools("Bash(git"), ["Bash(git"]);
        assert_eq!(tools("a) b"), ["a)", "b"]);
    }

    #[test]
    fn a_path_that_leaves_its_folder_is_seen() {
        for path in [
            "",
            "../a",
            "a/../b",
            "/a",
            "C:\\a",
            "~/a",
            "a\0",
            "a\\..\\b",
            "\\\\host\\a",
        ] {
            assert!(!stays_inside(path), "{path}");
        }
        assert!(stays_inside("toolsets/index") && stays_inside("a..b/c"));
    }
}
