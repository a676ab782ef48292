// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

public import AudioContainers
internal import SystemFiles

/// The bytes of an open regular file, for containers that are read at any offset.
public final class FileByteSource: ByteSource {
    /// The size of the file in bytes when it was opened.
    public let byteCount: Int

    private let file: OpenFile

    /// Uses the file of an input; nil if it is not a regular file, or was partly read by another program.
    init?(_ input: FileInput) {
        guard let byteCount = input.fileSize, input.startOffset == 0 else { return nil }
        self.byteCount = byteCount
        file = input.file
    }

    /// Returns the bytes in `range`, fewer if the file has shrunk.
    ///
    /// - Throws: ``/AudioContainers/ContainerError/inputFailed(code:)``.
    public func bytes(in range: Range<Int>) throws(ContainerError) -> [UInt8] {
        do throws(SystemFileError) {
            return try file.bytes(in: range)
        } catch {
            guard case .cannotRead(let code) = error else { throw .inputFailed(code: 0) }
            throw .inputFailed(code: code)
        }
    }
}
