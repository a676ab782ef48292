// SPDX-License-Identifier: Apache-2.0

package import AudioContainers
internal import SystemFiles

/// The bytes of an open regular file or in memory, for containers that are read at any offset.
package final class FileByteSource: ByteSource {
    /// The size of the file in bytes when it was opened.
    package let byteCount: Int

    private let input: FileInput

    /// Uses the bytes of an input; nil if it is not a regular file or memory, or was partly read by another program.
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
