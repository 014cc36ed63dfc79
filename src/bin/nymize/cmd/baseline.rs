//! `nymize baseline [PATH]...`: accepts what is there today.

use std::path::{Path, PathBuf};

use crate::args::{Common, FileArgs};
use crate::baseline::{self, Baseline};
use crate::cmd::scan::{self, Query};
use crate::engine;
use crate::failure::{Failure, Status};
use crate::report::Report;
use crate::settings::{self, Purpose};

/// The options of `nymize baseline`.
#[derive(Debug, clap::Args)]
pub(crate) struct BaselineArgs {
    #[command(flatten)]
    common: Common,

    /// The baseline to write, or to bring up to date; paths in it are told from its folder
    #[arg(short, long, value_name = "FILE", default_value = baseline::NAME)]
    output: PathBuf,

    /// The files and folders whose findings are accepted; what the baseline says of others stays.
    /// None: the working folder
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
}

/// Makes a baseline, or brings one up to date.
pub(crate) fn run(args: BaselineArgs, outer: Common) -> Result<Status, Failure> {
    let common = args.common.over(outer);
    let talk = common.talk.talk();
    let here = [PathBuf::from(".")];
    let paths = if args.paths.is_empty() {
        &here[..]
    } else {
        &args.paths
    };
    if paths.iter().any(|path| path == Path::new("-")) {
        return Err(Failure::new(
            "stdin has no path under which a baseline could accept what is in it; name files",
        ));
    }
    if common.key.ephemeral_key {
        return Err(Failure::new(
            "a baseline needs a key that lasts: none of its placeholders would come up again \
             under one of this run alone",
        ));
    }
    let config = settings::gather(&common, Purpose::Files)?;
    let (engine, identity) = engine::build_known(&common, &config)?;
    let mut baseline = Baseline::open_or_begin(&args.output, &engine, identity)?;
    let collector = baseline.collector();
    let report = Report::Baseline(collector.clone());
    let query = Query {
        report: &report,
        show_values: false,
        baseline: None,
    };
    let sum = scan::search(
        &common,
        &config,
        &engine,
        &FileArgs::default(),
        paths,
        &query,
    )?;
    let name = args.output.display();
    if sum.status == Some(Status::Error) {
        return Err(Failure::new(format!(
            "{name}: left as it was, since not all inputs could be read"
        )));
    }
    let found = collector.take();
    if found.nameless > 0 {
        talk.warn(&format!(
            "{} findings are in files whose paths are not UTF-8; a baseline cannot accept those",
            found.nameless
        ));
    }
    baseline.renew(paths, found.files);
    let done = if baseline.save()? {
        "written"
    } else {
        "up to date"
    };
    let (findings, files) = baseline.size();
    talk.note(&format!(
        "{name}: {done}; it accepts {findings} findings in {files} files"
    ));
    Ok(Status::Done)
}
