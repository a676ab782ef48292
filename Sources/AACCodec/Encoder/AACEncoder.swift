// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives
public import MPEG4Audio
internal import TransformCoding
package import TransformEncoding

/// Encodes PCM to AAC-LC, HE-AAC, HE-AAC v2, AAC-LD or AAC-ELD (ISO/IEC 14496-3:2009, object types 2, 5, 29, 23
/// and 39).
///
/// ```swift
/// let encoder = try AACEncoder(AACEncoderConfiguration(sampleRate: 48_000, channelCount: 2))
/// for unit in try encoder.encode(buffer) { try writer.append(unit) }
/// let tail = encoder.finish()
/// for unit in tail.units { try writer.append(unit) }
/// ```
///
/// Any number of sample frames can be passed at a time; those that don't fill an access unit are kept for the next call. All units
/// share one buffer, so a unit that is kept beyond the closure is copied by the next call.
///
/// An encoder may be used from any thread, but only from one at a time.
public final class AACEncoder {
    /// The values derived from the configuration.
    private(set) var setup: EncoderSetup

    /// The data that all elements share; it changes only with the bit rate.
    private(set) var tables: EncoderTables

    /// The points at which this stream can be divided among encoders.
    package let segments: StreamSegments

    /// The filter bank of all channels.
    var filterBank: EncoderFilterBank

    /// The elements of an access unit, in order.
    package var elements: [ElementCoder]

    /// The samples of the next block.
    var input: EncoderInput

    /// The rate control.
    var rate: RateController

    /// The base-2 logarithm of the noise scale that replaces the rate control.
    var fixedLog2NoiseScale: Float?

    /// The survey that takes the place of coding, while one is made.
    var survey: SizeSurvey?

    /// The bitstream of the current access unit.
    var writer = BitWriter(byteCapacity: 8192)

    /// The access unit passed to callers.
    var unit: AccessUnit

    /// The number of sample frames of the stream before the next input sample; in 64 bits, since 32 last 12 hours.
    var framesIn: Int64 = 0

    /// The index of the frame that the next full input block completes.
    var nextFrame = 0

    /// The first frame that is passed to callers.
    var firstFrame = 0

    /// The first frame that is analysed, so that decisions have a history at ``firstFrame``.
    var firstAnalyzedFrame = 0

    /// The state before the first frame of the segment that is encoded; `nil` before the first frame, and where an encoder can't go on by it.
    package internal(set) var checkpoint: EncoderCheckpoint?

    /// Whether ``finish(_:)`` has been called.
    var isFinished = false

    /// Creates an encoder.
    ///
    /// - Parameter configuration: The format of the input and the parameters of the stream.
    /// - Throws: `CodecError` if the sample rate, the channel count, the profile, the bit rate, the quality or the bandwidth is
    ///   unsupported.
    public convenience init(_ configuration: AACEncoderConfiguration) throws(CodecError) {
        // Before the encoder is allocated: Embedded Swift leaks an object whose initializer throws.
        self.init(try EncoderSetup(configuration))
    }

    /// Creates an encoder of a setup.
    private init(_ setup: EncoderSetup) {
        let configuration = setup.configuration
        self.setup = setup
        tables = EncoderTables(setup)
        filterBank = EncoderFilterBank(setup.profile, frameLength: setup.frameLength, blockLength: setup.blockLength)
        segments = StreamSegments(setup.profile, entry: setup.omittableUnitCount)
        input = EncoderInput(
            inputChannels: setup.inputChannels, policy: configuration.settings.invalidSamples, blockLength: setup.unitLength)
        elements = Self.makeElements(setup)
        rate = setup.makeRateController(fixedLog2NoiseScale: nil)
        // Capacity for the largest unit, so that no frame allocates.
        var payload: [UInt8] = []
        payload.reserveCapacity(RateController.bitsPerChannel / 8 * configuration.channelCount)
        unit = AccessUnit(
            payload: payload, presentationTime: MediaTime(value: 0, timescale: Int32(configuration.sampleRate)),
            duration: setup.unitLength)
        startStream()
    }

    /// Makes the elements of the stream before their first block.
    private static func makeElements(_ setup: EncoderSetup) -> [ElementCoder] {
        let kinds = setup.channelConfiguration.elements
        return kinds.indices.map { index in
            let kind = kinds[index]
            return ElementCoder(kind: kind, instanceTag: kinds[..<index].count { $0 == kind }, setup)
        }
    }

    // MARK: Properties of the stream

    /// The configuration that the encoder was created with, with the current bit rate.
    public var configuration: AACEncoderConfiguration { setup.configuration }

    /// The encoded profile; never ``/AudioPrimitives/AACProfile/automatic``.
    public var profile: AACProfile { setup.profile }

    /// The number of sample frames in an access unit, at the input's sample rate: the frame length, or twice that with SBR, but not at single rate.
    public var framesPerPacket: Int { setup.unitLength }

    /// The former name of ``framesPerPacket``.
    @available(*, deprecated, renamed: "framesPerPacket")
    public var unitLength: Int { framesPerPacket }

    /// The number of decoded sample frames before the first input sample, at the input's sample rate: with frames of 1024 it is 2112 in
    /// AAC-LC, or 1024 with low delay, 5186 in HE-AAC, 6148 in HE-AAC v2; in AAC-LD it is the frame length N, in AAC-ELD N/2, with SBR
    /// N/2 + 32 at single rate and N + 66 at dual rate.
    ///
    /// In AAC-LC the overlap of the transform takes a frame and the look-ahead another; 64 zeros precede them.
    ///
    /// With SBR it consists of the core's 2112 and the 481 of a decoder's filter banks, both at twice the core's rate; the filter banks of
    /// the parametric stereo encoder replace the 64 frames that the core can spare.
    public var delay: Int { setup.delay }

    /// The part of ``delay`` that a decoder's SBR filter banks add, at the input's sample rate; 0 in AAC-LC.
    public var sbrDelay: Int {
        guard let sbr = setup.sbr else { return 0 }
        return SBRElementEncoder.decoderDelay(sbr.layout.isLowDelay ? configuration.settings.lowDelaySBR : nil)
    }

    /// The former name of ``sbrDelay``.
    @available(*, deprecated, renamed: "sbrDelay")
    public var replicationDelay: Int { sbrDelay }

    /// The access units before the one with the first input sample, if the configuration aligns the delay to them; else 0.
    package var omittableUnitCount: Int { setup.omittableUnitCount }

    /// The configuration that a decoder needs before the first access unit.
    public var audioSpecificConfig: AudioSpecificConfig { setup.audioSpecificConfig }

    /// The highest coded frequency, in hertz; in AAC-LC it follows the bit rate unless the configuration sets it.
    ///
    /// A pair of channels that are equal may be coded to a higher one.
    public var bandwidth: Int { setup.bandwidth }

    /// The target bit rate, in bits per second; `nil` for constant quality.
    public var bitRate: Int? { configuration.bitRate }

    /// The bit rates that ``setBitRate(_:)`` accepts while there is no peak: those of the profile, the format and the frame length.
    public var bitRates: ClosedRange<Int> { configuration.bitRates(profile: profile) }

    /// Changes the target bit rate from the next access unit on.
    ///
    /// The audio continues without a gap, and the AudioSpecificConfig stays the same. At a constant bit rate a decoder's input buffer neither
    /// overflows nor underflows if it is filled at the rate of each unit from that unit to the next. At an average bit rate the mean of the
    /// units from now on is the new rate, whatever the units before took.
    ///
    /// In HE-AAC and HE-AAC v2 only the rate of the core changes, since the frequency range of SBR is part of its header: that range
    /// is tuned for the rate that the encoder was created with, and suits rates from half of it to twice it.
    ///
    /// - Parameter bitRate: The bit rate, in bits per second.
    /// - Throws: `CodecError.unsupportedBitRate` if the bit rate is outside
    ///   ``bitRates``; `CodecError.variableBitRate` at constant quality. Nothing has changed then.
    public func setBitRate(_ bitRate: Int) throws(CodecError) {
        let before = setup.initialLog2NoiseScale
        try setup.setBitRate(bitRate)
        tables.adapt(to: setup)
        rate.setNominalBits(
            setup.nominalBits, log2Change: setup.initialLog2NoiseScale - before, entropyNoiseScaling: setup.entropyNoiseScaling)
    }

    // MARK: Position and noise scale

    /// Discards all input and history, and returns to the first frame.
    public func reset() { _ = start(atUnit: 0) }

    /// Begins the stream with the zeros that make the delay up to ``delay``.
    private func startStream() {
        input.appendSilence(setup.padding)
        nextFrame = 0
        framesIn = 0
    }

    /// Starts encoding within a stream.
    ///
    /// Units from `unit` on are passed to callers. At the first unit of a segment (``StreamSegments``) they are the same as those of an encoder
    /// that started at the beginning, if the rate control has no history: with a fixed noise scale
    /// (``setFixedNoiseScale(log2:)``), or at constant quality. Elsewhere they are similar, since a few units before them are analysed.
    ///
    /// - Parameters:
    ///   - unit: The first unit to encode.
    ///   - keepsLoudness: Whether the loudness of the signal encoded last is used in place of that before the unit (AAC-LC only).
    /// - Returns: The sample frame from which the input has to be passed.
    package func start(atUnit unit: Int, keepsLoudness: Bool = false) -> Int {
        rate = setup.makeRateController(fixedLog2NoiseScale: fixedLog2NoiseScale)
        input.startBlock()
        isFinished = false
        checkpoint = nil
        firstFrame = unit
        let isExact = segments.isFirst(unit)
        firstAnalyzedFrame = isExact ? unit : max(0, unit - settlingUnits)
        let begin = firstAnalyzedFrame - (isExact ? segments.leadIn : segments.shortLeadIn)
        if begin > 0 {
            if isExact || setup.sbr == nil {
                for element in elements { element.restart(keepsLoudness: keepsLoudness) }
            } else {
                // The history of SBR would be that of another part of the stream.
                restartElements()
            }
            nextFrame = begin
            framesIn = Int64(begin * framesPerPacket - setup.padding)
        } else {
            if nextFrame > 0 { restartElements() }
            startStream()
        }
        return Int(clamping: framesIn)
    }

    /// Returns all elements to the start of the stream.
    private func restartElements() {
        for element in elements { element.startStream(setup) }
    }

    /// The units after which decisions hardly depend on the history before them.
    private var settlingUnits: Int { (configuration.settings.effort == .fast ? 3 : 8) * setup.frameLength / framesPerPacket }

    /// Replaces the rate control by a fixed noise scale for frames of typical entropy, from the next frame on.
    ///
    /// - Parameter value: The base-2 logarithm of the noise scale.
    package func setFixedNoiseScale(log2 value: Float) {
        fixedLog2NoiseScale = value
        rate = setup.makeRateController(fixedLog2NoiseScale: value)
    }

    /// Uses the rate control again, and returns to the first frame.
    package func clearFixedNoiseScale() {
        fixedLog2NoiseScale = nil
        reset()
    }

    /// The base-2 logarithm of the noise scale at which typical music takes the configured bit rate.
    package var typicalLog2NoiseScale: Float { setup.initialLog2NoiseScale }
}
