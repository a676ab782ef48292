// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

/// The decoded contents of one payload, which take effect only if the whole access unit is intact.
package struct SBRReading: ~Copyable {
    /// The header in force.
    package var header = SBRHeader()
    /// The frequency band tables of the header.
    package var tables = FrequencyBandTables()
    /// Whether the frequency band tables differ from those of the previous frame.
    package var isReset = false
    /// Whether the subbands that patches copy are flattened (`bs_sbr_preprocessing`), as never in AAC.
    package var isFlattened = false
    /// `bs_coupling`.
    package var isCoupled = false
    /// Whether the envelopes of each channel have steps of 3 dB: 1 or 0.
    package var isCoarse = SIMD2<UInt8>(0, 0)
    /// The dequantised data of each channel.
    package var channels: FixedArray<SBRChannelFrame>
    /// The levels that differences in time of the next frame start from.
    var histories: FixedArray<EnvelopeLevels.History>
    /// Whether the levels are known: differences in time from lost levels are not decodable.
    package var hasLevels = true
    /// The bits of the body of a parametric stereo extension, counted as the reader does; nil without one.
    package var stereoBits: Range<Int>?

    /// Makes contents without bands, to be read into.
    ///
    /// - Parameters:
    ///   - channelCount: One channel or two.
    ///   - slotCount: The time slots of a frame.
    package init(channelCount: Int, slotCount: Int) {
        channels = FixedArray(count: channelCount) { _ in SBRChannelFrame(slotCount: slotCount) }
        histories = FixedArray(count: channelCount) { _ in EnvelopeLevels.History() }
    }
}

/// A reader of SBR payloads, with the headers and levels on which the next payload depends (ISO/IEC 14496-3:2009, 4.5.2.8 and
/// 4.6.18.3).
package struct SBRReader: ~Copyable {
    /// Time slots of a frame, 16 or 15.
    package let slotCount: Int
    /// One channel or two.
    package let channelCount: Int
    /// The SBR sample rate in hertz: twice that of the core; in enhanced SBR that of the output.
    package let rate: Int
    /// The variant of SBR.
    package let variant: SBRVariant

    /// The header in force; nil before the first.
    package private(set) var header: SBRHeader?
    /// The frequency band tables of the header.
    package private(set) var tables: FrequencyBandTables?
    /// The levels that differences in time start from, by channel.
    private(set) var histories: FixedArray<EnvelopeLevels.History>
    /// `bs_coupling` of the last payload.
    package private(set) var isCoupled = false
    /// Whether the envelopes of each channel of the last payload have steps of 3 dB: 1 or 0.
    package private(set) var isCoarse = SIMD2<UInt8>(0, 0)
    /// Whether the kept levels are those of the encoder, not concealed ones.
    private(set) var isTrusted = false

    /// Whether the payload read last is lost: it is damaged, or its header allows no tables.
    ///
    /// One before the first header is not lost.
    package private(set) var isLost = false
    /// Whether there was a header, of the stream or of the configuration, be it usable or not.
    private var hasSeenHeader = false

    /// The payload read last.
    private var payload: SBRPayload
    /// The levels of the channels of the frame read or concealed last.
    private var levels: FixedArray<EnvelopeLevels>

    /// The size of `bs_sbr_crc_bits`.
    private static let crcBitCount = 10

    /// Creates a reader before the first header.
    package init(coreRate: Int, slotCount: Int, channelCount: Int) {
        self.init(rate: 2 * coreRate, slotCount: slotCount, channelCount: channelCount, variant: .standard)
    }

    /// Creates a reader of any variant of SBR before the first header.
    package init(rate: Int, slotCount: Int, channelCount: Int, variant: SBRVariant) {
        self.rate = rate
        self.variant = variant
        self.slotCount = slotCount
        self.channelCount = channelCount
        histories = FixedArray(count: channelCount) { _ in EnvelopeLevels.History() }
        payload = SBRPayload(channelCount: channelCount, slotCount: slotCount)
        levels = FixedArray(count: channelCount) { _ in EnvelopeLevels() }
    }

    /// Reads `sbr_extension_data()` from after the extension type.
    ///
    /// The state on which the next payload depends does not change until ``commit(_:)``. The position of the bit reader is unspecified afterwards.
    ///
    /// - Parameters:
    ///   - reading: Receives the contents; unspecified where there are none.
    ///   - end: The position after the payload's last bit, within the reader's bits.
    ///   - isChecked: Whether `bs_sbr_crc_bits` come first (extension type 14).
    /// - Returns: Whether there are contents: the payload is intact, and not before the first header.
    package mutating func read(_ reading: inout SBRReading, from reader: inout BitReader, end: Int, isChecked: Bool) -> Bool {
        isLost = true
        if isChecked {
            guard end - reader.bitPosition >= Self.crcBitCount, Self.isIntact(&reader, end: end) else { return false }
        }
        guard end > reader.bitPosition else { return false }
        guard let header = readHeader(from: &reader) else { return false }
        isLost = !read(&reading, header: header, from: &reader, end: end) { (payload, reader, tables) in
            payload.read(from: &reader, header: header, tables: tables)
        }
        return !isLost
    }

    /// Reads the header of a payload; returns the one in force for a payload without one.
    private mutating func readHeader(from reader: inout BitReader) -> SBRHeader? {
        if reader.readFlag() {
            hasSeenHeader = true
            return SBRHeader(reading: &reader)
        }
        isLost = hasSeenHeader
        return header
    }

    /// Makes a header of the configuration the one in force, before the first frame of low delay SBR.
    ///
    /// Without tables at this rate it does nothing: all payloads are then invalid.
    package mutating func start(_ header: SBRHeader) {
        #if !hasFeature(Embedded) || LINNET_LOW_DELAY
        payload.syntax.isLowDelay = true
        #endif
        hasSeenHeader = true
        guard let tables = tables(for: header) else { return }
        self.header = header
        self.tables = tables
        isTrusted = true
    }

    /// Reads the data of an element of low delay SBR, which has no length; the reader is left after it, as far as it could be read.
    ///
    /// - Parameters:
    ///   - reading: Receives the contents; unspecified where there are none.
    ///   - isChecked: Whether `bs_sbr_crc_bits` come first.
    /// - Returns: Whether the data is intact.
    package mutating func readLowDelay(_ reading: inout SBRReading, from reader: inout BitReader, isChecked: Bool) -> Bool {
        isLost = true
        let start = reader.bitPosition
        if isChecked { reader.skip(Self.crcBitCount) }
        guard let header = readHeader(from: &reader) else { return false }
        let isValid = read(&reading, header: header, from: &reader, end: reader.bitCount) { (payload, reader, tables) in
            payload.read(from: &reader, header: header, tables: tables)
        }
        isLost = !isValid
        guard isValid, isChecked else { return isValid }
        let end = reader.bitPosition
        reader.skip(start - end)
        let isIntact = Self.isIntact(&reader, end: end)
        reader.skip(end - reader.bitPosition)
        isLost = !isIntact
        return isIntact
    }

    /// Reads the data after the header by a function.
    ///
    /// - Parameters:
    ///   - reading: Receives the contents; unspecified where there are none.
    ///   - header: The header of the payload.
    ///   - end: The position after the payload's last bit, within the reader's bits.
    ///   - readPayload: Reads the payload; returns whether it is valid.
    /// - Returns: Whether the payload is intact.
    package mutating func read(
        _ reading: inout SBRReading, header: SBRHeader, from reader: inout BitReader, end: Int,
        _ readPayload: (_ payload: inout SBRPayload, _ reader: inout BitReader, _ tables: FrequencyBandTables) -> Bool
    ) -> Bool {
        guard let tables = tables(for: header), readPayload(&payload, &reader, tables), reader.bitPosition <= end else { return false }
        reading.header = header
        reading.tables = tables
        reading.isReset = self.header.map { header.needsReset(after: $0) } ?? true
        reading.isCoupled = payload.isCoupled
        reading.isCoarse = SIMD2(0, 0)
        Self.copy(histories, to: &reading.histories)
        reading.hasLevels = true
        reading.stereoBits = payload.stereoBits
        return decodeLevels(into: &reading)
    }

    /// Makes the contents of a payload the state that the next payload depends on.
    package mutating func commit(_ reading: borrowing SBRReading) {
        header = reading.header
        tables = reading.tables
        Self.copy(reading.histories, to: &histories)
        isCoupled = reading.isCoupled
        isCoarse = reading.isCoarse
        isTrusted = true
    }

    /// Makes the header of a payload with unknown levels the one in force.
    package mutating func commitHeaders(of reading: borrowing SBRReading) {
        header = reading.header
        tables = reading.tables
    }

    /// Makes a frame that replaces a lost one: the last envelope, 3 dB lower.
    ///
    /// - Returns: Whether there is one: not before the first header.
    package mutating func conceal(_ reading: inout SBRReading) -> Bool {
        guard let header, let tables else { return false }
        isTrusted = false
        reading.isReset = false
        reading.hasLevels = true
        reading.stereoBits = nil
        reading.header = header
        reading.tables = tables
        reading.isCoupled = isCoupled
        reading.isCoarse = isCoarse
        Self.copy(histories, to: &reading.histories)
        for channel in 0..<channelCount {
            let isBalance = isCoupled && channel == 1
            Self.fade(&reading.histories[channel], step: isCoarse[channel] != 0 ? 1 : 2, isBalance: isBalance)
            for band in 0..<SBRChannelData.maximumBandCount {
                levels[channel].envelopes[band] = reading.histories[channel].envelope[band]
            }
            for band in 0..<SBRChannelData.maximumNoiseBandCount {
                levels[channel].noiseFloors[band] = reading.histories[channel].noiseFloor[band]
            }
            reading.channels[channel].set(
                EnvelopeBoundaries(from: 0, to: slotCount), isHighResolution: reading.histories[channel].isHighResolution)
        }
        dequantize(&reading)
        Self.copy(reading.histories, to: &histories)
        return true
    }

    /// Lowers the levels of an envelope by `step`, or moves its balances towards the centre.
    private static func fade(_ history: inout EnvelopeLevels.History, step: UInt8, isBalance: Bool) {
        let center: UInt8 = step == 1 ? 12 : 24
        for band in 0..<SBRChannelData.maximumBandCount {
            let level = history.envelope[band]
            if !isBalance {
                history.envelope[band] = level - min(level, step)
            } else if level > center {
                history.envelope[band] = level - min(level - center, step)
            } else {
                history.envelope[band] = level + min(center - level, step)
            }
        }
    }

    /// Returns the tables of a header: those in force if the header does not reset SBR.
    private func tables(for header: SBRHeader) -> FrequencyBandTables? {
        guard let current = self.header, var tables, !header.needsReset(after: current) else {
            return FrequencyBandTables(header: header, rate: rate, variant: variant)
        }
        if header.limiterBands != current.limiterBands { tables.setLimiterBands(header.limiterBands) }
        return tables
    }

    /// Decodes and dequantises envelopes and noise floors of all channels.
    ///
    /// - Returns: Whether all values are in range.
    private mutating func decodeLevels(into reading: inout SBRReading) -> Bool {
        for channel in 0..<channelCount {
            // Differences in time from concealed levels are meaningless.
            if !isTrusted && payload.channels[channel].isEnvelopeInTime(0) {
                reading.hasLevels = false
                return true
            }
            let isBalance = payload.isCoupled && channel == 1
            guard
                levels[channel].decode(
                    payload.channels[channel], after: histories[channel], tables: reading.tables, isBalance: isBalance)
            else { return false }
            reading.histories[channel].update(levels[channel], payload.channels[channel])
            reading.isCoarse[channel] = payload.channels[channel].usesCoarseAmplitudes(reading.header) ? 1 : 0
            reading.channels[channel].set(payload.channels[channel])
        }
        dequantize(&reading)
        return true
    }

    /// Copies the histories of all channels.
    private static func copy(
        _ source: borrowing FixedArray<EnvelopeLevels.History>, to target: inout FixedArray<EnvelopeLevels.History>
    ) {
        for channel in target.indices { target[channel].copy(source[channel]) }
    }

    /// Dequantises ``levels`` of all channels, as a pair if they are coupled.
    private func dequantize(_ reading: inout SBRReading) {
        if reading.isCoupled {
            SBRChannelFrame.dequantizePair(
                &reading.channels, levels: levels, isCoarse: reading.isCoarse[0] != 0, tables: reading.tables)
            return
        }
        for channel in 0..<channelCount {
            reading.channels[channel].dequantize(
                levels[channel], isCoarse: reading.isCoarse[channel] != 0, tables: reading.tables)
        }
    }

    /// Reads `bs_sbr_crc_bits` and compares them with the checksum of the bits after them, where the reader is left.
    private static func isIntact(_ reader: inout BitReader, end: Int) -> Bool {
        let expected = reader.read(crcBitCount)
        let first = reader.bitPosition
        var crc = CRC(polynomial: 0x233, width: crcBitCount, initial: 0)
        while reader.bitPosition < end {
            let count = min(32, end - reader.bitPosition)
            crc.update(reader.read(count), count: count)
        }
        reader.skip(first - end)
        return UInt32(crc.value) == expected
    }
}
