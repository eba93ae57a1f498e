//! A type with every kind of part whose objects are easily confused, and with defaults at every level.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use proptest::collection::{btree_map, btree_set, hash_map, vec};
use proptest::option;

use crate::tests::*;

/// A map with these keys has a schema like a struct.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub(super) enum Day {
    Mon,
    Tue,
}

/// It leaves out what it also reads as absent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub(super) struct Sparse {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) note: Option<String>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) tags: BTreeMap<String, u8>,
    pub(super) weight: i32,
}

impl Default for Sparse {
    fn default() -> Self {
        Self {
            note: Some("as new".into()),
            tags: BTreeMap::from([("new".into(), 1)]),
            weight: 7,
        }
    }
}

/// Without defaults, as far as serde knows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Strictly {
    pub(super) left: i8,
    pub(super) right: Option<i8>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "t", content = "c")]
pub(super) enum Adjacent {
    Nothing,
    Some { x: i8, y: Option<i8> },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(super) enum Untagged {
    Number(i8),
    Pair { x: i8, y: i8 },
    Map(BTreeMap<String, bool>),
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub(super) struct Wrapped(pub(super) BTreeMap<String, u8>);

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(super) struct Flat {
    pub(super) own: Option<i8>,
    #[serde(flatten)]
    pub(super) inner: Inner,
    #[serde(flatten)]
    pub(super) rest: BTreeMap<String, bool>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub(super) struct Tree {
    pub(super) size: u8,
    pub(super) left: Option<Box<Tree>>,
    pub(super) named: BTreeMap<String, Tree>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Shelf {
    pub(super) by_name: BTreeMap<String, u8>,
    pub(super) by_number: HashMap<u32, Sparse>,
    pub(super) by_day: BTreeMap<Day, u8>,
    pub(super) days_by_day: BTreeMap<Day, Sparse>,
    pub(super) perhaps_named: Option<BTreeMap<String, Option<u8>>>,
    pub(super) wrapped: Wrapped,
    #[serde(alias = "old_sparse")]
    pub(super) sparse: Sparse,
    #[serde(rename = "maybe-sparse")]
    pub(super) maybe: Option<Sparse>,
    pub(super) sparse_list: Vec<Sparse>,
    pub(super) strictly: Strictly,
    pub(super) maybe_strictly: Option<Strictly>,
    #[serde(alias = "qty", alias = "quantity")]
    pub(super) count: u16,
    pub(super) shape: Shape,
    pub(super) tagged: Tagged,
    pub(super) adjacent: Adjacent,
    pub(super) untagged: Untagged,
    pub(super) flat: Flat,
    pub(super) tree: Tree,
    pub(super) set: BTreeSet<u8>,
    pub(super) pair: (u8, Inner),
    pub(super) short: Short,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) limit: Option<u8>,
}

impl Default for Shelf {
    fn default() -> Self {
        let pens = || BTreeMap::from([("ink".to_owned(), 1), ("pen".to_owned(), 3)]);
        let sparse =
            || BTreeMap::from([(Day::Mon, Sparse::default()), (Day::Tue, Sparse::default())]);
        Self {
            by_name: pens(),
            by_number: HashMap::from([(7, Sparse::default())]),
            by_day: BTreeMap::from([(Day::Mon, 1), (Day::Tue, 2)]),
            days_by_day: sparse(),
            perhaps_named: Some(BTreeMap::from([("a".to_owned(), Some(1))])),
            wrapped: Wrapped(pens()),
            sparse: Sparse::default(),
            maybe: Some(Sparse::default()),
            sparse_list: vec![Sparse::default()],
            strictly: Strictly {
                left: 1,
                right: Some(2),
            },
            maybe_strictly: Some(Strictly {
                left: 3,
                right: Some(4),
            }),
            count: 9,
            shape: Shape::Circle { radius: 1.0 },
            tagged: Tagged::A { a: 1.0 },
            adjacent: Adjacent::Some { x: 1, y: Some(2) },
            untagged: Untagged::Map(BTreeMap::from([("a".to_owned(), true)])),
            flat: Flat {
                own: Some(1),
                inner: Inner::default(),
                rest: BTreeMap::from([("a".to_owned(), true)]),
            },
            tree: Tree {
                size: 1,
                left: Some(Box::default()),
                named: BTreeMap::from([("a".to_owned(), Tree::default())]),
            },
            set: BTreeSet::from([1, 2]),
            pair: (1, Inner::default()),
            short: Short("s".into()),
            limit: Some(5),
        }
    }
}

fn key() -> impl Strategy<Value = String> {
    prop::sample::select(vec!["ink", "pen", "a", "x", "note", "weight"]).prop_map(String::from)
}

fn named() -> impl Strategy<Value = BTreeMap<String, u8>> {
    btree_map(key(), any::<u8>(), 0..3)
}

fn day() -> impl Strategy<Value = Day> {
    prop::sample::select(vec![Day::Mon, Day::Tue])
}

fn inner() -> impl Strategy<Value = Inner> {
    (any::<u32>(), any::<i16>()).prop_map(|(count, ratio)| Inner {
        count,
        ratio: ratio.into(),
    })
}

fn sparse() -> impl Strategy<Value = Sparse> {
    let parts = (option::of(key()), named(), any::<i32>());
    parts.prop_map(|(note, tags, weight)| Sparse { note, tags, weight })
}

fn strictly() -> impl Strategy<Value = Strictly> {
    (any::<i8>(), option::of(any::<i8>())).prop_map(|(left, right)| Strictly { left, right })
}

fn tree() -> impl Strategy<Value = Tree> {
    let leaf = any::<u8>().prop_map(|size| Tree {
        size,
        ..Tree::default()
    });
    leaf.prop_recursive(3, 8, 3, |inner| {
        let named = btree_map(key(), inner.clone(), 0..3);
        (any::<u8>(), option::of(inner), named).prop_map(|(size, left, named)| Tree {
            size,
            left: left.map(Box::new),
            named,
        })
    })
}

fn choices() -> impl Strategy<Value = (Shape, Tagged, Adjacent, Untagged)> {
    let small = || any::<i8>();
    let shape = prop_oneof![
        Just(Shape::Empty),
        small().prop_map(|radius| Shape::Circle {
            radius: radius.into()
        }),
        small().prop_map(|side| Shape::Square(side.into())),
    ];
    let tagged = prop_oneof![
        small().prop_map(|a| Tagged::A { a: a.into() }),
        option::of(small()).prop_map(|b| Tagged::B {
            b: b.map(f64::from)
        }),
    ];
    let adjacent = prop_oneof![
        Just(Adjacent::Nothing),
        (small(), option::of(small())).prop_map(|(x, y)| Adjacent::Some { x, y }),
    ];
    let untagged = prop_oneof![
        small().prop_map(Untagged::Number),
        (small(), small()).prop_map(|(x, y)| Untagged::Pair { x, y }),
        btree_map(key(), any::<bool>(), 0..3).prop_map(Untagged::Map),
    ];
    (shape, tagged, adjacent, untagged)
}

pub(super) fn any_shelf() -> impl Strategy<Value = Shelf> {
    let flat = (
        option::of(any::<i8>()),
        inner(),
        btree_map(key(), any::<bool>(), 0..3),
    );
    let flat = flat.prop_map(|(own, inner, rest)| Flat { own, inner, rest });
    (
        (
            named(),
            hash_map(0..9u32, sparse(), 0..3),
            btree_map(day(), any::<u8>(), 0..3),
            btree_map(day(), sparse(), 0..3),
            option::of(btree_map(key(), option::of(any::<u8>()), 0..3)),
            named().prop_map(Wrapped),
        ),
        (
            sparse(),
            option::of(sparse()),
            vec(sparse(), 0..3),
            strictly(),
            option::of(strictly()),
            any::<u16>(),
        ),
        choices(),
        (
            flat,
            tree(),
            btree_set(any::<u8>(), 0..3),
            (any::<u8>(), inner()),
            "[a-z]{0,4}".prop_map(Short),
            option::of(any::<u8>()),
        ),
    )
        .prop_map(|(maps, structs, choices, rest)| Shelf {
            by_name: maps.0,
            by_number: maps.1,
            by_day: maps.2,
            days_by_day: maps.3,
            perhaps_named: maps.4,
            wrapped: maps.5,
            sparse: structs.0,
            maybe: structs.1,
            sparse_list: structs.2,
            strictly: structs.3,
            maybe_strictly: structs.4,
            count: structs.5,
            shape: choices.0,
            tagged: choices.1,
            adjacent: choices.2,
            untagged: choices.3,
            flat: rest.0,
            tree: rest.1,
            set: rest.2,
            pair: rest.3,
            short: rest.4,
            limit: rest.5,
        })
}
