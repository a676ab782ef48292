// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AACCodec
internal import AudioContainers
internal import AudioPrimitives
internal import MPEG4Audio

/// Decodes access units only to see whether they can be decoded.
struct AccessUnitChecker {
    /// What came of a unit.
    struct Result {
        /// Bytes of the unit that the decoder took.
        var byteCount: Int
        /// Why it could not be decoded.
        var damage: AACError?
        /// Whether a checksum does not fit.
        var hasWrongChecksum = false
        /// The tools that the unit uses, if they are wanted.
        var tools: [ElementTools] = []
    }

    /// Whether the tools of units are wanted.
    let listsTools: Bool

    /// The rate of what comes out in hertz: with SBR twice the core's.
    private(set) var decodedSampleRate: Int?

    private var decoder: AACDecoder?
    private var refusal: AACError?
    private var buffer = PCMBuffer(sampleRate: 44_100, channelCount: 1, frameCapacity: 0)

    init(listsTools: Bool) { self.listsTools = listsTools }

    /// Begins with a configuration; one that can't be decoded makes every unit damaged.
    mutating func begin(_ configuration: AudioSpecificConfig) {
        do throws(AACError) {
            decoder = try AACDecoder(configuration)
            refusal = nil
        } catch {
            decoder = nil
            refusal = error
        }
    }

    /// Decodes all raw data blocks of a unit.
    mutating func check(_ unit: CodedUnit) -> Result {
        let payload = unit.accessUnit.payload
        guard let decoder else { return Result(byteCount: payload.count, damage: refusal) }
        var taken = 0
        var tools: [ElementTools] = []
        for _ in 0..<max(1, unit.rawDataBlockCount) where taken < payload.count {
            let decoded = decoder.decode(payload.span.extracting(taken..<payload.count), into: &buffer)
            taken += decoded.byteCount
            if let damage = decoded.damage { return Result(byteCount: payload.count, damage: damage, tools: tools) }
            if listsTools { tools += decoder.codingTools }
        }
        decodedSampleRate = decoder.sampleRate
        // Only a unit with one block, or blocks that the container tells apart, has a checksum of its own.
        let isChecksumWrong = unit.checksum != nil && unit.isChecksumValid(elements: decoder.elementSpans) == false
        return Result(byteCount: taken, damage: nil, hasWrongChecksum: isChecksumWrong, tools: tools)
    }
}
