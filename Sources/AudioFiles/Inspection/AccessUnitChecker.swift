// SPDX-License-Identifier: Apache-2.0

internal import AACCodec
internal import AudioContainers
internal import AudioConversion
internal import AudioPrimitives

/// Decodes access units to find out whether they are intact.
struct AccessUnitChecker {
    /// The result of decoding a unit.
    struct Result {
        /// The bytes of the unit that the decoder read.
        var byteCount: Int
        /// The reason that it could not be decoded; nil if it could.
        var damage: CodecError?
        /// Whether its high band could not be decoded.
        var lacksHighBand = false
        /// Whether a checksum is wrong.
        var hasWrongChecksum = false
        /// The coding tools of the unit, if they were requested.
        var tools: [ElementTools] = []
    }

    /// Whether the coding tools of units are listed.
    let listsTools: Bool

    /// The sample rate of the decoded stream in hertz: with SBR twice that of the core.
    private(set) var decodedSampleRate: Int?

    private var decoder: (any AudioPacketDecoder)?
    private var buffer = PCMBuffer(sampleRate: 44_100, channelCount: 1, frameCapacity: 0)

    /// Creates a checker without a configuration.
    init(listsTools: Bool) { self.listsTools = listsTools }

    /// Starts with a configuration; if it is not supported, no unit counts as damaged.
    mutating func begin(_ configuration: CodecConfiguration) { decoder = try? configuration.makeDecoder() }

    /// Decodes all raw data blocks of a unit.
    mutating func check(_ unit: CodedUnit) -> Result {
        let payload = unit.accessUnit.payload
        guard let decoder else { return Result(byteCount: payload.count) }
        var consumed = 0
        var tools: [ElementTools] = []
        var lacksHighBand = false
        for _ in 0..<max(1, unit.rawDataBlockCount) where consumed < payload.count {
            let decoded = payload.withSpan { decoder.decode($0.extracting(consumed..<$0.count), into: &buffer) }
            consumed += decoded.byteCount
            if let damage = decoded.damage { return Result(byteCount: payload.count, damage: damage, tools: tools) }
            if decoded.lacksHighBand { lacksHighBand = true }
            if listsTools, let aac = decoder as? AACDecoder { tools += aac.codingTools }
        }
        decodedSampleRate = decoder.sampleRate
        // A checksum covers one block only where the container delimits blocks.
        let isChecksumWrong = unit.checksum != nil && unit.isChecksumValid(elements: decoder.elementSpans) == false
        return Result(
            byteCount: consumed, damage: nil, lacksHighBand: lacksHighBand, hasWrongChecksum: isChecksumWrong, tools: tools)
    }
}
