//! The caller of an action.

use serde::de::{Deserialize, Deserializer};
use serde::ser::{Serialize, Serializer};
use std::fmt;
use std::sync::Arc;

/// The caller of an action: its kind and, if known, a principal and the agents that passed the call on.
///
/// A caller with only a kind is a constant, such as [`Caller::Model`]. Clones share the details. Guards should decide by
/// [`kind`](Self::kind), because `==` also compares the principal and the agents.
///
/// ```
/// use skill_core::{Caller, CallerKind};
/// let caller = Caller::Model.with_principal("alice").via("planner").via("worker");
/// assert_eq!(caller.kind(), CallerKind::Model);
/// assert_eq!(caller.principal(), Some("alice"));
/// assert_eq!(caller.agents(), ["planner", "worker"]);
/// assert_ne!(caller, Caller::Model);
///
/// let text = serde_json::to_string(&caller)?;
/// assert_eq!(text, r#"{"kind":"model","principal":"alice","agents":["planner","worker"]}"#);
/// assert_eq!(serde_json::from_str::<Caller>(&text)?, caller);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Default)]
pub struct Caller {
    kind: CallerKind,
    /// The principal and the agents. `None` for most callers, so that a clone copies only two words.
    details: Option<Arc<Details>>,
}

/// The kind of a [`Caller`].
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum CallerKind {
    /// The program's own code.
    #[default]
    Code,
    /// The agent itself, through a directive or an action queued by an async action.
    Agent,
    /// A signal, through a route.
    Signal,
    /// A model, through a tool call.
    Model,
    /// An MCP client.
    Mcp,
    /// A document: a SKILL.md command.
    Document,
}

#[derive(Clone, Default, PartialEq, Eq, Hash)]
struct Details {
    principal: Option<String>,
    agents: Vec<String>,
}

// named like the variants of `CallerKind`
#[allow(non_upper_case_globals)]
impl Caller {
    /// The program's own code.
    pub const Code: Self = Self::of(CallerKind::Code);
    /// The agent itself, through a directive or an action queued by an async action.
    pub const Agent: Self = Self::of(CallerKind::Agent);
    /// A signal, through a route.
    pub const Signal: Self = Self::of(CallerKind::Signal);
    /// A model, through a tool call.
    pub const Model: Self = Self::of(CallerKind::Model);
    /// An MCP client.
    pub const Mcp: Self = Self::of(CallerKind::Mcp);
    /// A document: a SKILL.md command.
    pub const Document: Self = Self::of(CallerKind::Document);
}

impl Caller {
    /// Creates a caller of a kind, without a principal or agents.
    pub const fn of(kind: CallerKind) -> Self {
        Self {
            kind,
            details: None,
        }
    }

    /// Returns the kind of caller.
    pub const fn kind(&self) -> CallerKind {
        self.kind
    }

    /// Returns the user or service on whose behalf the call is made.
    pub fn principal(&self) -> Option<&str> {
        self.details.as_ref()?.principal.as_deref()
    }

    /// Returns the names of the agents that passed the call on, in order.
    pub fn agents(&self) -> &[String] {
        self.details.as_ref().map_or(&[], |details| &details.agents)
    }

    /// Sets the principal: the user or service on whose behalf the call is made. If the principal is empty, for example because a
    /// variable is not set, a server denies every action of the caller.
    #[must_use]
    pub fn with_principal(mut self, principal: impl Into<String>) -> Self {
        self.details_mut().principal = Some(principal.into());
        self
    }

    /// Adds an agent to the end of the list of agents that passed the call on.
    #[must_use]
    pub fn via(mut self, agent: impl Into<String>) -> Self {
        self.details_mut().agents.push(agent.into());
        self
    }

    /// Returns the caller with a different kind and the same principal and agents.
    #[must_use]
    pub fn with_kind(mut self, kind: CallerKind) -> Self {
        self.kind = kind;
        self
    }

    /// Returns whether the caller is beyond the control of the program's author: a model, an MCP client or a document.
    pub const fn is_foreign(&self) -> bool {
        matches!(
            self.kind,
            CallerKind::Model | CallerKind::Mcp | CallerKind::Document
        )
    }

    fn details_mut(&mut self) -> &mut Details {
        Arc::make_mut(self.details.get_or_insert_default())
    }
}

/// A caller beyond the control of the program's author: a model, an MCP client or a document.
///
/// A `ForeignCaller` converts to a [`Caller`], but only foreign callers convert to a `ForeignCaller`. A handle that calls on
/// behalf of someone else can therefore never get the program's own rights.
///
/// ```
/// use skill_core::{Caller, ForeignCaller};
/// let caller: Caller = ForeignCaller::Model.with_principal("alice").via("planner").into();
/// assert_eq!(caller, Caller::Model.with_principal("alice").via("planner"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(transparent)]
pub struct ForeignCaller(Caller);

// named like the variants of `CallerKind`
#[allow(non_upper_case_globals)]
impl ForeignCaller {
    /// A model, through a tool call.
    pub const Model: Self = Self(Caller::Model);
    /// An MCP client.
    pub const Mcp: Self = Self(Caller::Mcp);
    /// A document: a SKILL.md command.
    pub const Document: Self = Self(Caller::Document);

    /// Sets the principal: the user or service on whose behalf the call is made.
    #[must_use]
    pub fn with_principal(self, principal: impl Into<String>) -> Self {
        Self(self.0.with_principal(principal))
    }

    /// Adds an agent to the end of the list of agents that passed the call on.
    #[must_use]
    pub fn via(self, agent: impl Into<String>) -> Self {
        Self(self.0.via(agent))
    }
}

impl From<ForeignCaller> for Caller {
    fn from(caller: ForeignCaller) -> Self {
        caller.0
    }
}

impl From<CallerKind> for Caller {
    fn from(kind: CallerKind) -> Self {
        Self::of(kind)
    }
}

// Not derived, so that `Caller::Model` does not compile as a pattern. The pattern would not match a model with a principal.
impl PartialEq for Caller {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind
            && self.principal() == other.principal()
            && self.agents() == other.agents()
    }
}

impl Eq for Caller {}

impl fmt::Debug for Caller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Caller");
        shown.field("kind", &self.kind);
        if let Some(details) = &self.details {
            shown.field("principal", &details.principal);
            shown.field("agents", &details.agents);
        }
        shown.finish()
    }
}

/// A caller's serialized form.
#[derive(serde::Serialize, serde::Deserialize)]
struct Form {
    kind: CallerKind,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    principal: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    agents: Vec<String>,
}

impl Serialize for Caller {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let form = Form {
            kind: self.kind,
            principal: self.principal().map(str::to_owned),
            agents: self.agents().to_vec(),
        };
        form.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Caller {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Form {
            kind,
            principal,
            agents,
        } = Form::deserialize(deserializer)?;
        let details = Details { principal, agents };
        Ok(Self {
            kind,
            details: (details != Details::default()).then(|| Arc::new(details)),
        })
    }
}
