// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives
package import MPEG4Audio
internal import TransformCoding

/// The core decoder of one element: the current frame's data and the state of its one or two channels.
package struct CoreElement: ~Copyable {
    private(set) var data: CoreElementData
    /// The arithmetic coder's context of each channel.
    private var contexts: FixedArray<SpectralContext>
    var channels: FixedArray<CoreChannel>
    /// The lines of the first, then the second channel, in window order.
    var spectra: FixedArray<Float>
    /// The lines of the previous frame.
    private var previousSpectra: FixedArray<Float>
    /// M/S stereo and complex prediction.
    private var pair: StereoPrediction
    /// The state of the generator of concealment signs.
    var concealmentSeed: UInt32 = 0x2545_F491
    /// Empty forward aliasing cancellation data, for concealed frames.
    let noAliasing: AliasingData
    /// Whether the prediction coefficients of the frame read last are known.
    private var knowsPrediction = false
    private var noiseShaping = TNSSynthesis()

    package init(_ configuration: USACElementConfig, coreRate: Int, frameLength: Int) {
        data = CoreElementData(configuration, coreRate: coreRate, frameLength: frameLength)
        let channelCount = configuration.coreChannelCount
        contexts = FixedArray(count: channelCount) { _ in SpectralContext(frameLength: frameLength) }
        channels = FixedArray(count: channelCount) {
            CoreChannel(frameLength: frameLength, coreRate: coreRate, isSecond: $0 == 1)
        }
        spectra = FixedArray(repeating: 0, count: channelCount * frameLength)
        previousSpectra = FixedArray(repeating: 0, count: channelCount * frameLength)
        pair = StereoPrediction(frameLength: frameLength)
        noAliasing = AliasingData(frameLength: frameLength)
    }

    var configuration: USACElementConfig { data.configuration }

    /// The number of core channels, 1 or 2.
    var channelCount: Int { data.channels.count }

    // MARK: Syntax

    /// Reads the core data of a frame.
    ///
    /// Of the decoder state, only the arithmetic coder's contexts change, and whether prediction coefficients are known.
    package mutating func read(from reader: inout BitReader, isIndependent: Bool) throws(CodecError) {
        try data.read(from: &reader, isIndependent: isIndependent, contexts: &contexts)
        let refersToPrevious = data.stereo.mode == .prediction && data.stereo.isDeltaInTime
        guard knowsPrediction || !refersToPrevious else { throw .missingReference }
        knowsPrediction = true
    }

    /// Adds the level fields of the frame read last.
    ///
    /// - Returns: 1 for each channel without a signal.
    func addGainFields(to fields: inout GainFields) -> SIMD2<UInt8> {
        var isSilent = SIMD2<UInt8>(1, 1)
        for channel in 0..<channelCount {
            if data.channels[channel].isLinearPrediction { fields.obstacle = .linearPrediction }
            let field = data.channels[channel].gainField(hasNoise: configuration.hasNoiseFilling)
            isSilent[channel] = field.isSilent ? 1 : 0
            fields.fields.append(field)
        }
        return isSilent
    }

    /// Marks the contexts of the arithmetic coder and the prediction coefficients as unknown, after damage.
    mutating func invalidateContexts() {
        knowsPrediction = false
        for channel in 0..<channelCount { contexts[channel].invalidate() }
        pair.reset()
    }

    // MARK: Signal

    /// Decodes the last frame read.
    ///
    /// - Parameters:
    ///   - output: Receives the samples of the channels, full scale ±32768, one channel after another.
    ///   - first: The index of the first sample in `output`.
    mutating func decode(
        dequantizer: borrowing LineDequantizer, filterBank: inout CoreFilterBank, into output: inout MutableSpan<Float>, at first: Int
    ) {
        swap(&spectra, &previousSpectra)
        let length = filterBank.frameLength
        for channel in 0..<channelCount where !data.channels[channel].isLinearPrediction {
            var all = spectra.mutableSpan
            var lines = all._mutatingExtracting(channel * length..<(channel + 1) * length)
            dequantizer.dequantize(
                data.channels[channel], hasNoise: data.configuration.hasNoiseFilling, seed: &channels[channel].seed, into: &lines)
        }
        let isBefore = channelCount == 1 || !data.stereo.isTNSAfterStereo || !data.stereo.hasCommonWindow
        if isBefore { filterAll() }
        if data.stereo.hasCommonWindow { decodeStereo() }
        if data.stereo.mode != .prediction { pair.reset() }
        if !isBefore { filterAll() }
        for channel in 0..<channelCount {
            let start = first + channel * length
            var samples = output._mutatingExtracting(start..<start + length)
            if data.channels[channel].isLinearPrediction {
                channels[channel].synthesize(data.channels[channel].prediction, filterBank: &filterBank, into: &samples)
            } else {
                channels[channel].synthesize(
                    spectra.span.extracting(channel * length..<(channel + 1) * length), data.channels[channel].windows,
                    aliasing: data.channels[channel].aliasing, filterBank: &filterBank, into: &samples)
            }
        }
    }

    private mutating func filterAll() {
        for channel in 0..<channelCount where data.channels[channel].hasTNS && !data.channels[channel].isLinearPrediction {
            filter(channel)
        }
    }

    /// Applies the TNS filters to the lines of a channel (ISO/IEC 23003-3, 7.8).
    private mutating func filter(_ channel: Int) {
        let windows = data.channels[channel].windows
        let tns = data.channels[channel].tns
        let length = data.bands.frameLength
        var all = spectra.mutableSpan
        var lines = all._mutatingExtracting(channel * length..<(channel + 1) * length)
        noiseShaping.synthesize(tns, sequence: windows.sequence, bandCount: windows.maxSFB, bands: data.bands, in: &lines)
    }

    /// Decodes M/S stereo or complex prediction.
    private mutating func decodeStereo() {
        let windows = data.channels[0].windows
        var lines = spectra.mutableSpan
        switch data.stereo.mode {
        case .separate: return
        case .midSideBands, .midSide:
            StereoPrediction.decodeMidSide(data.stereo, windows: windows, bands: data.bands, in: &lines)
        case .prediction:
            let shapes = StereoPrediction.Shapes(
                sequence: channels[0].filterIndex(of: windows), left: channels[0].previousShape, right: windows.shape)
            let isUsable =
                channels[0].previousWindows?.isShort == windows.isShort && channels[1].previousWindows?.isShort == windows.isShort
            let range = isUsable ? 0..<previousSpectra.count : 0..<0
            pair.decodePrediction(
                data.stereo, windows: windows, bands: data.bands, shapes: shapes,
                previous: previousSpectra.span.extracting(range), in: &lines)
        }
    }
}
