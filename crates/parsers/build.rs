//! Compiles the parsers without their large tables, which it embeds in compressed form.
//!
//! If the C code of a grammar cannot be found, or does not have the form that tree-sitter generates,
//! the program contains the parser of the grammar's crate, which works in the same way but is up to
//! 15 times as large. A warning names it. `WHICHFN_PLAIN_PARSERS=1` has the same effect for all
//! grammars.

#[path = "build/grammars.rs"]
mod grammars;
#[path = "build/sources.rs"]
mod sources;
#[path = "build/tables.rs"]
mod tables;

use grammars::{GRAMMARS, Grammar};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::{env, fs};

fn main() {
    let own = GRAMMARS.iter().filter(|grammar| grammar.plain.is_none()).map(|grammar| grammar.folder);
    for file in ["Cargo.toml", "build.rs", "build"].into_iter().chain(own) {
        println!("cargo:rerun-if-changed={file}");
    }
    println!("cargo:rerun-if-env-changed=WHICHFN_PLAIN_PARSERS");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo names the folder for output"));
    let package = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo names the package's folder"));
    let folders = if env::var_os("WHICHFN_PLAIN_PARSERS").is_some_and(|value| value == "1") {
        Err("WHICHFN_PLAIN_PARSERS is set".to_string())
    } else {
        sources::folders(&package, &out)
    };
    let pack = |grammar: &Grammar| {
        if grammar.plain.is_none() {
            return packed(grammar, &package.join(grammar.folder), &out);
        }
        let folders = folders.as_ref().map_err(Clone::clone)?;
        let folder = folders.get(grammar.package).ok_or("its crate is not a dependency")?;
        packed(grammar, &folder.join(grammar.folder), &out)
    };
    let results = in_threads(GRAMMARS, &pack);
    fs::write(out.join("parsers.rs"), rust(&results)).expect("the folder for output can be written");
    let objects: Vec<&PathBuf> = results.iter().flatten().flat_map(|packed| &packed.objects).collect();
    if !objects.is_empty() {
        cc::Build::new().objects(objects).compile("whichfn-parsers");
    }
    match &folders {
        Err(why) => println!("cargo:warning=parse tables are not compressed: {}", why.replace('\n', " ")),
        Ok(_) => {
            for (grammar, why) in
                GRAMMARS.iter().zip(&results).filter_map(|(grammar, result)| Some((grammar, result.as_ref().err()?)))
            {
                println!("cargo:warning=the parse tables of {} are not compressed: {why}", grammar.package);
            }
        }
    }
}

/// A grammar that was compiled without its tables.
struct Packed {
    function: String,
    addresses: String,
    /// Files with the compressed tables.
    tables: Vec<PathBuf>,
    objects: Vec<PathBuf>,
}

/// Cuts the tables out of the parser in `folder`, compresses them, and compiles the rest.
fn packed(grammar: &Grammar, folder: &Path, out: &Path) -> Result<Packed, String> {
    let parser = folder.join("parser.c");
    let text = fs::read_to_string(&parser).map_err(|cause| format!("reading {}: {cause}", parser.display()))?;
    let cut = tables::cut(&text).map_err(|what| format!("{}: {what}", parser.display()))?;
    let written = |name: String, bytes: &[u8]| {
        let path = out.join(name);
        fs::write(&path, bytes).map_err(|cause| format!("writing {}: {cause}", path.display()))?;
        Ok::<_, String>(path)
    };
    let mut tables = Vec::new();
    for (number, table) in cut.tables.iter().enumerate() {
        tables.push(written(format!("{}.{number}", grammar.constant), &lz4_flex::block::compress(&bytes(table)))?);
    }
    let mut build = cc::Build::new();
    build.std("c11").include(folder).warnings(false).cargo_warnings(false);
    build.file(written(format!("{}.c", grammar.constant), cut.source.as_bytes())?);
    let scanner = folder.join("scanner.c");
    if scanner.exists() {
        build.file(scanner);
    }
    let objects =
        build.try_compile_intermediates().map_err(|cause| format!("compiling {}: {cause}", parser.display()))?;
    Ok(Packed { function: cut.function, addresses: cut.addresses, tables, objects })
}

/// Returns the bytes of a table in memory of the machine that the program is built for.
fn bytes(table: &tables::Table) -> Vec<u8> {
    let big = env::var("CARGO_CFG_TARGET_ENDIAN").is_ok_and(|endian| endian == "big");
    let of = |number: &u32| {
        let mut bytes = number.to_le_bytes()[..table.width].to_vec();
        if big {
            bytes.reverse();
        }
        bytes
    };
    table.numbers.iter().flat_map(of).collect()
}

/// Returns the Rust code that defines a constant for each grammar, and for tests a list of all
/// grammars from other crates: the name, whether the tables are compressed, the parser, and the
/// parser of the crate.
fn rust(results: &[Result<Packed, String>]) -> String {
    let mut code = String::new();
    let mut pairs = String::new();
    for (Grammar { constant, plain, .. }, result) in GRAMMARS.iter().zip(results) {
        // Formatting into a `String` cannot fail.
        let _ = match result {
            Ok(Packed { function, addresses, tables, .. }) => {
                let files: Vec<String> = tables.iter().map(|file| format!("include_bytes!({file:?})")).collect();
                writeln!(
                    code,
                    "packed!({constant}, {function}, {addresses}, {}, [{}]);",
                    tables.len(),
                    files.join(", ")
                )
            }
            Err(why) => {
                let plain = plain.unwrap_or_else(|| panic!("the parser of this crate can be compiled: {why}"));
                writeln!(code, "plain!({constant}, {plain});")
            }
        };
        if let Some(plain) = plain {
            let _ = writeln!(pairs, "    ({constant:?}, {}, {constant}, {plain}),", result.is_ok());
        }
    }
    format!("{code}\n#[cfg(test)]\nconst WITH_PLAIN: &[(&str, bool, LanguageFn, LanguageFn)] = &[\n{pairs}];\n")
}

/// Calls a function for all values, in as many threads as Cargo allows.
fn in_threads<T: Sync, R: Send>(values: &[T], function: &(impl Fn(&T) -> R + Sync)) -> Vec<R> {
    let threads = env::var("NUM_JOBS").ok().and_then(|number| number.parse().ok()).unwrap_or(1);
    let next = Mutex::new(values.iter().enumerate());
    let results = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let value = next.lock().expect("no thread panics with the lock").next();
                    let Some((number, value)) = value else { break };
                    let result = function(value);
                    results.lock().expect("no thread panics with the lock").push((number, result));
                }
            });
        }
    });
    let mut results = results.into_inner().expect("all threads have ended");
    results.sort_by_key(|(number, _)| *number);
    results.into_iter().map(|(_, result)| result).collect()
}
