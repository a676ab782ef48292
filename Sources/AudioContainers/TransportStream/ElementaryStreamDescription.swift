// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// The descriptors of a program or elementary stream (ISO/IEC 13818-1:2019, 2.6).
struct StreamDescriptors {
    /// `descriptor_tag` of a registration descriptor.
    static let registrationTag: UInt8 = 0x05
    /// `descriptor_tag` of an ISO 639 language descriptor.
    private static let languageTag: UInt8 = 0x0A
    /// `descriptor_tag` of an extension descriptor, which has a second tag.
    static let extensionTag: UInt8 = 0x7F
    /// The second tag for the Opus channel count.
    static let opusExtension: UInt8 = 0x80

    private(set) var registration: FourCharCode?
    /// The three letters of the first language.
    private(set) var language: [UInt8]?
    private(set) var tags: [UInt8] = []
    private var opusChannelCount: Int?

    /// Parses descriptors up to a truncated one.
    init(_ bytes: ArraySlice<UInt8>) {
        var rest = bytes
        while let tag = rest.first, let length = rest.dropFirst().first, rest.count >= 2 + Int(length) {
            let contents = rest.dropFirst(2).prefix(Int(length))
            rest = rest.dropFirst(2 + Int(length))
            tags.append(tag)
            switch tag {
            case Self.registrationTag where contents.count >= 4:
                registration = FourCharCode(rawValue: contents.prefix(4).reduce(0) { $0 << 8 | UInt32($1) })
            case Self.languageTag where contents.count >= 4 && language == nil: language = contents.prefix(3).map { $0 | 0x20 }
            case Self.extensionTag where contents.first == Self.opusExtension:
                opusChannelCount = contents.dropFirst().first.map(Int.init)
            default: break
            }
        }
    }

    /// The Opus channel mapping, or `nil` for other codecs and unsupported channel counts.
    var opusMapping: OpusChannelMapping? {
        guard registration == "Opus", let opusChannelCount else { return nil }
        return try? OpusChannelMapping(channelCount: opusChannelCount)
    }
}

/// An elementary stream of a program map table.
struct ElementaryStreamDescription {
    /// `stream_type`.
    let type: UInt8
    let pid: Int
    /// The Opus channel mapping, or `nil` for other codecs.
    let opusMapping: OpusChannelMapping?
    /// The three letters of an ISO 639-2 code, or `nil` if unknown.
    let language: [UInt8]?
    /// The codec of audio, or `nil` for other streams.
    let codec: FourCharCode?

    init(type: UInt8, pid: Int, _ descriptors: StreamDescriptors, program: StreamDescriptors) {
        self.type = type
        self.pid = pid
        opusMapping = descriptors.opusMapping
        language = descriptors.language
        codec = Self.codec(type, descriptors, isBluRay: program.registration == "HDMV")
    }

    /// Whether access units of the stream can be parsed.
    var hasAccessUnits: Bool {
        type == TransportStreamParser.typeADTS || type == TransportStreamParser.typeLOAS
            || (type == TransportStreamParser.typePrivate && opusMapping != nil)
    }

    var isMPEGAudio: Bool { TransportStreamParser.typesMPEGAudio.contains(type) }

    /// Returns the codec of a stream type, which for private streams the descriptors signal (ETSI EN 300 468, annexes D, G and H; ATSC A/53).
    private static func codec(_ type: UInt8, _ descriptors: StreamDescriptors, isBluRay: Bool) -> FourCharCode? {
        switch type {
        case TransportStreamParser.typesMPEGAudio: "mpga"
        case TransportStreamParser.typeADTS, TransportStreamParser.typeLOAS, 0x1C: "aac "
        case 0x2D, 0x2E: "mhm1"
        case TransportStreamParser.typePrivate: privateCodec(descriptors)
        case 0x80 where isBluRay: "lpcm"
        case 0x81: "ac-3"
        case 0x83 where isBluRay: "mlpa"
        case 0x84 where isBluRay, 0x87: "ec-3"
        case 0x82 where isBluRay, 0x85 where isBluRay, 0x86 where isBluRay, 0x8A: "dtsc"
        default: nil
        }
    }

    private static func privateCodec(_ descriptors: StreamDescriptors) -> FourCharCode? {
        switch descriptors.registration {
        case "Opus": return "Opus"
        case "AC-3": return "ac-3"
        case "EAC3": return "ec-3"
        case "AC-4": return "ac-4"
        case "DTS1", "DTS2", "DTS3": return "dtsc"
        case "BSSD": return "lpcm"
        default: break
        }
        if descriptors.tags.contains(0x6A) { return "ac-3" }
        if descriptors.tags.contains(0x7A) { return "ec-3" }
        return descriptors.tags.contains(0x7B) ? "dtsc" : nil
    }
}
