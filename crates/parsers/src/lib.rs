//! The tree-sitter parsers of all languages, with compressed parse tables.
//!
//! Parse tables are nine tenths of a parser and compress to a tenth of their size. The build script
//! compiles each parser with tables that contain zeros, and embeds the tables in compressed form. The
//! first use of a parser fills its tables.
//!
//! **Cost:** a parser that is not used needs no time and no memory. Unpacking takes about a
//! millisecond per megabyte of tables (Python 0.35 MB, C# 5 MB, which is the most), and a parser in use
//! needs memory for all of its tables.
//!
//! **Alternatives:** linking the parsers of the grammar crates needs 27 MB more in the program. Copies
//! of the generated C code in this repository would have to be updated by hand. Only the grammar in
//! `sql/` is written here.
//!
//! **Tested by:** `unpacked_tables_equal_the_tables_of_the_crates`.
//!
//! **Never:** parses. It knows nothing about files or languages.

use std::ffi::c_void;
use tree_sitter_language::LanguageFn;

/// The location of a table in the memory of the C code.
// Not used if all parsers are plain, like `unpack` and one of the macros.
#[allow(dead_code)]
#[repr(C)]
struct Table {
    start: *mut c_void,
    size: usize,
}

// SAFETY: a table is written only by `unpack`, which runs once, before any parser can read it.
#[allow(unsafe_code)]
unsafe impl Sync for Table {}

/// Fills tables with their contents.
///
/// # Safety
/// No other thread may access the tables during the call.
#[allow(dead_code, unsafe_code)]
unsafe fn unpack(tables: &[Table], packed: &[&[u8]]) {
    for (table, packed) in tables.iter().zip(packed) {
        // SAFETY: the C compiler computed the address and size of this array of numbers, which is not
        // constant. The caller excludes other accesses.
        let unpacked = unsafe { std::slice::from_raw_parts_mut(table.start.cast::<u8>(), table.size) };
        let size = lz4_flex::block::decompress_into(packed, unpacked);
        assert_eq!(size.ok(), Some(table.size), "the build script packed a table of this size");
    }
}

/// Defines a parser whose tables are unpacked on first use.
#[allow(unused_macros)]
macro_rules! packed {
    ($constant:ident, $function:ident, $addresses:ident, $count:literal, $packed:expr) => {
        /// A parser with compressed tables.
        #[allow(unsafe_code)]
        pub const $constant: LanguageFn = {
            unsafe extern "C" {
                fn $function() -> *const ();
                #[allow(non_upper_case_globals)]
                static $addresses: [Table; $count];
            }
            unsafe extern "C" fn unpacked() -> *const () {
                static UNPACKED: std::sync::Once = std::sync::Once::new();
                static PACKED: [&[u8]; $count] = $packed;
                // SAFETY: the build script generated the C code with these names. The function that
                // returns the parser is called only here, so no thread reads the tables before they
                // are complete.
                unsafe {
                    UNPACKED.call_once(|| unpack(&$addresses, &PACKED));
                    $function()
                }
            }
            // SAFETY: the C function returns a parser that tree-sitter generated.
            unsafe { LanguageFn::from_raw(unpacked) }
        };
    };
}

/// Defines a parser that is linked from its crate.
#[allow(unused_macros)]
macro_rules! plain {
    ($constant:ident, $parser:expr) => {
        /// A parser from a grammar crate.
        pub const $constant: LanguageFn = $parser;
    };
}

include!(concat!(env!("OUT_DIR"), "/parsers.rs"));

#[cfg(test)]
#[path = "../build/tables.rs"]
mod tables;

#[cfg(test)]
mod tests {
    use super::{LanguageFn, WITH_PLAIN, ZIG};
    use std::slice::from_raw_parts;

    /// The first fields of tree-sitter's `TSLanguage`.
    #[repr(C)]
    struct Language {
        version: u32,
        symbol_count: u32,
        alias_count: u32,
        token_count: u32,
        external_token_count: u32,
        state_count: u32,
        large_state_count: u32,
        production_id_count: u32,
        field_count: u32,
        max_alias_sequence_length: u16,
        parse_table: *const u16,
        small_parse_table: *const u16,
        small_parse_table_map: *const u32,
    }

    fn language(parser: LanguageFn) -> &'static Language {
        // SAFETY: the function returns a `TSLanguage`, which is never freed.
        #[allow(unsafe_code)]
        unsafe {
            &*parser.into_raw()().cast::<Language>()
        }
    }

    impl Language {
        /// Returns what the parse tables contain for a state.
        fn row(&self, state: u32) -> &[u16] {
            let columns = self.symbol_count as usize;
            // SAFETY: these are the reads of `ts_language_lookup` in tree-sitter, which stay within
            // the tables.
            #[allow(unsafe_code)]
            unsafe {
                let Some(small) = state.checked_sub(self.large_state_count) else {
                    return from_raw_parts(self.parse_table.add(state as usize * columns), columns);
                };
                let start = self.small_parse_table.add(*self.small_parse_table_map.add(small as usize) as usize);
                let mut length = 1;
                for _ in 0..*start {
                    // A group is a value, the number of its symbols, and the symbols.
                    length += 2 + usize::from(*start.add(length + 1));
                }
                from_raw_parts(start, length)
            }
        }
    }

    #[test]
    fn unpacked_tables_equal_the_tables_of_the_crates() {
        for &(name, _, packed, plain) in WITH_PLAIN {
            let (packed, plain) = (language(packed), language(plain));
            assert_eq!(packed.state_count, plain.state_count, "{name}");
            for state in 0..plain.state_count {
                assert!(packed.row(state) == plain.row(state), "{name}: state {state} differs");
            }
        }
    }

    #[test]
    fn all_tables_are_compressed() {
        let plain: Vec<&str> = WITH_PLAIN.iter().filter(|(_, packed, ..)| !packed).map(|(name, ..)| *name).collect();
        assert!(plain.is_empty(), "the build printed a warning with the reason for {plain:?}");
    }

    #[test]
    fn threads_that_start_together_see_complete_tables() {
        let last = |language: &Language| language.row(language.state_count - 1).to_vec();
        let rows = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..8).map(|_| scope.spawn(|| last(language(ZIG)))).collect();
            threads.into_iter().map(|thread| thread.join().expect("row")).collect::<Vec<_>>()
        });
        assert!(rows.iter().all(|row| *row == rows[0] && row.iter().any(|&number| number > 0)));
    }
}
