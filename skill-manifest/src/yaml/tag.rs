//! The tags that change how a value is read.

const YAML_NAMESPACE: &str = "tag:yaml.org,2002:";

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Tag {
    /// No tag.
    None,
    Null,
    Bool,
    Int,
    Float,
    Text,
    /// The tag `!`, which makes a scalar a string.
    NonSpecific,
    Binary,
    Timestamp,
    /// A number with a unit: `!degrees`, `!radians` or `!time`.
    Measure,
    List,
    Map,
    /// The tag of the key `<<`.
    Merge,
    /// The tag of the key `=`. It has no meaning here.
    Default,
    Include,
    /// An application's tag. It has no meaning here.
    Other,
}

impl Tag {
    /// Resolves a tag by its full name, in any notation.
    pub(super) fn of(tag: Option<&granit_parser::Tag>) -> Self {
        let Some(tag) = tag else {
            return Self::None;
        };
        let name = [tag.handle(), tag.suffix()].concat();
        if is_include(&name) {
            return Self::Include;
        }
        if let Some(name) = name.strip_prefix(YAML_NAMESPACE) {
            return match name {
                "merge" => Self::Merge,
                "value" => Self::Default,
                name => Self::named(name.strip_prefix('!').unwrap_or(name)),
            };
        }
        match name.strip_prefix('!') {
            None => Self::Other,
            Some("" | "!") => Self::NonSpecific,
            Some("!binary") => Self::Binary,
            Some("!timestamp") => Self::Timestamp,
            Some(name) => match name.strip_prefix('!') {
                Some(name) => Self::core(name),
                None => Self::named(name),
            },
        }
    }

    fn named(name: &str) -> Self {
        match name {
            "binary" => Self::Binary,
            "timestamp" => Self::Timestamp,
            "time" | "degrees" | "radians" => Self::Measure,
            name => Self::core(name),
        }
    }

    /// Returns a tag of the core schema.
    fn core(name: &str) -> Self {
        match name {
            "null" => Self::Null,
            "bool" => Self::Bool,
            "int" => Self::Int,
            "float" => Self::Float,
            "str" => Self::Text,
            "seq" => Self::List,
            "map" => Self::Map,
            _ => Self::Other,
        }
    }

    /// Returns whether the tag can be dropped without changing the value.
    pub(super) const fn is_ignored(self) -> bool {
        matches!(self, Self::NonSpecific | Self::Include | Self::Other)
    }

    pub(super) const fn fits_scalar(self) -> bool {
        !matches!(self, Self::List | Self::Map)
    }

    pub(super) const fn fits_list(self) -> bool {
        matches!(self, Self::List) || self.fits_everything()
    }

    pub(super) const fn fits_map(self) -> bool {
        matches!(self, Self::Map) || self.fits_everything()
    }

    const fn fits_everything(self) -> bool {
        matches!(self, Self::None | Self::NonSpecific | Self::Other)
    }
}

/// Returns whether a tag includes another file or a part of it.
fn is_include(name: &str) -> bool {
    let local = match name.strip_prefix(YAML_NAMESPACE) {
        Some(name) => Some(name.strip_prefix('!').unwrap_or(name)),
        None => name.strip_prefix('!'),
    };
    local
        .and_then(|name| name.strip_prefix("include"))
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('#'))
}
