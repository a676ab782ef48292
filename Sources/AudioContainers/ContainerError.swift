// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// What is wrong with a container, or stops one from being written.
public enum ContainerError: Error, Hashable, Sendable {
    /// The access unit of so many bytes is longer than the container can say.
    case accessUnitTooLong(byteCount: Int, limit: Int)
}
