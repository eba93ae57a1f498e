//! The stored outputs of commands with idempotency keys.

use super::by_age::ByAge;
use super::row_key::OutputKey;

/// The maximum total size of the outputs, in bytes.
const MAX_BYTES: usize = 16 << 20;

/// The newest encoded outputs, at most 16 MiB in total.
pub(super) struct Answers {
    /// Each output, with the number of its record.
    answers: ByAge<OutputKey, (u64, Vec<u8>)>,
    bytes: usize,
    max: usize,
}

impl Default for Answers {
    fn default() -> Self {
        Self::of_at_most(MAX_BYTES)
    }
}

/// Returns the size of an output with its key.
fn size(answer: &[u8]) -> usize {
    size_of::<OutputKey>() + answer.len()
}

impl Answers {
    fn of_at_most(max: usize) -> Self {
        Self {
            answers: ByAge::default(),
            bytes: 0,
            max,
        }
    }

    pub(super) fn get(&self, key: &OutputKey) -> Option<&[u8]> {
        self.answers.get(key).map(|(_, answer)| answer.as_slice())
    }

    /// Returns whether the output is small enough to be stored.
    pub(super) fn takes(&self, answer: &[u8]) -> bool {
        size(answer) <= self.max
    }

    /// Adds an output under a key without an output. [`takes`](Self::takes) must accept the output. Returns the keys of the evicted
    /// outputs, each with its record number.
    pub(super) fn insert(
        &mut self,
        key: OutputKey,
        seq: u64,
        answer: Vec<u8>,
    ) -> Vec<(OutputKey, u64)> {
        self.bytes += size(&answer);
        self.answers.insert(key, (seq, answer));
        let mut gone = Vec::new();
        while self.bytes > self.max
            && let Some(oldest) = self.answers.oldest().cloned()
        {
            gone.extend(self.remove(&oldest).map(|seq| (oldest, seq)));
        }
        gone
    }

    /// Removes an output, and returns its record number.
    pub(super) fn remove(&mut self, key: &OutputKey) -> Option<u64> {
        let (_, (seq, answer)) = self.answers.remove(key)?;
        self.bytes -= size(&answer);
        Some(seq)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_outputs_go_when_there_are_too_many_bytes() {
        let empty = size(&[]);
        let mut answers = Answers::of_at_most(2 * empty + 10);
        let key = |number: u8| OutputKey::Decision(number.to_string());
        assert_eq!(answers.insert(key(0), 1, vec![0; 4]), []);
        assert_eq!(answers.insert(key(1), 2, vec![1; 4]), []);
        assert_eq!(answers.insert(key(2), 3, vec![2; 2]), [(key(0), 1)]);
        assert_eq!(answers.get(&key(1)), Some(&[1; 4][..]));
        assert_eq!(answers.get(&key(0)), None);
        let most = empty + 10;
        assert!(answers.takes(&vec![0; most]) && !answers.takes(&vec![0; most + 1]));
        let gone = answers.insert(key(3), 4, vec![0; most]);
        assert_eq!(gone, [(key(1), 2), (key(2), 3)]);
        assert_eq!(answers.remove(&key(3)), Some(4));
        assert_eq!((answers.bytes, answers.answers.len()), (0, 0));
    }
}
