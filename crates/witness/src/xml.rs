//! The little that both XML formats share.

use quick_xml::events::Event;

/// The line of a byte offset, counted from 1.
pub fn line_at(text: &str, offset: u64) -> u64 {
    let end = usize::try_from(offset).unwrap_or(text.len()).min(text.len());
    1 + text.as_bytes()[..end].iter().filter(|b| **b == b'\n').count() as u64
}

/// The characters that an event stands for, if it is text.
pub fn text_of(event: &Event<'_>) -> Option<String> {
    match event {
        Event::Text(t) => t.decode().ok().map(|s| s.into_owned()),
        Event::CData(t) => t.decode().ok().map(|s| s.into_owned()),
        Event::GeneralRef(r) => {
            if let Ok(Some(c)) = r.resolve_char_ref() {
                return Some(c.to_string());
            }
            let name = r.decode().ok()?;
            quick_xml::escape::resolve_predefined_entity(&name).map(str::to_owned)
        }
        _ => None,
    }
}
