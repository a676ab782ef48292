// SPDX-License-Identifier: Apache-2.0

package import AudioContainers
internal import AudioPrimitives
package import PCMFiles
package import SystemFiles

/// Random access to a regular file or to memory, for container readers.
package final class FileByteSource: ByteSource {
    /// The file size in bytes when it was opened.
    package let byteCount: Int

    private let input: FileInput

    /// Creates a source, or returns `nil` if the input is not a regular file or memory, or was partly read by another program.
    init?(_ input: FileInput) {
        guard let byteCount = input.fileSize, input.startOffset == 0 else { return nil }
        self.byteCount = byteCount
        self.input = input
    }

    /// Returns the bytes in `range`, fewer if the file has shrunk.
    ///
    /// - Throws: ``/AudioContainers/ContainerError/inputFailed(code:)``.
    package func bytes(in range: Range<Int>) throws(ContainerError) -> [UInt8] {
        do throws(SystemFileError) {
            return try input.bytes(in: range)
        } catch {
            guard case .cannotRead(let code) = error else { throw .inputFailed(code: 0) }
            throw .inputFailed(code: code)
        }
    }
}

extension FileInput {
    /// Returns a pipe with MP4 or Matroska in memory, because its tracks and index can be anywhere, and other inputs unchanged.
    package func withRandomAccess() throws(AudioFileError) -> FileInput {
        guard FileByteSource(self) == nil, try containerFormat()?.hasTrackList == true else { return self }
        return try AudioFileError.attempt(path) { FileInput(bytes: try readAll(), path: path) }
    }
}
