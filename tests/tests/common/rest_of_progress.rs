//! The values of a channel of progress.

use serde_json::Value;
use skill_agent::server::ProgressReceiver;

/// The values that wait or still come.
pub async fn rest(mut progress: ProgressReceiver) -> Vec<Value> {
    let mut values = Vec::new();
    while let Some(value) = progress.next().await {
        values.push(value);
    }
    values
}
