// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

public import AudioContainers

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Containers write their indexes into the file after the sound; that needs a file with a name, no pipe.
extension OutputFile: ByteSink {
    /// Whether the output is a file and no pipe.
    public var canOverwrite: Bool { FileDescriptor(number: descriptor).canOverwrite }

    /// Writes all bytes.
    ///
    /// Throws ``/AudioContainers/ContainerError/outputFailed(code:)``, which ``OutputError/init(_:path:)`` makes an ``OutputError`` of.
    public func append(_ bytes: [UInt8]) throws(ContainerError) {
        do throws(OutputError) {
            try write(bytes)
        } catch {
            throw .outputFailed(code: error.systemCode)
        }
    }

    /// Replaces bytes that were written before.
    public func overwrite(_ bytes: [UInt8], at offset: Int) throws(ContainerError) {
        try FileDescriptor(number: descriptor).overwrite(bytes, at: offset)
    }
}

extension OutputError {
    /// The error of the system behind a failed write.
    var systemCode: Int32 {
        switch self {
        case .noSpace: ENOSPC
        case .readerGone: EPIPE
        case .cannotWrite(_, let code), .cannotCreate(_, let code): code
        case .exists, .isFolder, .isInput, .interrupted: EIO
        }
    }

    /// The error that a container's writer met in an output; nil if it was not the output's.
    public init?(_ error: ContainerError, path: String) {
        guard case .outputFailed(let code) = error else { return nil }
        self.init(writing: path, code: code)
    }
}
