// SPDX-License-Identifier: Apache-2.0

import AudioConversion
import AudioPrimitives
import JSONText

/// A codec in the table and the JSON of `linnet codecs`.
struct CodecEntry {
    let codec: CodecDescription
    /// The sample rate for which bit rates are listed, in hertz.
    let sampleRate: Int
    /// The channel count for which bit rates are listed.
    let channelCount: Int

    /// Creates an entry.
    ///
    /// - Parameters:
    ///   - sampleRate: The rate for which bit rates are listed; `nil` for the codec's nearest to 48 kHz.
    ///   - channelCount: The channel count for which bit rates are listed; `nil` for 2, or 1 for mono codecs.
    init(_ codec: CodecDescription, sampleRate: Int?, channelCount: Int?) {
        self.codec = codec
        self.sampleRate = sampleRate ?? Self.usualRate(codec)
        self.channelCount = channelCount ?? min(2, codec.channelCounts.last ?? 1)
    }

    /// Returns the codec's sample rate nearest to 48 kHz.
    private static func usualRate(_ codec: CodecDescription) -> Int {
        switch codec.sampleRates {
        case .list(let rates): rates.min { abs($0 - 48_000) < abs($1 - 48_000) } ?? 48_000
        case .range(let range): min(max(48_000, range.lowerBound), range.upperBound)
        }
    }

    private var bitRates: [ClosedRange<Int>] { codec.applicableBitRates(sampleRate: sampleRate, channelCount: channelCount) }

    static func heading(_ kind: CodecDescription.Kind) -> [String] {
        [kind == .encoder ? "Encoder" : "Decoder", "Codec", "By", "Sample rates", "Channels", "Frames"]
            + (kind == .encoder ? ["Delay", "Bit rates"] : ["Delay", ""])
    }

    var cells: [String] {
        [
            codec.name + (codec.isAvailable ? "" : " (not installed)"), Self.code(codec.formatID), codec.maker.rawValue, rates, channels,
            Self.list(codec.framesPerPacket), Self.list(codec.delay), codec.kind == .encoder ? bitRateText : "",
        ]
    }

    private var rates: String {
        switch codec.sampleRates {
        case .list(let rates) where rates.count <= 5: rates.map(Self.kilo).joined(separator: ", ") + " kHz"
        case .list(let rates): "\(Self.kilo(rates.first ?? 0))-\(Self.kilo(rates.last ?? 0)) kHz (\(rates.count))"
        case .range(let range): "to \(Self.kilo(range.upperBound)) kHz"
        }
    }

    /// The channel counts as text, with runs joined by a dash.
    private var channels: String {
        var runs: [ClosedRange<Int>] = []
        for count in Set(codec.channelCounts).sorted() {
            if let last = runs.last, last.upperBound == count - 1 {
                runs[runs.count - 1] = last.lowerBound...count
            } else {
                runs.append(count...count)
            }
        }
        return runs.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }.joined(separator: ", ")
    }

    /// The bit rates as text, with their sample rate and channels.
    private var bitRateText: String {
        guard codec.formatID != .appleLossless else { return "by signal" }
        guard !bitRates.isEmpty else { return "none (\(Self.kilo(sampleRate)) kHz, \(Format.channels(channelCount)))" }
        let ranges = bitRates.map { $0.count == 1 ? Self.kilo($0.lowerBound) : "\(Self.kilo($0.lowerBound))-\(Self.kilo($0.upperBound))" }
        return ranges.joined(separator: ", ") + " kb/s (\(Self.kilo(sampleRate)) kHz, \(Format.channels(channelCount)))"
    }

    var json: JSONValue {
        var rates: [JSONMember] = []
        switch codec.sampleRates {
        case .list(let list): rates = [("sampleRates", .array(list.map { .integer($0) }))]
        case .range(let range): rates = [("sampleRateRange", .array([.integer(range.lowerBound), .integer(range.upperBound)]))]
        }
        var members: [JSONMember] = [
            ("kind", .string(codec.kind.rawValue)), ("codec", .string(Self.code(codec.formatID))), ("name", .string(codec.name)),
            ("maker", .string(codec.maker.rawValue)), ("isHardware", .bool(codec.maker.isHardware)),
            ("isAvailable", .bool(codec.isAvailable)),
        ]
        members += rates
        members += [
            ("channels", .array(Set(codec.channelCounts).sorted().map { .integer($0) })),
            ("layouts", .array(codec.channelLayouts.map { .string($0.speakers.map { "\($0)" }.joined(separator: " ")) })),
            ("framesPerPacket", .array(codec.framesPerPacket.map { .integer($0) })),
            ("maximumPacketBytes", .integer(codec.maximumPacketByteCount(channelCount: channelCount))),
            ("delay", .array(codec.delay.map { .integer($0) })),
        ]
        guard codec.kind == .encoder else { return .object(members) }
        let ranges = bitRates.map { JSONValue.array([.integer($0.lowerBound), .integer($0.upperBound)]) }
        members += [
            ("quality", codec.quality.map { .array([.number($0.lowerBound), .number($0.upperBound)]) } ?? .null),
            (
                "bitRates",
                .object([("sampleRate", .integer(sampleRate)), ("channels", .integer(channelCount)), ("ranges", .array(ranges))])
            ),
        ]
        return .object(members)
    }

    /// Returns a four-character code without quotes.
    private static func code(_ code: FourCharCode) -> String { String(decoding: code.bytes, as: UTF8.self) }

    private static func list(_ numbers: [Int]) -> String { numbers.map { "\($0)" }.joined(separator: ", ") }

    /// Returns a number in thousands with its decimals.
    private static func kilo(_ number: Int) -> String { Format.short(Double(number) / 1000) }
}
