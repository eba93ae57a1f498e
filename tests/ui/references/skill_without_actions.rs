// The instructions of a skill without actions refer to one.
use fixture_ui::notes;

notes!(instructions = "Keep what matters with `{Write}`.");

fn main() {}
