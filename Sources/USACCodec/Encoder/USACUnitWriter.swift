// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives
package import MPEG4Audio
package import TransformCoding

/// Writes the access units of a stream with one channel element in the frequency domain (`UsacFrame`, ISO/IEC 23003-3, 5.3).
///
/// The first access unit and one in each interval are immediate playout frames: independent, and with the previous access unit, which is
/// also independent, as audio pre-roll. Decoding from any of them has the same output as decoding from the start, except for noise.
///
/// With enhanced SBR, whose filters delay the output by half a frame, the pre-roll begins with a stand-in of the access unit before: the low
/// bands with nearly all of its energy, and silent SBR data that ends at the same time. The window of the core fades it out within that
/// delay. So the output also differs by the rest of its energy in the first half of the immediate playout frame, and by the filter history
/// of SBR.
package struct USACUnitWriter: ~Copyable {
    package let configuration: USACConfig
    /// The next frame.
    ///
    /// The writer sets the ends of its windows.
    package var data: CoreElementData
    private var prediction = PredictionDifferences()
    /// The enhanced SBR data of the next frame, if configured.
    package var sbr: EnhancedSBRData?
    /// The MPEG Surround data of the next frame, if configured: four zero bits for equal channels in an independent frame.
    private var surround = BitWriter(byteCapacity: 256)
    private var header = SBRHeader()
    /// The arithmetic coder's contexts after the last access unit.
    package private(set) var contexts: FixedArray<SpectralContext>
    /// The contexts after an access unit that is not final yet.
    private var nextContexts: FixedArray<SpectralContext>
    /// The next pre-roll, if the last access unit was independent.
    private var preRoll: PreRoll
    /// The bytes of padding in the last written access unit.
    private var paddingByteCount = 0
    /// The memory for an access unit without padding; `nil` while it is written.
    private var unpadded: BitWriter?
    /// The stand-in of the last access unit, empty if the next is dependent; `nil` without enhanced SBR.
    private var standIn: BitWriter?
    /// The SBR data of stand-ins.
    private var silence: SilentSBRFrame?
    /// Whether the next access unit is the first of a segment.
    private var startsSegment = false
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
    /// The bits of SBR and MPEG Surround in the last access unit.
    package private(set) var sideBitCount = 0
    /// The kind of the last written access unit.
    private var lastKind = Kind.dependent
    /// Whether to compare the cost of a context reset in each frame, instead of only after a change of the window length.
    package var comparesContexts = true

    /// The maximum size of an access unit that decoders buffer, in bits per channel.
    private static let bitsPerChannel = 6144
    /// The part of an access unit's energy that its stand-in may lack.
    ///
    /// At 32 kbit/s in stereo with an immediate playout frame every two seconds, pre-rolls take 4.3 % of the bits with all bands, 3.8 % with
    /// this value, and 3.4 % with 0.1 (mean of five clips). The difference between the output of such a frame alone and in the whole stream
    /// is then 30, 24 and 21 dB below the output (mean of the clips' medians), about 12 dB at worst in all three cases, because of noise filling.
    private static let standInLoss: Float = 0.03
    /// The maximum size of a stand-in, in bits per channel, which leaves three quarters to the other access units.
    private static let standInLimit = bitsPerChannel / 4
    /// The content of a padding element (ISO/IEC 23003-3, 5.3).
    private static let padding: UInt8 = 0xA5

    /// The dependence of an access unit on earlier ones.
    package enum Kind: Int {
        /// On none, with previous access units as audio pre-roll.
        case immediate
        /// The arithmetic coder and SBR depend on none.
        case independent
        case dependent
    }

    /// The access units that precede an immediate playout frame.
    private struct PreRoll {
        /// The access units, oldest first, in reused storage.
        private(set) var units: [[UInt8]] = []
        var isComplete = true

        init(count: Int, maximumByteCount: Int) {
            for _ in 0..<count {
                var unit: [UInt8] = []
                unit.reserveCapacity(maximumByteCount)
                units.append(unit)
            }
        }

        mutating func set(_ index: Int, _ unit: borrowing BitWriter) {
            units[index].removeAll(keepingCapacity: true)
            unit.append(to: &units[index])
        }
    }

    /// Starts a stream, after silence.
    ///
    /// - Parameters:
    ///   - configuration: One channel element between elements for audio pre-rolls and padding.
    ///   - sbr: The silent frame before the start, if enhanced SBR is configured.
    ///   - interval: The number of access units per immediate playout frame, at least 2, or 3 with enhanced SBR.
    package init(_ configuration: USACConfig, sbr: EnhancedSBRData? = nil, interval: Int) {
        precondition(configuration.elements.count == 3 && interval > Self.preRollCount(hasSBR: sbr != nil))
        precondition((configuration.elements[1].sbr == nil) == (sbr == nil))
        self.configuration = configuration
        self.interval = interval
        self.sbr = sbr
        let length = configuration.coreFrameLength
        let element = configuration.elements[1]
        if let sbr { silence = SilentSBRFrame(of: sbr, channelCount: element.sbrChannelCount) }
        data = CoreElementData(element, coreRate: configuration.coreSampleRate, frameLength: length)
        contexts = FixedArray(count: element.coreChannelCount) { _ in SpectralContext(frameLength: length) }
        nextContexts = FixedArray(count: element.coreChannelCount) { _ in SpectralContext(frameLength: length) }
        let byteCount = element.coreChannelCount * Self.bitsPerChannel / 8
        unpadded = BitWriter(byteCapacity: byteCount)
        if sbr != nil { standIn = BitWriter(byteCapacity: byteCount) }
        preRoll = PreRoll(count: Self.preRollCount(hasSBR: sbr != nil), maximumByteCount: byteCount)
        if let sbr { header = sbr.header }
        setSilentSurround()
        data.shareTools()
        var unit = BitWriter()
        _ = write(.independent, to: &unit)
        for index in preRoll.units.indices { preRoll.set(index, unit) }
    }

    /// The maximum size of an access unit that decoders buffer, in bits.
    package var maximumBitCount: Int { data.channels.count * Self.bitsPerChannel }

    /// Returns the number of access units in a pre-roll, after which the output is complete.
    package static func preRollCount(hasSBR: Bool) -> Int { hasSBR ? 2 : 1 }

    /// The kind of the next access unit by ``interval``, if it is not too long.
    package var nextKind: Kind {
        if remaining <= 0 { return preRoll.isComplete ? .immediate : .independent }
        return remaining == 1 || startsSegment ? .independent : .dependent
    }

    /// Makes the next access unit independent, and the one after the next pre-roll an immediate playout frame.
    ///
    /// So the following access units do not depend on earlier ones.
    package mutating func startSegment() {
        remaining = preRoll.units.count
        startsSegment = true
        preRoll.isComplete = false
        standIn?.reset()
    }

    /// The bits of an immediate playout frame besides its own content.
    package var preRollBitCount: Int {
        var counter = BitCounter()
        ExtensionElement.write(AudioPreRoll.byteCount(configuration, preRoll.units), to: &counter)
        return counter.bitCount - 1 + 8 * AudioPreRoll.byteCount(configuration, preRoll.units)
    }

    /// Writes ``data`` as an access unit.
    ///
    /// An immediate playout frame that would be too long is postponed.
    ///
    /// - Throws: `CodecError.accessUnitTooLong`.
    package mutating func writeUnit() throws(CodecError) -> [UInt8] {
        let (first, limit) = (nextKind, maximumBitCount)
        var unit = BitWriter(byteCapacity: limit / 8)
        for kind in [Kind.immediate, .independent, .dependent] where first.rawValue <= kind.rawValue {
            _ = write(kind, to: &unit)
            guard unit.bitCount <= limit else { continue }
            finish(unit)
            return unit.bytes
        }
        throw .accessUnitTooLong(byteCount: unit.bitCount / 8, maximum: limit / 8)
    }

    /// Makes the last written access unit final.
    package mutating func finish(_ unit: borrowing BitWriter) {
        let isPadded = lastKind == .independent && paddingByteCount > 1
        if isPadded, var copy = unpadded {
            // The next pre-roll needs no padding, which may be longer than the content.
            unpadded = nil
            _ = write(.independent, to: &copy)
            unpadded = copy
        }
        swap(&contexts, &nextContexts)
        prediction.finish(data.stereo, data.channels[0].windows)
        if let sbr { header = sbr.header }
        if lastKind == .immediate { (remaining, distance) = (interval, 0) }
        remaining -= 1
        distance += 1
        largestDistance = max(largestDistance, distance)
        startsSegment = false
        preRoll.isComplete = lastKind == .independent && standIn?.bitCount != 0
        if preRoll.isComplete {
            if let standIn { preRoll.set(0, standIn) }
            if isPadded, let unpadded {
                preRoll.set(preRoll.units.count - 1, unpadded)
            } else {
                preRoll.set(preRoll.units.count - 1, unit)
            }
        }
        updateStandIn()
    }

    /// Replaces the stand-in by one of the last access unit, if the next may need it.
    ///
    /// This changes ``data`` and the MPEG Surround data.
    private mutating func updateStandIn() {
        guard var unit = standIn else { return }
        standIn = nil
        unit.reset()
        if nextKind != .dependent {
            let last = sbr
            if let last { silence?.adoptEnds(of: last) }
            sbr = silence?.data
            setSilentSurround()
            data.dropHighBands(energyShare: Self.standInLoss)
            _ = write(.independent, to: &unit)
            if unit.bitCount > Self.standInLimit * data.channels.count {
                data.dropHighBands(energyShare: 1)
                _ = write(.independent, to: &unit)
            }
            sbr = last
        }
        standIn = unit
    }

    /// Selects real prediction in all bands of a pair with common windows.
    ///
    /// - Parameter coefficient: Returns the coefficient of an even band, at `group * 16 + sfb`, in tenths from -30 to 30.
    package mutating func setPrediction(isReversed: Bool, _ coefficient: (_ band: Int) -> Int8) {
        data.stereo.setPrediction(isReversed: isReversed)
        for group in 0..<data.channels[0].windows.groupCount {
            for sfb in stride(from: 0, to: data.stereo.bandCount, by: 2) {
                let band = group * WindowDivision.bandStride + sfb
                prediction.coefficients[band] = coefficient(band)
            }
        }
    }

    /// Sets the MPEG Surround data of the next frame, which must have its independence.
    package mutating func setSurround(_ payload: borrowing BitWriter) {
        surround.reset()
        payload.write(to: &surround)
    }

    /// Sets the MPEG Surround data of an independent access unit with default parameters.
    private mutating func setSilentSurround() {
        surround.reset()
        surround.write(0, count: 4)
    }

    /// Replaces the content of `writer` by ``data`` as an access unit of whole bytes, which is final with ``finish(_:)``.
    ///
    /// - Parameter minimumBitCount: The size to reach with padding.
    /// - Returns: The size without padding, in bits.
    package mutating func write(_ kind: Kind, minimumBitCount: Int = 0, to writer: inout BitWriter) -> Int {
        writer.reset()
        lastKind = kind
        let isIndependent = kind != .dependent
        if data.stereo.mode == .prediction { prediction.set(&data.stereo, data.channels[0].windows, isIndependent: isIndependent) }
        for channel in 0..<data.channels.count { setEnds(ofChannel: channel, isIndependent: isIndependent) }
        for channel in 0..<data.channels.count { nextContexts[channel].adopt(contexts[channel]) }
        writer.write(isIndependent)
        let byteCount = kind == .immediate ? AudioPreRoll.byteCount(configuration, preRoll.units) : 0
        ExtensionElement.write(byteCount, to: &writer)
        if byteCount > 0 {
            let end = writer.bitCount + 8 * byteCount
            AudioPreRoll.write(configuration, preRoll.units, to: &writer)
            writer.write(0, count: end - writer.bitCount)
        }
        data.write(to: &writer, isIndependent: isIndependent, contexts: &nextContexts)
        let coreEnd = writer.bitCount
        if let sbr, let configuration = configuration.elements[1].sbr {
            sbr.write(to: &writer, isIndependent: isIndependent, after: header, defaultHeader: configuration.defaultHeader)
        }
        if configuration.elements[1].surround != nil { surround.write(to: &writer) }
        sideBitCount = writer.bitCount - coreEnd
        paddingByteCount = paddingByteCount(bitCount: writer.bitCount, minimumBitCount: minimumBitCount)
        let contentBitCount = writer.bitCount + 1
        ExtensionElement.write(paddingByteCount, to: &writer)
        for _ in 0..<paddingByteCount { writer.write(UInt32(Self.padding), count: 8) }
        writer.alignToByte()
        return contentBitCount
    }

    /// Returns the size of the padding after `bitCount` bits.
    private func paddingByteCount(bitCount: Int, minimumBitCount: Int) -> Int {
        // SBR data is long enough.
        let least = sbr == nil && endsAbruptly ? 1 : 0
        // An access unit consists of whole bytes.
        let minimum = (minimumBitCount + 7) & ~7
        guard (bitCount + 8) & ~7 < minimum else { return least }
        // The element has a header of 10 bits, or 26 before 255 bytes and more. The last byte of the access unit may be incomplete.
        let count = (minimum - bitCount - 10) >> 3
        return max(count < 255 ? count : max((minimum - bitCount - 26) >> 3, 255), 1)
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
                if signCount == 13 { return false }
            }
            return true
        }
        return false
    }

    /// Sets the ends of a channel's windows, and whether to reset its context, for the shortest code.
    private mutating func setEnds(ofChannel channel: Int, isIndependent: Bool) {
        let pairCount = data.bands.lineCount(isShort: data.channels[channel].windows.isShort) / 2
        let compares = !isIndependent && (comparesContexts || contexts[channel].pairCount != pairCount)
        nextContexts[channel].adopt(contexts[channel])
        let first = data.channels[channel].ends(
            bands: data.bands, resetsContext: isIndependent, countsValues: compares, context: &nextContexts[channel])
        data.channels[channel].resetsContext = isIndependent
        data.channels[channel].codedPairs = first.codedPairs
        guard compares else { return }
        let reset = data.channels[channel].firstEndAfterReset(bands: data.bands, context: &nextContexts[channel])
        guard reset.cost < first.firstCost else { return }
        data.channels[channel].resetsContext = true
        data.channels[channel].codedPairs[0] = UInt16(reset.pairCount)
    }
}
