//! Where configuration files are looked for.

use super::*;

fn scope(command: Command) -> String {
    let output = run(command);
    let line = wrote(&output)
        .lines()
        .find(|line| line.starts_with("scope: "));
    let scope = line.and_then(|line| line.split('"').nth(1));
    scope.expect("a scope").to_owned()
}

/// The program in a folder below the home.
fn within(home: &Home, folder: &str) -> Command {
    let mut command = home.nymize(&["config", "show"]);
    command.current_dir(home.path(folder));
    command
}

#[test]
fn the_users_own() {
    let home = Home::new();
    write(&home, USER, "scope: home\n");
    write(&home, "xdg/nymize/config.yaml", "scope: xdg\n");
    assert_eq!(scope(within(&home, ".")), "home");
    let mut command = within(&home, ".");
    command.env("XDG_CONFIG_HOME", home.path("xdg"));
    assert_eq!(scope(command), "xdg");
    let mut command = within(&home, ".");
    command.env("XDG_CONFIG_HOME", home.path("none"));
    assert_eq!(scope(command), "");
    // A path that is not absolute is ignored.
    let mut command = within(&home, ".");
    command.env("XDG_CONFIG_HOME", "xdg");
    assert_eq!(scope(command), "home");
    let mut command = within(&home, ".");
    command.env_remove("HOME");
    assert_eq!(scope(command), "");
}

#[test]
fn the_projects_up_to_the_root_of_the_repository() {
    let home = Home::new();
    write(&home, PROJECT, "scope: outside\n");
    write(&home, "repo/.git/config", "");
    write(&home, "repo/a/b/file", "");
    assert_eq!(scope(within(&home, "repo/a/b")), "", "not beyond the root");
    write(&home, "repo/.nymize.yaml", "scope: root\n");
    assert_eq!(scope(within(&home, "repo/a/b")), "root");
    assert_eq!(scope(within(&home, "repo")), "root");
    write(&home, "repo/a/.nymize.yaml", "scope: nearest\n");
    assert_eq!(scope(within(&home, "repo/a/b")), "nearest");
    assert_eq!(scope(within(&home, "repo")), "root");
}

#[test]
fn a_work_tree_has_a_file_for_its_git_folder() {
    let home = Home::new();
    write(&home, "tree/.git", "gitdir: elsewhere\n");
    write(&home, "tree/.nymize.yaml", "scope: tree\n");
    write(&home, "tree/a/file", "");
    assert_eq!(scope(within(&home, "tree/a")), "tree");
}

#[test]
fn outside_of_a_repository_only_the_working_folder_counts() {
    let home = Home::new();
    write(&home, PROJECT, "scope: here\n");
    write(&home, "a/file", "");
    assert_eq!(scope(within(&home, ".")), "here");
    assert_eq!(scope(within(&home, "a")), "");
}

#[test]
fn a_named_one_takes_the_place_of_the_projects() {
    let home = Home::new();
    write(&home, USER, "hash_length: 16\nscope: user\n");
    write(&home, PROJECT, "wrong: yes\n");
    write(&home, "ci/n.yaml", "scope: named\n");
    let shown = run(home.nymize(&["config", "show", "--config", "ci/n.yaml"]));
    let shown = wrote(&shown);
    assert!(
        shown.contains("scope: \"named\"  # ci/n.yaml:1:8\n"),
        "{shown}"
    );
    assert!(
        shown.contains("hash_length: 16  # "),
        "the user's still counts: {shown}"
    );
    let mut command = home.nymize(&["config", "show"]);
    command.env("NYMIZE_CONFIG", "ci/n.yaml");
    assert_eq!(wrote(&run(command)), shown);
    // Before a command and behind it; the inner one counts.
    let output = run(home.nymize(&[
        "--config",
        "none",
        "config",
        "show",
        "--config",
        "ci/n.yaml",
    ]));
    assert_eq!(wrote(&output), shown);
    failed(
        &run(home.nymize(&["--config", "none.yaml"])),
        &["none.yaml: this configuration cannot be read"],
    );
    failed(&run(home.nymize(&["--config="])), &["--config"]);
    let mut command = home.nymize::<&str>(&[]);
    command.env("NYMIZE_CONFIG", "");
    failed(&run(command), &["NYMIZE_CONFIG is empty"]);
}

#[test]
fn what_cannot_be_read_is_an_error() {
    let home = Home::new();
    let said = |said: &str| failed(&feed(home.nymize::<&str>(&[]), "x"), &[PROJECT, said]);
    fs::create_dir(home.path(PROJECT)).expect("a folder");
    said("is not a regular file");
    fs::remove_dir(home.path(PROJECT)).expect("it is gone");
    fs::write(home.path(PROJECT), b"scope: a\nallow: [\"\xff\"]\n").expect("a file");
    said("is not UTF-8 in line 2");
    fs::write(home.path(PROJECT), "# long\n".repeat(700_000)).expect("a file");
    said("is larger than 4 MiB");
}

/// A repository must not be able to hold the filter up.
#[cfg(unix)]
#[test]
fn links_and_pipes_in_a_projects_place() {
    let home = Home::new();
    let link = |target: &str| {
        let _ = fs::remove_file(home.path(PROJECT));
        std::os::unix::fs::symlink(target, home.path(PROJECT)).expect("a link");
    };
    link("none");
    failed(&feed(home.nymize::<&str>(&[]), "x"), &["cannot be read"]);
    for endless in ["/dev/zero", "/dev/tty"] {
        link(endless);
        failed(&feed(home.nymize::<&str>(&[]), "x"), &[PROJECT]);
    }
    let made = Command::new("mkfifo").arg(home.path("pipe")).status();
    assert!(made.expect("mkfifo runs").success());
    link("pipe");
    failed(
        &feed(home.nymize::<&str>(&[]), "x"),
        &["is not a regular file"],
    );
    write(&home, "real.yaml", "scope: linked\n");
    link("real.yaml");
    assert_eq!(scope(home.nymize(&["config", "show"])), "linked");
}
