// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import MPEG4Audio
internal import TransformCoding

/// The decoder of enhanced SBR of one element (ISO/IEC 23003-3, 7.5).
///
/// Per access unit: ``read(from:isIndependent:)``; after the whole unit has been parsed, ``beginFrame()`` or ``concealFrame()``; then
/// ``extend(_:core:)`` and ``synthesize(_:into:at:)`` for each channel.
struct EnhancedSBRElement: ~Copyable {
    /// Channels of the data, 1 or 2.
    let channelCount: Int
    /// The configuration.
    private let configuration: USACSBRConfig
    /// The division of a frame.
    let layout: SlotLayout
    /// The reader of the data, with what the next frame depends on.
    private var reader: SBRReader
    /// The data read last.
    private var reading: SBRReading
    /// The data of the current frame.
    private var frame: SBRReading
    /// Whether there is a frame, not only upsampling.
    private(set) var hasFrame = false
    /// The header that was read last, and that takes effect with its frame.
    private var nextHeader: SBRHeader?
    /// Whether the frame that was read is flattened.
    private var isNextFlattened = false
    /// The data of predictive vector coding of the frame that was read last.
    private var nextPrediction = PredictionData()
    /// The data of predictive vector coding of the current frame.
    private var prediction = PredictionData()
    /// The last vector of the current frame; 0 without prediction.
    private var lastVector: UInt8 = 0
    /// The prediction of envelopes.
    private var predictor: EnvelopePredictor
    /// The harmonic transposers of the channels; none if the configuration has none.
    private var transposers: FixedArray<HarmonicTransposer>
    /// The samples of the frame before of each channel, by which the low band is late if there are transposers.
    private var lateSamples: FixedArray<Float>
    /// The columns of the frame before, likewise, where the low band comes in columns.
    private var lateColumns: FixedArray<LowBandColumns>
    /// No columns of a transposer.
    private let noColumns = TransposedColumns()
    /// The parameters of the current frame.
    private var settings: SBRChannel.Settings
    /// The channels up to synthesis.
    private var channels: FixedArray<SBRChannel>

    /// Makes a decoder before the first frame.
    init(_ configuration: USACSBRConfig, channelCount: Int, stream: USACConfig) {
        self.configuration = configuration
        self.channelCount = channelCount
        let bandCount = stream.sbrRatio == .fourToOne ? 16 : stream.sbrRatio == .eightToThree ? 24 : 32
        let layout = SlotLayout(coreFrameLength: stream.coreFrameLength, analysisBandCount: bandCount)
        self.layout = layout
        reader = SBRReader(
            rate: stream.sampleRate, slotCount: layout.slotCount, channelCount: channelCount,
            variant: stream.sbrRatio == .fourToOne ? .enhancedQuadruple : .enhanced)
        reading = SBRReading(channelCount: channelCount, slotCount: layout.slotCount)
        frame = SBRReading(channelCount: channelCount, slotCount: layout.slotCount)
        settings = SBRChannel.Settings(lowBandCount: bandCount, previousLowBandCount: bandCount, isReset: false)
        // Decoders differ in where the noise of a second channel begins, which can't be heard; in libxaac it is a frame behind, in fdk-aac not.
        predictor = EnvelopePredictor(layout)
        let transposerCount = configuration.isHarmonic ? channelCount : 0
        transposers = FixedArray(count: transposerCount) { _ in HarmonicTransposer(layout) }
        lateColumns = FixedArray(count: transposerCount) { _ in LowBandColumns(layout) }
        lateSamples = FixedArray(repeating: 0, count: transposerCount * layout.coreFrameLength)
        channels = FixedArray(count: channelCount) { SBRChannel(layout, noiseLead: -$0 * layout.columnCount) }
    }

    /// Reads `UsacSbrData`.
    ///
    /// - Throws: ``USACError/invalidSBRData`` or ``USACError/missingReference``.
    mutating func read(from bits: inout BitReader, isIndependent: Bool) throws(USACError) {
        guard let header = try readHeader(from: &bits, isIndependent: isIndependent) else { throw .missingReference }
        nextHeader = header
        let (isHarmonic, hasInterTES) = (configuration.isHarmonic, configuration.hasInterTES)
        let (start, lastVector) = (hasFrame ? max(0, frame.channels[0].boundaries.end - 16) : 0, lastVector)
        var prediction = PredictionData()
        prediction.mode = nextPrediction.mode
        let isIntact = reader.read(&reading, header: header, from: &bits, end: bits.bitCount) { (payload, bits, tables) in
            payload.syntax.isIndependent = isIndependent
            payload.syntax.hasTemporalShapes = hasInterTES
            payload.syntax.variant = .enhanced
            return payload.readEnhanced(
                from: &bits, header: header, tables: tables, isHarmonic: isHarmonic, prediction: &prediction, start: start,
                lastVector: lastVector)
        }
        nextPrediction = prediction
        guard isIntact, reading.hasLevels else { throw .invalidSBRData }
        reading.isFlattened = isNextFlattened
    }

    /// Reads `SbrInfo` and `SbrHeader`; returns the header in force, nil if there is none.
    private mutating func readHeader(from bits: inout BitReader, isIndependent: Bool) throws(USACError) -> SBRHeader? {
        let info = EnhancedSBRInfo(reading: &bits, isIndependent: isIndependent, hasPVC: configuration.hasPVC)
        var header = info.hasHeader ? SBRHeader(info.header ?? configuration.defaultHeader) : reader.header
        isNextFlattened = frame.isFlattened
        nextPrediction.mode = prediction.mode
        // There is no header without these fields.
        guard let fields = info.fields else { return header }
        guard fields.predictionMode < 3 else { throw .invalidSBRData }
        header?.usesCoarseAmplitudes = fields.usesCoarseAmplitudes
        header?.bands.crossoverBand = fields.crossoverBand
        isNextFlattened = fields.isFlattened
        if configuration.hasPVC { nextPrediction.mode = channelCount == 1 ? fields.predictionMode : 0 }
        return header
    }

    /// Begins the frame that was read last.
    mutating func beginFrame() {
        reader.commit(reading)
        swap(&frame, &reading)
        frame.isReset = frame.isReset || !hasFrame
        hasFrame = true
        prediction = nextPrediction
        lastVector = prediction.mode > 0 ? prediction.vectors[15] : 0
        updateSettings()
    }

    /// Begins a frame in place of one that is lost.
    mutating func concealFrame() {
        if hasFrame { hasFrame = reader.conceal(&frame) }
        prediction.vectors = SIMD16(repeating: lastVector)
        (prediction.noisePosition, prediction.tailCount, prediction.sinePosition) = (0, 0, PredictionData.noPosition)
        updateSettings()
    }

    /// Derives the parameters of the current frame.
    private mutating func updateSettings() {
        settings.previousLowBandCount = settings.lowBandCount
        settings.lowBandCount = hasFrame ? frame.tables.crossoverSubband : layout.analysisBandCount
        settings.isReset = hasFrame && frame.isReset
    }

    /// Analyses a frame of a channel's core, and generates and adjusts its high band.
    mutating func extend(_ channel: Int, core: Span<Float>) {
        if transposers.count > 0 {
            let pitch = frame.channels[channel].isTransposed ? frame.channels[channel].pitch : 0
            transposers[channel].transpose(
                core, tables: hasFrame ? frame.tables : nil, isReset: settings.isReset, pitch: pitch)
            let length = layout.coreFrameLength
            channels[channel].analyze(lateSamples.span.extracting(channel * length..<(channel + 1) * length), settings)
            lateSamples.copy(core.extracting(0..<length), to: channel * length)
        } else {
            channels[channel].analyze(core, settings)
        }
        extendAnalysed(channel)
    }

    /// The subbands of the low band of the current frame.
    var lowBandCount: Int { settings.lowBandCount }

    /// Generates and adjusts the high band of a frame whose low band has been analysed: its columns after the kept ones.
    mutating func extend(_ channel: Int, columns: borrowing LowBandColumns) {
        if transposers.count > 0 {
            let pitch = frame.channels[channel].isTransposed ? frame.channels[channel].pitch : 0
            transposers[channel].transpose(
                columns, tables: hasFrame ? frame.tables : nil, isReset: settings.isReset, pitch: pitch)
            channels[channel].load(lateColumns[channel], settings)
            lateColumns[channel].copy(columns)
        } else {
            channels[channel].load(columns, settings)
        }
        extendAnalysed(channel)
    }

    /// Generates and adjusts the high band of a frame.
    private mutating func extendAnalysed(_ channel: Int) {
        guard hasFrame else {
            predictor.skip()
            return channels[channel].extendNothing()
        }
        let isPredicted = prediction.mode > 0
        if isPredicted {
            predictor.predict(
                prediction, low: channels[channel].low, tables: frame.tables, filledCount: channels[channel].filledSlotCount,
                start: frame.channels[0].boundaries.start)
        } else {
            predictor.skip()
        }
        if isPredicted || transposers.count > 0 {
            extendEnhanced(channel, isPredicted: isPredicted)
        } else {
            channels[channel].extend(frame, channel: channel, settings: settings)
        }
    }

    /// Generates and adjusts the high band of a frame that is predicted, or may be transposed.
    private mutating func extendEnhanced(_ channel: Int, isPredicted: Bool) {
        if transposers.count > 0 {
            channels[channel].extend(
                frame, channel: channel, settings: settings, envelopes: predictor.envelopes, isPredicted: isPredicted,
                transposed: transposers[channel].output)
        } else {
            channels[channel].extend(
                frame, channel: channel, settings: settings, envelopes: predictor.envelopes, isPredicted: isPredicted,
                transposed: noColumns)
        }
    }

    /// Writes four columns from `column` on for a synthesis filter bank, see ``SBRChannel/collectPairs(_:into:)``.
    func collectPairs(_ channel: Int, _ column: Int, into pairs: inout MutableSpan<ComplexVector>) {
        channels[channel].collectPairs(column, into: &pairs)
    }

    /// Writes four columns from `column` on, see ``SBRChannel/collect(_:into:)``.
    func collect(_ channel: Int, _ column: Int, into bands: inout MutableSpan<ComplexVector>) {
        channels[channel].collect(column, into: &bands)
    }

    /// Returns a subband of the low band in a column, counted from the first kept one.
    func lowValue(_ channel: Int, _ subband: Int, _ column: Int) -> SIMD2<Float> { channels[channel].low.value(subband, column) }

    /// Ends a frame of a channel.
    mutating func advance(_ channel: Int) { channels[channel].advance() }
}

extension SBRHeader {
    /// Makes the header of fields of enhanced SBR.
    init(_ fields: USACSBRHeaderFields) {
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
