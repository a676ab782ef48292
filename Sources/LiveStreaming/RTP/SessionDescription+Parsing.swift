// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
internal import AudioPrimitives
internal import MPEG4Audio

extension SessionDescription {
    /// The lines of a description that concern its first audio stream.
    private struct Lines {
        /// The value of `c=`, preferably the stream's own.
        var connection: String?
        /// The value of `m=`.
        var media: String?
        /// The stream's attributes, with names in lower case.
        var attributes: [(name: String, value: String)] = []

        /// Splits a text into lines.
        ///
        /// Skips other streams.
        init(_ text: some StringProtocol) {
            var isInAudio = false
            var isInOther = false
            for line in text.split(whereSeparator: \.isNewline) {
                guard line.count > 2, line.dropFirst().first == "=" else { continue }
                let value = line.dropFirst(2).trimmingSpaces
                switch line.first {
                case "m":
                    isInAudio = media == nil && value.hasPrefix("audio ")
                    isInOther = !isInAudio
                    if isInAudio { media = value }
                case "c" where !isInOther: connection = value
                case "a" where isInAudio:
                    let parts = value.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
                    attributes.append((String(parts[0]).asciiLowercased, parts.count > 1 ? String(parts[1]) : ""))
                default: break
                }
            }
        }

        /// Returns the value of the attribute for a payload type, without the payload type.
        func value(of name: String, for payloadType: UInt8) -> String? {
            for attribute in attributes where attribute.name == name {
                let parts = attribute.value.split(separator: " ", maxSplits: 1)
                if parts.count == 2, parts[0] == String(payloadType) { return parts[1].trimmingSpaces }
            }
            return nil
        }
    }

    package static func begins(_ bytes: some Collection<UInt8>) -> Bool {
        let start = Array(bytes.prefix(4))
        return start.starts(with: Array("v=0".utf8)) && (start.count < 4 || start[3] == 0x0A || start[3] == 0x0D)
    }

    /// Parses the first audio stream of a description.
    package init(parsing text: String) throws(SessionDescription.Problem) {
        guard Self.begins(text.utf8) else { throw .notADescription }
        let lines = Lines(text)
        guard let media = lines.media?.split(separator: " "), media.count >= 4, media[2].hasPrefix("RTP/") else { throw .noAudio }
        guard let port = media[1].split(separator: "/").first.flatMap({ Int($0) }), (1...65_535).contains(port),
            let type = UInt8(media[3]), type < 128
        else { throw .invalidLine("m=") }
        guard let connection = lines.connection?.split(separator: " "), connection.count >= 3, connection[0] == "IN" else {
            throw .invalidLine("c=")
        }
        host = String(connection[2].prefix { $0 != "/" })
        guard !host.isEmpty else { throw .invalidLine("c=") }
        // RFC 5771, 3 and RFC 4291, 2.7.
        let isGroup =
            connection[1] == "IP6" ? host.asciiLowercased.hasPrefix("ff") : (224...239).contains(Int(host.prefix { $0 != "." }) ?? 0)
        guard !isGroup else { throw .multicast(host) }
        self.port = port
        payloadType = type
        guard let encoding = lines.value(of: "rtpmap", for: type)?.split(separator: "/"), encoding.count >= 2,
            let rate = Int(encoding[1]), (1000...192_000).contains(rate)
        else { throw .invalidLine("a=rtpmap:\(type)") }
        clockRate = rate
        let parameters = Self.parameters(lines.value(of: "fmtp", for: type) ?? "")
        let channels = encoding.count > 2 ? Int(encoding[2]) : 1
        format = try Self.format(String(encoding[0]).asciiLowercased, channels: channels, parameters)
        guard let count = format.configuration?.channelCount ?? channels, (1...8).contains(count) else {
            throw .unsupportedParameter("channels")
        }
        channelCount = count
        controlPort = lines.attributes.contains { $0.name == "rtcp-mux" } ? port : min(port + 1, 65_535)
        if let text = lines.attributes.first(where: { $0.name == "rtcp" })?.value.split(separator: " ").first {
            guard let number = Int(text), (1...65_535).contains(number) else { throw .invalidLine("a=rtcp") }
            controlPort = number
        }
        key = try Self.key(lines.attributes.filter { $0.name == "crypto" }.map(\.value))
        if media[2].hasPrefix("RTP/SAVP"), key == nil { throw .unsupportedEncryption }
    }

    /// Returns the key of the first supported encryption; `nil` without encryption.
    private static func key(_ attributes: [String]) throws(SessionDescription.Problem) -> [UInt8]? {
        for attribute in attributes {
            let parts = attribute.split(separator: " ")
            guard parts.count >= 3, parts[1] == encryption, parts[2].hasPrefix("inline:") else { continue }
            // A lifetime and a key identifier may follow (RFC 4568, 6.1).
            let text = parts[2].dropFirst(7).prefix { $0 != "|" }
            guard let key = Base64.decode(text.utf8), key.count == keyLength else { throw .unsupportedEncryption }
            return key
        }
        if !attributes.isEmpty { throw .unsupportedEncryption }
        return nil
    }

    /// Parses `fmtp` parameters.
    private static func parameters(_ text: String) -> [String: String] {
        var result: [String: String] = [:]
        for part in text.split(separator: ";") {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(\.trimmingSpaces)
            result[pair[0].asciiLowercased] = pair.count > 1 ? pair[1] : ""
        }
        return result
    }

    private static func format(
        _ encoding: String, channels: Int?, _ parameters: [String: String]
    ) throws(SessionDescription.Problem) -> RTPPayloadFormat {
        switch encoding {
        case "mpeg4-generic": return try headers(parameters)
        case "mp4a-latm":
            let isInStream = parameters["cpresent"] != "0"
            guard let text = parameters["config"] else {
                guard isInStream else { throw .unsupportedParameter("config") }
                return .latm(nil, isConfigInStream: true)
            }
            guard let bytes = bytes(hex: text) else { throw .unsupportedParameter("config") }
            var reader = BitReader(bytes)
            guard let config = try? StreamMuxConfig(reading: &reader) else { throw .unsupportedParameter("config") }
            return .latm(config, isConfigInStream: isInStream)
        case "opus": return .opus(channelCount: parameters["sprop-stereo"] == "0" ? 1 : 2)
        default: throw .unsupportedEncoding(encoding)
        }
    }

    /// Returns the AAC payload format with AU Header Sections.
    private static func headers(_ parameters: [String: String]) throws(SessionDescription.Problem) -> RTPPayloadFormat {
        // Other header fields are for interleaving, random access and other kinds of streams.
        let others = [
            "maxdisplacement", "ctsdeltalength", "dtsdeltalength", "streamstateindication", "auxiliarydatasizelength",
            "randomaccessindication",
        ]
        for name in others where parameters[name] ?? "0" != "0" { throw .unsupportedParameter(name) }
        guard let bytes = parameters["config"].flatMap({ bytes(hex: $0) }) else { throw .unsupportedParameter("config") }
        let isLow = parameters["mode"]?.asciiLowercased == "aac-lbr"
        var layout = isLow ? AUHeaderSection.Layout.lowBitRate : .highBitRate
        layout.sizeLength = try number(parameters["sizelength"], else: layout.sizeLength, in: 1...16, "sizelength")
        layout.indexLength = try number(parameters["indexlength"], else: layout.indexLength, in: 0...16, "indexlength")
        layout.indexDeltaLength = try number(
            parameters["indexdeltalength"], else: layout.indexDeltaLength, in: 0...16, "indexdeltalength")
        do throws(CodecError) {
            return .headers(try AudioSpecificConfig(parsing: bytes), layout)
        } catch {
            throw .configuration(error)
        }
    }

    /// Parses a numeric parameter, or returns its default.
    private static func number(
        _ text: String?, else standard: Int, in range: ClosedRange<Int>, _ name: String
    ) throws(SessionDescription.Problem) -> Int {
        guard let text else { return standard }
        guard let value = Int(text), range.contains(value) else { throw .unsupportedParameter(name) }
        return value
    }

    /// Serializes a `StreamMuxConfig`.
    static func bytes(_ config: StreamMuxConfig) -> [UInt8] {
        var writer = BitWriter()
        config.write(to: &writer)
        writer.alignToByte()
        return writer.bytes
    }

    /// Formats bytes as hexadecimal digits.
    static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
    }

    /// Parses hexadecimal digits; `nil` for other characters or an odd number of digits.
    static func bytes(hex text: String) -> [UInt8]? {
        let digits = text.compactMap(\.hexDigitValue)
        guard digits.count == text.count, digits.count.isMultiple(of: 2) else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}

extension StringProtocol {
    /// The text without leading and trailing white space.
    fileprivate var trimmingSpaces: String {
        let start = drop { $0.isWhitespace }
        let end = start.lastIndex { !$0.isWhitespace }
        return end.map { String(start[...$0]) } ?? ""
    }
}
