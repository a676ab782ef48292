// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

public import AudioPrimitives
public import MPEG4Audio

/// Encodes PCM to AAC-LC, HE-AAC or HE-AAC v2 (ISO/IEC 14496-3, object types 2, 5 and 29).
///
/// ```swift
/// let encoder = try AACEncoder(AACEncoderConfiguration(sampleRate: 48_000, channelCount: 2))
/// try encoder.encode(buffer) { unit in try writer.append(unit) }
/// let gapless = try encoder.finish { unit in try writer.append(unit) }
/// ```
///
/// Any number of frames can be given at a time; what does not fill an access unit waits for the next call. The units handed
/// out share one buffer: one that is kept costs a copy. An encoder is used by one thread at a time.
public final class AACEncoder {
    /// Sample frames an access unit of AAC-LC; of a stream: ``unitLength``.
    public static let frameLength = 1024

    /// Sample frames an access unit of this stream: 1024, with SBR 2048.
    public let unitLength: Int

    /// Decoded sample frames before the first one that was encoded, at the output's rate: ``primingFrames``, with SBR 5186, with
    /// parametric stereo 6148.
    ///
    /// With SBR these are the core's 2112 and the 481 of a decoder's banks, both at twice the core's rate; parametric stereo puts
    /// banks of its own in place of the 64 that the core has to spare.
    public let delay: Int

    /// Where this stream can be divided among encoders.
    package let segments: StreamSegments

    /// What is encoded: never ``AACProfile/automatic``.
    public let profile: AACProfile

    /// Decoded sample frames before the first one that was encoded, in AAC-LC: the transform's 1024, as many of look-ahead, and the 64
    /// that other encoders of the format have, so that players which assume their delay are right.
    public static let primingFrames = 2112

    /// What was asked for.
    public let configuration: AACEncoderConfiguration

    /// What a decoder has to know.
    public let audioSpecificConfig: AudioSpecificConfig

    /// The highest frequency coded, in hertz.
    public let bandwidth: Int

    /// The bit rate held, in bits a second; nil for a variable one.
    public var bitRate: Int? { configuration.bitRate }

    private let tables: EncoderTables
    private let core: AACEncoderConfiguration
    private let replication: SBRTuning?
    private let stereo: StereoCodingSettings?
    private let channelConfiguration: ChannelConfiguration
    private let startLevel: Float
    private let entropyNoise: EntropyNoise
    private var filterBank = FilterBank()
    private var elements: [ElementCoder]
    private var input: EncoderInput
    private var rate: RateController
    private var writer = BitWriter(byteCapacity: 8192)
    private var unit: AccessUnit
    private var framesIn = 0
    private var blockCount = 0
    private var isFinished = false
    /// The first unit that is handed out, and the first that is analysed.
    private var firstUnit = 0
    private var firstAnalyzedUnit = 0
    private var heldLevel: Float?

    /// Holds one element's state where it can be changed in place.
    private final class ElementCoder {
        var state: ElementEncoder
        let replication: SBRElementEncoder?
        let stereo: ParametricStereoEncoder?
        init(_ state: consuming ElementEncoder, replication: SBRElementEncoder?, stereo: ParametricStereoEncoder?) {
            self.state = state
            self.replication = replication
            self.stereo = stereo
        }

        /// Forgets all but the samples, of which as many will come as decisions look back at.
        func restart(keepsLoudness: Bool) {
            state.restart(keepsLoudness: keepsLoudness)
            replication?.resetHistory()
            stereo?.restart()
        }
    }

    /// Makes an encoder.
    ///
    /// Throws ``AACError`` for a sample rate, channel count, bit rate, quality or bandwidth that can't be.
    public init(_ configuration: AACEncoderConfiguration) throws(AACError) {
        try configuration.validate()
        let replication = configuration.replication
        let core = configuration.core(with: replication)
        guard let layout = ChannelConfiguration(channelCount: configuration.channelCount)?.layout,
            let coreConfiguration = ChannelConfiguration(channelCount: configuration.coreChannelCount),
            let index = SamplingFrequencyIndex(hertz: core.sampleRate)
        else { throw .unsupportedSampleRate(configuration.sampleRate, allowed: AACEncoderConfiguration.sampleRates) }
        self.configuration = configuration
        profile = configuration.chosenProfile
        segments = StreamSegments(profile)
        self.core = core
        self.replication = replication
        stereo = configuration.stereo(with: replication)
        unitLength = replication == nil ? Self.frameLength : SBRElementEncoder.frameLength
        delay =
            switch profile {
            case .highEfficiency: SBRElementEncoder.priming
            case .highEfficiencyV2: ParametricStereoEncoder.priming
            default: Self.primingFrames
            }
        channelConfiguration = coreConfiguration
        audioSpecificConfig = AudioSpecificConfig(
            sampleRate: core.sampleRate, channelConfiguration: coreConfiguration, extensionConfig: configuration.extensionConfig)
        let tuning = core.tuning
        let bands = ScaleFactorBands(samplingFrequencyIndex: index.rawValue, frameLength: Self.frameLength)
        let limit = Float(core.bandwidth ?? Int(tuning.bandwidth))
        tables = EncoderTables(configuration: core, bands: bands, bandwidth: limit)
        bandwidth = replication?.top ?? min(Int(limit), configuration.sampleRate / 2)
        startLevel = configuration.startLevel(core: core)
        entropyNoise = configuration.entropyNoise
        input = EncoderInput(
            inputChannels: try configuration.inputChannels(for: layout), policy: configuration.invalidSamples,
            blockLength: unitLength)
        elements = Self.makeElements(coreConfiguration, replication, stereo)
        rate = core.makeRateController(startLevel: startLevel, heldLevel: nil, entropyNoise: entropyNoise)
        // Room for the largest unit: no frame allocates.
        var payload: [UInt8] = []
        payload.reserveCapacity(RateController.bitsPerChannel / 8 * configuration.channelCount)
        unit = AccessUnit(
            payload: payload, presentationTime: MediaTime(value: 0, timescale: Int32(configuration.sampleRate)), duration: unitLength)
        start()
    }

    private static func makeElements(
        _ channels: ChannelConfiguration, _ replication: SBRTuning?, _ stereo: StereoCodingSettings?
    ) -> [ElementCoder] {
        var tags: [ChannelElement: Int] = [:]
        return channels.elements.map { kind in
            let tag = tags[kind, default: 0]
            tags[kind] = tag + 1
            return ElementCoder(
                ElementEncoder(kind: kind, instanceTag: tag), replication: replication.map { SBRElementEncoder(kind: kind, tuning: $0) },
                stereo: stereo.map { ParametricStereoEncoder($0) })
        }
    }

    /// Zeros in front of the first sample.
    private var padding: Int {
        switch profile {
        case .highEfficiency: SBRElementEncoder.padding
        case .highEfficiencyV2: ParametricStereoEncoder.padding
        default: Self.primingFrames - 2 * Self.frameLength
        }
    }

    /// Puts the priming in front.
    private func start() {
        input.appendSilence(padding)
        blockCount = 2
        framesIn = 0
    }

    /// Goes back to the first frame, as if nothing had been encoded.
    public func reset() { _ = start(atUnit: 0) }

    /// Starts in the middle of a stream, and returns the sample frame from which on it has to be given the sound.
    ///
    /// Units from `unit` on are handed out. At the first unit of a segment (``StreamSegments``) they are those that an encoder
    /// makes which started at the beginning, if the rate control has no memory: with ``hold(level:)``, or a variable rate. Elsewhere
    /// they are about the same, since a few units before them are analysed. In AAC-LC the loudness of what was encoded last can stand in
    /// for that of the sound before: `keepsLoudness`.
    package func start(atUnit unit: Int, keepsLoudness: Bool = false) -> Int {
        rate = core.makeRateController(startLevel: startLevel, heldLevel: heldLevel, entropyNoise: entropyNoise)
        input.startBlock()
        isFinished = false
        firstUnit = unit
        let isExact = segments.isFirst(unit)
        firstAnalyzedUnit = isExact ? unit : max(0, unit - settlingUnits)
        let begin = firstAnalyzedUnit - (isExact ? segments.leadIn : segments.shortLeadIn)
        if begin > 0 {
            if isExact || replication == nil {
                for element in elements { element.restart(keepsLoudness: keepsLoudness) }
            } else {
                // Nothing of what was encoded elsewhere before.
                elements = Self.makeElements(channelConfiguration, replication, stereo)
            }
            blockCount = begin + 2
            framesIn = begin * unitLength - padding
        } else {
            elements = Self.makeElements(channelConfiguration, replication, stereo)
            start()
        }
        return framesIn
    }

    /// Units after which decisions depend little on what came before them.
    private var settlingUnits: Int { (configuration.effort == .fast ? 3 : 8) * Self.frameLength / unitLength }

    /// Codes all frames at one quality, of which this is log2, whatever bits they take; goes back to the first frame.
    package func hold(level: Float) {
        change(level: level)
        reset()
    }

    /// Codes the frames from here on at one quality, of which this is log2.
    package func change(level: Float) {
        heldLevel = level
        rate = core.makeRateController(startLevel: startLevel, heldLevel: level, entropyNoise: entropyNoise)
    }

    /// log2 of the quality at which typical music takes the rate asked for.
    package var typicalLevel: Float { startLevel }

    /// Encodes a buffer; `body` takes each access unit as it is made.
    public func encode(_ buffer: PCMBuffer, _ body: (AccessUnit) throws -> Void) throws {
        let format = PCMFormat(.float32, channelCount: buffer.channelCount, isInterleaved: false)
        // A run of Floats seen as bytes: nothing is written through it.
        unsafe try encode(
            buffer.samples.span.bytes, format: format, planeLength: buffer.frameCapacity, frameCount: buffer.frameCount, body)
    }

    /// Encodes samples in memory; `body` takes each access unit as it is made.
    ///
    /// Throws ``AACError/incompleteFrame(byteCount:bytesPerFrame:)`` unless `bytes` are whole frames.
    public func encode(_ bytes: RawSpan, format: PCMFormat, _ body: (AccessUnit) throws -> Void) throws {
        guard format.channelCount == configuration.channelCount else {
            throw AACError.channelCountMismatch(expected: configuration.channelCount, found: format.channelCount)
        }
        guard bytes.byteCount % format.bytesPerFrame == 0 else {
            throw AACError.incompleteFrame(byteCount: bytes.byteCount, bytesPerFrame: format.bytesPerFrame)
        }
        let count = bytes.byteCount / format.bytesPerFrame
        try encode(bytes, format: format, planeLength: count, frameCount: count, body)
    }

    private func encode(
        _ bytes: RawSpan, format: PCMFormat, planeLength: Int, frameCount: Int, _ body: (AccessUnit) throws -> Void
    ) throws {
        guard !isFinished else { throw AACError.finished }
        guard format.channelCount == configuration.channelCount else {
            throw AACError.channelCountMismatch(expected: configuration.channelCount, found: format.channelCount)
        }
        var taken = 0
        while taken < frameCount {
            let count = min(frameCount - taken, input.space)
            try input.append(bytes, format: format, from: taken, count: count, total: planeLength, position: framesIn)
            taken += count
            framesIn += count
            if input.space == 0 { try encodeBlock(body) }
        }
    }

    /// Encodes what is left, with silence behind it, and says what of all that is decoded is sound.
    public func finish(_ body: (AccessUnit) throws -> Void) throws -> GaplessInfo {
        let total = delay + framesIn
        let unitCount = (total + unitLength - 1) / unitLength
        if !isFinished {
            isFinished = true
            while blockCount < unitCount + 2 {
                input.appendSilence(input.space)
                try encodeBlock(body)
            }
        }
        return GaplessInfo(
            primingFrames: delay, validFrames: framesIn, remainderFrames: unitCount * unitLength - total)
    }

    /// Takes the full input block as look-ahead and encodes the frame two blocks before it.
    private func encodeBlock(_ body: (AccessUnit) throws -> Void) throws {
        var channel = 0
        let place = segments.place(of: blockCount - 2)
        for element in elements {
            if let stereo = element.stereo, let replication = element.replication {
                input.pass(to: stereo, replication, core: &element.state, place: place)
                continue
            }
            for place in 0..<element.state.kind.channelCount {
                if let replication = element.replication {
                    input.pass(channel, to: replication, core: &element.state, channel: place)
                } else {
                    input.pass(channel, to: &element.state, channel: place)
                }
                channel += 1
            }
        }
        input.startBlock()
        blockCount += 1
        let frame = blockCount - 3
        guard frame >= firstAnalyzedUnit else {
            for element in elements { element.state.skip() }
            return
        }
        analyzeFrame(place)
        guard frame >= firstUnit else { return }
        encodeFrame()
        unit.payload.removeAll(keepingCapacity: true)
        writer.append(to: &unit.payload)
        unit.presentationTime.value = Int64(frame * unitLength - delay)
        try body(unit)
    }

    private func analyzeFrame(_ place: StreamSegments.Place) {
        let quality = rate.quality
        for element in elements {
            if place.isFirst { element.state.forget() }
            element.state.analyze(tables, filterBank: &filterBank, quality: quality, keepsSine: place.touchesBorder)
            if place.isFirst {
                element.replication?.resetHistory()
                element.stereo?.resetHistory()
            }
            element.replication?.planFrame(isIndependent: place.standsAlone, endsFixed: place.isLast)
            element.stereo?.planFrame(isIndependent: place.standsAlone)
        }
    }

    /// Plans, codes and writes the frame that was analysed; the bits are in the writer.
    private func encodeFrame() {
        let limit = rate.largestFrame
        let quality = rate.quality
        let entropy = elements.reduce(0) { $0 + $1.state.prepare(quality: quality) }
        var plan = rate.plan(entropy: entropy) { quality in elements.reduce(0) { $0 + $1.state.entropy(quality: quality) } }
        for element in elements { element.state.code(quality: plan.quality, effort: tables.effort) }
        var content = writeFrame()
        rate.learn(bits: content, of: plan)
        for attempt in 1..<Self.attemptLimit where writer.bitCount > limit {
            let steps = plan.repair(bits: writer.bitCount, limit: limit, attempt: attempt)
            for element in elements { element.state.coarsen(by: steps, quality: plan.quality, effort: tables.effort) }
            content = writeFrame()
        }
        rate.advance(bits: writer.bitCount, content: content)
    }

    private static let attemptLimit = 20

    /// Writes the frame; returns its bits without padding.
    private func writeFrame() -> Int {
        writer.reset()
        unit.elementSpans.removeAll(keepingCapacity: true)
        for element in elements {
            unit.elementSpans.append(element.state.write(to: &writer, tables: tables))
            element.replication?.write(to: &writer, stereo: element.stereo?.data)
        }
        // Whole bytes, so that the largest frame is not exceeded where it is the smallest too.
        let content = writer.bitCount
        let smallest = (rate.smallestFrame + 7) & ~7
        FillElement.writePadding(bitCount: smallest - content - SyntacticElementID.bitCount, to: &writer)
        SyntacticElementID.end.write(to: &writer)
        writer.alignToByte()
        return content
    }
}
