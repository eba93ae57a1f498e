//! The stored outputs of commands with idempotency keys.

use super::by_age::ByAge;

/// The maximum total size of the outputs, in bytes.
const MAX_BYTES: usize = 16 << 20;

/// The newest encoded outputs, at most 16 MiB in total.
pub(super) struct Answers {
    /// Each output, with the number of its record.
    answers: ByAge<Vec<u8>, (u64, Vec<u8>)>,
    bytes: usize,
    max: usize,
}

impl Default for Answers {
    fn default() -> Self {
        Self::of_at_most(MAX_BYTES)
    }
}

fn size(key: &[u8], answer: &[u8]) -> usize {
    key.len() + answer.len()
}

impl Answers {
    fn of_at_most(max: usize) -> Self {
        Self {
            answers: ByAge::default(),
            bytes: 0,
            max,
        }
    }

    pub(super) fn get(&self, key: &[u8]) -> Option<&[u8]> {
        self.answers.get(key).map(|(_, answer)| answer.as_slice())
    }

    /// Returns whether the output is small enough to be stored.
    pub(super) fn takes(&self, key: &[u8], answer: &[u8]) -> bool {
        size(key, answer) <= self.max
    }

    /// Adds an output that is small enough. Returns the keys of the outputs that were evicted or replaced, each with its record
    /// number.
    pub(super) fn insert(
        &mut self,
        key: Vec<u8>,
        seq: u64,
        answer: Vec<u8>,
    ) -> Vec<(Vec<u8>, u64)> {
        let replaced = self.remove(&key);
        let mut gone: Vec<_> = replaced.map(|seq| (key.clone(), seq)).into_iter().collect();
        self.bytes += size(&key, &answer);
        self.answers.insert(key, (seq, answer));
        while self.bytes > self.max
            && let Some(oldest) = self.answers.oldest().cloned()
        {
            gone.extend(self.remove(&oldest).map(|seq| (oldest, seq)));
        }
        gone
    }

    /// Removes an output, and returns its record number.
    pub(super) fn remove(&mut self, key: &[u8]) -> Option<u64> {
        let (_, (seq, answer)) = self.answers.remove(key)?;
        self.bytes -= size(key, &answer);
        Some(seq)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_outputs_go_when_there_are_too_many_bytes() {
        let mut answers = Answers::of_at_most(10);
        let key = |number: u8| vec![number];
        let insert = |answers: &mut Answers, key, answer| {
            let gone = answers.insert(key, 1, answer).into_iter();
            gone.map(|(gone, _)| gone).collect::<Vec<_>>()
        };
        assert!(insert(&mut answers, key(0), vec![0; 4]).is_empty());
        assert!(insert(&mut answers, key(1), vec![0; 4]).is_empty());
        assert_eq!(
            insert(&mut answers, key(0), vec![1; 4]),
            [key(0)],
            "replaced"
        );
        assert_eq!(insert(&mut answers, key(2), vec![0; 2]), [key(1)]);
        assert_eq!(answers.get(&key(0)), Some(&[1; 4][..]));
        assert!(answers.takes(&key(3), &[0; 9]) && !answers.takes(&key(3), &[0; 10]));
        assert_eq!(insert(&mut answers, key(3), vec![0; 9]), [key(0), key(2)]);
        assert_eq!(answers.insert(key(3), 2, vec![0; 9]), [(key(3), 1)]);
        assert_eq!(answers.remove(&key(3)), Some(2));
        assert_eq!((answers.bytes, answers.answers.len()), (0, 0));
    }
}
