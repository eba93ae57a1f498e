//! Typed calls.

use crate::error::ServeError;
use crate::guard::GuardCheck;
use crate::idempotency::IdempotencyKey;
use crate::journal::JournalEntry;
use crate::mailbox::responder::Responder;
use crate::owner::Owner;
use crate::owner::call::admission::{Admission, Refusal};
use crate::owner::call::command::{Command, Executed};
use crate::panics::{catch, drop_caught};
use serde_json::Value;
use skill_agent_store::RecordKind;
use skill_core::bounds::SkillOf;
use skill_core::process::{self, AppliedAction, DeclaredNames, Kind, NotPerformed};
use skill_core::{Action, Agent, Caller, Instruction, Skill};
use std::mem::replace;
use std::sync::Arc;

/// A typed call to the instance at `AT`.
pub(crate) struct TypedCommand<A: Action, const AT: usize> {
    pub(crate) action: A,
    pub(crate) caller: Caller,
    pub(crate) check: GuardCheck,
    /// Boxed, because few commands have a key and every command is moved several times.
    pub(crate) key: Option<Box<IdempotencyKey<A::Output>>>,
}

impl<G, A, const AT: usize> Command<G> for TypedCommand<A, AT>
where
    G: Agent,
    A: Action<Error: Send + 'static> + Send,
    A::Skill: SkillOf<G, AT>,
{
    type Output = A::Output;
    type Error = A::Error;

    fn admit(&mut self, owner: &Owner<G>) -> Result<Admission, Refusal<A::Error>> {
        let settings = &owner.settings;
        if !settings.must_ask(&self.caller, A::SPEC.hints, self.check) {
            return Ok(Admission::Allowed);
        }
        settings.admit(
            &self.caller,
            process::spec_of::<G, A, AT>(),
            &self.action,
            &|| A::Kind::to_value(&self.action),
            self.check,
            || DeclaredNames {
                skill: <A::Skill as Skill>::SPEC.name,
                action: A::NAME,
                state_key: process::instance_key::<G, A::Skill, AT>(),
            },
        )
    }

    fn key(&self) -> Option<&IdempotencyKey<A::Output>> {
        self.key.as_deref()
    }

    fn name(&self) -> &'static str {
        process::spec_of::<G, A, AT>().name
    }

    fn set_check(&mut self, check: GuardCheck) {
        self.check = check;
    }

    fn replace_arguments(
        &mut self,
        _: &Owner<G>,
        arguments: Value,
    ) -> Result<(), Refusal<A::Error>> {
        let action = catch(|| process::from_arguments(&arguments))
            .map_err(Refusal::of_replaced)?
            .map_err(Refusal::of_replaced)?;
        drop_caught(replace(&mut self.action, action));
        Ok(())
    }

    fn is_async(&self) -> bool {
        A::Kind::IS_ASYNC
    }

    fn start(self, owner: &mut Owner<G>, responder: Responder<A::Output, A::Error>) {
        owner.start_typed(self, responder);
    }

    fn execute(
        self,
        owner: &mut Owner<G>,
        keep: bool,
    ) -> Result<Executed<G, A::Output>, ServeError<A::Error>> {
        let Self { action, key, .. } = self;
        let needs_meta = owner.journal.is_some() || A::Kind::TAKES_CONTEXT;
        let meta =
            needs_meta.then(|| owner.meta_with_key(key.as_ref().map(|key| key.given.clone())));
        let instruction = owner
            .records_instructions()
            .then(|| Instruction::new(A::NAME, process::readable(&action)));
        let agent = &mut owner.agent;
        let result = catch(|| process::perform::<G, A, AT>(agent, action, meta.as_ref(), keep));
        match result {
            Ok(Ok(applied)) => {
                let AppliedAction {
                    output,
                    directives,
                    saved,
                } = applied;
                let mut entry = JournalEntry::new(RecordKind::Command, String::new());
                match key.map(|key| key.keyed(&output)).transpose() {
                    Ok(keyed) => entry.keyed = keyed,
                    Err(error) => {
                        process::undo(&mut owner.agent, saved);
                        return Err(error);
                    }
                }
                entry.directives = directives;
                entry.instructions.extend(instruction);
                Ok(Executed {
                    output,
                    saved,
                    entry,
                    meta,
                })
            }
            Ok(Err(NotPerformed::Failed(error))) => Err(ServeError::Action(error)),
            Ok(Err(NotPerformed::NotMounted(error))) => Err(ServeError::Mount(Arc::new(error))),
            Ok(Err(NotPerformed::Async(_))) => {
                unreachable!("an async action is started, not performed")
            }
            Err(message) => Err(ServeError::panicked(
                Some(process::spec_of::<G, A, AT>().name),
                message,
            )),
        }
    }
}
