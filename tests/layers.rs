//! Who may import whom: the layers of DESIGN.md, read off the `use crate::` lines.

use std::fs;
use std::path::{Path, PathBuf};

/// The layers, lowest first. A module imports from its own layer and from lower ones; within
/// `detect`, files import none of each other.
const LAYERS: &[&[&str]] = &[
    &["kind", "near", "error"],
    &["finding", "counts", "checksum", "pseudonym", "yaml"],
    &["origin"],
    &["detect"],
    &["allow"],
    &["scan"],
    &["view"],
    &["stream"],
    &["pseudonymizer"],
    &["rules"],
    &["config"],
    &["keyfile"],
];

fn layer(module: &str) -> usize {
    LAYERS
        .iter()
        .position(|layer| layer.contains(&module))
        .unwrap_or_else(|| panic!("{module} is in no layer"))
}

fn sources(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a readable folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, into);
        } else if path.extension().is_some_and(|e| e == "rs") {
            into.push(path);
        }
    }
}

/// The modules that a file names in `use crate::…` lines; `crate::Kind` and the like are reexports.
fn imports(text: &str) -> impl Iterator<Item = &str> {
    text.lines()
        .map(str::trim_start)
        .filter_map(|line| {
            line.trim_start_matches("pub(crate) ")
                .strip_prefix("use crate::")
        })
        .map(|rest| rest.split([':', ';', ' ', '{']).next().unwrap_or(rest))
        .filter(|name| name.starts_with(char::is_lowercase))
}

#[test]
fn modules_import_downwards_only() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    let mut edges = 0;
    for file in files {
        let inside = file.strip_prefix(&root).expect("a file of src");
        let first = inside
            .iter()
            .next()
            .and_then(|p| p.to_str())
            .expect("a name");
        let module = first.trim_end_matches(".rs");
        if matches!(module, "lib" | "bin") {
            continue;
        }
        let text = fs::read_to_string(&file).expect("a readable file");
        // What a module's own tests use is no edge of the design.
        let text = text.split("#[cfg(test)]").next().unwrap_or(&text);
        for import in imports(text) {
            edges += 1;
            assert!(
                layer(import) <= layer(module),
                "{} imports {import}, which lies above it",
                inside.display()
            );
        }
        if module == "detect" {
            for other in ["email", "iban", "card", "ip", "phone"] {
                let own = inside
                    .iter()
                    .nth(1)
                    .is_some_and(|p| p.to_string_lossy().starts_with(other));
                let used = text.contains(&format!("super::{other}"))
                    || text.contains(&format!("detect::{other}"));
                assert!(
                    own || !used || inside.ends_with("mod.rs"),
                    "{} uses {other}",
                    inside.display()
                );
            }
        }
    }
    assert!(edges > 20, "the imports were found");
}

#[test]
fn the_binary_sees_the_public_library_alone() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/bin");
    let mut files = Vec::new();
    sources(&root, &mut files);
    assert!(!files.is_empty());
    for file in files {
        let text = fs::read_to_string(&file).expect("a readable file");
        assert!(!text.contains("#[path"), "{}", file.display());
    }
}
