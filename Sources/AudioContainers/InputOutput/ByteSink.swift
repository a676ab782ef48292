// SPDX-License-Identifier: Apache-2.0

/// The destination of a writer's bytes: a file, a pipe, a socket or memory.
public protocol ByteSink {
    /// Whether ``overwrite(_:at:)`` is supported.
    var canOverwrite: Bool { get }

    /// The number of bytes appended so far.
    var byteCount: Int { get }

    /// Appends bytes.
    ///
    /// - Throws: ``ContainerError/outputFailed(code:)``.
    mutating func append(_ bytes: [UInt8]) throws(ContainerError)

    /// Replaces bytes appended earlier.
    ///
    /// - Parameters:
    ///   - bytes: The new bytes.
    ///   - offset: The offset of the first byte to replace. The range must lie within ``byteCount``.
    /// - Throws: ``ContainerError/outputFailed(code:)``, or ``ContainerError/sinkCannotOverwrite`` unless ``canOverwrite``.
    mutating func overwrite(_ bytes: [UInt8], at offset: Int) throws(ContainerError)
}
