//! The table of `docs/behaviours.md`: each test that it names is there.

use std::fs;
use std::path::Path;

const TABLE: &str = include_str!("../docs/behaviours.md");

/// Number, tests as file and name, remark.
type Row = (usize, Vec<(&'static str, &'static str)>, &'static str);

fn rows() -> Vec<Row> {
    let rows = TABLE.lines().filter_map(|line| {
        let cells: Vec<_> = line.split('|').map(str::trim).collect();
        let number = cells.get(1)?.parse().ok()?;
        let names = cells[3].split('`').skip(1).step_by(2);
        let tests = names.map(|name| name.split_once("::").expect("FILE::NAME"));
        Some((number, tests.collect(), cells[4]))
    });
    rows.collect()
}

#[test]
fn each_test_that_is_named_is_there() {
    for (number, tests, remark) in rows() {
        assert!(
            !tests.is_empty() || remark.starts_with("not shown: "),
            "{number}"
        );
        for (file, name) in tests {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
            let text = fs::read_to_string(&path).unwrap_or_else(|_| panic!("{file} of {number}"));
            let is_test = text
                .split(&format!("fn {name}("))
                .next()
                .filter(|b| b.len() < text.len());
            let before = is_test.unwrap_or_else(|| panic!("{number}: {file} has no {name}"));
            let attributes = before.rsplit("\n\n").next().unwrap_or_default();
            assert!(
                attributes.contains("#[test]"),
                "{number}: {name} is no test"
            );
        }
    }
}

#[test]
fn no_number_is_left_out() {
    let numbers: Vec<_> = rows().iter().map(|row| row.0).collect();
    assert_eq!(numbers, (1..=82).collect::<Vec<_>>());
}
