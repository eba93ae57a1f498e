//! "Did you mean": which of the known names a misspelt one was meant to be.

/// Names above this many bytes are not typing mistakes, and comparing them costs their product.
const LONGEST: usize = 128;

/// The likeness (0 to 1) above which a name counts as meant; the value that clap and darling settled on.
const LIKE: f64 = 0.8;

/// The candidate that is nearest to `name`, when one is near enough to be meant.
///
/// The first of several equally near candidates wins, so the answer depends on their order alone.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if name.len() > LONGEST {
        return None;
    }
    let name = name.to_lowercase();
    let mut best: Option<(f64, &'a str)> = None;
    for candidate in candidates {
        if candidate.len() > LONGEST {
            continue;
        }
        let likeness = strsim::jaro_winkler(&name, &candidate.to_lowercase());
        if likeness > best.map_or(LIKE, |(most, _)| most) {
            best = Some((likeness, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}
