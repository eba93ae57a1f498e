// A skill forbids a hint, which only an agent can do.
fixture_ui::desk!(forbid(destructive));

fn main() {}
