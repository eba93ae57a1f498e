//! Calls by name.

use crate::error::ServeError;
use crate::guard::GuardCheck;
use crate::idempotency::{GivenKey, IdempotencyKey, StoredDecision};
use crate::journal::JournalEntry;
use crate::mailbox::responder::Responder;
use crate::owner::Owner;
use crate::owner::call::admission::{Admission, Refusal, check_condition};
use crate::owner::call::arguments::Arguments;
use crate::owner::call::command::{Command, Executed};
use crate::panics::{catch, drop_caught};
use crate::turns::TurnId;
use serde_json::Value;
use skill_agent_store::RecordKind;
use skill_core::process::{self, ResolvedAction, Transaction};
use skill_core::{Agent, CallError, Caller, CallerKind, Instruction};
use std::mem::replace;

/// A call by name.
pub(crate) struct JsonCommand {
    action: String,
    /// The action with that name, once it is found. After a wait, the action is looked up again, because skills may have been
    /// mounted meanwhile.
    at: Option<ResolvedAction>,
    arguments: Arguments,
    caller: Caller,
    check: GuardCheck,
    key: JsonKey,
    /// The id of the approval request whose decision this command carries out.
    decision: Option<String>,
    /// The turn of a conversation that makes a call without a key.
    turn: Option<TurnId>,
}

/// The idempotency key of a call by name.
enum JsonKey {
    None,
    /// The key that the caller gave.
    Given(GivenKey),
    Complete(Box<IdempotencyKey<String>>),
}

/// A key whose outputs are JSON text.
pub(crate) type TextKey = Option<Box<IdempotencyKey<String>>>;

impl JsonKey {
    fn into_complete(self) -> Option<Box<IdempotencyKey<String>>> {
        match self {
            Self::Complete(key) => Some(key),
            Self::None | Self::Given(_) => None,
        }
    }
}

impl JsonCommand {
    pub(crate) fn new(action: String, arguments: Arguments, caller: Caller) -> Self {
        Self {
            action,
            at: None,
            arguments,
            caller,
            check: GuardCheck::Full,
            key: JsonKey::None,
            decision: None,
            turn: None,
        }
    }

    /// Sets the key that the caller gave, if any.
    pub(crate) fn with_key(mut self, key: Option<GivenKey>) -> Self {
        match key {
            Some(GivenKey::Read(key)) => self.turn = TurnId::of_call(&key),
            key => self.key = key.map_or(JsonKey::None, JsonKey::Given),
        }
        self
    }

    /// Prepares the command of an approved request. The guard may still deny it.
    pub(crate) fn approved(mut self, key: IdempotencyKey<String>, request: String) -> Self {
        self.key = JsonKey::Complete(Box::new(key));
        self.decision = Some(request);
        self.check = GuardCheck::DenyOnly;
        self
    }

    /// Returns the turn that makes a call without a key.
    pub(crate) fn take_turn(&mut self) -> Option<TurnId> {
        self.turn.take()
    }

    /// Returns the arguments, the key, and the id of the request whose decision this command carries out.
    pub(crate) fn into_parts(self) -> (Arguments, TextKey, Option<String>) {
        (self.arguments, self.key.into_complete(), self.decision)
    }

    /// Returns the action that was found on admission.
    fn found(&self) -> ResolvedAction {
        self.at
            .expect("the action is found when the command is admitted")
    }

    fn find<G: Agent>(&mut self, agent: &G) -> Result<ResolvedAction, CallError> {
        let at = process::resolve(agent, &self.action)?;
        // The action of an approval request was called before, so it may be internal.
        let may_be_internal = self.caller.kind() == CallerKind::Agent || self.decision.is_some();
        if at.spec.internal && !may_be_internal {
            return Err(process::internal(at.spec));
        }
        if let (Some(before), Arguments::Read(_)) = (self.at, &self.arguments) {
            process::check_current(agent, before)?;
        }
        self.at = Some(at);
        Ok(at)
    }

    /// Returns the error for an unknown action. If the key is the name of an action, the error says that the two are swapped: both
    /// are strings, so a program can easily swap them.
    fn not_found<G: Agent>(&self, agent: &G, error: CallError) -> ServeError<CallError> {
        match (&self.key, error) {
            (JsonKey::Given(key), CallError::UnknownAction { action, .. })
                if process::resolve(agent, key.text()).is_ok() =>
            {
                let key = key.text().to_owned();
                ServeError::SwappedKey { key, action }
            }
            (_, error) => ServeError::Action(error),
        }
    }

    /// Returns whether a command with the same key is recorded or running.
    fn is_repeated<G: Agent>(&self, owner: &Owner<G>) -> bool {
        match &self.key {
            JsonKey::Complete(key) => owner.is_key_known(&key.key),
            JsonKey::None | JsonKey::Given(_) => false,
        }
    }

    /// Completes the caller's key with the action and its arguments.
    fn complete_key<G: Agent>(
        &mut self,
        agent: &G,
        at: ResolvedAction,
    ) -> Result<(), ServeError<CallError>> {
        if !matches!(self.key, JsonKey::Given(_)) {
            return Ok(());
        }
        let action = self.arguments.read(agent, at)?;
        let arguments = catch(|| action.arguments()).ok().and_then(Result::ok);
        let names = process::declared_names(agent, at);
        let arguments = arguments.as_ref();
        if let JsonKey::Given(given) = replace(&mut self.key, JsonKey::None) {
            let key = IdempotencyKey::by_name(&self.caller, names, at.spec, given, arguments);
            self.key = JsonKey::Complete(Box::new(key));
        }
        Ok(())
    }
}

impl<G: Agent> Command<G> for JsonCommand {
    type Output = String;
    type Error = CallError;

    fn admit(&mut self, owner: &Owner<G>) -> Result<Admission, Refusal<CallError>> {
        let agent = &owner.agent;
        let at = self
            .find(agent)
            .map_err(|error| self.not_found(agent, error));
        let at = at.map_err(Refusal::Failed)?;
        self.complete_key(agent, at).map_err(Refusal::Failed)?;
        // a repeated command gets the recorded output, even if the first one made the condition false
        if at.spec.conditional && !self.is_repeated(owner) {
            check_condition(agent, at).map_err(Refusal::Failed)?;
        }
        let (caller, check) = (&self.caller, self.check);
        owner
            .settings
            .admit_by_name(agent, caller, at, &mut self.arguments, check)
    }

    fn key(&self) -> Option<&IdempotencyKey<String>> {
        match &self.key {
            JsonKey::Complete(key) => Some(key),
            JsonKey::None | JsonKey::Given(_) => None,
        }
    }

    fn name(&self) -> &'static str {
        self.found().spec.name
    }

    fn set_check(&mut self, check: GuardCheck) {
        self.check = check;
    }

    fn replace_arguments(
        &mut self,
        owner: &Owner<G>,
        arguments: Value,
    ) -> Result<(), Refusal<CallError>> {
        let replaced = Arguments::replaced(&owner.agent, self.found(), arguments)?;
        drop_caught(replace(&mut self.arguments, replaced));
        Ok(())
    }

    fn is_async(&self) -> bool {
        self.found().is_async()
    }

    fn start(self, owner: &mut Owner<G>, responder: Responder<String, CallError>) {
        owner.start_json(self.found(), self, responder);
    }

    fn execute(
        self,
        owner: &mut Owner<G>,
        _: bool,
    ) -> Result<Executed<G, String>, ServeError<CallError>> {
        let at = self.found();
        let key = self.key.into_complete();
        let meta = Some(owner.meta_with_key(key.as_ref().map(|key| key.given.clone())));
        let instruction = owner
            .records_instructions()
            .then(|| Instruction::new(at.spec.name, self.arguments.to_value()));
        let mut transaction = Transaction::begin(&mut owner.agent);
        let result = catch(|| {
            let arguments = self.arguments;
            arguments.with(|input| transaction.call(at, input, meta.as_ref()))
        });
        let output = match result {
            Ok(Ok(output)) => output,
            Ok(Err(error)) => return Err(ServeError::Action(error)),
            Err(message) => return Err(ServeError::panicked(Some(at.spec.name), message)),
        };
        // An error undoes the transaction.
        let mut entry = JournalEntry::new(RecordKind::Command, String::new());
        if let Some(turn) = self.turn {
            entry.chain.begin_turn(turn);
        }
        entry.keyed = key.map(|key| key.keyed(&output)).transpose()?;
        let decided = self.decision.map(|request| {
            let decision = StoredDecision::Output(output.clone());
            decision.keyed(&request)
        });
        entry.decision = decided.transpose()?;
        let (saved, directives) = transaction.commit();
        entry.directives = directives;
        entry.instructions.extend(instruction);
        Ok(Executed {
            output,
            saved,
            entry,
            meta,
        })
    }
}
