// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives
internal import MPEG4Audio
internal import TransformCoding

/// The core decoder of one element: its data in the current frame, and the state of its one or two channels.
struct CoreElement: ~Copyable {
    /// The configuration.
    let configuration: USACElementConfig
    /// Core channels, 1 or 2.
    let channelCount: Int
    /// The bands.
    private let bands: ScaleFactorBands
    /// Whether the core rate is one of the linear prediction domain.
    private let permitsLinearPrediction: Bool
    /// The core rate in hertz.
    private let coreRate: Int
    /// The data of the channels in the current frame.
    private var data: FixedArray<CoreChannelData>
    /// The tools that both channels share.
    private var stereo = StereoCoreToolInfo()
    /// The state of the channels.
    var channels: FixedArray<CoreChannel>
    /// The lines of the first channel, then those of the second, window after window.
    var spectra: FixedArray<Float>
    /// The lines of the frame before.
    private var previousSpectra: FixedArray<Float>
    /// Middle and side, and complex prediction.
    private var pair: PairTool
    /// The generator of the signs of concealed lines.
    var concealmentSeed: UInt32 = 0x2545_F491
    /// Forward aliasing cancellation of concealed frames: none.
    let noAliasing: AliasingData
    /// The filters of TNS.
    private var noiseShaping = TNSSynthesis()

    /// The core rates of the linear prediction domain in hertz (ISO/IEC 23003-3, 7.12).
    private static let linearPredictionRates = 6000...24_000

    /// Makes an element of silent channels.
    init(_ configuration: USACElementConfig, coreRate: Int, frameLength: Int) {
        self.configuration = configuration
        channelCount = configuration.coreChannelCount
        self.coreRate = coreRate
        permitsLinearPrediction = Self.linearPredictionRates.contains(coreRate) && configuration.kind != .lowFrequency
        bands = ScaleFactorBands(coreRate: coreRate, frameLength: frameLength)
        data = FixedArray(count: channelCount) { _ in CoreChannelData(frameLength: frameLength) }
        channels = FixedArray(count: channelCount) {
            CoreChannel(frameLength: frameLength, coreRate: coreRate, isSecond: $0 == 1)
        }
        spectra = FixedArray(repeating: 0, count: channelCount * frameLength)
        previousSpectra = FixedArray(repeating: 0, count: channelCount * frameLength)
        pair = PairTool(frameLength: frameLength)
        noAliasing = AliasingData(frameLength: frameLength)
    }

    // MARK: Syntax

    /// Reads the core data of a frame; nothing but the contexts of the arithmetic coder changes the state.
    mutating func read(from reader: inout BitReader, isIndependent: Bool) throws(USACError) {
        stereo.clear()
        if configuration.kind == .lowFrequency {
            data[0].isLinearPrediction = false
            data[0].hasTNS = false
            try readChannel(0, from: &reader, isIndependent: isIndependent, readsTNS: false)
            return
        }
        for channel in 0..<channelCount { data[channel].isLinearPrediction = reader.readFlag() }
        let isPair = channelCount == 2 && !data[0].isLinearPrediction && !data[1].isLinearPrediction
        if isPair { try readStereo(from: &reader, isIndependent: isIndependent) }
        for channel in 0..<channelCount {
            if data[channel].isLinearPrediction {
                guard permitsLinearPrediction else { throw .unsupportedCoreRate(coreRate) }
                try data[channel].prediction.read(from: &reader, isIndependent: isIndependent, context: &channels[channel].context)
                continue
            }
            if !isPair { data[channel].hasTNS = reader.readFlag() }
            let readsTNS = data[channel].hasTNS && !(isPair && stereo.hasCommonTNS)
            try readChannel(channel, from: &reader, isIndependent: isIndependent, readsTNS: readsTNS)
        }
    }

    /// Reads what both channels of the frequency domain share.
    private mutating func readStereo(from reader: inout BitReader, isIndependent: Bool) throws(USACError) {
        var (first, second) = (data[0].windows, data[1].windows)
        try stereo.read(
            from: &reader, bands: bands, isIndependent: isIndependent, permitsPrediction: configuration.stereoConfigIndex == 0,
            first: &first, second: &second)
        if stereo.hasCommonWindow { (data[0].windows, data[1].windows) = (first, second) }
        data[0].hasTNS = stereo.hasCommonTNS || stereo.firstHasTNS
        data[1].hasTNS = stereo.hasCommonTNS || stereo.secondHasTNS
        if stereo.hasCommonTNS {
            let tns = TNSData(readingUSAC: &reader, isShort: first.isShort)
            data[0].tns = tns
            data[1].tns = tns
        }
    }

    /// Reads a channel of the frequency domain.
    private mutating func readChannel(
        _ channel: Int, from reader: inout BitReader, isIndependent: Bool, readsTNS: Bool
    ) throws(USACError) {
        let conditions = CoreChannelData.Conditions(
            isIndependent: isIndependent, hasCommonWindow: stereo.hasCommonWindow, hasNoiseFilling: configuration.hasNoiseFilling)
        try data[channel].readFrequencyDomain(
            from: &reader, bands: bands, conditions, readsTNS: readsTNS, context: &channels[channel].context)
    }

    /// Marks the contexts of the arithmetic coder as unknown, after damage.
    mutating func invalidateContexts() {
        for channel in 0..<channelCount { channels[channel].context.invalidate() }
        pair.forget()
    }

    // MARK: Signal

    /// Decodes the frame that was read.
    ///
    /// - Parameters:
    ///   - output: Receives the samples of the channels, ±32768 at full scale, each `stride` after the one before.
    mutating func decode(
        dequantizer: borrowing LineDequantizer, filterBank: inout CoreFilterBank, into output: inout MutableSpan<Float>, at first: Int
    ) {
        swap(&spectra, &previousSpectra)
        let length = filterBank.frameLength
        for channel in 0..<channelCount where !data[channel].isLinearPrediction {
            var all = spectra.mutableSpan
            var lines = all._mutatingExtracting(channel * length..<(channel + 1) * length)
            dequantizer.dequantize(
                data[channel], bands: bands, hasNoise: configuration.hasNoiseFilling, seed: &channels[channel].seed, into: &lines)
        }
        let isBefore = channelCount == 1 || !stereo.isTNSAfterStereo || !stereo.hasCommonWindow
        if isBefore { filterAll() }
        if stereo.hasCommonWindow { decodeStereo() }
        if stereo.mode != .prediction { pair.forget() }
        if !isBefore { filterAll() }
        for channel in 0..<channelCount {
            let start = first + channel * length
            var samples = output._mutatingExtracting(start..<start + length)
            if data[channel].isLinearPrediction {
                channels[channel].synthesize(data[channel].prediction, filterBank: &filterBank, into: &samples)
            } else {
                channels[channel].synthesize(
                    spectra.span.extracting(channel * length..<(channel + 1) * length), data[channel].windows,
                    aliasing: data[channel].aliasing, filterBank: &filterBank, into: &samples)
            }
        }
    }

    /// Runs the filters of TNS over all channels.
    private mutating func filterAll() {
        for channel in 0..<channelCount where data[channel].hasTNS && !data[channel].isLinearPrediction { filter(channel) }
    }

    /// Runs the filters of TNS over the lines of a channel (ISO/IEC 23003-3, 7.8).
    private mutating func filter(_ channel: Int) {
        let windows = data[channel].windows
        let tns = data[channel].tns
        let length = bands.frameLength
        var all = spectra.mutableSpan
        var lines = all._mutatingExtracting(channel * length..<(channel + 1) * length)
        noiseShaping.synthesize(tns, sequence: windows.sequence, bandCount: windows.maxSFB, bands: bands, in: &lines)
    }

    /// Decodes middle and side, or complex prediction.
    private mutating func decodeStereo() {
        let windows = data[0].windows
        var lines = spectra.mutableSpan
        switch stereo.mode {
        case .separate: return
        case .midSideBands, .midSide:
            PairTool.decodeMidSide(stereo, windows: windows, bands: bands, in: &lines)
        case .prediction:
            let shapes = PairTool.Shapes(
                sequence: channels[0].filterIndex(of: windows), left: channels[0].previousShape, right: windows.shape)
            let isUsable =
                channels[0].previousWindows?.isShort == windows.isShort && channels[1].previousWindows?.isShort == windows.isShort
            let range = isUsable ? 0..<previousSpectra.count : 0..<0
            pair.decodePrediction(
                stereo, windows: windows, bands: bands, shapes: shapes,
                previous: previousSpectra.span.extracting(range), in: &lines)
        }
    }
}
