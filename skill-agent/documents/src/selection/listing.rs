//! Decides which list entries to show, and in how much detail, within a budget.

use std::iter;

/// The detail of a list entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Detail {
    /// The whole description.
    Full,
    /// At most this many characters of the description.
    Cut(usize),
    /// The description as one short line.
    Brief,
    /// Only the name.
    Name,
    /// Not shown.
    Omitted,
}

/// The lengths to try for all descriptions if the whole ones do not fit, in characters.
const CUTS: [usize; 3] = [480, 240, 120];

/// Chooses the detail of each of `count` entries so that their total `cost` in bytes is at most `room`. Earlier entries get more
/// detail.
///
/// If possible, all descriptions are shown in full. Otherwise, all are cut, and if cut descriptions do not fit either, all are
/// brief. If brief descriptions do not fit, the first entries are brief and the others have only names. If the names do not fit
/// either, brief entries get half of the room, and the last names are omitted.
pub(crate) fn details(
    count: usize,
    room: usize,
    cost: impl Fn(usize, Detail) -> usize,
) -> Vec<Detail> {
    let total = |detail| {
        (0..count)
            .map(|entry| cost(entry, detail))
            .fold(0, usize::saturating_add)
    };
    let cuts = CUTS.map(Detail::Cut).into_iter();
    for detail in iter::once(Detail::Full).chain(cuts).chain([Detail::Brief]) {
        if total(detail) <= room {
            return vec![detail; count];
        }
    }
    let names = total(Detail::Name);
    let mut details = Vec::with_capacity(count);
    let (mut used, brief_room) = if names <= room {
        (names, room)
    } else {
        (0, room / 2)
    };
    for entry in 0..count {
        let (name, brief) = (cost(entry, Detail::Name), cost(entry, Detail::Brief));
        let more = if names <= room {
            brief.saturating_sub(name)
        } else {
            brief
        };
        if used + more > brief_room {
            break;
        }
        used += more;
        details.push(Detail::Brief);
    }
    for entry in details.len()..count {
        let more = if names <= room {
            0
        } else {
            cost(entry, Detail::Name)
        };
        if used + more > room {
            break;
        }
        used += more;
        details.push(Detail::Name);
    }
    details.resize(count, Detail::Omitted);
    details
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const fn cost(_: usize, detail: Detail) -> usize {
        match detail {
            Detail::Full => 100,
            Detail::Cut(length) => length / 8,
            Detail::Brief => 20,
            Detail::Name => 5,
            Detail::Omitted => 0,
        }
    }

    #[test]
    fn earlier_entries_get_more() {
        use Detail::{Brief, Cut, Full, Name, Omitted};
        assert_eq!(details(3, 300, cost), [Full, Full, Full]);
        assert_eq!(details(3, 299, cost), [Cut(480); 3]);
        assert_eq!(details(3, 179, cost), [Cut(240); 3]);
        assert_eq!(details(4, 50, cost), [Brief, Brief, Name, Name]);
        assert_eq!(
            details(12, 50, cost)[..7],
            [Brief, Name, Name, Name, Name, Name, Name]
        );
        assert_eq!(details(12, 50, cost)[7..], [Omitted; 5]);
        assert_eq!(details(2, 0, cost), [Omitted, Omitted]);
        assert_eq!(details(0, 0, cost), []);
    }

    fn cost_rank(detail: Detail) -> usize {
        match detail {
            Detail::Full | Detail::Cut(_) => 0,
            Detail::Brief => 1,
            Detail::Name => 2,
            Detail::Omitted => 3,
        }
    }

    proptest! {
        #[test]
        fn the_room_is_kept_and_details_only_decrease(
            names in prop::collection::vec((1_usize..20, 0_usize..30, 0_usize..100), 0..30),
            room in 0_usize..1_500,
        ) {
            let cost = |entry: usize, detail| {
                let (name, brief, full) = names[entry];
                match detail {
                    Detail::Full => name + brief + full,
                    Detail::Cut(length) => name + brief + full.min(length / 16),
                    Detail::Brief => name + brief,
                    Detail::Name => name,
                    Detail::Omitted => 0,
                }
            };
            let details = details(names.len(), room, cost);
            let rank = |detail: &Detail| cost_rank(*detail);
            prop_assert!(details.is_sorted_by_key(rank));
            let used: usize = details.iter().enumerate().map(|(entry, detail)| cost(entry, *detail)).sum();
            prop_assert!(used <= room);
        }
    }
}
