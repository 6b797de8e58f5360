//! The two data models C programs are checked under.

use std::fmt;

/// Sizes of the C types. Both models are little-endian x86 as gcc lays it out.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum DataModel {
    /// `int`, `long` and pointers are 32 bits wide.
    Ilp32,
    /// `int` is 32, `long` and pointers are 64 bits wide.
    Lp64,
}

impl DataModel {
    /// The model of the machine Cairn itself was built for.
    pub const HOST: DataModel =
        if cfg!(target_pointer_width = "32") { DataModel::Ilp32 } else { DataModel::Lp64 };

    /// Width of pointers, `long`, `size_t` and `ptrdiff_t`.
    pub fn ptr_bits(self) -> u8 {
        match self {
            DataModel::Ilp32 => 32,
            DataModel::Lp64 => 64,
        }
    }

    pub fn ptr_bytes(self) -> u64 {
        u64::from(self.ptr_bits()) / 8
    }
}

impl fmt::Display for DataModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DataModel::Ilp32 => "ILP32",
            DataModel::Lp64 => "LP64",
        })
    }
}
