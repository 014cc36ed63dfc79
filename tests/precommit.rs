//! Real `pre-commit` and `lefthook`, from PyPI, with this project as the hook repository.
//!
//! pre-commit builds a hook in Rust with `cargo install`. To build the project once more would take
//! minutes, so a `cargo` that hands over the program that was built for the tests stands on the PATH;
//! [`the_project_is_built_as_a_hook`] lets the real one build it, and runs when it is asked for:
//! `cargo test --test precommit -- --ignored`.

#![cfg(unix)]

mod cmd;

use std::env;
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use cmd::{EMAIL, Home, run, text};

const MAIL: &str = "mail jan@example.com\n";
const ROOT: &str = env!("CARGO_MANIFEST_DIR");
const TOOLS: [&str; 2] = ["pre-commit>=4,<5", "lefthook>=2,<3"];

fn clean() -> String {
    format!("mail {EMAIL}\n")
}

/// The folder of the tools, which are installed at the first call; none where that is not possible.
/// In CI it must be.
#[allow(clippy::print_stderr, reason = "whoever skips a test is told")]
fn tools() -> Option<&'static Path> {
    static FOLDER: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    match FOLDER.get_or_init(install) {
        Ok(folder) => Some(folder),
        Err(reason) => {
            assert!(env::var_os("CI").is_none(), "{reason}");
            eprintln!("SKIPPED: {reason}; this test needs python3 with venv, and PyPI");
            None
        }
    }
}

fn install() -> Result<PathBuf, String> {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("hooks-venv");
    let folder = place.join("bin");
    let here = ["pre-commit", "lefthook"].map(|name| folder.join(name).exists());
    if here == [true, true] {
        return Ok(folder);
    }
    let step = |command: &mut Command| {
        let output = command
            .output()
            .map_err(|error| format!("{command:?}: {error}"))?;
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let done = output.status.success();
        done.then_some(()).ok_or(format!("{command:?}: {said}"))
    };
    step(
        Command::new("python3")
            .args(["-m", "venv", "--clear"])
            .arg(&place),
    )?;
    let mut pip = Command::new(folder.join("pip"));
    step(
        pip.args(["install", "--quiet", "--disable-pip-version-check"])
            .args(TOOLS),
    )?;
    Ok(folder)
}

/// A repository in which commits go through hooks.
struct Project {
    home: Home,
    path: OsString,
    env: Vec<(&'static str, OsString)>,
}

impl Project {
    /// `first` stands before all else on the PATH.
    fn new(first: &[&Path]) -> Project {
        let home = Home::new();
        home.git(&["init", "-q", "."]);
        let old = env::var_os("PATH").unwrap_or_default();
        let path = first.iter().map(|path| path.to_path_buf());
        let path = env::join_paths(path.chain(env::split_paths(&old))).expect("a PATH");
        let env = vec![("PRE_COMMIT_HOME", home.path(".cache/pre-commit").into())];
        Project { home, path, env }
    }

    /// With `.pre-commit-config.yaml` as `docs/git.md` has it, for a hook of a repository.
    fn with_pre_commit(tools: &Path, first: &[&Path], hooks: &Path, hook: &str) -> Project {
        let mut all = vec![tools];
        all.extend(first);
        let project = Project::new(&all);
        let docs = include_str!("../docs/git.md");
        let (_, config) = docs
            .split_once("<!-- test: pre-commit -->\n```yaml\n")
            .expect("it");
        let (config, _) = config.split_once("```").expect("its end");
        let hooks = hooks.to_str().expect("UTF-8");
        let revision = git_in(hooks, &["rev-parse", "HEAD"]);
        let config = config
            .replace("https://example.com/nymize.git", hooks)
            .replace("v0.1.0", revision.trim())
            .replace("id: nymize", &format!("id: {hook}"));
        project.home.write(".pre-commit-config.yaml", config);
        let mut install = project.command(&tools.join("pre-commit"));
        install.arg("install");
        let output = run(install);
        assert!(output.status.success(), "{}", said(&output));
        project
    }

    /// A program in the repository, in the environment of its hooks.
    fn command(&self, program: &Path) -> Command {
        let git = self.home.git_command(&[]);
        let mut command = Command::new(program);
        for (name, value) in git.get_envs() {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        command
            .current_dir(self.home.path(""))
            .env("PATH", &self.path)
            .envs(self.env.iter().map(|(name, value)| (name, value)));
        command
    }

    fn commit(&self) -> Output {
        let mut command = self.command(Path::new("git"));
        command
            .args(["-c", "user.name=Jo", "-c", "user.email=jo@example.com"])
            .args(["commit", "-m", "x"]);
        run(command)
    }

    #[track_caller]
    fn stopped(&self) -> String {
        let output = self.commit();
        assert_eq!(output.status.code(), Some(1), "{}", said(&output));
        said(&output)
    }

    #[track_caller]
    fn committed(&self) {
        let output = self.commit();
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    }
}

fn said(output: &Output) -> String {
    let both = [&output.stdout[..], &output.stderr].concat();
    String::from_utf8_lossy(&both).into_owned()
}

#[track_caller]
fn git_in(folder: &str, args: &[&str]) -> String {
    let home = Home::new();
    let output = home.git(&[&["-C", folder], args].concat());
    String::from_utf8(output).expect("UTF-8")
}

/// This project as a repository: these of its files.
fn hook_repository<'n>(names: impl Iterator<Item = &'n str>) -> Home {
    let home = Home::new();
    for name in names {
        let content = fs::read(Path::new(ROOT).join(name)).expect("a readable file");
        home.put(name, content);
    }
    home.git(&["init", "-q", "."]);
    home.git(&["add", "-f", "."]);
    home.git(&["commit", "-q", "-m", "x"]);
    home
}

/// The project with what a hook is made of, and a `cargo` that takes the program that is there.
fn built_already() -> Home {
    let home = hook_repository([".pre-commit-hooks.yaml", "Cargo.toml"].into_iter());
    let script = format!(
        "#!/bin/sh\n\
         # cargo --version, and cargo install --bins --root ROOT --path .\n\
         while [ $# -gt 0 ]; do\n\
         [ \"$1\" = --root ] && mkdir -p \"$2/bin\" && ln -s '{}' \"$2/bin/nymize\"\n\
         shift\ndone\n",
        env!("CARGO_BIN_EXE_nymize")
    );
    let cargo = home.put("bin/cargo", script);
    fs::set_permissions(cargo, fs::Permissions::from_mode(0o755)).expect("a mode");
    home
}

/// B62, B63: what the purpose of the whole is.
fn a_raw_commit_is_stopped_and_the_next_one_passes(project: &Project) {
    let home = &project.home;
    home.write("notes.txt", MAIL);
    home.write("beside.txt", "nothing\n");
    home.git(&["add", "."]);
    home.write("beside.txt", "not for this commit\n");
    home.write("untracked.txt", MAIL);
    let said = project.stopped();
    assert!(said.contains("notes.txt: replaced 1 (1 EMAIL)"), "{said}");
    assert!(said.contains("files were modified by this hook"), "{said}");
    assert!(!said.contains("jan@"), "{said}");
    assert_eq!(text(&home.read("notes.txt")), clean());
    // Nothing was staged, and nothing else was touched.
    assert_eq!(text(&home.git(&["show", ":notes.txt"])), MAIL);
    assert_eq!(home.git(&["show", ":beside.txt"]), b"nothing\n");
    assert_eq!(home.read("beside.txt"), b"not for this commit\n");
    assert_eq!(text(&home.read("untracked.txt")), MAIL);
    home.git(&["add", "notes.txt"]);
    project.committed();
    assert_eq!(text(&home.git(&["show", "HEAD:notes.txt"])), clean());
    assert_eq!(home.git(&["show", "HEAD:beside.txt"]), b"nothing\n");
}

#[test]
fn pre_commit_scrubs() {
    let Some(tools) = tools() else { return };
    let hooks = built_already();
    let bin = hooks.path("bin");
    let project = Project::with_pre_commit(tools, &[&bin], &hooks.path(""), "nymize");
    a_raw_commit_is_stopped_and_the_next_one_passes(&project);

    // Whatever kind of file it is: pre-commit takes UTF-16 for binary.
    let home = &project.home;
    let wide = |text: &str| -> Vec<u8> {
        let text = format!("\u{feff}{text}");
        text.encode_utf16().flat_map(u16::to_le_bytes).collect()
    };
    home.write("wide.txt", wide(MAIL));
    home.write("image.png", b"\x89PNG\r\n\x1a\n\0");
    home.write("ignored.log", MAIL);
    home.write(".gitignore", "*.log\n");
    home.git(&["add", "."]);
    home.git(&["add", "-f", "ignored.log"]);
    let said = project.stopped();
    assert!(said.contains("skipped 1 (1 binary)"), "{said}");
    assert_eq!(home.read("wide.txt"), wide(&clean()));
    assert_eq!(text(&home.read("ignored.log")), clean(), "it is tracked");
    home.git(&["add", "wide.txt", "ignored.log", "untracked.txt"]);
    project.committed();
}

#[test]
fn pre_commit_checks() {
    let Some(tools) = tools() else { return };
    let hooks = built_already();
    let bin = hooks.path("bin");
    let project = Project::with_pre_commit(tools, &[&bin], &hooks.path(""), "nymize-check");
    let home = &project.home;
    home.write("notes.txt", MAIL);
    home.git(&["add", "."]);
    // pre-commit puts what is not staged aside: what is staged is what is looked at.
    home.write("notes.txt", "clean by now\n");
    let said = project.stopped();
    assert!(
        said.contains(&format!("notes.txt:1:6 EMAIL {EMAIL}")),
        "{said}"
    );
    assert_eq!(text(&home.git(&["show", ":notes.txt"])), MAIL);
    home.git(&["add", "notes.txt"]);
    project.committed();
}

/// B64: pieces of the list go to several processes at once, and the first run makes the key.
#[test]
fn pre_commit_runs_several_at_once() {
    let Some(tools) = tools() else { return };
    let hooks = built_already();
    let bin = hooks.path("bin");
    let project = Project::with_pre_commit(tools, &[&bin], &hooks.path(""), "nymize");
    let home = &project.home;
    let names: Vec<String> = (0..120).map(|number| format!("d/f{number}")).collect();
    for name in &names {
        home.put(name, MAIL);
    }
    home.git(&["add", "."]);
    let mut command = project.command(Path::new("git"));
    command
        .args(["-c", "user.name=Jo", "-c", "user.email=jo@example.com"])
        .args(["commit", "-m", "x"])
        .env_remove("NYMIZE_KEY")
        .env("XDG_DATA_HOME", home.path(".data"));
    let output = run(command);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    let first = home.read(&names[0]);
    assert!(text(&first).starts_with("mail [[EMAIL_"));
    for name in &names {
        assert_eq!(home.read(name), first, "{name}");
    }
    assert!(home.path(".data/nymize/key").exists());
}

#[test]
fn lefthook_scrubs() {
    let Some(tools) = tools() else { return };
    let built = Path::new(env!("CARGO_BIN_EXE_nymize"));
    let project = Project::new(&[tools, built.parent().expect("a folder")]);
    let home = &project.home;
    let docs = include_str!("../docs/git.md");
    let (_, config) = docs
        .split_once("<!-- test: lefthook -->\n```yaml\n")
        .expect("it");
    home.write("lefthook.yml", config.split_once("```").expect("its end").0);
    let mut install = project.command(&tools.join("lefthook"));
    install.arg("install");
    let output = run(install);
    assert!(output.status.success(), "{}", said(&output));
    home.write("notes.txt", MAIL);
    home.git(&["add", "."]);
    let told = project.stopped();
    assert!(told.contains("notes.txt: replaced 1 (1 EMAIL)"), "{told}");
    assert_eq!(text(&home.read("notes.txt")), clean());
    assert_eq!(text(&home.git(&["show", ":notes.txt"])), MAIL);
    home.git(&["add", "notes.txt"]);
    project.committed();
    assert_eq!(text(&home.git(&["show", "HEAD:notes.txt"])), clean());
}

/// The same with nothing put in the place of anything: pre-commit clones the project and lets cargo
/// build it.
#[test]
#[ignore = "builds the project once more, which takes minutes"]
fn the_project_is_built_as_a_hook() {
    let Some(tools) = tools() else { return };
    let here = Home::new();
    let files = here.git(&["-C", ROOT, "ls-files", "-z"]);
    let hooks = hook_repository(text(&files).split_terminator('\0'));
    let mut project = Project::with_pre_commit(tools, &[], &hooks.path(""), "nymize");
    let user = PathBuf::from(env::var_os("HOME").expect("a home"));
    for (name, folder) in [("CARGO_HOME", ".cargo"), ("RUSTUP_HOME", ".rustup")] {
        let place = env::var_os(name).unwrap_or(user.join(folder).into());
        project.env.push((name, place));
    }
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("hook-target");
    project.env.push(("CARGO_TARGET_DIR", target.into()));
    a_raw_commit_is_stopped_and_the_next_one_passes(&project);
}
