// SPDX-License-Identifier: Apache-2.0

#if !hasFeature(Embedded) || LINNET_FILES
internal import AudioPrimitives

/// The description of a track (RFC 9559, 5.1.4.1).
struct MatroskaTrack {
    private(set) var number = 0
    private(set) var uid = 0
    private var type = 0
    private(set) var isEnabled = true
    private(set) var isDefault = true
    private(set) var name: String?
    private(set) var codecID = ""
    /// The codec's configuration, decoded.
    private(set) var codecPrivate: [UInt8]?
    /// The priming, in nanoseconds.
    private(set) var codecDelay = 0
    /// The audio to decode before a seek target, in nanoseconds.
    private(set) var seekPreRoll = 0
    /// The core sample rate, in hertz.
    private(set) var sampleRate = 8000
    /// The output sample rate in hertz, or `nil` if it is the same.
    private(set) var outputSampleRate: Int?
    private(set) var channelCount = 1
    private(set) var bitDepth: Int?
    private(set) var encodings = ContentEncodings()

    private var legacyLanguage: String?
    private var extendedLanguage: String?

    // RFC 9559, 5.1.4.1.3.
    var isVideo: Bool { type == 1 }
    var isAudio: Bool { type == 2 }
    var isSubtitle: Bool { type == 17 }

    init(parsing body: ByteCursor) {
        var body = body
        var privateBytes: [UInt8]?
        while let (id, field) = body.nextElement() {
            switch id {
            case MatroskaID.trackNumber: number = field.unsigned ?? 0
            case MatroskaID.trackUID: uid = field.unsigned ?? 0
            case MatroskaID.trackType: type = field.unsigned ?? 0
            case MatroskaID.isEnabled: isEnabled = field.unsigned != 0
            case MatroskaID.isDefault: isDefault = field.unsigned != 0
            case MatroskaID.name: name = field.text
            case MatroskaID.language: legacyLanguage = field.text
            case MatroskaID.languageBCP47: extendedLanguage = field.text
            case MatroskaID.codecID: codecID = field.text
            case MatroskaID.codecPrivate: privateBytes = field.contents
            case MatroskaID.codecDelay: codecDelay = field.unsigned ?? 0
            case MatroskaID.seekPreRoll: seekPreRoll = field.unsigned ?? 0
            case MatroskaID.audio: readAudio(field)
            case MatroskaID.contentEncodings: encodings = ContentEncodings(parsing: field)
            default: break
            }
        }
        codecPrivate = privateBytes.flatMap { encodings.isApplied(to: .codecPrivate) ? encodings.decode($0) : $0 }
    }

    private mutating func readAudio(_ body: ByteCursor) {
        /// Returns a rate in hertz, or `nil` if it is invalid.
        func rate(_ field: ByteCursor) -> Int? {
            field.number.flatMap { Int(exactly: $0.rounded()) }.flatMap { (1...Int(Int32.max)).contains($0) ? $0 : nil }
        }
        var body = body
        while let (id, field) = body.nextElement() {
            switch id {
            case MatroskaID.samplingFrequency: sampleRate = rate(field) ?? sampleRate
            case MatroskaID.outputSamplingFrequency: outputSampleRate = rate(field)
            case MatroskaID.channels: channelCount = field.unsigned ?? 0
            case MatroskaID.bitDepth: bitDepth = field.unsigned
            default: break
            }
        }
    }

    /// The language, or `nil` if it is undetermined.
    ///
    /// The BCP 47 element takes precedence, but a code of three letters is used if it means the same.
    var language: String? {
        let legacy = legacyLanguage ?? (extendedLanguage == nil ? "eng" : nil)
        let code = extendedLanguage.map { $0.utf8.contains(UInt8(ascii: "-")) ? $0 : legacy ?? $0 } ?? legacy
        return code == "und" || code?.isEmpty == true ? nil : code
    }

    /// The description for users.
    ///
    /// - Parameter number: The number among the audio tracks, from 1.
    func summary(number: Int, isRead: Bool) -> AudioTrack {
        var result = AudioTrack(number: number, codecName: codecName, language: language, isRead: isRead)
        result.name = name?.isEmpty == true ? nil : name
        result.channelCount = (1...64).contains(channelCount) ? channelCount : nil
        result.sampleRate = outputSampleRate ?? sampleRate
        result.isDefault = isEnabled && isDefault
        #if hasFeature(Embedded)
        result.isSupported = isCoded
        #else
        result.isSupported = isCoded || sampleCoding != nil
        #endif
        return result
    }
}
#endif
