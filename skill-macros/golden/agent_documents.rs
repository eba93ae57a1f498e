//! An agent with documents. Not compiled: the golden test reads it.

agent! {
    pub struct Clerk {
        name: "clerk",
        skills: [Desk],
        documents: [PLAN, #[cfg(feature = "handbook")] handbook::GREETING, ..FOLDER],
        allow_skills: true,
    }
}
