// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioFiles
internal import SystemFiles

extension ContainerTree {
    /// Reads the structure of a file.
    ///
    /// - Parameter input: The file.
    /// - Returns: Nil for files without such parts, such as ADTS, and for those that can't be read.
    init?(_ input: AudioFileInput) {
        guard let input = try? input.open(), let size = input.fileSize else { return nil }
        self.init(byteCount: size) { range in (try? input.bytes(in: range)) ?? [] }
    }
}
