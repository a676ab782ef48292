// SPDX-License-Identifier: Apache-2.0

package import TransformCoding

extension FixedArray where Element: BitwiseCopyable {
    /// A copy of the values.
    package var values: [Element] { indices.map { self[$0] } }
}
