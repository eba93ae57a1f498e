// A tool is described by a skill without actions.
fixture_ui::calculator!(state_key = "sums", tools(Divide(description = "Divide.")));

/// Divides.
pub struct Divide {}

fn main() {}
