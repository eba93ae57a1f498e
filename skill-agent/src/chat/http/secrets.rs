//! Secrets, which servers may repeat in what they write.

/// The shortest secret that is looked for in texts of servers. A shorter one is a word such as `key`, for a server that checks none.
const MIN_SECRET: usize = 8;

/// Texts that no error has.
#[derive(Clone, Default)]
pub(super) struct Secrets(Vec<String>);

impl Secrets {
    pub(super) fn new(secrets: impl IntoIterator<Item = String>) -> Self {
        let secrets = secrets.into_iter();
        Self(
            secrets
                .filter(|secret| secret.len() >= MIN_SECRET)
                .collect(),
        )
    }

    /// A text of a server without the secrets.
    pub(super) fn hide(&self, text: &str) -> String {
        let texts = self.0.iter();
        texts.fold(text.to_owned(), |text, secret| text.replace(secret, "…"))
    }
}
