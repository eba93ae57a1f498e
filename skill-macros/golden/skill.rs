//! A skill with hooks, its configuration, an async action and the resources of a server. Not compiled: the golden test
//! reads it.

/// A skill with every option.
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
    instructions = "Put books back with `{Put}`.",
    hooks,
    actions(Put, Order),
    tools(Order(title = "Purchase", description = "Buy a book.", args(title = "The title on the cover.")))
)]
pub struct Shelf {
    #[skill(from_config)]
    pub room: u32,
    #[skill(from_config, always)]
    pub label: String,
    #[skill(default)]
    pub titles: Vec<String>,
}

/// A configuration with the defaults of its fields.
#[derive(SkillConfig, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ShelfConfig {
    #[schemars(range(min = 1, max = MOST_BOOKS))]
    #[skill(default = 40)]
    pub room: u32,
    #[schemars(length(max = 20))]
    #[skill(default)]
    pub label: String,
    pub is_locked: bool,
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
    pub purse: Arc<Purse>,
    #[resources(skip)]
    pub number: u32,
}
