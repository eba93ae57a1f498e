//! Actions and arguments with every option. Not compiled: the golden test reads it.

/// Put a book on the shelf.
#[action(name = "put_book", title = "Put", type = Put, derive(Debug), on("book.put", "book.returned", priority = 5), idempotent)]
pub fn put(
    shelf: &mut Shelf,
    cx: &mut Context<Shelf>,
    /// The text on its back.
    #[arg(length(1..=80), example = "Emma".to_owned())]
    title: String,
    #[arg(rename = "at", range(0..10), default = 3)] place: u32,
    #[arg(pattern("^[a-z]+$"))] mark: Option<String>,
) -> Result<(), ShelfFull> {
    Ok(())
}

/// Count the books of an author, by a name that serde reads.
#[action(internal, rename_all = "camelCase")]
pub fn count(shelf: &Shelf, #[serde(alias = "writer")] author: String, #[arg(default)] is_exact: bool) -> io::Result<usize> {
    Ok(0)
}
