// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives
public import MPEG4Audio
internal import TransformCoding
package import TransformEncoding

/// An encoder for AAC-LC, HE-AAC, HE-AAC v2, AAC-LD, AAC-ELD and xHE-AAC (ISO/IEC 14496-3:2009, object types 2, 5, 29, 23, 39 and 42).
///
/// ```swift
/// let encoder = try AACEncoder(AACEncoderConfiguration(sampleRate: 48_000, channelCount: 2))
/// for unit in try encoder.encode(buffer) { try writer.append(unit) }
/// let tail = encoder.finish()
/// for unit in tail.accessUnits { try writer.append(unit) }
/// ```
///
/// A call accepts any number of sample frames, and keeps those that do not fill an access unit for the next call. All access units share
/// one buffer. The next call copies one that the caller retains.
///
/// An encoder may be used from any thread, but only from one at a time.
public final class AACEncoder {
    private(set) var setup: EncoderSetup

    /// Data shared by all elements, which changes only with the bit rate.
    private(set) var tables: EncoderTables

    /// The points at which this stream can be divided among encoders.
    package let segments: StreamSegments

    var filterBank: EncoderFilterBank

    /// The elements of an access unit, in bitstream order.
    package var elements: [ElementCoder]

    /// The input block being filled.
    var input: EncoderInput

    var rate: RateController

    #if !hasFeature(Embedded) || LINNET_USAC
    /// The writer of access units of xHE-AAC; `nil` in other profiles.
    var extended: USACFrameWriter?
    #endif

    /// The base-2 logarithm of the noise scale that replaces the rate control, if fixed.
    var fixedLog2NoiseScale: Float?

    /// The active survey, which replaces encoding.
    var sizeEstimator: SizeEstimator?

    var writer = BitWriter(byteCapacity: 8192)

    /// The access unit passed to callers.
    var accessUnit: AccessUnit

    /// The stream position of the next input sample, in sample frames.
    ///
    /// 64 bits, because 32 bits last 12 hours.
    var framesIn: Int64 = 0

    /// The index of the frame that the next full input block completes.
    var nextFrame = 0

    /// The first frame passed to callers.
    var firstFrame = 0

    /// The first analysed frame, so that decisions have a history at ``firstFrame``.
    var firstAnalyzedFrame = 0

    /// The state before the current segment's first frame; `nil` before the first frame, and where an encoder cannot resume from it.
    package internal(set) var checkpoint: EncoderCheckpoint?

    /// Whether ``finish(_:)`` has been called.
    var isFinished = false

    /// Whether to record a pass from the start of the stream, and to repeat it.
    var keepsPasses = false

    var pass = PassKind.separate

    /// Creates an encoder.
    ///
    /// - Parameter configuration: The format of the input and the parameters of the stream.
    /// - Throws: `CodecError` if the sample rate, channel count, profile, bit rate, quality or bandwidth is unsupported.
    public convenience init(_ configuration: AACEncoderConfiguration) throws(CodecError) {
        // Before the encoder is allocated: Embedded Swift leaks an object whose initializer throws.
        self.init(try EncoderSetup(configuration))
    }

    private init(_ setup: EncoderSetup) {
        let configuration = setup.configuration
        self.setup = setup
        (framesPerPacket, delay) = (setup.framesPerAccessUnit, setup.delay)
        tables = EncoderTables(setup)
        filterBank = EncoderFilterBank(setup.profile, frameLength: setup.frameLength, blockLength: setup.blockLength)
        #if !hasFeature(Embedded) || LINNET_USAC
        extended = USACFrameWriter(setup)
        segments = StreamSegments(
            hasStereo: setup.parametricStereo != nil, entry: setup.omittableUnitCount, interval: extended?.interval ?? 1,
            preRollCount: USACFrameWriter.preRollCount(setup))
        #else
        segments = StreamSegments(hasStereo: setup.parametricStereo != nil, entry: setup.omittableUnitCount)
        #endif
        input = EncoderInput(
            inputChannels: setup.inputChannels, policy: configuration.settings.invalidSamples, blockLength: setup.framesPerAccessUnit)
        elements = Self.makeElements(setup)
        rate = setup.makeRateController(fixedLog2NoiseScale: nil)
        // Capacity for the largest unit, so that no frame allocates.
        var payload: [UInt8] = []
        payload.reserveCapacity(RateController.bitsPerChannel / 8 * configuration.channelCount)
        accessUnit = AccessUnit(
            payload: payload, presentationTime: MediaTime(value: 0, timescale: Int32(configuration.sampleRate)),
            duration: setup.framesPerAccessUnit)
        startStream()
    }

    /// Creates the elements in their state before the first block.
    private static func makeElements(_ setup: EncoderSetup) -> [ElementCoder] {
        let kinds = setup.channelConfiguration.elements
        return kinds.indices.map { index in
            let kind = kinds[index]
            return ElementCoder(kind: kind, instanceTag: kinds[..<index].count { $0 == kind }, setup)
        }
    }

    // MARK: Properties of the stream

    /// The configuration passed to the initializer, with the current bit rate.
    public var configuration: AACEncoderConfiguration { setup.configuration }

    /// The encoded profile; never ``/AudioPrimitives/AACProfile/automatic``.
    public var profile: AACProfile { setup.profile }

    /// The number of sample frames per access unit, at the input sample rate: the frame length, or twice that with dual-rate SBR.
    public let framesPerPacket: Int

    /// The former name of ``framesPerPacket``.
    @available(*, deprecated, renamed: "framesPerPacket")
    public var unitLength: Int { framesPerPacket }

    /// The number of decoded sample frames before the first input sample, at the input sample rate.
    ///
    /// With frames of 1024 it is 2112 in AAC-LC (1024 with low delay), 5186 in HE-AAC and 6148 in HE-AAC v2. In xHE-AAC it is 2112, or 5186
    /// with SBR, or 6148 with MPEG Surround. With a frame length of N it is N in AAC-LD and N/2 in AAC-ELD. With SBR, AAC-ELD has N/2 + 32
    /// at single rate and N + 64 at dual rate.
    ///
    /// In AAC-LC the delay consists of one frame of transform overlap, one frame of look-ahead and 64 leading zeros.
    ///
    /// With SBR it consists of the core's 2112 and a decoder's filter bank delay of 481, both at twice the core sample rate. In HE-AAC v2
    /// and with MPEG Surround, the filter banks of the PS encoder replace the 64 zeros.
    public let delay: Int

    /// The part of ``delay`` that a decoder's SBR filter banks add, at the input sample rate; 0 without SBR.
    public var sbrDelay: Int {
        guard let sbr = setup.sbr else { return 0 }
        return SBRElementEncoder.decoderDelay(sbr.layout.isLowDelay ? configuration.settings.lowDelaySBR : nil)
    }

    /// The former name of ``sbrDelay``.
    @available(*, deprecated, renamed: "sbrDelay")
    public var replicationDelay: Int { sbrDelay }

    /// The number of access units before the first input sample if the configuration aligns the delay to access units; otherwise 0.
    package var omittableUnitCount: Int { setup.omittableUnitCount }

    /// The configuration that a decoder needs before the first access unit.
    public var audioSpecificConfig: AudioSpecificConfig { setup.audioSpecificConfig }

    /// The highest coded frequency, in hertz.
    ///
    /// In AAC-LC it depends on the bit rate unless the configuration sets it.
    ///
    /// A pair of equal channels may be coded to a higher frequency.
    public var bandwidth: Int { setup.bandwidth }

    /// The target bit rate, in bits per second; `nil` for constant quality.
    public var bitRate: Int? { configuration.bitRate }

    /// The bit rates that ``setBitRate(_:)`` accepts without a peak bit rate: the range of the profile, format and frame length.
    ///
    /// In xHE-AAC they are the part of it with the same use of SBR and MPEG Surround.
    public var bitRates: ClosedRange<Int> { EncoderSetup.changedBitRates(configuration, profile: profile) }

    /// Changes the target bit rate from the next access unit on.
    ///
    /// The audio continues without a gap, and the AudioSpecificConfig stays the same. With a constant bit rate, a decoder's input buffer
    /// neither overflows nor underflows if its fill rate changes with the access units. With an average bit rate, the mean is counted from
    /// here, whatever the previous access units used.
    ///
    /// In HE-AAC and HE-AAC v2 only the core's bit rate changes, because the SBR header fixes the SBR frequency range. That range is tuned
    /// for the initial bit rate, and suits rates from half to twice that.
    ///
    /// - Parameter bitRate: The bit rate, in bits per second.
    /// - Throws: `CodecError.unsupportedBitRate` if the bit rate is outside ``bitRates``; `CodecError.variableBitRate` with constant
    ///   quality. The encoder is then unchanged.
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

    /// Starts the stream with the zeros that complete ``delay``.
    private func startStream() {
        input.appendSilence(setup.padding)
        nextFrame = 0
        framesIn = 0
    }

    /// Starts encoding within a stream.
    ///
    /// The encoder produces access units starting at `accessUnitIndex`. At the start of a segment (``StreamSegments``) they equal the
    /// output of an encoder that started at the beginning, provided that the rate control has no history: with a fixed noise scale
    /// (``setFixedNoiseScale(log2:)``), or with constant quality. Elsewhere they are similar, because a few preceding frames are analysed.
    ///
    /// - Parameters:
    ///   - accessUnitIndex: The first access unit to encode.
    ///   - keepsLoudness: Whether to keep the loudness of the last encoded signal, except at the start of a segment.
    /// - Returns: The index of the first sample frame to pass.
    package func start(atUnit accessUnitIndex: Int, keepsLoudness: Bool = false) -> Int {
        rate = setup.makeRateController(fixedLog2NoiseScale: fixedLog2NoiseScale)
        #if !hasFeature(Embedded) || LINNET_USAC
        extended = USACFrameWriter(setup)
        #endif
        startPass(atUnit: accessUnitIndex, isComplete: isFinished && !hasNextUnit)
        input.startBlock()
        isFinished = false
        checkpoint = nil
        firstFrame = accessUnitIndex
        let isExact = segments.isFirst(accessUnitIndex)
        firstAnalyzedFrame = isExact ? accessUnitIndex : max(0, accessUnitIndex - Self.settlingUnits)
        let begin = firstAnalyzedFrame - (isExact ? segments.leadIn : segments.shortLeadIn)
        if begin > 0 {
            if isExact {
                for element in elements { element.restart() }
            } else {
                // The history of SBR, and samples before a short lead-in, would belong to another part of the stream.
                restartElements(keepsLoudness: keepsLoudness)
            }
            nextFrame = begin
            framesIn = Int64(begin * framesPerPacket - setup.padding)
        } else {
            if nextFrame > 0 { restartElements() }
            startStream()
        }
        return Int(clamping: framesIn)
    }

    /// Resets all elements to the start of the stream.
    private func restartElements(keepsLoudness: Bool = false) {
        for element in elements { element.startStream(setup, keepsLoudness: keepsLoudness) }
    }

    /// The number of access units after which sizes hardly depend on earlier history.
    ///
    /// Measured in RateControl.md#two-passes-for-an-average-rate.
    private static let settlingUnits = 1

    /// Replaces the rate control by a fixed noise scale for frames of typical entropy, from the next frame on.
    ///
    /// - Parameter value: The base-2 logarithm of the noise scale.
    package func setFixedNoiseScale(log2 value: Float) {
        fixedLog2NoiseScale = value
        rate = setup.makeRateController(fixedLog2NoiseScale: value)
    }

    /// Restores the rate control and returns to the first frame.
    package func clearFixedNoiseScale() {
        fixedLog2NoiseScale = nil
        reset()
    }

    /// The base-2 logarithm of the noise scale at which typical music needs the configured bit rate.
    package var typicalLog2NoiseScale: Float { setup.initialLog2NoiseScale }

    /// The error with SBR relative to the error without SBR, in decibels, up to which ``AACEncoderConfiguration/usesBandReplication`` should
    /// be true, and the effort with which these errors are measured.
    ///
    /// `nil` if the configuration determines the use of SBR.
    package var bandReplicationTrial: (limit: Double, effort: AACEncoderConfiguration.Effort)? { setup.bandReplicationTrial }

    /// The changes that can reduce the errors of a file, for ``AACEncoderConfiguration/adaptations``.
    package var possibleAdaptations: SignalAdaptations { setup.possibleAdaptations }

    /// The base-2 logarithm of the noise scale below which ``AACEncoderConfiguration/raisesCrossover`` reduces errors.
    ///
    /// `nil` if the crossover is fixed: without SBR, without a bit rate, and except in stereo.
    ///
    /// Measured in SBR.md#crossover-by-file.
    package var raisedCrossoverLevel: Float? { setup.raisedCrossoverLevel }
}
