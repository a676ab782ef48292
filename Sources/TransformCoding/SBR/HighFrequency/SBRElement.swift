// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

/// The decoder of SBR of one element in any variant, from payloads to samples (ISO/IEC 14496-3:2009, 4.6.18; ISO/IEC 23003-3, 7.5).
///
/// Per access unit: ``reader`` reads to ``reading``; after the whole unit has been parsed, ``beginFrame()``, ``concealFrame()`` or
/// ``endFrames()``; then each channel is analysed, extended, synthesised and advanced.
package struct SBRElement: ~Copyable {
    /// The division of a frame.
    package let layout: SlotLayout
    /// The reader of the data, with what the next frame depends on.
    package var reader: SBRReader
    /// The data read last.
    package var reading: SBRReading
    /// The data of the current frame.
    package private(set) var frame: SBRReading
    /// Whether there is a frame, not only upsampling.
    package private(set) var hasFrame = false
    /// The parameters of the current frame.
    package private(set) var settings: SBRChannel.Settings
    /// The channels up to synthesis.
    package var channels: FixedArray<SBRChannel>
    /// No predicted envelopes.
    private let noEnvelopes = PredictedEnvelopes(slotCount: 0)
    /// No columns of a transposer.
    private let noColumns = TransposedColumns()
    /// The filter banks after them.
    package var synthesis: ColumnSynthesis

    /// Makes a decoder before the first frame.
    ///
    /// - Parameters:
    ///   - rate: The SBR sample rate in hertz.
    ///   - channelCount: One channel or two.
    ///   - outputCount: The channels of the output.
    package init(
        _ layout: SlotLayout, rate: Int, channelCount: Int, outputCount: Int, variant: SBRVariant = .standard, isDownsampled: Bool = false
    ) {
        self.layout = layout
        reader = SBRReader(rate: rate, slotCount: layout.slotCount, channelCount: channelCount, variant: variant)
        reading = SBRReading(channelCount: channelCount, slotCount: layout.slotCount)
        frame = SBRReading(channelCount: channelCount, slotCount: layout.slotCount)
        let bandCount = layout.analysisBandCount
        settings = SBRChannel.Settings(lowBandCount: bandCount, previousLowBandCount: bandCount, isReset: false)
        // Decoders of enhanced SBR differ in where the noise of a second channel begins, which can't be heard; in libxaac it is a frame
        // behind, in fdk-aac not.
        let lag = variant == .standard ? 0 : layout.columnCount
        channels = FixedArray(count: channelCount) { SBRChannel(layout, noiseLead: -$0 * lag) }
        synthesis = ColumnSynthesis(channelCount: outputCount, bank: layout.bank, isDownsampled: isDownsampled)
    }

    /// Reads `sbr_extension_data()` to ``reading``, see ``SBRReader/read(_:from:end:isChecked:)``.
    package mutating func read(from bits: inout BitReader, end: Int, isChecked: Bool) -> Bool {
        reader.read(&reading, from: &bits, end: end, isChecked: isChecked)
    }

    /// Reads the data of an element of low delay SBR to ``reading``, see ``SBRReader/readLowDelay(_:from:isChecked:)``.
    package mutating func readLowDelay(from bits: inout BitReader, isChecked: Bool) -> Bool {
        reader.readLowDelay(&reading, from: &bits, isChecked: isChecked)
    }

    /// Makes the header that was read last, with unknown levels, the one in force.
    package mutating func commitHeaders() { reader.commitHeaders(of: reading) }

    /// Begins the frame that was read last.
    package mutating func beginFrame() {
        reader.commit(reading)
        swap(&frame, &reading)
        frame.isReset = frame.isReset || !hasFrame
        hasFrame = true
        updateSettings()
    }

    /// Begins a frame in place of one that is lost.
    package mutating func concealFrame() {
        if hasFrame { hasFrame = reader.conceal(&frame) }
        updateSettings()
    }

    /// Begins a frame that is only upsampled, as before the first one.
    package mutating func endFrames() {
        hasFrame = false
        updateSettings()
    }

    /// Derives the parameters of the current frame.
    private mutating func updateSettings() {
        settings.previousLowBandCount = settings.lowBandCount
        settings.lowBandCount = hasFrame ? frame.tables.crossoverSubband : layout.analysisBandCount
        settings.isReset = hasFrame && frame.isReset
    }

    /// Analyses a frame of a channel's core, and generates and adjusts its high band.
    package mutating func extend(_ channel: Int, core: Span<Float>) {
        channels[channel].analyze(core, settings)
        guard hasFrame else { return channels[channel].extendNothing() }
        channels[channel].extend(frame, channel: channel, settings: settings, envelopes: noEnvelopes, transposed: noColumns)
    }

    /// Generates and adjusts the high band of a channel that has been analysed, without a transposer.
    package mutating func extend(_ channel: Int, envelopes: borrowing PredictedEnvelopes) {
        channels[channel].extend(frame, channel: channel, settings: settings, envelopes: envelopes, transposed: noColumns)
    }

    /// Generates and adjusts the high band of a channel that has been analysed and transposed.
    package mutating func extend(_ channel: Int, envelopes: borrowing PredictedEnvelopes, transposed: borrowing TransposedColumns) {
        channels[channel].extend(frame, channel: channel, settings: settings, envelopes: envelopes, transposed: transposed)
    }

    /// Returns the pitch of the harmonic transposer, in twelfths of a subband's half; 0 if the channel is not transposed.
    package func pitch(_ channel: Int) -> Int { frame.channels[channel].isTransposed ? frame.channels[channel].pitch : 0 }

    /// Stores four columns of a channel, from `column` on, in ``synthesis``.
    package mutating func collect(_ channel: Int, _ column: Int) {
        var columns = synthesis.columns.mutableSpan
        channels[channel].collect(column, into: &columns)
    }

    /// Synthesises a frame of a channel, and ends it.
    ///
    /// - Parameter output: Receives the samples from `offset` on.
    package mutating func synthesize(_ channel: Int, into output: inout MutableSpan<Float>, at offset: Int) {
        for column in stride(from: 0, to: layout.columnCount, by: 4) {
            let (count, target) = (min(4, layout.columnCount - column), offset + synthesis.columnLength * column)
            if synthesis.isDownsampled {
                collect(channel, column)
                synthesis.synthesize(channel, columnCount: count, into: &output, at: target)
            } else {
                var pairs = synthesis.columns.mutableSpan
                channels[channel].collectPairs(column, into: &pairs)
                synthesis.synthesizePaired(channel, columnCount: count, into: &output, at: target)
            }
        }
        channels[channel].advance()
    }
}
