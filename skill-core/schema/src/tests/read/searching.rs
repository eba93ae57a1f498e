//! Compares the searches with the standard library.

use crate::tests::*;
use crate::value::search::has_byte;

proptest! {
    #[test]
    fn a_byte_is_found_where_it_is(bytes in prop::collection::vec(0x78..=0x7d_u8, 0..40), byte: u8) {
        for byte in [byte, b'{'] {
            prop_assert_eq!(has_byte(&bytes, byte), bytes.contains(&byte));
        }
        let others: Vec<_> = bytes.into_iter().map(|byte| byte.wrapping_add(0x80)).collect();
        prop_assert_eq!(has_byte(&others, b'{'), others.contains(&b'{'));
    }
}
