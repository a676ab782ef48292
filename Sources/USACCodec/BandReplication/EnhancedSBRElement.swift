// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
package import MPEG4Audio
internal import TransformCoding

/// The enhanced SBR decoder of one element (ISO/IEC 23003-3, 7.5).
///
/// For each access unit, call ``read(from:isIndependent:)``. After the whole access unit is parsed, call ``startFrame()`` or
/// ``concealFrame()``, then ``extend(_:core:)`` and the synthesis of ``element`` for each channel.
struct EnhancedSBRElement: ~Copyable {
    var element: SBRElement
    private let configuration: USACSBRConfig
    /// Whether the last frame read is flattened.
    private var isNextFlattened = false
    /// The predictive vector coding (PVC) data of the last frame read.
    private var nextPrediction = PredictionData()
    /// The predictive vector coding (PVC) data of the current frame.
    private var prediction = PredictionData()
    /// The last vector of the current frame; 0 without prediction.
    private var lastVector: UInt8 = 0
    private var predictor: EnvelopePredictor
    /// The harmonic transposers of the channels, if configured.
    private var transposers: FixedArray<HarmonicTransposer>
    /// The previous frame's QMF slots of each channel.
    ///
    /// With transposers the low band is delayed by a frame.
    private var lateQMFSlots: FixedArray<LowBandSlots>

    /// Creates a decoder for the first frame.
    ///
    /// - Parameters:
    ///   - channelCount: The number of SBR channels, 1 or 2.
    ///   - outputCount: The number of output channels, before any MPEG Surround.
    init(_ configuration: USACSBRConfig, channelCount: Int, outputCount: Int, stream: USACConfig) {
        self.configuration = configuration
        let bandCount = stream.sbrRatio == .fourToOne ? 16 : stream.sbrRatio == .eightToThree ? 24 : 32
        let layout = SlotLayout(coreFrameLength: stream.coreFrameLength, analysisBandCount: bandCount)
        element = SBRElement(
            layout, rate: stream.sampleRate, channelCount: channelCount, outputCount: outputCount,
            variant: stream.sbrRatio == .fourToOne ? .enhancedQuadruple : .enhanced)
        predictor = EnvelopePredictor(layout)
        let transposerCount = configuration.isHarmonic ? channelCount : 0
        transposers = FixedArray(count: transposerCount) { _ in HarmonicTransposer(layout) }
        lateQMFSlots = FixedArray(count: transposerCount) { _ in LowBandSlots(layout) }
    }

    /// Reads `UsacSbrData`.
    ///
    /// - Throws: `CodecError.invalidSBRData` or `CodecError.missingReference`.
    mutating func read(from bits: inout BitReader, isIndependent: Bool) throws(CodecError) {
        guard let header = try readHeader(from: &bits, isIndependent: isIndependent) else { throw .missingReference }
        let (isHarmonic, hasInterTES) = (configuration.isHarmonic, configuration.hasInterTES)
        let (start, lastVector) = (element.hasFrame ? max(0, element.frame.channels[0].boundaries.end - 16) : 0, lastVector)
        var prediction = PredictionData()
        prediction.mode = nextPrediction.mode
        let isIntact = element.reader.read(&element.reading, header: header, from: &bits, end: bits.bitCount) { (payload, bits, tables) in
            payload.syntax.isIndependent = isIndependent
            payload.syntax.hasTemporalShapes = hasInterTES
            payload.syntax.variant = .enhanced
            return payload.readEnhanced(
                from: &bits, header: header, tables: tables, isHarmonic: isHarmonic, prediction: &prediction, start: start,
                lastVector: lastVector)
        }
        nextPrediction = prediction
        guard isIntact, element.reading.hasLevels else { throw .invalidSBRData }
        element.reading.isFlattened = isNextFlattened
    }

    /// Reads `SbrInfo` and `SbrHeader`.
    ///
    /// Returns the active header, if any.
    private mutating func readHeader(from bits: inout BitReader, isIndependent: Bool) throws(CodecError) -> SBRHeader? {
        let info = EnhancedSBRInfo(reading: &bits, isIndependent: isIndependent, hasPVC: configuration.hasPVC)
        var header = info.hasHeader ? SBRHeader(info.header ?? configuration.defaultHeader) : element.reader.header
        isNextFlattened = element.frame.isFlattened
        nextPrediction.mode = prediction.mode
        // A header requires these fields.
        guard let fields = info.fields else { return header }
        guard fields.predictionMode < 3 else { throw .invalidSBRData }
        header?.usesCoarseAmplitudes = fields.usesCoarseAmplitudes
        header?.bands.crossoverBand = fields.crossoverBand
        isNextFlattened = fields.isFlattened
        if configuration.hasPVC { nextPrediction.mode = element.channels.count == 1 ? fields.predictionMode : 0 }
        return header
    }

    /// Adds the level fields of the frame that was read last, before ``startFrame()``.
    func addGainFields(isSilent: SIMD2<UInt8>, chain: Int, to fields: inout GainFields) {
        if nextPrediction.mode > 0 { fields.obstacle = .predictiveVectors }
        element.reader.addGainFields(element.reading, isSilent: isSilent, chain: chain, to: &fields)
    }

    mutating func startFrame() {
        element.startFrame()
        prediction = nextPrediction
        lastVector = prediction.mode > 0 ? prediction.vectors[15] : 0
    }

    /// Starts a frame that replaces a lost one.
    mutating func concealFrame() {
        element.concealFrame()
        prediction.vectors = SIMD16(repeating: lastVector)
        (prediction.noisePosition, prediction.tailCount, prediction.sinePosition) = (0, 0, PredictionData.noPosition)
    }

    /// Analyzes a frame of a channel's core and generates and adjusts its high band.
    mutating func extend(_ channel: Int, core: Span<Float>) {
        if transposers.count > 0 {
            transposers[channel].load(core)
            element.channels[channel].load(lateQMFSlots[channel], element.settings)
            lateQMFSlots[channel].copy(transposers[channel].analysis.qmfSlots)
        } else {
            element.channels[channel].analyze(core, element.settings)
        }
        extendAnalysed(channel)
    }

    /// Generates and adjusts the high band of a frame with an analyzed low band, which follows the retained QMF slots.
    mutating func extend(_ channel: Int, qmfSlots: borrowing LowBandSlots) {
        if transposers.count > 0 {
            transposers[channel].load(qmfSlots)
            element.channels[channel].load(lateQMFSlots[channel], element.settings)
            lateQMFSlots[channel].copy(qmfSlots)
        } else {
            element.channels[channel].load(qmfSlots, element.settings)
        }
        extendAnalysed(channel)
    }

    /// Generates and adjusts the high band of a frame.
    private mutating func extendAnalysed(_ channel: Int) {
        if transposers.count > 0 {
            transposers[channel].transpose(
                tables: element.hasFrame ? element.frame.tables : nil, isReset: element.settings.isReset, pitch: element.pitch(channel))
        }
        predictor.envelopes.isUsed = element.hasFrame && prediction.mode > 0
        if predictor.envelopes.isUsed {
            predictor.predict(
                prediction, low: element.channels[channel].low, tables: element.frame.tables,
                filledCount: element.channels[channel].filledSlotCount, start: element.frame.channels[0].boundaries.start)
        } else {
            predictor.skip()
        }
        if !element.hasFrame {
            element.channels[channel].extendNothing()
        } else if transposers.count > 0 {
            element.extend(channel, envelopes: predictor.envelopes, transposed: transposers[channel].output)
        } else {
            element.extend(channel, envelopes: predictor.envelopes)
        }
    }
}

extension SBRHeader {
    package init(_ fields: USACSBRHeaderFields) {
        self.init()
        bands.startFrequency = fields.startFrequency
        bands.stopFrequency = fields.stopFrequency
        bands.frequencyScale = fields.frequencyScale
        bands.altersScale = fields.altersScale
        bands.noiseBands = fields.noiseBands
        limiterBands = fields.limiterBands
        limiterGains = fields.limiterGains
        interpolatesFrequency = fields.interpolatesFrequency
        smoothsGains = fields.smoothsGains
    }
}
