// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

#if !os(WASI) && !os(Android)
@testable package import TransformCoding

extension FixedArray where Element: BitwiseCopyable {
    /// A copy of the values.
    package var values: [Element] { indices.map { self[$0] } }
}
#endif
