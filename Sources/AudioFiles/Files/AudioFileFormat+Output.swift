// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
internal import AudioPrimitives
internal import PCMFiles
internal import SystemFiles

extension AudioFileFormat {
    /// Creates the requested format, or the one of an output's extension.
    ///
    /// ADTS is the default for names without an extension and standard output.
    ///
    /// - Parameter requested: The requested format, or `nil` to use the extension.
    /// - Throws: ``/PCMFiles/AudioFileError/Code/unknownExtension(_:)``.
    init(_ requested: AudioFileFormat?, outputPath path: String) throws(AudioFileError) {
        // A name that ends with a dot has an empty extension, which is invalid.
        guard let fileExtension = path.hasSuffix(".") ? "" : PathName.fileExtension(path), requested == nil else {
            self = requested ?? .adts
            return
        }
        guard let format = AudioFileFormat(writableFileExtension: fileExtension) else {
            throw AudioFileError(.unknownExtension(fileExtension), path: path)
        }
        self = format
    }
}
