//! Tests a child without a server or tasks.

use super::{BoxFuture, ChildContext, ChildHost, ChildRequestError, ChildSendError, ChildStop};
use crate::Signal;
use serde_json::Value;
use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::fmt;
use std::future::poll_fn;
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Poll, Waker};

/// A child's server in a test. It provides parameters and resources, can ask the child to stop, and records its signals.
///
/// ```
/// use serde_json::json;
/// use skill_core::{ChildContext, ChildSpec, Signal};
/// # use std::task::{Context, Poll, Waker};
/// # fn block_on<T>(mut future: skill_core::child::BoxFuture<T>) -> T {
/// #     match future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
/// #         Poll::Ready(output) => output,
/// #         Poll::Pending => panic!("the child is waiting"),
/// #     }
/// # }
///
/// let greeter = ChildSpec::new("greeter", async |cx: ChildContext| {
///     cx.send(Signal::new("greeter.hello", json!({ "to": cx.params() })))?;
///     cx.stopped().await;
///     Ok(())
/// });
///
/// let test = ChildContext::for_test().with_params(json!("Ada"));
/// test.stop();
/// block_on(greeter.start(test.context())).unwrap();
/// assert_eq!(test.sent()[0].data(), &json!({ "to": "Ada" }));
/// ```
pub struct ChildTest {
    params: Option<Arc<Value>>,
    resources: HashMap<TypeId, Arc<dyn Any + Send + Sync>>,
    answer: Answer,
    state: Arc<TestState>,
}

/// Returns the agent's answer to a request, or an error message.
type Answer = Arc<dyn Fn(&Signal) -> Result<Value, String> + Send + Sync>;

/// The state shared by all contexts of one test.
#[derive(Default)]
struct TestState {
    sent: Mutex<Vec<Signal>>,
    stop: Mutex<Stop>,
}

#[derive(Default)]
struct Stop {
    requested: bool,
    waiting: Vec<Waker>,
}

struct TestHost {
    resources: HashMap<TypeId, Arc<dyn Any + Send + Sync>>,
    answer: Answer,
    state: Arc<TestState>,
}

/// Locks a mutex and ignores poisoning. A panic under these locks leaves no partial changes.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl ChildContext {
    /// Prepares a test of a child without a server.
    pub fn for_test() -> ChildTest {
        ChildTest::new()
    }
}

impl ChildTest {
    pub(super) fn new() -> Self {
        Self {
            params: None,
            resources: HashMap::new(),
            answer: Arc::new(|_| Ok(Value::Null)),
            state: Arc::default(),
        }
    }

    /// Sets the answers to the child's requests. An `Err` contains an error message. By default, each answer is `null`.
    #[must_use]
    pub fn with_answers(
        mut self,
        answer: impl Fn(&Signal) -> Result<Value, String> + Send + Sync + 'static,
    ) -> Self {
        self.answer = Arc::new(answer);
        self
    }

    /// Sets the parameters, like a `Spawn` directive.
    #[must_use]
    pub fn with_params(mut self, params: Value) -> Self {
        self.params = Some(Arc::new(params));
        self
    }

    /// Shares a resource as type `T`.
    #[must_use]
    pub fn with_resource<T: ?Sized + Send + Sync + 'static>(mut self, resource: Arc<T>) -> Self {
        self.resources.insert(TypeId::of::<T>(), Arc::new(resource));
        self
    }

    /// Creates the child's context. The child's id and its agent's name are `test`.
    pub fn context(&self) -> ChildContext {
        let host = Arc::new(TestHost {
            resources: self.resources.clone(),
            answer: self.answer.clone(),
            state: self.state.clone(),
        });
        ChildContext::new("test", self.params.clone(), host.clone(), host)
    }

    /// Asks the child to stop.
    pub fn stop(&self) {
        let waiting = {
            let mut stop = lock(&self.state.stop);
            stop.requested = true;
            mem::take(&mut stop.waiting)
        };
        for waker in waiting {
            waker.wake();
        }
    }

    /// Returns the signals sent by the child, in order.
    pub fn sent(&self) -> Vec<Signal> {
        lock(&self.state.sent).clone()
    }
}

impl fmt::Debug for ChildTest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChildTest")
            .field("params", &self.params)
            .field("sent", &self.sent())
            .finish_non_exhaustive()
    }
}

impl ChildHost for TestHost {
    fn agent_name(&self) -> &str {
        "test"
    }

    fn agent_id(&self) -> Option<&str> {
        None
    }

    fn send(&self, _: &str, signal: Signal) -> Result<(), ChildSendError> {
        lock(&self.state.sent).push(signal);
        Ok(())
    }

    fn deliver(&self, _: &str, signal: Signal) -> BoxFuture<Result<(), ChildSendError>> {
        let state = self.state.clone();
        Box::pin(async move {
            lock(&state.sent).push(signal);
            Ok(())
        })
    }

    fn request(&self, _: &str, signal: Signal) -> BoxFuture<Result<Value, ChildRequestError>> {
        let (state, answer) = (self.state.clone(), self.answer.clone());
        Box::pin(async move {
            let answered = answer(&signal);
            lock(&state.sent).push(signal);
            answered.map_err(|error| ChildRequestError::Failed(error.into()))
        })
    }

    fn resource(&self, of: TypeId) -> Option<&(dyn Any + Send + Sync)> {
        self.resources.get(&of).map(|resource| &**resource)
    }
}

impl ChildStop for TestHost {
    fn is_stopping(&self) -> bool {
        lock(&self.state.stop).requested
    }

    fn stopped(&self) -> BoxFuture<()> {
        let state = self.state.clone();
        Box::pin(poll_fn(move |cx| {
            let mut stop = lock(&state.stop);
            if stop.requested {
                return Poll::Ready(());
            }
            if !stop.waiting.iter().any(|waker| waker.will_wake(cx.waker())) {
                stop.waiting.push(cx.waker().clone());
            }
            Poll::Pending
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::child::{Restart, Shutdown};
    use crate::{ChildSpec, HookError};
    use serde_json::json;
    use std::pin::pin;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::task::{Context, Wake};
    use std::time::Duration;

    #[derive(Default)]
    struct Wakes(AtomicUsize);

    impl Wake for Wakes {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    trait Api: Send + Sync {
        fn answer(&self) -> u32;
    }

    struct Client;

    impl Api for Client {
        fn answer(&self) -> u32 {
            42
        }
    }

    #[test]
    fn a_child_runs_without_a_server_until_it_is_asked_to_stop() {
        let spec = ChildSpec::new("echo", async |cx: ChildContext| {
            cx.send(Signal::new("echo.first", cx.params().clone()))?;
            cx.deliver(Signal::new("echo.second", json!(null))).await?;
            cx.stopped().await;
            Err(HookError::new("closed"))
        });
        let test = ChildContext::for_test().with_params(json!({ "a": 1 }));
        let cx = test.context();
        let mut child = pin!(spec.start(cx.clone()));

        let wakes = Arc::new(Wakes::default());
        let waker = Waker::from(wakes.clone());
        let mut polled = Context::from_waker(&waker);
        assert!(child.as_mut().poll(&mut polled).is_pending());
        assert!(child.as_mut().poll(&mut polled).is_pending());
        assert!(!cx.is_stopping());
        let types: Vec<_> = test.sent().iter().map(|s| s.ty().to_owned()).collect();
        assert_eq!(types, ["echo.first", "echo.second"]);
        assert_eq!(test.sent()[0].data(), &json!({ "a": 1 }));

        test.stop();
        assert!(cx.is_stopping());
        assert_eq!(wakes.0.load(Ordering::Relaxed), 1);
        match child.as_mut().poll(&mut polled) {
            Poll::Ready(Err(error)) => assert_eq!(error.to_string(), "closed"),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_test_answers_the_requests_of_a_child() {
        let spec = ChildSpec::new("asker", async |cx: ChildContext| {
            let answer = cx.request(Signal::new("asker.first", json!(1))).await?;
            cx.request(Signal::new("asker.second", answer)).await?;
            Ok(())
        });
        let test = ChildContext::for_test().with_answers(|signal| match signal.ty() {
            "asker.first" => Ok(json!(2)),
            _ => Err("it is late".to_owned()),
        });
        let mut child = pin!(spec.start(test.context()));
        let polled = child.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        let Poll::Ready(Err(error)) = polled else {
            panic!("{polled:?}")
        };
        assert_eq!(error.to_string(), "the request failed");
        assert_eq!(test.sent()[1].data(), &json!(2));
        let null = ChildContext::for_test().context();
        let mut request = pin!(null.request(Signal::new("asker.first", json!(1))));
        let polled = request
            .as_mut()
            .poll(&mut Context::from_waker(Waker::noop()));
        assert!(matches!(polled, Poll::Ready(Ok(Value::Null))));
    }

    #[test]
    fn resources_are_found_by_their_type_sized_or_not() {
        let cx = ChildContext::for_test()
            .with_resource(Arc::new(7_u16))
            .with_resource::<dyn Api>(Arc::new(Client))
            .context();
        assert_eq!(cx.resource::<u16>().as_deref(), Some(&7));
        assert_eq!(cx.resource::<dyn Api>().map(|api| api.answer()), Some(42));
        assert!(cx.resource::<u32>().is_none());
        assert!(cx.resource::<Client>().is_none());
    }

    #[test]
    fn the_defaults_of_a_child() {
        let spec = ChildSpec::new("a", async |_| Ok(()));
        assert_eq!(spec.restart, Restart::Permanent);
        assert_eq!(spec.shutdown, Shutdown::After(Duration::from_secs(5)));
        assert!(!spec.on_demand && spec.on_demand().on_demand);
        assert!(ChildContext::for_test().context().params().is_null());
    }
}
