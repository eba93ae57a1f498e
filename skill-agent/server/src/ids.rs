//! Ids of commands and signals.

use std::time::{SystemTime, UNIX_EPOCH};
use uuid::{Builder, Uuid};

/// Generates version 7 UUIDs from the time and a counter with a random start. The randomness is drawn once per server, because
/// drawing it for each id would cost a system call.
#[derive(Debug)]
pub struct Ids {
    seed: u128,
}

/// The number of bytes for the 74 bits of a version 7 UUID that are not time, version or variant. RFC 9562 allows a counter with a
/// random start in these bits.
const RANDOM_BYTES: usize = 10;

impl Ids {
    /// Creates a generator with a random start.
    pub fn draw() -> Self {
        Self {
            seed: Uuid::now_v7().as_u128(),
        }
    }

    /// Generates an id for the time `now`.
    pub fn next(&mut self, now: SystemTime) -> String {
        self.seed = self.seed.wrapping_add(1);
        let since = now.duration_since(UNIX_EPOCH).unwrap_or_default();
        let millis = u64::try_from(since.as_millis()).unwrap_or(u64::MAX);
        let bytes = self.seed.to_be_bytes();
        let mut random = [0; RANDOM_BYTES];
        random.copy_from_slice(&bytes[bytes.len() - RANDOM_BYTES..]);
        Builder::from_unix_timestamp_millis(millis, &random)
            .into_uuid()
            .to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn ids_are_unique_and_of_version_seven() {
        let (mut ids, mut others) = (Ids::draw(), Ids::draw());
        let now = SystemTime::now();
        let mut seen = HashSet::new();
        for _ in 0..10_000 {
            for id in [ids.next(now), others.next(now)] {
                assert_eq!(Uuid::parse_str(&id).unwrap().get_version_num(), 7);
                assert!(seen.insert(id));
            }
        }
    }
}
