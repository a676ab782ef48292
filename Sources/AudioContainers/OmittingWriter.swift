// SPDX-License-Identifier: Apache-2.0

#if !hasFeature(Embedded)
/// A writer that can tell players to omit decoded frames.
package protocol OmittingWriter<Sink>: ContainerWriter {
    /// Omits ranges of decoded sample frames between the valid ones.
    ///
    /// - Parameter ranges: The ranges in order, from the first access unit, in output sample frames.
    /// - Returns: Whether the file can store them; nothing changes otherwise.
    mutating func omit(_ ranges: [Range<Int>]) -> Bool
}
#endif
