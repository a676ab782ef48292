// SPDX-License-Identifier: Apache-2.0

import AudioToolbox

/// The system's AAC encoders and Opus codec as `AudioConverter` exposes them.
///
/// Rules that Apple does not document are switches; a scenario runs with both values.
public final class ConverterModel {
    /// A scripted error of `AudioConverterFillComplexBuffer`.
    public struct Failure {
        /// The first failing call, counted from 0 across all converters.
        public var call: Int
        /// The number of failing calls.
        public var count: Int
        /// The status that the failing calls return.
        public var status: OSStatus
        /// Whether the converter requests input before it fails.
        public var takesInput: Bool
        /// Whether that input is lost.
        public var losesInput: Bool
    }

    /// How a magic cookie signals SBR.
    public enum Signaling: CaseIterable { case hierarchical, backwardCompatible, implicit }

    /// The manufacturers that provide encoders: `appl` by default; hardware encoders are from `aphw`.
    public var manufacturers: Set<UInt32> = [UInt32(kAppleSoftwareAudioCodecManufacturer)]
    /// The scripted errors.
    public var failures: [Failure] = []

    /// [U] The status for an output buffer smaller than the largest packet: `!siz` or `otsz`.
    public var roomStatus = ConverterStatus.badPropertySize
    /// [U] Whether the converter reports the padding after the last valid frame of the stream.
    public var knowsTrailingFrames = true
    /// [U] How the magic cookie signals SBR.
    public var signaling = Signaling.hierarchical
    /// [U] Whether the hierarchical cookie of HE-AAC v2 has object type 29 instead of HE-AAC's 5.
    public var signalsParametricStereo = true
    /// [U] Whether the encoder has the rate control mode property.
    public var hasRateControlMode = true
    /// [U] Whether an unsupported bit rate is replaced by the nearest supported one instead of rejected.
    public var replacesBitRates = false
    /// [U] Whether the applicable bit rates are a list of values instead of one range.
    public var hasSingleBitRates = false
    /// [U] Whether a stream without input produces packets.
    public var flushesEmptyStream = true
    /// [U] Whether the converter requests input for a whole packet instead of only the missing frames.
    public var asksForWholePackets = false

    /// [U] The Opus encoder's priming in frames at 48 kHz: 312, or 120 for a low-delay encoder.
    public var opusPriming = 312
    /// [U] Whether the Opus encoder reports its priming; otherwise it reports 0.
    public var tellsOpusPriming = true
    /// [U] The Opus encoder's packet durations in frames at 48 kHz; the first is the default.
    public var opusDurations = [960, 120, 240, 480, 1920, 2880]
    /// [U] The Opus encoder's bit rates per channel, as in RFC 6716.
    public var opusBitRates: ClosedRange<UInt32> = 6000...255_000
    /// [U] The Opus encoder's output delay in packets.
    public var heldOpusPackets = 0
    /// [U] Whether the Opus decoder conceals an empty frame instead of rejecting it.
    public var concealsEmptyFrames = true

    var converters: [UInt: Converter] = [:]
    var fillCount = 0
    private var nextHandle: UInt = 0x1000

    func create(_ codec: ConverterCodec, _ sampleRate: Double, _ channelCount: Int, isDecoder: Bool = false) -> OpaquePointer? {
        nextHandle += 16
        converters[nextHandle] = Converter(codec, sampleRate: sampleRate, channelCount: channelCount, isDecoder: isDecoder)
        return OpaquePointer(bitPattern: nextHandle)
    }

    /// Returns an existing converter; an unknown handle is a violation.
    func converter(_ handle: OpaquePointer?, _ call: String) -> Converter? {
        guard let handle, let converter = converters[UInt(bitPattern: handle)] else {
            machine.violate("\(call) with an unknown converter")
            return nil
        }
        guard !converter.isDisposed else {
            machine.violate("\(call) after the converter was disposed of")
            return nil
        }
        return converter
    }

    /// Returns a scripted error of `AudioConverterFillComplexBuffer`; `calls` counts from the next call.
    public func failure(
        after calls: Int, count: Int = 1, _ status: OSStatus, takesInput: Bool = false, losesInput: Bool = false
    ) -> Failure {
        Failure(call: fillCount + calls, count: count, status: status, takesInput: takesInput, losesInput: losesInput)
    }

    /// Returns the scripted error of the next call, or `nil`.
    func nextFailure() -> Failure? {
        defer { fillCount += 1 }
        return failures.first { ($0.call..<$0.call + $0.count).contains(fillCount) }
    }

    /// Returns one stream channel's samples from the latest converter in encoding order.
    public func encodedSamples(channel: Int = 0) -> [Float] {
        latest.flatMap { $0.encoded.indices.contains(channel) ? $0.encoded[channel] : nil } ?? []
    }

    /// The latest converter's rate control mode, or `nil` if it was not set.
    public var rateControlMode: UInt32? { latest?.mode }

    /// The latest converter's VBR quality, or `nil` if it was not set.
    public var variableQuality: UInt32? { latest?.quality }

    /// The number of created converters.
    public var creationCount: Int { converters.count }

    private var latest: Converter? { converters.max { $0.key < $1.key }?.value }

    /// Whether a converter has not been disposed of.
    var isAnyLeft: Bool { converters.values.contains { !$0.isDisposed } }
}

/// AudioToolbox status codes that the model returns.
public enum ConverterStatus {
    /// `fmt?`.
    public static let format = kAudioConverterErr_FormatNotSupported
    /// `prop`.
    public static let property = kAudioConverterErr_PropertyNotSupported
    /// `!siz`.
    public static let badPropertySize: OSStatus = 0x2173_697A
    /// `otsz`.
    public static let invalidOutputSize: OSStatus = 0x6F74_737A
    /// `!dat`: the codec's `kAudioCodecUnsupportedFormatError`.
    public static let unsupportedValue: OSStatus = 0x2164_6174
    /// `hwiu`.
    public static let hardwareInUse: OSStatus = 0x6877_6975
    /// `bada`: `kAudioCodecBadDataError`.
    public static let badData: OSStatus = 0x6261_6461
    /// `perm`: hardware access is not permitted, for example in the background.
    public static let noHardwarePermission: OSStatus = 0x7065_726D
}

/// A converter from floating point to AAC or Opus, or from Opus to floating point.
final class Converter {
    let codec: ConverterCodec
    let sampleRate: Double
    let channelCount: Int
    /// The Opus encoder or decoder.
    let opus: OpusEngine?
    var isDisposed = false
    var isInside = false
    /// Whether a packet has been requested; after that only the bit rate changes.
    var hasStarted = false

    var bitRate: UInt32
    var mode: UInt32?
    var quality: UInt32?
    var inputLabels: [UInt32]?
    var outputTag: UInt32?

    /// The caller's input buffer, read as late as Apple's contract allows: just before the next request for input.
    var borrowed: UnsafePointer<Float>?
    var borrowedFrames = 0
    /// A copy of the samples in the borrowed buffer at the time it was provided.
    var lent: [Float] = []
    /// Samples copied before the next request for input.
    var own: [Float] = []
    /// The encoded samples of each stream channel.
    var encoded: [[Float]]
    var encodedFrames = 0
    var packetCount = 0
    var hasEnded = false
    var hasFlushed = false

    init(_ codec: ConverterCodec, sampleRate: Double, channelCount: Int, isDecoder: Bool) {
        self.codec = codec
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        bitRate = codec.bitRates(channelCount).upperBound / 2
        opus = codec.isOpus ? OpusEngine(codec, sampleRate: sampleRate, channelCount: channelCount, isDecoder: isDecoder) : nil
        encoded = Array(repeating: [], count: channelCount)
    }

    /// Starts a new stream with the same settings.
    func reset() {
        (borrowed, borrowedFrames, lent, own) = (nil, 0, [], [])
        encoded = Array(repeating: [], count: channelCount)
        (encodedFrames, packetCount) = (0, 0)
        (hasEnded, hasFlushed) = (false, false)
        opus?.reset()
    }

    /// The format's bit rates in ascending order.
    var applicableBitRates: [ClosedRange<UInt32>] {
        let range = codec.bitRates(channelCount)
        guard machine.converters.hasSingleBitRates else { return [range] }
        let step = UInt32(8000 * channelCount)
        return stride(from: range.lowerBound, through: range.upperBound, by: Int(step)).map { $0...$0 }
    }

    /// The input channel of each stream channel.
    ///
    /// Without layouts the encoder assumes that the input is in stream order.
    var permutation: [Int] {
        guard let inputLabels, let labels = outputTag.flatMap({ ConverterCodec.labels(ofTag: $0) }) else { return Array(0..<channelCount) }
        return labels.map { inputLabels.firstIndex(of: $0) ?? 0 }
    }

    /// The number of frames that can be encoded without more input.
    var availableFrames: Int { own.count / channelCount + borrowedFrames }

    /// Copies the unread frames of the caller's buffer and releases the buffer.
    func copyBorrowed() {
        guard borrowedFrames > 0 else { return }
        own += borrowedSamples(borrowedFrames)
    }

    /// Reads frames from the caller's buffer.
    private func borrowedSamples(_ frames: Int) -> [Float] {
        guard let memory = borrowed else { return [] }
        let count = frames * channelCount
        let samples = Array(UnsafeBufferPointer(start: memory, count: count))
        if samples != Array(lent.prefix(count)) { machine.violate("the input's memory changed before the next call for input") }
        lent.removeFirst(count)
        borrowed = memory + count
        borrowedFrames -= frames
        return samples
    }

    /// Encodes frames, first the copied frames and then the caller's.
    func encode(_ frames: Int) {
        let wanted = frames * channelCount
        var samples = own
        if samples.count < wanted { samples += borrowedSamples(min(frames - samples.count / channelCount, borrowedFrames)) }
        own = Array(samples.dropFirst(wanted))
        let count = min(wanted, samples.count) / channelCount
        for (channel, source) in permutation.enumerated() {
            for frame in 0..<count { encoded[channel].append(samples[frame * channelCount + source]) }
        }
        encodedFrames += count
        packetCount += 1
        opus?.encode(Array(samples.prefix(count * channelCount)), frameCount: framesPerPacket, bitRate: bitRate, mode: mode)
    }
}
