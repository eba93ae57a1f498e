//! An assertion about an agent's contract.

use skill_agent_contract::{Changes, Contract, ContractError};
use skill_core::Agent;
use std::env;
use std::path::{Path, PathBuf};

/// The environment variable that lets a test write its contract file.
const UPDATE: &str = "UPDATE_CONTRACT";

/// Asserts that an agent's contract equals the contract in a file that is kept with the code.
///
/// The path is relative to the test's package. With the environment variable `UPDATE_CONTRACT=1`, the file is written instead.
/// The file is not written if no version accounts for a breaking change, or if this version of the library may not overwrite the
/// file. The guide is `docs/contract.md`.
///
/// ```no_run
/// use skill_agent::prelude::*;
/// use skill_agent::testing::assert_contract;
///
/// agent! {
///     pub struct Idle {
///         name: "idle",
///         version: "0.1.0",
///         skills: [],
///     }
/// }
///
/// // in a test
/// assert_contract::<Idle>("contract.json");
/// ```
///
/// # Panics
/// Panics if the file differs from the agent's contract. The message lists every change, its class, and how to accept it. Also
/// panics if the file does not exist, cannot be read or written, or is not a contract file.
#[track_caller]
pub fn assert_contract<G: Agent>(path: impl AsRef<Path>) {
    let path = path.as_ref();
    let is_update = env::var_os(UPDATE).is_some_and(|value| !value.is_empty() && value != "0");
    let checked = check(&Contract::of::<G>(), path, &in_package(path), is_update);
    if let Err(message) = checked {
        panic!("{message}");
    }
}

/// Compares a contract with a file, or writes the file, using `shown` as the path in messages.
fn check(new: &Contract, shown: &Path, file: &Path, is_update: bool) -> Result<(), String> {
    let shown = shown.display().to_string();
    if shown.starts_with('{') || shown.contains('\n') {
        return Err("`assert_contract` takes the path of the contract file, not its content: write `\"contract.json\"`".to_owned());
    }
    let write = || {
        let written = new.write(file);
        written.map_err(|error| format!("the contract file `{shown}` cannot be written: {error}"))
    };
    match Contract::read(file) {
        Ok(old) => {
            let changes = old.changes_to(new);
            if changes.list.is_empty() || (is_update && !changes.is_breaking()) {
                return if is_update { write() } else { Ok(()) };
            }
            let agent = new.agent_name();
            let heading = format!("the contract of `{agent}` differs from `{shown}`");
            Err(format!("{heading}\n{changes}\n{}", advice(&changes)))
        }
        Err(error) if is_update && error.may_be_replaced() => write(),
        Err(error) => Err(format!(
            "the contract file `{shown}` cannot be compared: {error}{}",
            help(&error)
        )),
    }
}

/// Explains how to accept the changes.
fn advice(changes: &Changes) -> String {
    if !changes.is_breaking() {
        return format!("accept this with `{UPDATE}=1 cargo test`");
    }
    let versions: Vec<_> = changes.versions_needed().collect();
    format!(
        "undo the breaking changes, or write {}; then accept this with `{UPDATE}=1 cargo test`",
        versions.join(", and ")
    )
}

/// Explains how to fix a file that cannot be compared.
fn help(error: &ContractError) -> String {
    if error.may_be_replaced() {
        format!("; write it with `{UPDATE}=1 cargo test`")
    } else {
        String::new()
    }
}

/// Returns a path inside the package under test. Cargo sets the variable and runs tests in the package's folder; other test
/// runners may do only one of these.
fn in_package(path: &Path) -> PathBuf {
    let package = env::var_os("CARGO_MANIFEST_DIR");
    package.map_or_else(PathBuf::new, PathBuf::from).join(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// Returns a contract with one tool. `properties` are the properties of the tool's arguments.
    fn contract(version: &str, properties: &str) -> Contract {
        let text = format!(
            r#"{{
                "contract_format": 1,
                "agent": {{ "name": "math_agent", "version": "{version}" }},
                "skills": {{}},
                "mountable": {{}},
                "tools": {{ "add": {{
                    "description": "Adds.",
                    "hints": [],
                    "arguments": {{ "type": "object", "properties": {properties}, "additionalProperties": false }}
                }} }},
                "state": {{ "type": "object" }},
                "routes": {{}}
            }}"#
        );
        Contract::parse(&text).unwrap()
    }

    const ONE: &str = r#"{ "a": { "type": "number" } }"#;
    const TWO: &str = r#"{ "a": { "type": "number" }, "b": { "type": "number" } }"#;

    struct File(tempfile::TempDir);

    impl File {
        fn new() -> Self {
            Self(tempfile::tempdir().unwrap())
        }

        fn of(text: &str) -> Self {
            let file = Self::new();
            fs::write(file.path(), text).unwrap();
            file
        }

        fn path(&self) -> PathBuf {
            self.0.path().join("contract.json")
        }

        fn text(&self) -> String {
            fs::read_to_string(self.path()).unwrap()
        }

        fn check(&self, contract: &Contract, is_update: bool) -> Result<(), String> {
            check(
                contract,
                Path::new("contract.json"),
                &self.path(),
                is_update,
            )
        }
    }

    #[test]
    fn a_missing_file_is_written_only_on_request() {
        let (file, contract) = (File::new(), contract("0.1.0", ONE));
        let expected = "the contract file `contract.json` cannot be compared: it does not exist; write it with \
            `UPDATE_CONTRACT=1 cargo test`";
        assert_eq!(file.check(&contract, false).unwrap_err(), expected);
        assert!(!file.path().exists());
        file.check(&contract, true).unwrap();
        assert_eq!(file.text(), contract.to_text());
        file.check(&contract, false).unwrap();
        let files = fs::read_dir(file.0.path()).unwrap();
        assert_eq!(files.count(), 1, "no temporary file is left");
    }

    #[test]
    fn the_content_of_a_file_is_no_path() {
        let contract = contract("0.1.0", ONE);
        let expected = "`assert_contract` takes the path of the contract file, not its content: write `\"contract.json\"`";
        for content in [contract.to_text(), "{}".to_owned(), "\n{}".to_owned()] {
            let folder = File::new();
            let path = folder.path().with_file_name(&content);
            for is_update in [false, true] {
                let checked = check(&contract, Path::new(&content), &path, is_update);
                assert_eq!(checked.unwrap_err(), expected);
            }
            assert!(!path.exists());
        }
    }

    #[test]
    fn the_folder_of_a_new_file_is_created() {
        let (folder, contract) = (tempfile::tempdir().unwrap(), contract("0.1.0", ONE));
        let path = folder.path().join("contracts/math.json");
        check(&contract, &path, &path, true).unwrap();
        assert_eq!(Contract::read(path), Ok(contract));
    }

    #[test]
    fn an_additive_change_fails_until_it_is_accepted() {
        let old = contract("0.1.0", ONE);
        let (file, new) = (File::of(&old.to_text()), contract("0.1.0", TWO));
        let expected = "the contract of `math_agent` differs from `contract.json`\nadditive:\n  tools.add.arguments.b: new\n\
            accept this with `UPDATE_CONTRACT=1 cargo test`";
        assert_eq!(file.check(&new, false).unwrap_err(), expected);
        assert_eq!(file.text(), old.to_text());
        file.check(&new, true).unwrap();
        assert_eq!(file.text(), new.to_text());
    }

    #[test]
    fn a_breaking_change_is_not_written_before_the_version_rises() {
        let old = contract("0.1.0", TWO);
        let (file, new) = (File::of(&old.to_text()), contract("0.1.5", ONE));
        let expected = "the contract of `math_agent` differs from `contract.json`\nbreaking:\n  tools.add.arguments.b: gone\n\
            additive:\n  agent.version: was `0.1.0`, is `0.1.5`\n\
            undo the breaking changes, or write `version = \"0.2.0\"` for the agent `math_agent`, after `0.1.0`; then accept this \
            with `UPDATE_CONTRACT=1 cargo test`";
        for is_update in [false, true] {
            assert_eq!(file.check(&new, is_update).unwrap_err(), expected);
            assert_eq!(file.text(), old.to_text());
        }
        let raised = contract("0.2.0", ONE);
        let message = file.check(&raised, false).unwrap_err();
        assert!(
            message.contains("\nbreaking, with the version raised:\n"),
            "{message}"
        );
        assert!(
            message.ends_with("\naccept this with `UPDATE_CONTRACT=1 cargo test`"),
            "{message}"
        );
        file.check(&raised, true).unwrap();
        assert_eq!(file.text(), raised.to_text());
    }

    #[test]
    fn a_file_that_is_formatted_in_another_way_is_the_same_contract() {
        let contract = contract("0.1.0", ONE);
        let file = File::of(&contract.to_text().replace('\n', "\r\n"));
        file.check(&contract, false).unwrap();
    }

    #[test]
    fn other_files_are_never_written_over() {
        let contract = contract("0.1.0", ONE);
        let cases = [
            (
                "[package]\nname = \"x\"\n",
                "it is not a contract file: it has no `contract_format`",
            ),
            (
                "# Contract files\n\nThe key `contract_format` is its version: { \"contract_format\": 1 }\n",
                "it is not a contract file: it has no `contract_format`",
            ),
            (
                "{ // see contract_format or \"contract_format\"\n}",
                "it is not a contract file: it has no `contract_format`",
            ),
            (
                r#"{ "name": "x" }"#,
                "it is not a contract file: it has no `contract_format`",
            ),
            (
                "[1, 2]",
                "it is not a contract file: it has no `contract_format`",
            ),
            (
                r#"{ "contract_format": 7 }"#,
                "its format 7 is newer than the format 1, which this version of `skill-agent` reads; update `skill-agent`",
            ),
        ];
        for (text, reason) in cases {
            let file = File::of(text);
            let expected =
                format!("the contract file `contract.json` cannot be compared: {reason}");
            for is_update in [false, true] {
                assert_eq!(file.check(&contract, is_update).unwrap_err(), expected);
                assert_eq!(file.text(), text);
            }
        }
        let file = File::new();
        fs::write(file.path(), b"\xff\xfe\x00").unwrap();
        assert!(file.check(&contract, true).is_err());
        assert_eq!(fs::read(file.path()).unwrap(), b"\xff\xfe\x00");
    }

    #[test]
    fn a_damaged_or_older_contract_file_is_written_over_only_on_request() {
        let contract = contract("0.1.0", ONE);
        let whole = contract.to_text();
        let cut = &whole[..whole.len() - 20];
        let conflict = whole.replacen("{\n", "{\n<<<<<<< HEAD\n", 1);
        let edited = whole.replacen("\"hints\"", "\"hint\"", 1);
        let cases = [
            (cut, "it is damaged: EOF while parsing"),
            (
                &conflict,
                "it is damaged: key must be a string at line 2 column 1",
            ),
            (
                &edited,
                "it is damaged: unknown field `hint`, expected one of",
            ),
            (
                "",
                "it is damaged: EOF while parsing a value at line 1 column 0",
            ),
            (
                r#"{ "contract_format": "one" }"#,
                "it is damaged: `contract_format` is \"one\", expected a whole number",
            ),
            (
                r#"{ "contract_format": 0 }"#,
                "its format 0 is older than the format 1, which this version of `skill-agent` reads",
            ),
        ];
        for (text, reason) in cases {
            let file = File::of(text);
            let message = file.check(&contract, false).unwrap_err();
            let expected =
                format!("the contract file `contract.json` cannot be compared: {reason}");
            assert!(message.starts_with(&expected), "{message}");
            assert!(
                message.ends_with("; write it with `UPDATE_CONTRACT=1 cargo test`"),
                "{message}"
            );
            assert!(!message.contains('\n'), "{message}");
            assert_eq!(file.text(), text);
            file.check(&contract, true).unwrap();
            assert_eq!(file.text(), whole);
        }
    }
}
