// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives
internal import SystemFiles

extension AudioFileError: DescribedError {
    /// One line that names the file and the reason.
    public var description: String {
        inputDescription ?? conversionDescription ?? outputDescription ?? "\(path): \(code)\(reason)"
    }

    /// The text of the underlying error after a colon.
    private var reason: String { underlyingError.map { ": \($0)" } ?? "" }

    /// The path as people read it.
    private var shownPath: String { path.isEmpty ? "the audio" : PathName.inputName(path) }

    /// The text of the fault of a file of PCM.
    private var faultText: String { pcmFault?.description ?? "" }

    /// The text for errors of the input.
    private var inputDescription: String? {
        let path = shownPath
        return switch code {
        case .cannotOpen(let code): "can't open \(path): \(SystemFileError.text(ofCode: code))"
        case .inputIsDirectory, .outputIsDirectory: "\(path) is a directory, not a file"
        case .cannotRead(let code): "can't read \(path): \(SystemFileError.text(ofCode: code))"
        case .unsupportedInput where pcmFault?.isNoAudio == true: "no audio in \(path): \(faultText)"
        case .unsupportedInput where pcmFault != nil: "\(path) is not a supported PCM file: \(faultText)"
        case .unsupportedInput(let format): "\(path) holds no coded audio that can be read\(Self.clause(format))"
        case .foreignInput(let format): "\(path) is \(format.rawValue), which is not read: \(Self.advice(format, path: path))"
        case .unsupportedCodec(let found?) where found.isEncrypted:
            "\(path) is encrypted\(found == "enca" ? "" : " (\(found.codecName))") and cannot be decoded without its key"
        case .unsupportedCodec(let found?):
            "\(path) holds \(found.codecName) audio, which is not supported; ffmpeg -i \(path) -vn out.flac converts what it can decode"
        case .unsupportedCodec(nil): "\(path) holds no audio"
        case .noAccessUnits: "no audio found in \(path)"
        case .damagedInput where pcmFault?.isOfHeader == true: "the header of \(path) is invalid: \(faultText)"
        case .damagedInput where pcmFault != nil: "\(path) is damaged \(faultText)"
        case .damagedInput: "\(path) is damaged\(reason)"
        case .unsupportedEditList: "the edit list of \(path) plays parts of it repeatedly or in another order"
        case .notSeekable: "\(path) can only be read forwards"
        case .libraryMissing(let library):
            "\(path) needs \(library.rawValue), which is not installed; install the package \(library.package)"
        case .noStatedLoudness: "\(path) states no loudness"
        case .unsupportedPicture: "\(path) is not a JPEG, PNG, GIF, BMP or WebP picture"
        case .pictureTooLarge(let maximum): "\(path) has more than \(maximum >> 20) MiB, the maximum for a cover"
        case .differentFormat(let rate, let count):
            "\(path) can't be joined to the first file, which has \(rate) Hz and \(count) channel\(count == 1 ? "" : "s")"
        case .emptyRange: "the time range lies after the end of \(path)"
        default: nil
        }
    }

    /// The text for errors of encoding, decoding and remuxing.
    private var conversionDescription: String? {
        let path = shownPath
        return switch code {
        case .unsupportedConfiguration, .invalidSample: "can't encode \(path)\(reason)"
        case .unsupportedChannelLayout(let found, let supported):
            "can't encode \(path): the codec has no channel configuration for the speakers \(found.names), only for \(supported.names)"
        case .unsupportedSampleRates(let from, let to):
            "can't convert \(path) from \(from) Hz to \(to) Hz" + RateStream.limitText(from)
        case .resamplingFailed: "can't convert the sample rate of \(path)"
        case .unsupportedStream: "can't decode \(path)\(reason)"
        case .sampleRateChange(let from, let to):
            "\(path) changes its sample rate from \(from) Hz to \(to) Hz, which can't be converted"
        case .configurationChange(let unit): "\(path) changes its sample rate, channels or profile at access unit \(unit)"
        case .undelimitedAccessUnits: "\(path) does not delimit its access units; decode it and encode it again"
        default: nil
        }
    }

    /// The text for errors of the output.
    private var outputDescription: String? {
        let path = PathName.outputName(path)
        return switch code {
        case .unknownExtension(let name):
            "can't write \(path): \(name.isEmpty ? "no extension" : "unknown extension .\(name)"); "
                + "the known ones are \(AudioFileFormat.writableFileExtensions.map { "." + $0 }.joined(separator: ", "))"
        case .unsupportedTags(.caf): "can't write \(path): CAF can't hold a cover picture or a loudness that players read; M4A and Opus can"
        case .unsupportedTags(let container): "can't write \(path): \(container.name) has no tags; M4A, CAF and Opus have"
        case .codecNotStorable(_, let format) where format.codecs.isEmpty: "can't write \(path): \(format.name) is not written"
        case .codecNotStorable(let codec, let format):
            "can't write \(path): \(format.name) can't hold \(codec.name), only \(format.codecs.map(\.name).joined(separator: ", "))"
        case .tagsNotStorable(let names, let format):
            "can't write \(path): \(format.name) can't hold all of \(names.joined(separator: ", ")); M4A and Opus can"
        case .unsupportedSignaling(let container):
            "can't write \(path): \(container.name) can't signal HE-AAC, decoders detect it in the stream; M4A, CAF and LOAS can"
        case .unsupportedContainer where pcmFault != nil: "can't write \(path): \(faultText)"
        case .unsupportedContainer: "can't write \(path)\(reason)"
        case .outputExists: "\(path) exists already"
        case .outputIsInput: "\(path) is the input; choose another name for the output"
        case .cannotCreate(let code): "can't create \(path): \(SystemFileError.text(ofCode: code))"
        case .noSpace: "no space left for \(path); nothing was kept"
        case .brokenPipe: "the reader of \(path) has closed it"
        case .cannotWrite(let code): "can't write \(path): \(SystemFileError.text(ofCode: code))\(reason)"
        case .interrupted: "interrupted"
        case .cancelled: "stopped"
        case .unexpected: "unexpected error with \(path)\(reason); please report it"
        default: nil
        }
    }

    /// The name of a detected format, as the end of a sentence.
    private static func clause(_ format: AudioFileFormat?) -> String {
        switch format {
        case .transportStream: "; it is an MPEG transport stream"
        case .mpegAudio: "; it is MPEG audio of layer 1 to 3"
        case let format? where !format.isReadable: "; its format is \(format.name)"
        default: ""
        }
    }

    /// The way out: a program that makes a file of a format that is read.
    private static func advice(_ format: AudioFileFormat, path: String) -> String {
        switch format {
        case .midi: "it has notes, no audio; fluidsynth or timidity -Ow plays them to a WAV file"
        default: "ffmpeg -i \(path) -vn out.flac converts it to FLAC"
        }
    }
}
