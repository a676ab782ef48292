// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives
package import MPEG4Audio
internal import TransformCoding

/// Writes the access units of a stream with one channel element in the frequency domain (`UsacFrame`, ISO/IEC 23003-3, 5.3).
///
/// The first access unit and one in each interval are immediate playout frames: independent, and with the previous access unit, which is
/// also independent, as audio pre-roll. Decoding from any of them has the same output as decoding from the start.
package struct USACUnitWriter: ~Copyable {
    package let configuration: USACConfig
    /// The next frame.
    ///
    /// The writer sets the ends of its windows.
    package var data: CoreElementData
    /// The arithmetic coder's contexts after the last access unit.
    private var contexts: FixedArray<SpectralContext>
    /// The contexts after an access unit that is not final yet.
    private var nextContexts: FixedArray<SpectralContext>
    /// The last access unit, if it can be a pre-roll; otherwise empty.
    private var previous: [UInt8] = []
    /// The number of access units per immediate playout frame.
    private let interval: Int
    /// The number of access units before the next immediate playout frame.
    ///
    /// Negative if it is late.
    private var remaining = 0
    /// The number of access units since the last immediate playout frame.
    private var distance = 0
    /// The largest number of access units between immediate playout frames so far.
    package private(set) var largestDistance = 0

    /// The maximum size of an access unit that decoders buffer, in bits per channel.
    private static let bitsPerChannel = 6144
    /// The content of a padding element (ISO/IEC 23003-3, 5.3).
    private static let padding: UInt8 = 0xA5

    /// Starts a stream, after silence.
    ///
    /// - Parameters:
    ///   - configuration: One channel element between elements for audio pre-rolls and padding, without SBR.
    ///   - interval: The number of access units per immediate playout frame, at least 2.
    package init(_ configuration: USACConfig, interval: Int) {
        precondition(configuration.elements.count == 3 && configuration.sbrRatio == .none && interval >= 2)
        self.configuration = configuration
        self.interval = interval
        let length = configuration.coreFrameLength
        let element = configuration.elements[1]
        data = CoreElementData(element, coreRate: configuration.coreSampleRate, frameLength: length)
        contexts = FixedArray(count: element.coreChannelCount) { _ in SpectralContext(frameLength: length) }
        nextContexts = FixedArray(count: element.coreChannelCount) { _ in SpectralContext(frameLength: length) }
        data.shareTools()
        previous = encode(isIndependent: true)
    }

    /// The maximum size of an access unit, in bytes.
    private var maximumByteCount: Int { data.channels.count * Self.bitsPerChannel / 8 }

    /// Writes ``data`` as an access unit.
    ///
    /// An immediate playout frame that would be too long is postponed.
    ///
    /// - Throws: `CodecError.accessUnitTooLong`.
    package mutating func writeUnit() throws(CodecError) -> [UInt8] {
        if remaining <= 0 && !previous.isEmpty {
            let unit = encode(isIndependent: true, preRoll: previous)
            if unit.count <= maximumByteCount {
                (remaining, distance) = (interval, 0)
                finish(previous: [])
                return unit
            }
        }
        if remaining <= 1 {
            let unit = encode(isIndependent: true)
            if unit.count <= maximumByteCount {
                finish(previous: unit)
                return unit
            }
        }
        let unit = encode(isIndependent: false)
        guard unit.count <= maximumByteCount else {
            throw .accessUnitTooLong(byteCount: unit.count, maximum: maximumByteCount)
        }
        finish(previous: [])
        return unit
    }

    private mutating func finish(previous: [UInt8]) {
        swap(&contexts, &nextContexts)
        self.previous = previous
        remaining -= 1
        distance += 1
        largestDistance = max(largestDistance, distance)
    }

    /// Returns ``data`` as an access unit.
    ///
    /// - Parameter preRoll: The access unit to decode before it at the start of decoding; empty for none.
    private mutating func encode(isIndependent: Bool, preRoll: [UInt8] = []) -> [UInt8] {
        for channel in 0..<data.channels.count { setEnds(ofChannel: channel, isIndependent: isIndependent) }
        for channel in 0..<data.channels.count { nextContexts[channel].adopt(contexts[channel]) }
        var writer = BitWriter(byteCapacity: maximumByteCount)
        writer.write(isIndependent)
        ExtensionElement.write(preRoll.isEmpty ? [] : AudioPreRoll.payload(configuration, preRoll), to: &writer)
        data.write(to: &writer, isIndependent: isIndependent, contexts: &nextContexts)
        ExtensionElement.write(endsAbruptly ? [Self.padding] : [], to: &writer)
        return writer.bytes
    }

    /// Whether fewer than 14 bits may follow the last arithmetic code.
    ///
    /// Decoders read that many bits ahead. FFmpeg 9 then decodes wrong signs at the end of an access unit. A bit follows the signs.
    private var endsAbruptly: Bool {
        for channel in (0..<data.channels.count).reversed() where data.channels[channel].windows.maxSFB > 0 {
            let windows = data.channels[channel].windows
            let length = data.bands.lineCount(isShort: windows.isShort)
            var signCount = 0
            for line in (windows.windowCount - 1) * length..<windows.windowCount * length
            where data.channels[channel].lines[line] != 0 {
                signCount += 1
            }
            return signCount < 13
        }
        return false
    }

    /// Sets the ends of a channel's windows, and whether to reset its context, for the shortest code.
    private mutating func setEnds(ofChannel channel: Int, isIndependent: Bool) {
        let reset = data.channels[channel].ends(bands: data.bands, resetsContext: true, context: &nextContexts[channel])
        data.channels[channel].resetsContext = true
        data.channels[channel].codedPairs = reset.codedPairs
        guard !isIndependent else { return }
        nextContexts[channel].adopt(contexts[channel])
        let kept = data.channels[channel].ends(bands: data.bands, resetsContext: false, context: &nextContexts[channel])
        guard kept.cost <= reset.cost else { return }
        data.channels[channel].resetsContext = false
        data.channels[channel].codedPairs = kept.codedPairs
    }
}
