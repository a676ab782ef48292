// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

/// The decoded contents of one payload.
///
/// They take effect only if the whole access unit is intact.
package struct SBRReading: ~Copyable {
    /// The active header.
    package var header = SBRHeader()
    package var tables = FrequencyBandTables()
    /// Whether the frequency band tables differ from the previous frame's.
    package var isReset = false
    /// Whether copied subbands are flattened (`bs_sbr_preprocessing`).
    ///
    /// Never in AAC.
    package var isFlattened = false
    /// `bs_coupling`.
    package var isCoupled = false
    /// 1 for each channel whose envelopes have steps of 3 dB, otherwise 0.
    package var isCoarse = SIMD2<UInt8>(0, 0)
    package var channels: FixedArray<SBRChannelFrame>
    /// The reference levels for the next frame's time differences.
    var histories: FixedArray<EnvelopeLevels.History>
    /// Whether the levels are known.
    ///
    /// Time differences to lost levels cannot be decoded.
    package var hasLevels = true
    /// The range of the parametric stereo extension in the reader's bits; `nil` without one.
    package var stereoBits: Range<Int>?

    /// Creates empty contents without bands.
    ///
    /// - Parameters:
    ///   - channelCount: 1 or 2.
    ///   - slotCount: The number of time slots per frame.
    package init(channelCount: Int, slotCount: Int) {
        channels = FixedArray(count: channelCount) { _ in SBRChannelFrame(slotCount: slotCount) }
        histories = FixedArray(count: channelCount) { _ in EnvelopeLevels.History() }
    }
}

/// An SBR payload reader.
///
/// It keeps the header and levels that the next payload depends on (ISO/IEC 14496-3:2009, 4.5.2.8 and 4.6.18.3).
package struct SBRReader: ~Copyable {
    /// The number of time slots per frame, 16 or 15.
    package let slotCount: Int
    /// The number of channels, 1 or 2.
    package let channelCount: Int
    /// The SBR sample rate, in hertz: twice the core sample rate, or in enhanced SBR the output sample rate.
    package let rate: Int
    package let variant: SBRVariant

    /// The active header; `nil` before the first header.
    package private(set) var header: SBRHeader?
    package private(set) var tables: FrequencyBandTables?
    /// The reference levels for time differences, by channel.
    private(set) var histories: FixedArray<EnvelopeLevels.History>
    /// `bs_coupling` of the last payload.
    package private(set) var isCoupled = false
    /// 1 for each channel of the last payload whose envelopes have steps of 3 dB, otherwise 0.
    package private(set) var isCoarse = SIMD2<UInt8>(0, 0)
    /// Whether the stored levels were decoded, not concealed.
    private(set) var isTrusted = false

    /// Whether the last payload is lost, because it is damaged or its header has no valid tables.
    ///
    /// A payload before the first header is not lost.
    package private(set) var isLost = false
    /// Whether the stream or the configuration contained a header, valid or not.
    private var hasSeenHeader = false

    package private(set) var payload: SBRPayload
    /// The levels of the last decoded or concealed frame, by channel.
    package private(set) var levels: FixedArray<EnvelopeLevels>
    /// The bits of the last payload from `bs_sbr_crc_bits` on; empty without a checksum.
    private(set) var checkedBits = 0..<0

    /// The size of `bs_sbr_crc_bits`.
    package static var crcBitCount: Int { 10 }

    /// Creates a reader before the first header.
    package init(rate: Int, slotCount: Int, channelCount: Int, variant: SBRVariant) {
        self.rate = rate
        self.variant = variant
        self.slotCount = slotCount
        self.channelCount = channelCount
        histories = FixedArray(count: channelCount) { _ in EnvelopeLevels.History() }
        payload = SBRPayload(channelCount: channelCount, slotCount: slotCount)
        levels = FixedArray(count: channelCount) { _ in EnvelopeLevels() }
    }

    /// Reads `sbr_extension_data()` after the extension type.
    ///
    /// The state for the next payload does not change until ``commit(_:)``. The bit reader's position is unspecified afterwards.
    ///
    /// - Parameters:
    ///   - reading: Receives the contents. Unspecified if the result is false.
    ///   - end: The position after the payload's last bit, within the reader's bits.
    ///   - isChecked: Whether `bs_sbr_crc_bits` come first (extension type 14).
    /// - Returns: Whether the payload is intact and a header is known.
    package mutating func read(_ reading: inout SBRReading, from reader: inout BitReader, end: Int, isChecked: Bool) -> Bool {
        isLost = true
        checkedBits = 0..<0
        if isChecked {
            checkedBits = reader.bitPosition..<max(end, reader.bitPosition)
            guard end - reader.bitPosition >= Self.crcBitCount, Self.isIntact(&reader, end: end) else { return false }
        }
        guard end > reader.bitPosition else { return false }
        guard let header = readHeader(from: &reader) else { return false }
        isLost = !read(&reading, header: header, from: &reader, end: end) { (payload, reader, tables) in
            payload.read(from: &reader, header: header, tables: tables)
        }
        return !isLost
    }

    /// Reads the header of a payload.
    ///
    /// Returns the active header if the payload does not contain one.
    private mutating func readHeader(from reader: inout BitReader) -> SBRHeader? {
        if reader.readFlag() {
            hasSeenHeader = true
            return SBRHeader(reading: &reader)
        }
        isLost = hasSeenHeader
        return header
    }

    /// Activates a header from the configuration, before the first frame of low delay SBR.
    ///
    /// If the header has no valid tables at this sample rate, nothing changes, and all payloads are invalid.
    package mutating func start(_ header: SBRHeader) {
        #if !hasFeature(Embedded) || LINNET_LOW_DELAY
        payload.syntax.isLowDelay = true
        #endif
        hasSeenHeader = true
        guard let tables = tables(for: header) else { return }
        self.header = header
        self.tables = tables
    }

    /// Reads the data of a low delay SBR element, which has no length field.
    ///
    /// The reader stops after it, or where an error occurs.
    ///
    /// - Parameters:
    ///   - reading: Receives the contents. Unspecified if the result is false.
    ///   - isChecked: Whether `bs_sbr_crc_bits` come first.
    /// - Returns: Whether the data is intact.
    package mutating func readLowDelay(_ reading: inout SBRReading, from reader: inout BitReader, isChecked: Bool) -> Bool {
        isLost = true
        checkedBits = 0..<0
        let start = reader.bitPosition
        if isChecked { reader.skip(Self.crcBitCount) }
        guard let header = readHeader(from: &reader) else { return false }
        let isValid = read(&reading, header: header, from: &reader, end: reader.bitCount) { (payload, reader, tables) in
            payload.read(from: &reader, header: header, tables: tables)
        }
        isLost = !isValid
        guard isValid, isChecked else { return isValid }
        let end = reader.bitPosition
        checkedBits = start..<end
        reader.skip(start - end)
        let isIntact = Self.isIntact(&reader, end: end)
        reader.skip(end - reader.bitPosition)
        isLost = !isIntact
        return isIntact
    }

    /// Reads the data after the header with `readPayload`.
    ///
    /// - Parameters:
    ///   - reading: Receives the contents. Unspecified if the result is false.
    ///   - end: The position after the payload's last bit, within the reader's bits.
    ///   - readPayload: Reads the payload and returns whether it is valid.
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

    /// Makes the contents of a payload the state for the next payload.
    package mutating func commit(_ reading: borrowing SBRReading) {
        header = reading.header
        tables = reading.tables
        Self.copy(reading.histories, to: &histories)
        isCoupled = reading.isCoupled
        isCoarse = reading.isCoarse
        isTrusted = true
    }

    /// Activates the header of a payload with unknown levels.
    package mutating func commitHeaders(of reading: borrowing SBRReading) {
        header = reading.header
        tables = reading.tables
    }

    /// Creates a frame that replaces a lost one: the last envelope, 3 dB lower.
    ///
    /// - Returns: Whether the frame could be concealed. It cannot before the first header.
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

    /// Returns the tables for a header: the active ones if the header does not reset SBR.
    private func tables(for header: SBRHeader) -> FrequencyBandTables? {
        guard let current = self.header, var tables, !header.needsReset(after: current) else {
            return FrequencyBandTables(header: header, rate: rate, variant: variant)
        }
        if header.limiterBands != current.limiterBands { tables.setLimiterBands(header.limiterBands) }
        return tables
    }

    /// Decodes and dequantizes the envelopes and noise floors of all channels.
    ///
    /// - Returns: Whether all values are in range.
    private mutating func decodeLevels(into reading: inout SBRReading) -> Bool {
        for channel in 0..<channelCount {
            // Time differences to concealed levels are meaningless.
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

    private static func copy(
        _ source: borrowing FixedArray<EnvelopeLevels.History>, to target: inout FixedArray<EnvelopeLevels.History>
    ) {
        for channel in target.indices { target[channel].copy(source[channel]) }
    }

    /// Dequantizes ``levels`` of all channels, as a pair if they are coupled.
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

    /// Reads `bs_sbr_crc_bits` and compares them with the CRC of the following bits, up to `end`.
    ///
    /// The reader stops before these bits.
    private static func isIntact(_ reader: inout BitReader, end: Int) -> Bool {
        let expected = reader.read(crcBitCount)
        let first = reader.bitPosition
        let crc = checksum(&reader, end: end)
        reader.skip(first - end)
        return crc == expected
    }

    /// Returns the CRC of the next bits up to `end`, where the reader stops.
    package static func checksum(_ reader: inout BitReader, end: Int) -> UInt32 {
        var crc = CRC(polynomial: 0x233, width: crcBitCount, initial: 0)
        while reader.bitPosition < end {
            let count = min(32, end - reader.bitPosition)
            crc.update(reader.read(count), count: count)
        }
        return UInt32(crc.value)
    }
}
