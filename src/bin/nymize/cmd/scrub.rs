//! `nymize scrub PATH...`: rewrites files in place. One that cannot be does not stop the others.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use crate::args::{Common, FileArgs};
use crate::encoding::Encoding;
use crate::engine;
use crate::failure::{Failure, Status};
use crate::notice::Tally;
use crate::settings::{self, Purpose};
use crate::stdio::Input;
use crate::temporary;
use crate::walk::bounds::Bounds;
use crate::walk::{self, From, Item, Plan, Settings};
use crate::work::differ::Differ;
use crate::work::rewrite::Rewrite;
use crate::work::{self, Said, Seen, Shop, Sink, Sum, Target, Ticket, Worker};

/// Rewrites the files.
pub(crate) fn run(
    common: Common,
    files: &FileArgs,
    paths: &[PathBuf],
    force: bool,
) -> Result<Status, Failure> {
    let talk = common.talk.talk();
    let config = settings::gather(&common, Purpose::Files)?;
    let settings = Settings::of(files, &config);
    if paths.iter().any(|path| path == Path::new("-")) {
        return Err(Failure::new(
            "scrub rewrites files; `nymize` without a command filters stdin",
        ));
    }
    let mut plan = walk::plan(files, paths, &settings)?;
    let targets = targets(&mut plan)?;
    let shop = Shop {
        engine: &engine::build(&common, &config)?,
        format: common.view.format,
        settings: &settings,
        report: None,
        talk,
    };
    if !files.diff {
        let watched = temporary::watch();
        watched.map_err(|error| Failure::new(format!("signals: {error}")))?;
    }
    let sum = work::run(&shop, &plan, |worker, item, ticket| {
        let mut sum = Sum::default();
        match &item.from {
            From::Failed(reason) => return Err(item.failed(reason)),
            From::Staged(id) => {
                let input = worker.staged(item, id)?;
                check_staged(worker, item, input, ticket, &mut sum)?;
            }
            _ => {}
        }
        let Some(target) = targets.get(&item.path) else {
            return Ok(sum);
        };
        let job = Job {
            item,
            target,
            force,
        };
        let done = if files.diff {
            job.diff(worker, ticket, &mut sum)
        } else {
            job.rewrite(worker, ticket, &mut sum)
        };
        if let Err(failure) = done {
            sum.failed(failure, ticket);
        }
        Ok(sum)
    })?;
    work::tell_rest(&sum, talk);
    let done = if files.diff {
        "would replace"
    } else {
        "replaced"
    };
    talk.counts(done, &sum.tally);
    Ok(sum.status.unwrap_or(Status::Done))
}

/// Where the files of a plan are, links followed; those that must not be rewritten become failures,
/// and what has several names in the plan is rewritten under the first.
fn targets(plan: &mut Plan) -> Result<HashMap<PathBuf, PathBuf>, Failure> {
    let mut bounds = Bounds::new()?;
    let mut seen = HashSet::new();
    let mut targets = HashMap::new();
    plan.items.retain_mut(|item| {
        if matches!(item.from, From::Failed(_)) {
            return true;
        }
        match bounds.target(&item.path, item.from == From::Found) {
            Ok(target) => {
                let is_new = seen.insert(target.clone());
                if is_new {
                    targets.insert(item.path.clone(), target);
                }
                is_new || matches!(item.from, From::Staged(_))
            }
            // What is staged may be gone from the folder.
            Err(_) if matches!(item.from, From::Staged(_)) && !item.path.exists() => true,
            Err(reason) => {
                item.from = From::Failed(reason);
                true
            }
        }
    });
    Ok(targets)
}

/// One file to rewrite.
struct Job<'j> {
    item: &'j Item,
    /// Where it is; no link.
    target: &'j Path,
    force: bool,
}

impl Job<'_> {
    /// Opens the file; none where it was found and has gone since.
    fn open(&self) -> Result<Option<(File, fs::Metadata)>, Failure> {
        let was_found = matches!(self.item.from, From::Found | From::Staged(_));
        // A pipe would be waited for when it is opened.
        match fs::metadata(self.target) {
            Ok(metadata) if metadata.is_file() => {}
            Ok(_) => return Err(self.item.failed("is not a file that can be rewritten")),
            Err(error) if error.kind() == io::ErrorKind::NotFound && was_found => return Ok(None),
            Err(error) => return Err(self.item.failed(error)),
        }
        let file = File::open(self.target).map_err(|error| self.item.failed(error))?;
        let metadata = file.metadata().map_err(|error| self.item.failed(error))?;
        Ok(Some((file, metadata)))
    }

    fn rewrite(
        &self,
        worker: &Worker<'_>,
        ticket: &mut Ticket<'_>,
        sum: &mut Sum,
    ) -> Result<(), Failure> {
        let Some((file, before)) = self.open()? else {
            return Ok(());
        };
        let shown = &self.item.path;
        let input = Input::of_file(shown, file);
        let mut rewrite = Rewrite::new(shown, self.target, before, self.force);
        let outcome = worker.read(self.item, input, &mut rewrite)?;
        let (replaced, said) = rewrite.end()?;
        sum.settle(outcome, self.item, ticket);
        if replaced.total() > 0 {
            ticket.say(Said::Note(format!(
                "{}: replaced {replaced}",
                shown.display()
            )));
        }
        for one in said {
            ticket.say(one);
        }
        sum.found(replaced);
        Ok(())
    }

    fn diff(
        &self,
        worker: &Worker<'_>,
        ticket: &mut Ticket<'_>,
        sum: &mut Sum,
    ) -> Result<(), Failure> {
        let Some((file, _)) = self.open()? else {
            return Ok(());
        };
        let input = Input::of_file(&self.item.path, file);
        let mut differ = Differ::new(self.item, ticket);
        let outcome = worker.read(self.item, input, &mut differ)?;
        sum.found(differ.end()?);
        sum.settle(outcome, self.item, ticket);
        Ok(())
    }
}

/// Looks at what the next commit would hold of a file: that its file is clean does not help it.
fn check_staged(
    worker: &Worker<'_>,
    item: &Item,
    input: Input,
    ticket: &mut Ticket<'_>,
    sum: &mut Sum,
) -> Result<(), Failure> {
    let mut count = Count::default();
    // What is allowed or left out is told of where the file itself is read.
    worker.read(item, input, &mut count)?;
    if count.0.total() > 0 {
        sum.status = sum.status.max(Some(Status::Found));
        ticket.say(Said::Note(format!(
            "{}: what is staged of it holds {}; stage it again",
            item.path.display(),
            count.0
        )));
    }
    Ok(())
}

/// Counts what is found.
#[derive(Default)]
struct Count(Tally);

impl Sink for Count {
    fn raw(&mut self, _: &[u8]) -> Result<(), Failure> {
        Ok(())
    }

    fn found(&mut self, seen: Seen<'_>) -> Result<(), Failure> {
        self.0.add(seen.kind, 1);
        Ok(())
    }

    fn added(&mut self, _: &[u8]) -> Result<(), Failure> {
        Ok(())
    }
}

impl Target for Count {
    fn begin(&mut self, _: Encoding) {}
}
