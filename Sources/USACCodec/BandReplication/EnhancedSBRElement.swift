// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

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
        channels = FixedArray(count: channelCount) { SBRChannel(layout, noiseLead: -$0 * layout.columnCount) }
    }

    /// Reads `UsacSbrData`.
    ///
    /// - Throws: ``USACError/invalidSBRData`` or ``USACError/missingReference``.
    mutating func read(from bits: inout BitReader, isIndependent: Bool) throws(USACError) {
        guard let header = try readHeader(from: &bits, isIndependent: isIndependent) else { throw .missingReference }
        nextHeader = header
        let (isHarmonic, hasInterTES) = (configuration.isHarmonic, configuration.hasInterTES)
        let isIntact = reader.read(&reading, header: header, from: &bits, end: bits.bitCount) { (payload, bits, tables) in
            payload.syntax.isIndependent = isIndependent
            payload.syntax.hasTemporalShapes = hasInterTES
            payload.syntax.variant = .enhanced
            return payload.readEnhanced(from: &bits, header: header, tables: tables, isHarmonic: isHarmonic)
        }
        guard isIntact, reading.hasLevels else { throw .invalidSBRData }
        reading.isFlattened = isNextFlattened
    }

    /// Reads `SbrInfo` and `SbrHeader`; returns the header in force, nil if there is none.
    private mutating func readHeader(from bits: inout BitReader, isIndependent: Bool) throws(USACError) -> SBRHeader? {
        let hasInfo = isIndependent || bits.readFlag()
        let hasHeader = isIndependent || hasInfo && bits.readFlag()
        var header = reader.header
        isNextFlattened = frame.isFlattened
        var (isCoarse, crossover) = (header?.usesCoarseAmplitudes ?? false, header?.bands.crossoverBand ?? 0)
        if hasInfo {
            isCoarse = bits.readFlag()
            crossover = Int(bits.read(4))
            isNextFlattened = bits.readFlag()
            if configuration.hasPVC {
                let mode = Int(bits.read(2))
                if mode != 0 && channelCount == 1 { throw .unsupportedTool(.predictiveVectorCoding) }
            }
        }
        if hasHeader {
            let isDefault = bits.readFlag()
            header = SBRHeader(isDefault ? configuration.defaultHeader : USACSBRHeaderFields(reading: &bits))
        }
        header?.usesCoarseAmplitudes = isCoarse
        header?.bands.crossoverBand = crossover
        return header
    }

    /// Begins the frame that was read last.
    mutating func beginFrame() {
        reader.commit(reading)
        swap(&frame, &reading)
        frame.isReset = frame.isReset || !hasFrame
        hasFrame = true
        updateSettings()
    }

    /// Begins a frame in place of one that is lost.
    mutating func concealFrame() {
        if hasFrame { hasFrame = reader.conceal(&frame) }
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
        channels[channel].analyze(core, settings)
        if hasFrame {
            channels[channel].extend(frame, channel: channel, settings: settings)
        } else {
            channels[channel].extendNothing()
        }
    }

    /// Writes four columns from `column` on for a synthesis filter bank, see ``SBRChannel/collectPairs(_:into:)``.
    func collectPairs(_ channel: Int, _ column: Int, into pairs: inout MutableSpan<ComplexVector>) {
        channels[channel].collectPairs(column, into: &pairs)
    }

    /// Ends a frame of a channel.
    mutating func advance(_ channel: Int) { channels[channel].advance() }
}

extension SBRHeader {
    /// Makes the header of fields of enhanced SBR.
    fileprivate init(_ fields: USACSBRHeaderFields) {
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
