// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

public import AudioPrimitives

/// Puts access units into a container.
///
/// Whatever can't be said in the container is refused when the writer is made or before a unit is written; an error leaves
/// the sink as it was, unless the sink itself failed.
public protocol AudioWriter: Sendable {
    /// Writes a unit, and before the first one what comes in front.
    mutating func append(_ unit: AccessUnit, to sink: inout some ByteSink) throws(ContainerError)

    /// Writes what comes last; `gaplessInfo` counts sample frames of the output rate.
    mutating func finish(_ gaplessInfo: GaplessInfo?, to sink: inout some ByteSink) throws(ContainerError)
}
