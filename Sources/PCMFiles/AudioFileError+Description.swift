// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives
internal import SystemFiles

extension AudioFileError: DescribedError {
    /// One line with the file and the reason.
    public var description: String {
        inputDescription ?? conversionDescription ?? outputDescription ?? "\(path): \(code)\(reason)"
    }

    /// The underlying error after a colon.
    private var reason: String { underlyingError.map { ": \($0)" } ?? "" }

    /// The path as shown to the user.
    private var shownPath: String { path.isEmpty ? "the audio" : PathName.inputName(path) }

    private var faultText: String { pcmFault?.description ?? "" }

    private var inputDescription: String? {
        let path = shownPath
        return switch code {
        case .cannotOpen(let code): "cannot open \(path): \(SystemFileError.text(ofCode: code))"
        case .inputIsDirectory, .outputIsDirectory: "\(path) is a directory, not a file"
        case .cannotRead(let code): "cannot read \(path): \(SystemFileError.text(ofCode: code))"
        case .unsupportedInput where pcmFault?.isNoAudio == true: "no audio in \(path): \(faultText)"
        case .unsupportedInput where pcmFault != nil: "\(path) is not a supported audio file: \(faultText)"
        case .unsupportedInput(let format): "\(path) has no supported audio\(Self.clause(format))"
        case .foreignInput(let format): "unsupported format: \(path) is \(format.rawValue); \(Self.advice(format, path: path))"
        case .unsupportedCodec(let found?) where found.isEncrypted:
            "\(path) is encrypted\(found == "enca" ? "" : " (\(found.codecName))") and cannot be decoded without its key"
        case .unsupportedCodec(let found?):
            "unsupported codec \(Self.quoted(found.codecName)) in \(path); \(Self.conversionAdvice(path))"
        case .unsupportedCodec(nil): "\(path) has no audio"
        case .unavailableTrack(let choice, let tracks): Self.text(choice, tracks, path: path)
        case .noAccessUnits: "no audio found in \(path)"
        case .damagedInput where pcmFault?.isOfHeader == true: "the header of \(path) is invalid: \(faultText)"
        case .damagedInput where pcmFault != nil: "\(path) is damaged \(faultText)"
        case .damagedInput: "\(path) is damaged\(reason)"
        case .unsupportedEditList: "unsupported edit list in \(path): it repeats or reorders parts"
        case .notSeekable: "\(path) is not seekable"
        case .libraryMissing(let library):
            "\(path) requires \(library.rawValue); install the package \(library.package)"
        case .noStatedLoudness: "\(path) has no loudness metadata"
        case .unsupportedPicture: "\(path) is not a JPEG, PNG, GIF, BMP or WebP picture"
        case .pictureTooLarge(let maximum): "cover picture \(path) is larger than \(maximum >> 20) MiB"
        case .differentFormat(let rate, let count):
            "cannot join \(path) to the first file, which has \(rate) Hz and \(count) channel\(count == 1 ? "" : "s")"
        case .differentCodec(let found, let expected):
            "cannot join \(path) without decoding: it has \(found), the first file \(expected)"
                + (found == expected ? " with another configuration" : "")
        case .emptyRange: "the time range starts after the end of \(path) or is shorter than a sample frame"
        default: nil
        }
    }

    /// The text for errors of encoding, decoding and remuxing.
    private var conversionDescription: String? {
        let path = shownPath
        return switch code {
        case .unsupportedConfiguration, .invalidSample: "cannot encode \(path)\(reason)"
        case .unsupportedChannelLayout(let found, let supported):
            "cannot encode \(path): unsupported channel layout \(found.names); supported layout: \(supported.names)"
        case .unsupportedSampleRates(let from, let to):
            "cannot convert \(path) from \(from) Hz to \(to) Hz" + RateStream.limitText(from)
        case .resamplingFailed: "cannot convert the sample rate of \(path)"
        case .unsupportedStream: "cannot decode \(path)\(reason)"
        case .sampleRateChange(let from, let to):
            "\(path) switches from \(from) Hz to \(to) Hz; this conversion is not supported"
        case .configurationChange(let accessUnit): "\(path) changes its sample rate, channels or profile at access unit \(accessUnit)"
        case .gainNotPossible: "cannot change the gain of \(path)\(reason)"
        case .recodingNotPossible: "cannot recode \(path) as xHE-AAC\(reason)"
        case .undelimitedAccessUnits: "\(path) does not delimit its access units; decode and re-encode it"
        default: nil
        }
    }

    private var outputDescription: String? {
        let path = PathName.outputName(path)
        return switch code {
        case .unknownExtension(let name):
            "cannot write \(path): \(name.isEmpty ? "no extension" : "unknown extension .\(name)"); "
                + "supported extensions: \(AudioFileFormat.writableFileExtensions.map { "." + $0 }.joined(separator: ", "))"
        case .unsupportedTags(.caf):
            "cannot write \(path): CAF does not support cover pictures or loudness tags that players read; use M4A or Opus"
        case .unsupportedTags(let container): "cannot write \(path): \(container.name) does not support tags; use M4A, CAF or Opus"
        case .codecNotStorable(_, let format) where format.codecs.isEmpty: "cannot write \(path): \(format.name) output is not supported"
        case .codecNotStorable(let codec, let format):
            "cannot write \(path): \(format.name) does not support \(codec.name), only \(format.codecs.map(\.name).joined(separator: ", "))"
        // FLAC stores all other kinds of tags.
        case .tagsNotStorable(let names, let format) where [.flac, .oggFLAC].contains(format) && !names.contains("chapter pictures"):
            "cannot write \(path): FLAC limits tags and pictures to 16 MiB in total; use smaller pictures, or M4A"
        case .tagsNotStorable(let names, let format):
            "cannot write \(path): \(format.name) does not support all of these tags: \(names.joined(separator: ", ")); use M4A or Opus"
        case .unsupportedSignaling(let container):
            "cannot write \(path): \(container.name) cannot signal HE-AAC explicitly; M4A, CAF and LOAS can"
        case .unsupportedContainer where pcmFault != nil: "cannot write \(path): \(faultText)"
        case .unsupportedContainer: "cannot write \(path)\(reason)"
        case .outputExists: "\(path) already exists"
        case .outputIsInput: "\(path) is the input; choose another name for the output"
        case .cannotCreate(let code): "cannot create \(path): \(SystemFileError.text(ofCode: code))"
        // The bytes written to standard output remain there.
        case .noSpace: "no space left for \(path)" + (path == PathName.outputName("-") ? "" : "; nothing was kept")
        case .brokenPipe: "the reader of \(path) closed the pipe"
        case .cannotWrite(let code): "cannot write \(path): \(SystemFileError.text(ofCode: code))\(reason)"
        case .interrupted: "interrupted"
        case .cancelled: "stopped"
        case .unexpected: "unexpected error with \(path)\(reason); please report it"
        default: nil
        }
    }

    /// Returns the name of a codec in quotes, which unknown codes already have.
    private static func quoted(_ name: String) -> String { name.hasPrefix("'") ? name : "'\(name)'" }

    /// Returns the text for an audio track that does not exist or is unsupported, with a list of all tracks.
    private static func text(_ choice: AudioTrackChoice, _ tracks: [AudioTrack], path: String) -> String {
        guard !tracks.isEmpty else { return "no audio track '\(choice)' in \(path); it has one audio track without a language" }
        let list = "the audio tracks are \(tracks.map(\.description).joined(separator: ", "))"
        guard let track = choice.track(in: tracks) else { return "no audio track '\(choice)' in \(path); \(list)" }
        return "unsupported codec \(quoted(track.codecName)) in audio track \(track.number) of \(path); \(list)"
    }

    /// Returns the name of a detected format as the end of a message.
    private static func clause(_ format: AudioFileFormat?) -> String {
        switch format {
        case .transportStream: "; the file is an MPEG transport stream"
        case .mpegAudio: "; the file is MPEG audio (layer 1 to 3)"
        case let format? where !format.isReadable: "; its format is \(format.name)"
        default: ""
        }
    }

    private static func advice(_ format: AudioFileFormat, path: String) -> String {
        switch format {
        case .midi: "MIDI has notes instead of audio; render it with fluidsynth or timidity -Ow"
        default: conversionAdvice(path)
        }
    }

    /// Returns the advice to convert a file with FFmpeg.
    static func conversionAdvice(_ path: String) -> String {
        "try converting it: ffmpeg -i \(path == PathName.inputName("-") ? "-" : path) -vn out.flac"
    }
}
