//! What the commands on files and folders make of a project's configuration.

use super::*;

/// A repository with an address in each of its files.
fn repository(config: &str) -> Home {
    let home = Home::new();
    write(&home, "repo/.git/config", "");
    write(&home, "repo/.nymize.yaml", config);
    for name in ["a.txt", "b.lock", "vendor/c.txt", "sub/vendor/d.txt"] {
        write(&home, &format!("repo/{name}"), "mail jan@example.com\n");
    }
    let long = "mail jan@example.com\n".repeat(100);
    write(&home, "repo/sub/long.txt", &long);
    home
}

/// The files in which `scan` finds something, from a folder of the repository.
fn found(home: &Home, folder: &str, args: &[&str]) -> Vec<String> {
    let mut command = home.nymize(args);
    command.current_dir(home.path(folder));
    let output = run(command);
    assert!(output.status.code() < Some(2), "{}", text(&output.stderr));
    let lines = text(&output.stdout).lines();
    let mut files: Vec<String> = lines
        .filter_map(|line| line.split(':').next().map(str::to_owned))
        .collect();
    files.dedup();
    files
}

#[test]
fn scan_leaves_out_what_the_project_excludes() {
    let home = repository("files:\n  exclude: ['*.lock', /vendor/]\n  max_size: 1K\n");
    assert_eq!(
        found(&home, "repo", &["scan", "."]),
        ["a.txt", "sub/vendor/d.txt"]
    );
    // The globs count from the project's folder, wherever the program runs.
    assert_eq!(
        found(&home, "repo/sub", &["scan", "..", "--max-size", "1M"]),
        ["../a.txt", "../sub/long.txt", "../sub/vendor/d.txt"]
    );
    assert_eq!(
        found(&home, "repo", &["scan", ".", "--exclude", "a.txt"]),
        ["sub/vendor/d.txt"]
    );
    assert_eq!(
        found(&home, "repo", &["scan", ".", "--no-config"]),
        [
            "a.txt",
            "b.lock",
            "sub/long.txt",
            "sub/vendor/d.txt",
            "vendor/c.txt"
        ]
    );
}

#[test]
fn globs_of_a_named_file_count_from_the_working_folder() {
    let home = repository("");
    write(
        &home,
        "repo/ci/n.yaml",
        "files: {exclude: [/vendor/, /sub/]}\n",
    );
    assert_eq!(
        found(&home, "repo", &["scan", ".", "--config", "ci/n.yaml"]),
        ["a.txt", "b.lock"]
    );
}

#[test]
fn scrub_obeys_the_project() {
    let home = repository("scope: tenant-1\nallow: [anna@example.com]\nskip_types: [IP]\n");
    write(
        &home,
        "repo/a.txt",
        "jan@example.com anna@example.com 192.0.2.7\n",
    );
    let mut command = home.nymize(&["scrub", "a.txt"]);
    command.current_dir(home.path("repo"));
    assert_eq!(run(command).status.code(), Some(1));
    let content = home.read("repo/a.txt");
    assert_eq!(
        text(&content),
        "[[EMAIL_6e6b243c]] anna@example.com 192.0.2.7\n"
    );
}

/// A baseline knows the scope that counts, whoever has named it.
#[test]
fn a_baseline_holds_the_scope_of_the_project() {
    let home = repository("scope: tenant-1\n");
    let run_in = |args: &[&str]| {
        let mut command = home.nymize(args);
        command.current_dir(home.path("repo"));
        run(command)
    };
    wrote(&run_in(&["baseline"]));
    let scan = ["scan", "--baseline", ".nymize-baseline.yaml", "."];
    assert_eq!(wrote(&run_in(&scan)), "");
    write(&home, "repo/.nymize.yaml", "scope: tenant-2\n");
    failed(&run_in(&scan), &["scope"]);
}
