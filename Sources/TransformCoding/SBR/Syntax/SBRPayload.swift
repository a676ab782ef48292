// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

/// The SBR data of a channel element and frame: `sbr_single_channel_element()` or `sbr_channel_pair_element()` (ISO/IEC 14496-3:2009,
/// 4.5.2.8).
package struct SBRPayload: ~Copyable {
    /// The number of channels, 1 or 2.
    package let channelCount: Int
    /// The number of time slots per frame.
    package let slotCount: Int
    /// `bs_coupling`: whether the second channel contains balances and shares the first channel's grid and inverse filtering.
    package var isCoupled = false
    package var channels: FixedArray<SBRChannelData>
    /// The range of the parametric stereo extension in the reader's bits; `nil` without one.
    package var stereoBits: Range<Int>?
    package var syntax = Syntax()

    /// Syntax differences between AAC, low delay and enhanced SBR.
    package struct Syntax {
        package var variant = SBRVariant.standard
        /// Whether the frame refers to no other.
        ///
        /// The first direction flags are then not sent.
        package var isIndependent = false
        package var hasTemporalShapes = false

        #if !hasFeature(Embedded) || LINNET_LOW_DELAY
        package var isLowDelay = false
        #else
        /// False, because small builds do not support low delay SBR.
        package var isLowDelay: Bool { false }
        #endif

        package init() {}
    }

    /// `bs_extension_id` of parametric stereo.
    static let stereoExtensionID: UInt32 = 2

    /// Creates an empty payload for 1 or 2 channels.
    package init(channelCount: Int, slotCount: Int) {
        self.channelCount = channelCount
        self.slotCount = slotCount
        channels = FixedArray(count: channelCount) { _ in SBRChannelData(slotCount: slotCount) }
    }
}

extension SBRPayload {
    /// Reads the data after the header.
    ///
    /// The caller must check the reader for overrun.
    ///
    /// - Returns: Whether the grids are valid. If not, the contents are unspecified.
    package mutating func read(from reader: inout BitReader, header: SBRHeader, tables: borrowing FrequencyBandTables) -> Bool {
        for channel in 0..<channelCount { channels[channel].clear() }
        isCoupled = false
        stereoBits = nil
        if reader.readFlag() { reader.skip(4 * channelCount) }
        if channelCount == 2 { isCoupled = reader.readFlag() }
        guard readSideData(from: &reader, tables: tables) else { return false }
        readLevels(from: &reader, header: header, tables: tables)
        for channel in 0..<channelCount {
            channels[channel].readHarmonics(from: &reader, bandCount: tables.high.count)
        }
        readExtensions(from: &reader)
        return true
    }

    /// Reads grids, difference directions and inverse filtering of all channels.
    ///
    /// - Returns: Whether the grids are valid.
    package mutating func readSideData(from reader: inout BitReader, tables: borrowing FrequencyBandTables) -> Bool {
        guard channels[0].readGrid(from: &reader, slotCount: slotCount, syntax: syntax) else { return false }
        if isCoupled {
            channels[1].grid = channels[0].grid
            channels[1].boundaries = channels[0].boundaries
        } else if channelCount == 2 {
            guard channels[1].readGrid(from: &reader, slotCount: slotCount, syntax: syntax) else { return false }
        }
        for channel in 0..<channelCount { channels[channel].readDirections(from: &reader, isIndependent: syntax.isIndependent) }
        channels[0].readInverseFiltering(from: &reader, bandCount: tables.noise.count)
        if isCoupled {
            channels[1].inverseFiltering = channels[0].inverseFiltering
        } else if channelCount == 2 {
            channels[1].readInverseFiltering(from: &reader, bandCount: tables.noise.count)
        }
        return true
    }

    /// Reads envelopes and noise floors of all channels, in the order determined by coupling.
    package mutating func readLevels(
        from reader: inout BitReader, header: SBRHeader, tables: borrowing FrequencyBandTables
    ) {
        let noiseBandCount = tables.noise.count
        for channel in 0..<channelCount {
            let isBalance = isCoupled && channel == 1
            channels[channel].readEnvelopes(
                from: &reader, tables: tables, isCoarse: channels[channel].usesCoarseAmplitudes(header), isBalance: isBalance,
                hasTemporalShapes: syntax.hasTemporalShapes)
            // In a coupled pair, levels and noise of the first channel precede the second channel.
            if isCoupled { channels[channel].readNoiseFloors(from: &reader, bandCount: noiseBandCount, isBalance: isBalance) }
        }
        if isCoupled { return }
        for channel in 0..<channelCount {
            channels[channel].readNoiseFloors(from: &reader, bandCount: noiseBandCount, isBalance: false)
        }
    }

    /// Reads `bs_extended_data`, locates parametric stereo and skips everything else.
    private mutating func readExtensions(from reader: inout BitReader) {
        guard reader.readFlag() else { return }
        var byteCount = Int(reader.read(4))
        if byteCount == 15 { byteCount += Int(reader.read(8)) }
        let end = reader.bitPosition + 8 * byteCount
        if byteCount > 0 && reader.read(2) == Self.stereoExtensionID && channelCount == 1 {
            stereoBits = reader.bitPosition..<end
        }
        reader.skip(end - reader.bitPosition)
    }
}

extension SBRPayload {
    /// Writes the payload without its header.
    ///
    /// - Parameter stereo: The body of a parametric stereo extension; `nil` for no extended data.
    package func write(to writer: inout BitWriter, header: SBRHeader, tables: borrowing FrequencyBandTables, stereo: BitWriter?) {
        writeBody(to: &writer, header: header, tables: tables, stereo: stereo)
    }

    /// Returns the number of bits that ``write(to:header:tables:stereo:)`` writes.
    package func bitCount(header: SBRHeader, tables: borrowing FrequencyBandTables, stereo: BitWriter?) -> Int {
        var counter = BitCounter()
        writeBody(to: &counter, header: header, tables: tables, stereo: stereo)
        return counter.bitCount
    }

    /// Writes the payload to a writer or a counter.
    ///
    /// Generic only within this module, which specializes it for both.
    private func writeBody(to sink: inout some BitSink, header: SBRHeader, tables: borrowing FrequencyBandTables, stereo: BitWriter?) {
        writeChannels(to: &sink, header: header, tables: tables)
        sink.write(stereo != nil)
        guard let stereo else { return }
        let bitCount = 2 + stereo.bitCount
        let byteCount = (bitCount + 7) / 8
        sink.write(UInt32(min(byteCount, 15)), count: 4)
        if byteCount >= 15 { sink.write(UInt32(byteCount - 15), count: 8) }
        sink.write(Self.stereoExtensionID, count: 2)
        stereo.write(to: &sink)
        sink.write(0, count: byteCount * 8 - bitCount)
    }

    /// Writes everything before `bs_extended_data`.
    private func writeChannels(to sink: inout some BitSink, header: SBRHeader, tables: borrowing FrequencyBandTables) {
        sink.write(false)
        if channelCount == 2 { sink.write(isCoupled) }
        writeData(to: &sink, header: header, tables: tables)
    }

    /// Writes the data after `bs_coupling` and, in enhanced SBR, after the transposer data: grids, levels and sinusoids.
    package func writeData(into writer: inout BitWriter, header: SBRHeader, tables: borrowing FrequencyBandTables) {
        writeData(to: &writer, header: header, tables: tables)
    }

    private func writeData(to sink: inout some BitSink, header: SBRHeader, tables: borrowing FrequencyBandTables) {
        let separateCount = isCoupled ? 1 : channelCount
        for channel in 0..<separateCount {
            if syntax.isLowDelay { channels[channel].grid.writeLowDelay(to: &sink) } else { channels[channel].grid.write(to: &sink) }
        }
        for channel in 0..<channelCount { channels[channel].writeDirections(to: &sink, isIndependent: syntax.isIndependent) }
        for channel in 0..<separateCount {
            channels[channel].writeInverseFiltering(to: &sink, bandCount: tables.noise.count)
        }
        writeLevels(to: &sink, header: header, tables: tables)
        for channel in 0..<channelCount { channels[channel].writeHarmonics(to: &sink, bandCount: tables.high.count) }
    }

    /// Writes envelopes and noise floors of all channels, in the order determined by coupling.
    private func writeLevels(
        to sink: inout some BitSink, header: SBRHeader, tables: borrowing FrequencyBandTables
    ) {
        let noiseBandCount = tables.noise.count
        for channel in 0..<channelCount {
            let isBalance = isCoupled && channel == 1
            channels[channel].writeEnvelopes(
                to: &sink, tables: tables, isCoarse: channels[channel].usesCoarseAmplitudes(header), isBalance: isBalance,
                hasTemporalShapes: syntax.hasTemporalShapes)
            if isCoupled { channels[channel].writeNoiseFloors(to: &sink, bandCount: noiseBandCount, isBalance: isBalance) }
        }
        if isCoupled { return }
        for channel in 0..<channelCount { channels[channel].writeNoiseFloors(to: &sink, bandCount: noiseBandCount, isBalance: false) }
    }
}
