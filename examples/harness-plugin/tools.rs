//! The tools: they read and write real values, in one folder.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Component, Path, PathBuf};

use serde_json::{Value, json};

use crate::chat::Tool;

pub(crate) struct Tools {
    folder: PathBuf,
}

impl Tools {
    pub(crate) fn in_folder(folder: PathBuf) -> Self {
        Tools { folder }
    }

    /// The tools as they are described to the model.
    pub(crate) fn described() -> Vec<Tool> {
        let tool = |name, description: &str, fields: &[&str]| Tool {
            name,
            description: description.to_owned(),
            parameters: json!({
                "type": "object",
                "properties": fields
                    .iter()
                    .map(|field| ((*field).to_owned(), json!({"type": "string"})))
                    .collect::<serde_json::Map<_, _>>(),
                "required": fields
            }),
        };
        vec![
            tool("read_file", "Reads a text file of the folder.", &["path"]),
            tool(
                "write_file",
                "Writes a text file of the folder anew.",
                &["path", "text"],
            ),
            tool("send_mail", "Puts a mail into the outbox.", &["to", "text"]),
        ]
    }

    /// Runs a tool. The error is meant for the model; it may hold a path, and so a value.
    pub(crate) fn run(&self, name: &str, arguments: &Value) -> Result<String, String> {
        let argument = |name: &str| {
            arguments[name]
                .as_str()
                .ok_or_else(|| format!("the argument {name:?} is missing"))
        };
        match name {
            "read_file" => self.read(argument("path")?),
            "write_file" => {
                let path = argument("path")?;
                let written = fs::write(self.inside(path)?, argument("text")?);
                written.map_err(|error| format!("{path}: {error}"))?;
                Ok("written".into())
            }
            "send_mail" => {
                let mail = format!("to: {}\n{}\n\n", argument("to")?, argument("text")?);
                let mut options = OpenOptions::new();
                options.append(true).create(true);
                let outbox = options.open(self.folder.join("outbox.txt"));
                outbox
                    .and_then(|mut outbox| outbox.write_all(mail.as_bytes()))
                    .map_err(|error| format!("outbox.txt: {error}"))?;
                Ok("in the outbox".into())
            }
            _ => Err("there is no such tool".into()),
        }
    }

    /// The content of a file, for the guard too.
    pub(crate) fn read(&self, path: &str) -> Result<String, String> {
        let bytes = fs::read(self.inside(path)?).map_err(|error| format!("{path}: {error}"))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// The path, if it lies in the folder by its name.
    fn inside(&self, path: &str) -> Result<PathBuf, String> {
        let relative = Path::new(path);
        let plain = |part| matches!(part, Component::Normal(_) | Component::CurDir);
        if relative.components().all(plain) {
            Ok(self.folder.join(relative))
        } else {
            Err(format!("{path}: lies outside the folder"))
        }
    }
}
