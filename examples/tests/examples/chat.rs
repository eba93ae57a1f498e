//! Runs the program `chat` in this process.

use crate::programs::chat;

async fn output(input: &str) -> String {
    let mut output = Vec::new();
    chat::run(&mut input.as_bytes(), &mut output).await.unwrap();
    String::from_utf8(output).unwrap()
}

const BEGIN: &str = r#"> Remember milk, and to call Ann.
  add_note{"text":"Buy milk."} -> 1
  add_note{"text":"Call Ann."} -> 2
I noted both.
> Throw them away.
  `clear_notes` waits for approval
May the model call clear_notes{}? [yes/no]
"#;

#[test]
fn the_readme_shows_how_the_program_begins() {
    assert!(include_str!("../../README.md").contains(&format!("```text\n{BEGIN}```")));
}

#[tokio::test]
async fn a_person_decides_before_notes_are_thrown_away() {
    let end = "  clear_notes{} -> null\n  list_notes{} -> []\nThat is what is left.\n";
    assert_eq!(output("yes\n").await, format!("{BEGIN}{end}"));
    let end = "  `clear_notes` was denied: the person said no\n  list_notes{} -> [\"Buy milk.\",\"Call Ann.\"]\nThat is what is left.\n";
    assert_eq!(output("no\n").await, format!("{BEGIN}{end}"));
    let again = "May the model call clear_notes{}? [yes/no]\n";
    assert_eq!(output("maybe\nn\n").await, format!("{BEGIN}{again}{end}"));
    let unanswered = end.replace("the person said no", "no answer was given");
    assert_eq!(output("").await, format!("{BEGIN}{unanswered}"));
}
