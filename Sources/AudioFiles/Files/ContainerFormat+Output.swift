// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioContainers

extension ContainerFormat {
    /// The codec of files whose codec is not named.
    var usualCodec: FileCodec { self == .oggOpus ? .opus(OpusParameters()) : .aac }

    /// Creates the requested format, or the one of an output's extension: ADTS for a name without an extension and for standard output.
    ///
    /// - Parameters:
    ///   - requested: The requested format; nil to use the extension.
    ///   - path: The output's path.
    /// - Throws: ``AudioFileError/Code/unknownExtension(_:)``.
    init(_ requested: ContainerFormat?, outputPath path: String) throws(AudioFileError) {
        let name = path.split(separator: "/").last
        let fileExtension = name?.split(separator: ".", omittingEmptySubsequences: false).dropFirst().last
        guard let fileExtension, requested == nil else {
            self = requested ?? .adts
            return
        }
        guard let format = ContainerFormat(writableFileExtension: String(fileExtension)) else {
            throw AudioFileError(.unknownExtension(String(fileExtension)), path: path)
        }
        self = format
    }
}
