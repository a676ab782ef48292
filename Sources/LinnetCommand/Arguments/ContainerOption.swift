// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioPrimitives
import LiveStreaming
import PCMFiles
import SystemFiles

/// The container of an output, from `--format` or the extension of its path.
enum ContainerOption {
    /// The names of `--format` in help and messages.
    static let names = "adts, m4a, caf, loas, ts, opus or dabp"

    /// The extensions in help and messages.
    static let extensions = ".aac, .m4a, .caf, .loas, .ts, .opus or .dabp"

    /// Returns the container named by `--format`.
    ///
    /// Commands with `--sample-format` also write PCM and FLAC.
    static func named(_ arguments: ParsedArguments) throws(CommandFailure) -> AudioFileFormat? {
        let coded = AudioFileFormat.writableFileExtensions.compactMap { name in
            AudioFileFormat(writableFileExtension: name).map { (name, $0) }
        }
        try refuseUnwritable(arguments)
        let lossless: [(String, AudioFileFormat)] = [("wav", .wav), ("aiff", .aiff), ("flac", .flac), ("oga", .oggFLAC)]
        return try arguments.choice(
            "format", arguments.offers("sample-format") ? lossless + coded : coded,
            aliases: ["mp4": "m4a", "m4b": "m4a", "aac": "adts", "mpegts": "ts", "latm": "loas", "ipod": "m4a"])
    }

    /// Returns the container for the extension of a path.
    ///
    /// Standard output and names without an extension give DAB+ with `--dab`, else ADTS.
    ///
    /// - Throws: An error that names the known extensions, or the command that writes the format.
    static func container(of path: String, _ arguments: ParsedArguments) throws(CommandFailure) -> AudioFileFormat {
        if StreamingAddress.isAddress(path) { throw arguments.failure("\(path) is a stream address; linnet stream sends to it") }
        guard path != "-", let found = PathName.fileExtension(path) else { return DABOptions.isGiven(arguments) ? .dab : .adts }
        if let format = oggOpus(path, arguments) { return format }
        guard let container = AudioFileFormat(writableFileExtension: found) else {
            throw refusal(
                of: path, arguments, known: extensions, isWritten: { AudioFileFormat(pcmPath: $0) != nil }, by: pcmCommand(arguments))
        }
        return container
    }

    /// Returns Ogg Opus if a path ends in `.ogg` and the codec is named as Opus, or copied.
    ///
    /// Otherwise `.ogg` stands for Vorbis.
    static func oggOpus(_ path: String?, _ arguments: ParsedArguments) -> AudioFileFormat? {
        guard path.flatMap(PathName.fileExtension) == "ogg" else { return nil }
        return !arguments.offers("codec") || arguments.text("codec") == "opus" ? .oggOpus : nil
    }

    /// Returns the command that writes PCM and FLAC from the inputs of another one.
    private static func pcmCommand(_ arguments: ParsedArguments) -> String {
        arguments.command == "linnet remux" ? "linnet decode" : "linnet convert"
    }

    /// Returns an error for an output whose extension the command does not write.
    ///
    /// - Parameters:
    ///   - known: The extensions to suggest.
    ///   - isWritten: Whether another command writes the format of a path.
    ///   - command: That command.
    static func refusal(
        of path: String, _ arguments: ParsedArguments, known: String, isWritten: (String) -> Bool, by command: String
    ) -> CommandFailure {
        let fileExtension = PathName.fileExtension(path) ?? ""
        if isWritten(path) {
            return arguments.failure("cannot write \(path); \(command) writes .\(fileExtension)")
        }
        if ["m3u8", "m3u"].contains(fileExtension) {
            return arguments.failure("\(path) is a playlist; linnet stream writes one to hls:FOLDER")
        }
        return arguments.failure("\(unwritable(path, fileExtension)); use \(known), or --format")
    }

    /// Returns why a path with this extension cannot be written.
    private static func unwritable(_ path: String, _ fileExtension: String) -> String {
        unwritableFormats[fileExtension].map { "cannot write \(path): linnet does not write \($0)" } ?? "unknown extension in \(path)"
    }

    /// Throws if `--format` names a format that is only read.
    static func refuseUnwritable(_ arguments: ParsedArguments) throws(CommandFailure) {
        guard let name = arguments.text("format").flatMap({ unwritableFormats[$0] }) else { return }
        throw arguments.failure("linnet does not write \(name)")
    }

    /// The names of formats that are not written, by extension.
    private static let unwritableFormats = [
        "mp3": "MP3", "ogg": "Ogg Vorbis (FLAC in Ogg is .oga, Opus is .opus)", "wma": "WMA", "ac3": "AC-3", "3gp": "3GP",
        "mov": "QuickTime", "mkv": "Matroska", "mka": "Matroska", "webm": "WebM",
    ]
}
