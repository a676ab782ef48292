// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioPrimitives
import LiveStreaming
import SystemFiles

/// The container of an output, by `--format` or by the extension of its path.
enum ContainerOption {
    /// The names of `--format` that the help and messages show.
    static let names = "adts, m4a, caf, loas, ts, opus or dabp"

    /// The extensions that the help and messages name.
    static let extensions = ".aac, .m4a, .caf, .loas, .ts, .opus or .dabp"

    /// Returns the container that `--format` names.
    static func named(_ arguments: ParsedArguments) throws(CommandFailure) -> AudioFileFormat? {
        try arguments.choice(
            "format",
            AudioFileFormat.writableFileExtensions.compactMap { name in AudioFileFormat(writableFileExtension: name).map { (name, $0) } },
            aliases: ["mp4": "m4a", "m4b": "m4a", "aac": "adts", "mpegts": "ts", "latm": "loas", "ipod": "m4a"])
    }

    /// Returns the container that the extension of a path stands for; for standard output and for names without an extension DAB+ with
    /// `--dab`, else ADTS.
    ///
    /// - Throws: An error that names the known extensions if it is none of them.
    static func container(of path: String, _ arguments: ParsedArguments) throws(CommandFailure) -> AudioFileFormat {
        if StreamingAddress.isAddress(path) { throw arguments.failure("\(path) is the address of a stream, which linnet stream sends") }
        guard path != "-", let found = PathName.fileExtension(path) else { return DABOptions.isGiven(arguments) ? .dab : .adts }
        guard let container = AudioFileFormat(writableFileExtension: found) else {
            throw arguments.failure("\(path) \(unwritable(found)): use \(extensions), or --format")
        }
        return container
    }

    /// Returns why no output has an extension: linnet does not write the format that it stands for, or it is unknown.
    static func unwritable(_ fileExtension: String) -> String {
        let names = [
            "mp3": "MP3", "ogg": "Ogg Vorbis (FLAC in Ogg is .oga, Opus .opus)", "wma": "WMA", "ac3": "AC-3", "3gp": "3GP",
            "mov": "QuickTime",
        ]
        if ["m3u8", "m3u"].contains(fileExtension) { return "is a playlist, which linnet stream writes to hls:FOLDER" }
        return names[fileExtension].map { "can't be written, since linnet writes no \($0)" } ?? "has an unknown extension"
    }
}
