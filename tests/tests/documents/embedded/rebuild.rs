//! A package that embeds documents is rebuilt if one of them is changed, added or removed.

use std::fs::{self, File, FileTimes};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, SystemTime};

const MAIN: &str = r#"
use skill_agent::manifest::SkillDoc;
use skill_agent::prelude::*;

static PLAN: SkillDoc = include_skill!("skills/plan/SKILL.md");
static ALL: &[SkillDoc] = include_skills!("skills");

fn main() {
    println!("{}", PLAN.body);
    for doc in ALL {
        println!("{}: {}", doc.id, doc.body);
    }
}
"#;

const BUILD: &str = "fn main() {\n    skill_manifest::track(\"src/skills\");\n}\n";

#[test]
fn changed_added_and_removed_documents_trigger_a_rebuild() {
    let package = Package::new();
    package.write("plan", "Plan it.");
    // an old file does not count as changed
    package.age();
    assert_eq!(package.run(), "Plan it.\nplan: Plan it.\n");
    let again = package.cargo(&["build", "--verbose"]);
    let reported = String::from_utf8_lossy(&again.stderr);
    assert!(reported.contains("Fresh embedding"), "{reported}");

    package.write("plan", "Plan it twice.");
    assert_eq!(package.run(), "Plan it twice.\nplan: Plan it twice.\n");

    package.write("review", "Review it.");
    assert_eq!(
        package.run(),
        "Plan it twice.\nplan: Plan it twice.\nreview: Review it.\n"
    );

    package.remove("review");
    assert_eq!(package.run(), "Plan it twice.\nplan: Plan it twice.\n");

    package.write("review", "Review it.");
    package.remove("plan");
    let output = package.cargo(&["build", "--quiet"]);
    let reported = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success());
    assert!(
        reported.contains("error: there is no `skills/plan/SKILL.md` [missing_skill_md]")
            && reported.contains("this one leads to `src/skills/plan/SKILL.md` of the package"),
        "{reported}"
    );
}

/// A package in a new temporary folder.
struct Package(PathBuf);

impl Package {
    fn new() -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("rebuild");
        if folder.exists() {
            fs::remove_dir_all(&folder).unwrap();
        }
        fs::create_dir_all(folder.join("src")).unwrap();
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let manifest = format!(
            "[package]\nname = \"embedding\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n\
             [dependencies]\nskill-agent = {{ path = {:?}, default-features = false, features = [\"manifest\"] }}\n\n\
             [build-dependencies]\nskill-manifest = {{ package = \"skill-agent-manifest\", path = {:?} }}\n",
            root.join("skill-agent"),
            root.join("skill-manifest"),
        );
        fs::write(folder.join("Cargo.toml"), manifest).unwrap();
        fs::write(folder.join("build.rs"), BUILD).unwrap();
        fs::write(folder.join("src/main.rs"), MAIN).unwrap();
        // the same versions, without network access
        fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock")).unwrap();
        Self(folder)
    }

    fn document(&self, name: &str) -> PathBuf {
        self.0.join("src/skills").join(name)
    }

    /// Writes a document and sets its modification time, independent of the clock of the file system.
    fn write(&self, name: &str, body: &str) {
        let folder = self.document(name);
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("SKILL.md");
        let text = format!("---\nname: {name}\ndescription: Do it.\n---\n{body}\n");
        fs::write(&path, text).unwrap();
        set_modified(&path, SystemTime::now());
    }

    fn remove(&self, name: &str) {
        fs::remove_dir_all(self.document(name)).unwrap();
        set_modified(&self.0.join("src/skills"), SystemTime::now());
    }

    /// Sets all modification times to an hour ago.
    fn age(&self) {
        let time = SystemTime::now() - Duration::from_secs(3_600);
        let mut paths = vec![self.0.clone()];
        while let Some(path) = paths.pop() {
            if path.is_dir() {
                let entries = fs::read_dir(&path).unwrap();
                paths.extend(entries.map(|entry| entry.unwrap().path()));
            }
            set_modified(&path, time);
        }
    }

    /// Returns the output of the program.
    fn run(&self) -> String {
        let output = self.cargo(&["run", "--quiet"]);
        let reported = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{reported}");
        String::from_utf8(output.stdout).unwrap()
    }

    fn cargo(&self, arguments: &[&str]) -> Output {
        Command::new(env!("CARGO"))
            .args(arguments)
            .args(["--offline", "--color=never", "--target-dir"])
            // shares the dependencies of macros with the UI tests
            .arg(Path::new(env!("CARGO_TARGET_TMPDIR")).join("../tests/trybuild"))
            .current_dir(&self.0)
            .output()
            .unwrap()
    }
}

fn set_modified(path: &Path, time: SystemTime) {
    // opening a folder for reading suffices
    let file = File::open(path).unwrap();
    file.set_times(FileTimes::new().set_modified(time)).unwrap();
}
