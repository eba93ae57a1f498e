//! An agent with every key but the keys of documents, and with two instances of a skill. Not compiled: the golden test reads it.

agent! {
    /// Keeps a library.
    #[derive(Debug, PartialEq)]
    pub(crate) struct Librarian {
        name: "librarian",
        version: "0.1.0",
        category: "home",
        tags: ["books"],
        state: {
            /// Whether it is open.
            open: bool = true,
            #[serde(rename = "visitors")]
            count: u32,
        },
        config: Rules { quiet: true },
        skills: [Shelf { room: 40 }, Shelf as attic, #[cfg(feature = "ladder")] Ladder],
        actions: [Open],
        hooks,
        mounted: [Lamp, #[cfg(feature = "radio")] Radio, Kettle],
    }
}
