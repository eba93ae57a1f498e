//! Message ids that look random but are deterministic.
//!
//! The sequence is that of the Mersenne Twister MT19937 (Matsumoto and Nishimura, 1998), seeded and scaled as in
//! Python's `random`, so a replayed conversation gets the recorded ids.

use std::collections::BTreeSet;

/// The smallest id.
const FIRST: u32 = 10_000;

/// The number of ids.
const COUNT: u32 = 90_000;

/// Returns the first unused id of the sequence, or `None` if all are used.
///
/// The seed and the used ids determine the result, because ids are used in the order of the sequence.
pub fn next(seed: u32, given: &[u32]) -> Option<u32> {
    let ids = FIRST..FIRST + COUNT;
    let given: BTreeSet<u32> = given
        .iter()
        .copied()
        .filter(|id| ids.contains(id))
        .collect();
    if given.len() >= ids.len() {
        return None;
    }
    // Keeps as many high bits as `COUNT` has, and skips numbers that are too large.
    MersenneTwister::new(seed)
        .map(|number| number >> COUNT.leading_zeros())
        .filter(|offset| *offset < COUNT)
        .map(|offset| FIRST + offset)
        .find(|id| !given.contains(id))
}

const WORDS: usize = 624;
const MIDDLE: usize = 397;

/// An endless sequence of 32-bit numbers.
struct MersenneTwister {
    words: [u32; WORDS],
    /// The index of the next word, or [`WORDS`] if all are used.
    position: usize,
}

impl MersenneTwister {
    fn new(seed: u32) -> Self {
        let mut words = [0; WORDS];
        words[0] = 19_650_218_u32;
        for i in 1..WORDS {
            words[i] = mix(words[i - 1], 1_812_433_253).wrapping_add(i as u32);
        }
        // Two passes over all words except the first, which is a copy of the last one.
        let mut i = 1;
        let mut step = |change: &dyn Fn(u32, u32, u32) -> u32| {
            words[i] = change(words[i], words[i - 1], i as u32);
            i += 1;
            if i == WORDS {
                words[0] = words[WORDS - 1];
                i = 1;
            }
        };
        for _ in 0..WORDS {
            step(&|word, before, _| (word ^ mix(before, 1_664_525)).wrapping_add(seed));
        }
        for _ in 1..WORDS {
            step(&|word, before, i| (word ^ mix(before, 1_566_083_941)).wrapping_sub(i));
        }
        words[0] = 1 << 31;
        Self {
            words,
            position: WORDS,
        }
    }

    /// Computes the next generation of words.
    fn twist(&mut self) {
        for i in 0..WORDS {
            let high = self.words[i] & (1 << 31);
            let low = self.words[(i + 1) % WORDS] & !(1 << 31);
            let joined = high | low;
            let odd = if joined % 2 == 1 { 0x9908_b0df } else { 0 };
            self.words[i] = self.words[(i + MIDDLE) % WORDS] ^ (joined >> 1) ^ odd;
        }
        self.position = 0;
    }
}

impl Iterator for MersenneTwister {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        if self.position == WORDS {
            self.twist();
        }
        let mut number = self.words[self.position];
        self.position += 1;
        number ^= number >> 11;
        number ^= (number << 7) & 0x9d2c_5680;
        number ^= (number << 15) & 0xefc6_0000;
        Some(number ^ (number >> 18))
    }
}

fn mix(word: u32, factor: u32) -> u32 {
    (word ^ (word >> 30)).wrapping_mul(factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_equals_that_of_python() {
        // `random.seed(1); [random.getrandbits(32) for _ in range(4)]`
        let numbers: Vec<u32> = MersenneTwister::new(1).take(4).collect();
        assert_eq!(
            numbers,
            [577_090_037, 2_444_712_010, 3_639_700_191, 3_445_702_192]
        );
    }

    #[test]
    fn no_id_is_used_twice() {
        let mut given = Vec::new();
        for _ in 0..50 {
            let id = next(200_191, &given).unwrap();
            assert!((10_000..=99_999).contains(&id) && !given.contains(&id));
            given.push(id);
        }
        assert_eq!(given[0], 67_410);
    }

    #[test]
    fn there_is_no_id_after_the_last_one() {
        let all: Vec<u32> = (10_000..=99_999).collect();
        assert_eq!(next(7, &all), None);
    }
}
