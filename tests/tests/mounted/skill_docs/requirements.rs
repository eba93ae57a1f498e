//! The requirements of a document: skills, documents, tools and toolsets.

use super::*;

#[test]
fn requirements_must_exist_and_cannot_be_unmounted() {
    let mut skills = Mounted::new();
    let release = || requiring("release", &["auth@^1", "review"]);
    assert_eq!(
        skills.mount_doc(release()).unwrap_err().to_string(),
        "`release` requires `auth`, which is not mounted; mount `auth` first"
    );
    skills.mount::<OldAuth>(&empty()).unwrap();
    assert_eq!(
        skills.mount_doc(release()).unwrap_err().to_string(),
        "`release` requires `auth` in a version that satisfies `^1`, but the available one has 0.9.0"
    );
    skills.replace::<Auth>(&empty()).unwrap();
    skills.mount_doc(doc("review")).unwrap();
    skills.mount_doc(release()).unwrap();

    for required in ["auth", "review"] {
        assert_eq!(
            skills.unmount_named(required).unwrap_err().to_string(),
            format!(
                "`{required}` cannot be unmounted, because `release` requires it; unmount `release` first"
            )
        );
    }
    assert!(skills.replace::<OldAuth>(&empty()).is_err());
    skills.unmount_named("release").unwrap();
    skills.unmount_named("review").unwrap();
    skills.unmount_named("auth").unwrap();
    assert!(skills.is_empty());
}

#[test]
fn a_skill_may_require_a_document() {
    let mut skills = Mounted::new();
    skills.mount_doc(versioned("manners", "1.1.0")).unwrap();
    assert!(matches!(
        skills.mount::<Greeter>(&empty()).unwrap_err(),
        MountError::WrongVersion { found: Some(found), .. } if found == "1.1.0"
    ));
    skills.replace_doc(versioned("manners", "1.3.0")).unwrap();
    skills.mount::<Greeter>(&empty()).unwrap();
    assert!(matches!(
        skills.unmount_named("manners").unwrap_err(),
        MountError::Required { by, .. } if by == "greeter"
    ));
    assert!(skills.replace_doc(versioned("manners", "1.1.0")).is_err());
    assert_eq!(
        skills.doc("manners").unwrap().version.as_deref(),
        Some("1.3.0")
    );
}

#[test]
fn a_required_tool_must_belong_to_a_mounted_skill() {
    let mut skills = Mounted::new();
    let count_up = || with_tools("count-up", &["increment"]);
    assert_eq!(
        skills.mount_doc(count_up()).unwrap_err().to_string(),
        "the document `count-up` requires the tool `increment`, which neither the agent nor a mounted skill offers; \
         mount a skill that has it first"
    );
    skills.mount::<Counter>(&empty()).unwrap();
    skills.mount_doc(count_up()).unwrap();
    assert!(matches!(
        skills.unmount::<Counter>().unwrap_err(),
        MountError::Required { by, .. } if by == "count-up"
    ));
    assert!(
        skills
            .mount_doc(with_tools("typo", &["incremnt"]))
            .unwrap_err()
            .to_string()
            .ends_with(
                "`incremnt`, which neither the agent nor a mounted skill offers; did you mean `increment`?"
            )
    );
    // an internal action is not a tool
    assert!(matches!(
        skills.mount_doc(with_tools("reset", &["reset"])).unwrap_err(),
        MountError::MissingTool { tool, .. } if tool == "reset"
    ));
    // a document is not offered while a skill that it requires is disabled
    skills.disable("counter").unwrap();
    assert!(skills.is_enabled("count-up"));
    assert!(offered(&skills).is_empty());
    skills.enable("counter").unwrap();
    assert_eq!(offered(&skills), ["count-up"]);
}

#[test]
fn the_tool_of_a_command_must_belong_to_a_mounted_skill() {
    let mut skills = Mounted::new();
    skills.mount::<Counter>(&empty()).unwrap();
    let mut command = doc("up");
    command.command_tool = Some("increment".into());
    command.invocation_mode = InvocationMode::ToolDispatch;
    skills.mount_doc(command.clone()).unwrap();
    command.id = "down".into();
    command.command_tool = Some("decrement".into());
    assert!(skills.mount_doc(command.clone()).is_err());
    // a document whose command runs a tool is not offered to the model
    assert!(skills.is_enabled("up") && !offered(&skills).contains(&"up"));
    // in another mode, `command_tool` is ignored
    command.invocation_mode = InvocationMode::PromptRewrite;
    skills.mount_doc(command).unwrap();
}

#[test]
fn a_toolset_must_be_the_type_of_a_mounted_skill() {
    let mut skills = Mounted::new();
    let mut toolset = doc("sign-in");
    toolset.toolsets = vec!["toolset.py:Auth".into()].into();
    assert_eq!(
        skills.mount_doc(toolset.clone()).unwrap_err().to_string(),
        "the document `sign-in` names the toolset `Auth`, and no skill of that type is mounted; mount `Auth` first"
    );
    skills.mount::<Auth>(&empty()).unwrap();
    skills.mount_doc(toolset).unwrap();
    assert!(skills.unmount::<Auth>().is_err());
    skills.disable("auth").unwrap();
    assert!(!offered(&skills).contains(&"sign-in"));

    // any mounted skill whose type is named `Auth` satisfies the toolset
    skills.mount::<other::Auth>(&empty()).unwrap();
    assert!(offered(&skills).contains(&"sign-in"));
    skills.unmount::<Auth>().unwrap();
    assert!(skills.unmount::<other::Auth>().is_err());
}

/// A skill whose type is also named `Auth`.
pub(super) mod other {
    use super::*;

    #[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
    #[skill(name = "guard", actions(Look))]
    pub struct Auth {}

    /// Return `true`.
    #[action(name = "query")]
    pub fn look(_: &Auth) -> bool {
        true
    }
}
