// With the name of the instance as a prefix, the name of a tool has more than 64 characters.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Keeps books.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "books", actions(CloseTheFinancialYearAndOpenTheNext))]
struct Books {
    closed: u32,
}

/// Close the financial year and open the next.
#[action]
fn close_the_financial_year_and_open_the_next(books: &mut Books) {
    books.closed += 1;
}

agent! {
    struct Bookkeeper {
        name: "bookkeeper",
        skills: [Books as northern_subsidiary_books],
    }
}

fn main() {}
