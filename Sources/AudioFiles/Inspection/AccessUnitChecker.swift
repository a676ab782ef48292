// SPDX-License-Identifier: Apache-2.0

internal import AACCodec
internal import AudioContainers
internal import AudioConversion
internal import AudioPrimitives

/// Decodes access units to check whether they are intact.
struct AccessUnitChecker {
    struct Result {
        /// The number of bytes that the decoder read.
        var byteCount: Int
        var damage: CodecError?
        /// Whether the high band could not be decoded.
        var lacksHighBand = false
        var hasWrongChecksum = false
        var tools: [ElementTools] = []
    }

    let listsTools: Bool

    /// The decoded sample rate, in hertz.
    ///
    /// With SBR, twice the core's.
    private(set) var decodedSampleRate: Int?

    private var decoder: (any AudioPacketDecoder)?
    private var buffer = PCMBuffer(sampleRate: 44_100, channelCount: 1, frameCapacity: 0)

    init(listsTools: Bool) { self.listsTools = listsTools }

    /// Starts a configuration.
    ///
    /// If it is not supported, no access unit counts as damaged.
    mutating func begin(_ configuration: CodecConfiguration) { decoder = try? configuration.makeDecoder() }

    /// Decodes all raw data blocks of an access unit.
    mutating func check(_ demuxed: DemuxedAccessUnit) -> Result {
        let payload = demuxed.accessUnit.payload
        guard let decoder else { return Result(byteCount: payload.count) }
        var consumed = 0
        var tools: [ElementTools] = []
        var lacksHighBand = false
        for _ in 0..<max(1, demuxed.rawDataBlockCount) where consumed < payload.count {
            let decoded = payload.withSpan { decoder.decode($0.extracting(consumed..<$0.count), into: &buffer) }
            consumed += decoded.byteCount
            if let damage = decoded.damage { return Result(byteCount: payload.count, damage: damage, tools: tools) }
            if decoded.lacksHighBand { lacksHighBand = true }
            if listsTools, let aac = decoder as? AACDecoder { tools += aac.codingTools }
        }
        decodedSampleRate = decoder.sampleRate
        // A checksum covers a single block only if the container delimits blocks.
        let isChecksumWrong = demuxed.checksum != nil && demuxed.isChecksumValid(elements: decoder.elementSpans) == false
        return Result(
            byteCount: consumed, damage: nil, lacksHighBand: lacksHighBand, hasWrongChecksum: isChecksumWrong, tools: tools)
    }
}
