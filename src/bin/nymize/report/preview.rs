//! The boxed preview of `inspect`.

use crate::report::color::{Painter, Style};
use crate::report::text::harmless;

/// The sides of the box are drawn to this width; lines of text are as long as they are.
const WIDTH: usize = 72;

/// One part of the box. What it holds is made harmless to a terminal.
#[derive(Debug)]
pub(crate) struct Panel {
    painter: Painter,
    content: String,
}

impl Panel {
    pub(crate) fn new(painter: Painter) -> Self {
        Panel {
            painter,
            content: String::new(),
        }
    }

    /// Appends text that goes through as it is; its lines are the panel's.
    pub(crate) fn text(&mut self, text: &[u8]) {
        let text = String::from_utf8_lossy(text);
        for (index, line) in text.split('\n').enumerate() {
            if index > 0 {
                self.content.push('\n');
            }
            let mut parts = line.strip_suffix('\r').unwrap_or(line).split('\t');
            self.content
                .push_str(&harmless(parts.next().unwrap_or_default()));
            for part in parts {
                self.content.push('\t');
                self.content.push_str(&harmless(part));
            }
        }
    }

    /// Appends a value that was found.
    pub(crate) fn value(&mut self, value: &[u8]) {
        let value = String::from_utf8_lossy(value);
        self.painter
            .paint(Style::Value, &harmless(&value), &mut self.content);
    }

    /// Appends a placeholder.
    pub(crate) fn placeholder(&mut self, placeholder: &str) {
        self.painter
            .paint(Style::Placeholder, placeholder, &mut self.content);
    }

    /// A box of panels with their titles.
    pub(crate) fn boxed(panels: Vec<(&str, Panel)>) -> String {
        let mut out = String::new();
        for (index, (title, panel)) in panels.into_iter().enumerate() {
            let corner = if index == 0 { '┌' } else { '├' };
            let rest = WIDTH.saturating_sub(title.chars().count() + 4);
            out.push_str(&format!("{corner}─ {title} {}\n", "─".repeat(rest)));
            let content = panel.content.strip_suffix('\n').unwrap_or(&panel.content);
            for line in content.split('\n') {
                out.push_str("│ ");
                out.push_str(line);
                out.push('\n');
            }
        }
        out.push('└');
        out.push_str(&"─".repeat(WIDTH - 1));
        out.push('\n');
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes() {
        let mut first = Panel::new(Painter::new(false));
        first.text(b"a\tb\x1b[2J\r\nmail ");
        first.value(b"j\x07@x");
        first.text(b"\n");
        let mut second = Panel::new(Painter::new(true));
        second.placeholder("[[IP_1]]");
        let shown = Panel::boxed(vec![("one", first), ("two", second)]);
        let lines: Vec<&str> = shown.lines().collect();
        assert!(lines[0].starts_with("┌─ one ─"));
        assert_eq!(lines[1], "│ a\tb␛[2J");
        assert_eq!(lines[2], "│ mail j␇@x");
        assert!(lines[3].starts_with("├─ two ─"));
        assert_eq!(lines[4], "│ \u{1b}[1;32m[[IP_1]]\u{1b}[0m");
        assert!(lines[5].starts_with("└─"));
        assert_eq!(lines[0].chars().count(), WIDTH);
        assert_eq!(lines[5].chars().count(), WIDTH);
    }
}
