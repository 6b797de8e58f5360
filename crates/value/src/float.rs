//! Floating-point arithmetic on bit patterns: host arithmetic for `f32` and `f64`, `rustc_apfloat` for the rest.
