/// Everything a document may say.
static GREETING: SkillDoc = include_skill!(
    "documents/greeting/SKILL.md",
    dialect = AGENT_SKILLS_LENIENT,
    toolsets(tools::HelloToolset)
);

/// A folder of documents.
static FOLDER: &[SkillDoc] = include_skills!("documents", dialect = LILY);

/// Greets as its document says.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[skill(
    manifest = "documents/greeting/SKILL.md",
    dialect = AGENT_SKILLS_LENIENT,
    version = "1.2.0",
    requires("bell")
)]
pub struct Greeting {}
