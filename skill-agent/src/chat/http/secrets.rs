//! Secrets, which servers may repeat in what they write.

/// The shortest secret that is looked for in texts of servers. A shorter one is a word such as `key`, for a server that checks none.
const MIN_SECRET: usize = 8;

/// Texts that no error has.
#[derive(Clone, Default)]
pub(super) struct Secrets(Vec<String>);

impl Secrets {
    /// Secrets, and their words, such as the token behind `Bearer`.
    pub(super) fn new(secrets: impl IntoIterator<Item = String>) -> Self {
        let mut texts = Vec::new();
        for secret in secrets {
            texts.extend(secret.split_whitespace().map(str::to_owned));
            texts.push(secret);
        }
        texts.retain(|text| text.len() >= MIN_SECRET);
        // one that contains another comes first
        texts.sort_by_key(|text| std::cmp::Reverse(text.len()));
        Self(texts)
    }

    /// A text of a server without the secrets.
    pub(super) fn hide(&self, text: &str) -> String {
        let texts = self.0.iter();
        texts.fold(text.to_owned(), |text, secret| text.replace(secret, "…"))
    }
}
