//! Memory that engines share. Who measures it is not known here: the command
//! that sets the limits does.

use cairn_base::Cancel;

/// Watches over the memory of the process.
pub trait Memory: Sync {
    /// From now on this flag is raised when the process has used its share of the memory, so that an
    /// engine that takes too much ends before there is none left for the others.
    fn watch(&self, engine: &Cancel);

    /// Gives what was freed back to the system.
    fn give_back(&self);
}

/// No limit.
pub struct Unlimited;

impl Memory for Unlimited {
    fn watch(&self, _: &Cancel) {}

    fn give_back(&self) {}
}
