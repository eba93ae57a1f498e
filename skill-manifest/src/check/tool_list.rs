//! Splits lists of tools.

/// Splits a list of tools at whitespace and commas outside parentheses, as in `Bash(git add:*), Read`.
pub(crate) fn split_tools(text: &str) -> Vec<String> {
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
    tools.retain(|tool| !tool.is_empty());
    tools
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tools_are_split_outside_of_parentheses() {
        assert_eq!(
            split_tools("Read, Write,Bash(git add:*, x) Grep"),
            ["Read", "Write", "Bash(git add:*, x)", "Grep"]
        );
        assert_eq!(split_tools(" \n"), Vec::<String>::new());
        assert_eq!(split_tools("Bash(git"), ["Bash(git"]);
        assert_eq!(split_tools("a) b"), ["a)", "b"]);
    }
}
