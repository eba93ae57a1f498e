/// Everything a skill may say.
#[derive(Skill, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(
    name = "shelf",
    title = "Shelf",
    state_key = "books",
    category = "home",
    version = "1.2.0",
    tags("paper"),
    signals("book.*"),
    requires("ladder@^1"),
    config = ShelfConfig,
    instructions = "Put books back.",
    hooks,
    actions(Put, Order)
)]
pub struct Shelf {
    #[skill(from_config)]
    pub room: u32,
    #[skill(default)]
    pub titles: Vec<String>,
}

/// Put a book on the shelf.
#[action(name = "put_book", title = "Put", type = Put, derive(Debug), on("book.put", "book.returned", priority = 5), idempotent)]
pub fn put(
    shelf: &mut Shelf,
    cx: &mut Context<Shelf>,
    /// What is on its back.
    #[arg(length(1..=80), example = "Emma".to_owned())]
    title: String,
    #[arg(rename = "at", range(0..10), default = 3)] place: u32,
    #[arg(pattern("^[a-z]+$"))] mark: Option<String>,
) -> Result<(), ShelfFull> {
    Ok(())
}

/// Count the books of an author, by a name that serde reads.
#[action(internal)]
pub fn count(shelf: &Shelf, #[serde(alias = "writer")] author: String, #[arg(default)] exact: bool) -> io::Result<usize> {
    Ok(0)
}

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

/// Order a book from somewhere.
#[action(open_world)]
pub async fn order(
    shelf: &Shelf,
    cx: &mut Context<Shelf>,
    shop: &dyn BookShop,
    title: String,
    purse: &Purse,
) -> Result<u32, ShelfFull> {
    Ok(1)
}

#[derive(Resources)]
pub struct Street {
    pub shop: Box<dyn BookShop>,
    pub purse: Purse,
    #[resources(skip)]
    pub number: u32,
}
