//! Inputs for which a fuzz target once failed, in `tests/data/regressions/TARGET/`: what the target
//! holds of any input holds of them.

#[allow(unreachable_pub, reason = "the fuzz targets' own")]
#[path = "../tools/fuzz/src/checks/mod.rs"]
mod checks;

use std::fs;
use std::path::{Path, PathBuf};

fn inputs(target: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(target).expect("a folder of inputs");
    let mut files: Vec<_> = files.map(|file| file.expect("an entry").path()).collect();
    files.sort();
    files
}

#[test]
fn what_once_failed_does_so_no_more() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/regressions");
    let mut run = 0;
    for target in inputs(&folder) {
        let name = target.file_name().and_then(|name| name.to_str());
        let check = checks::ALL
            .iter()
            .find(|(known, _)| Some(*known) == name)
            .unwrap_or_else(|| panic!("{name:?} is no fuzz target"))
            .1;
        for input in inputs(&target) {
            let bytes = fs::read(&input).expect("a readable input");
            let held = std::panic::catch_unwind(|| check(&bytes)).is_ok();
            assert!(held, "{}", input.display());
            run += 1;
        }
    }
    assert!(run > 0, "there are none");
}

/// Each fuzz target has a check here, and each check a target.
#[test]
fn every_fuzz_target_is_known() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tools/fuzz/fuzz_targets");
    let targets: Vec<_> = inputs(&folder)
        .iter()
        .filter_map(|path| path.file_stem()?.to_str().map(str::to_owned))
        .collect();
    let known: Vec<_> = checks::ALL.iter().map(|(name, _)| *name).collect();
    assert_eq!(targets, known);
}

/// The checks fail where they should: else no input would ever be kept.
#[test]
fn a_wrong_answer_is_seen() {
    use checks::json::Tree;
    let tree = |text: &str| Tree::read(text.as_bytes()).expect("JSON");
    let before = tree(r#"{"a":"x","b":[1.0,4111111111111111],"c":"[4111111111111111]"}"#);
    assert!(before.has_become(&before));
    let card = "[[CARD_00000000]]";
    let after = format!(r#"{{"a":"x","b":[1.0,"{card}"],"c":"[\"{card}\"]"}}"#);
    assert!(before.has_become(&tree(&after)));
    for wrong in [
        after.replace("1.0", "1.5"),
        after.replace("\"a\"", "\"A\""),
        after.replace("\"x\"", "\"y\""),
        after.replace("1.0,", ""),
        after.replace("1.0", "\"[[CARD_00000000]]\""),
        after.replace("\\\"", ""),
        after.replace("CARD_0", "CARD_"),
        "null".to_owned(),
    ] {
        assert!(!before.has_become(&tree(&wrong)), "{wrong}");
    }
}
