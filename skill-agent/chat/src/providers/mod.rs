//! The providers that a program has, by name.

#[cfg(feature = "documents")]
pub(crate) mod error;
#[cfg(feature = "documents")]
mod from_doc;

use crate::{BuildError, ChatModel};
use skill_agent_schema::{shorten_name, suggest};
use skill_core::__private::nearest;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

type CreateModel = dyn Fn(&str) -> Result<Box<dyn ChatModel>, BuildError> + Send + Sync;

/// The providers that a program has: functions that create a model by its name. A configuration or an
#[cfg_attr(
    feature = "documents",
    doc = "[AGENT.md](crate::Chat::from_doc) names one of them."
)]
#[cfg_attr(not(feature = "documents"), doc = "AGENT.md names one of them.")]
///
/// Clones are cheap. Two names are equal if they differ only in ASCII case or in spaces around them.
///
/// ```
/// use skill_agent::chat::{Providers, Scripted};
///
/// let providers = Providers::new()
///     .with("scripted", |model: &str| Scripted::new().text(format!("I am {model}.")))
///     .with("local", |model: &str| match model {
///         "gemma-3" => Ok(Scripted::new()),
///         _ => Err("this machine has only `gemma-3`"),
///     });
/// assert!(providers.model("scripted", "one").is_ok());
///
/// let error = providers.model("local", "two").err().ok_or("it has no such model")?;
/// assert_eq!(error.to_string(), "`local` cannot be used: this machine has only `gemma-3`");
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone, Default)]
pub struct Providers {
    by_name: BTreeMap<String, Arc<CreateModel>>,
    default: Option<(String, String)>,
}

/// A model, or a `Result` of one. Returned by the functions of [`Providers`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is neither a chat model nor a `Result` of one",
    label = "not a model",
    note = "return a model such as `OpenAi::new(key, model)`, or a `Result` whose error is a text or implements `Error`, `Send` and `Sync`"
)]
pub trait IntoModel {
    /// Returns the model.
    ///
    /// # Errors
    /// Returns the error of the function.
    fn into_model(self) -> Result<Box<dyn ChatModel>, BuildError>;
}

impl<M: ChatModel> IntoModel for M {
    fn into_model(self) -> Result<Box<dyn ChatModel>, BuildError> {
        Ok(Box::new(self))
    }
}

impl<M: ChatModel, E: Into<BuildError>> IntoModel for Result<M, E> {
    fn into_model(self) -> Result<Box<dyn ChatModel>, BuildError> {
        match self {
            Ok(model) => Ok(Box::new(model)),
            Err(error) => Err(error.into()),
        }
    }
}

/// The error returned by [`Providers::model`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProviderChoiceError {
    /// There is no provider with this name.
    #[error("there is no provider `{}`{}{}", shorten_name(.provider), listed(.known), suggest(.nearest.as_deref()))]
    #[non_exhaustive]
    Unknown {
        /// The requested name.
        provider: String,
        /// The most similar name.
        nearest: Option<String>,
        /// The names of the providers.
        known: Vec<String>,
    },
    /// The provider cannot create the model, for example because a key is missing.
    #[error("`{provider}` cannot be used: {why}")]
    #[non_exhaustive]
    Unavailable {
        /// The provider's name.
        provider: String,
        /// The error of the function that creates the model.
        why: BuildError,
    },
}

fn listed(known: &[String]) -> String {
    match known {
        [] => "; add one with `Providers::new().with(…)`".to_owned(),
        [only] => format!("; the only provider is `{only}`"),
        _ => format!("; the providers are `{}`", known.join("`, `")),
    }
}

impl Providers {
    /// Creates a list without providers.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a provider: a function that returns the model with a name, or a `Result` of it. It replaces a provider with an equal
    /// name.
    #[must_use]
    pub fn with<M: IntoModel>(
        mut self,
        name: &str,
        model: impl Fn(&str) -> M + Send + Sync + 'static,
    ) -> Self {
        let create = move |name: &str| model(name).into_model();
        self.by_name.insert(key(name), Arc::new(create));
        self
    }

    /// Sets the provider and the model of documents that name none. The model applies only to documents that name no other
    /// provider.
    #[must_use]
    pub fn default_model(mut self, provider: impl Into<String>, model: impl Into<String>) -> Self {
        self.default = Some((provider.into(), model.into()));
        self
    }

    /// Returns the names of the providers, sorted and in lower case.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.by_name.keys().map(String::as_str)
    }

    /// Creates a model of a provider.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no such provider, or if the provider's function fails.
    pub fn model(
        &self,
        provider: &str,
        model: &str,
    ) -> Result<Box<dyn ChatModel>, ProviderChoiceError> {
        self.find(provider)?.model(model)
    }

    fn find(&self, provider: &str) -> Result<Provider<'_>, ProviderChoiceError> {
        let name = key(provider);
        match self.by_name.get_key_value(&name) {
            Some((name, create)) => Ok(Provider { name, create }),
            None => Err(ProviderChoiceError::Unknown {
                provider: provider.to_owned(),
                nearest: nearest(&name, self.names()).map(str::to_owned),
                known: self.names().map(str::to_owned).collect(),
            }),
        }
    }
}

/// A provider of a program.
#[derive(Clone, Copy)]
struct Provider<'a> {
    name: &'a str,
    create: &'a Arc<CreateModel>,
}

impl Provider<'_> {
    fn model(self, model: &str) -> Result<Box<dyn ChatModel>, ProviderChoiceError> {
        let created = (self.create)(model.trim());
        created.map_err(|why| ProviderChoiceError::Unavailable {
            provider: self.name.to_owned(),
            why,
        })
    }
}

/// Returns the form of a name for comparisons.
fn key(name: &str) -> String {
    name.trim().to_ascii_lowercase()
}

impl fmt::Debug for Providers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.names()).finish()
    }
}
