// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

/// The SBR decoder of one element in any variant, from payloads to samples (ISO/IEC 14496-3:2009, 4.6.18; ISO/IEC 23003-3, 7.5).
///
/// For each access unit, ``reader`` reads into ``reading``. After the whole access unit is parsed, call ``startFrame()``,
/// ``concealFrame()`` or ``endFrames()``. Then each channel is analyzed, extended, synthesized and advanced.
package struct SBRElement: ~Copyable {
    package let layout: SlotLayout
    /// The data reader, with the state for the next frame.
    package var reader: SBRReader
    /// The last data read.
    package var reading: SBRReading
    package private(set) var frame: SBRReading
    /// Whether a frame is active; if not, the core is only upsampled.
    package private(set) var hasFrame = false
    /// The parameters of the current frame.
    package private(set) var settings: SBRChannel.Settings
    /// The channels before synthesis.
    package var channels: FixedArray<SBRChannel>
    /// An empty value for channels without predicted envelopes.
    private let noEnvelopes = PredictedEnvelopes(slotCount: 0)
    /// An empty value for channels without a transposer.
    private let noQMFSlots = TransposedSlots()
    /// The dynamic range control of each output channel; empty without.
    package var gains = FixedArray(count: 0) { _ in SubbandGains() }
    package var synthesis: SlotSynthesis

    /// Creates a decoder for the first frame.
    ///
    /// - Parameters:
    ///   - rate: The SBR sample rate, in hertz.
    ///   - channelCount: The number of SBR channels, 1 or 2.
    package init(
        _ layout: SlotLayout, rate: Int, channelCount: Int, outputCount: Int, variant: SBRVariant = .standard, isDownsampled: Bool = false
    ) {
        self.layout = layout
        reader = SBRReader(rate: rate, slotCount: layout.slotCount, channelCount: channelCount, variant: variant)
        reading = SBRReading(channelCount: channelCount, slotCount: layout.slotCount)
        frame = SBRReading(channelCount: channelCount, slotCount: layout.slotCount)
        let bandCount = layout.analysisBandCount
        settings = SBRChannel.Settings(lowBandCount: bandCount, previousLowBandCount: bandCount, isReset: false)
        // Decoders of enhanced SBR differ in where the noise of a second channel starts, which is inaudible. In libxaac it lags by
        // a frame, in fdk-aac it does not.
        let lag = variant == .standard ? 0 : layout.qmfSlotCount
        channels = FixedArray(count: channelCount) { SBRChannel(layout, noiseLead: -$0 * lag) }
        synthesis = SlotSynthesis(channelCount: outputCount, bank: layout.bank, isDownsampled: isDownsampled)
    }

    /// Reads `sbr_extension_data()` into ``reading``.
    ///
    /// See ``SBRReader/read(_:from:end:isChecked:)``.
    package mutating func read(from bits: inout BitReader, end: Int, isChecked: Bool) -> Bool {
        reader.read(&reading, from: &bits, end: end, isChecked: isChecked)
    }

    /// Reads the data of a low delay SBR element into ``reading``.
    ///
    /// See ``SBRReader/readLowDelay(_:from:isChecked:)``.
    package mutating func readLowDelay(from bits: inout BitReader, isChecked: Bool) -> Bool {
        reader.readLowDelay(&reading, from: &bits, isChecked: isChecked)
    }

    /// Activates the header of the last read data, whose levels are unknown.
    package mutating func commitHeaders() { reader.commitHeaders(of: reading) }

    /// Starts the frame that was read last.
    package mutating func startFrame() {
        reader.commit(reading)
        swap(&frame, &reading)
        frame.isReset = frame.isReset || !hasFrame
        hasFrame = true
        updateSettings()
    }

    /// Starts a frame that replaces a lost one.
    package mutating func concealFrame() {
        if hasFrame { hasFrame = reader.conceal(&frame) }
        updateSettings()
    }

    /// Starts a frame that is only upsampled, as before the first SBR frame.
    package mutating func endFrames() {
        hasFrame = false
        updateSettings()
    }

    private mutating func updateSettings() {
        settings.previousLowBandCount = settings.lowBandCount
        settings.lowBandCount = hasFrame ? frame.tables.crossoverSubband : layout.analysisBandCount
        settings.isReset = hasFrame && frame.isReset
    }

    /// Analyzes a frame of a channel's core and generates and adjusts its high band.
    package mutating func extend(_ channel: Int, core: Span<Float>) {
        channels[channel].analyze(core, settings)
        guard hasFrame else { return channels[channel].extendNothing() }
        channels[channel].extend(frame, channel: channel, settings: settings, envelopes: noEnvelopes, transposed: noQMFSlots)
    }

    /// Generates and adjusts the high band of an analyzed channel without a transposer.
    package mutating func extend(_ channel: Int, envelopes: borrowing PredictedEnvelopes) {
        channels[channel].extend(frame, channel: channel, settings: settings, envelopes: envelopes, transposed: noQMFSlots)
    }

    /// Generates and adjusts the high band of an analyzed and transposed channel.
    package mutating func extend(_ channel: Int, envelopes: borrowing PredictedEnvelopes, transposed: borrowing TransposedSlots) {
        channels[channel].extend(frame, channel: channel, settings: settings, envelopes: envelopes, transposed: transposed)
    }

    /// Returns the pitch for the harmonic transposer, in twelfths of half a subband; 0 if the channel is not transposed.
    package func pitch(_ channel: Int) -> Int { frame.channels[channel].isTransposed ? frame.channels[channel].pitch : 0 }

    /// Stores four QMF slots of a channel, starting at `qmfSlot`, in ``synthesis``.
    package mutating func collect(_ channel: Int, _ qmfSlot: Int) {
        var qmfSlots = synthesis.qmfSlots.mutableSpan
        channels[channel].collect(qmfSlot, into: &qmfSlots)
    }

    /// Applies dynamic range control to four QMF slots in ``synthesis``.
    package mutating func controlQMFSlots(_ channel: Int, _ qmfSlot: Int) {
        guard gains.count > 0 else { return }
        var qmfSlots = synthesis.qmfSlots.mutableSpan
        gains[channel].apply(to: &qmfSlots, qmfSlot: qmfSlot, qmfSlotCount: layout.qmfSlotCount)
    }

    /// Synthesizes a frame of a channel and ends it.
    ///
    /// - Parameter output: Receives the samples, starting at `offset`.
    package mutating func synthesize(_ channel: Int, into output: inout MutableSpan<Float>, at offset: Int) {
        for qmfSlot in stride(from: 0, to: layout.qmfSlotCount, by: 4) {
            let (count, target) = (min(4, layout.qmfSlotCount - qmfSlot), offset + synthesis.qmfSlotLength * qmfSlot)
            if synthesis.isDownsampled || gains.count > 0 {
                collect(channel, qmfSlot)
                controlQMFSlots(channel, qmfSlot)
                synthesis.synthesize(channel, qmfSlotCount: count, into: &output, at: target)
            } else {
                var pairs = synthesis.qmfSlots.mutableSpan
                channels[channel].collectPairs(qmfSlot, into: &pairs)
                synthesis.synthesizePaired(channel, qmfSlotCount: count, into: &output, at: target)
            }
        }
        channels[channel].advance()
    }
}
