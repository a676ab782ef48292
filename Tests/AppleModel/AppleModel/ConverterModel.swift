// SPDX-License-Identifier: Apache-2.0

import AudioToolbox

/// The system's encoders of AAC, and its encoder and decoder of Opus, as `AudioConverter` offers them.
///
/// Rules that Apple does not document are switches. A scenario runs with both of their values.
public final class ConverterModel {
    /// A scripted error of `AudioConverterFillComplexBuffer`.
    public struct Failure {
        /// The call that fails, counted from 0 over all converters.
        public var call: Int
        /// The number of calls that fail.
        public var count: Int
        /// The status that they return.
        public var status: OSStatus
        /// Whether the converter calls for input before it fails.
        public var takesInput: Bool
        /// Whether that input is lost.
        public var losesInput: Bool
    }

    /// The forms of a magic cookie that say that a stream has SBR.
    public enum Signaling: CaseIterable { case hierarchical, backwardCompatible, implicit }

    /// The manufacturers that have encoders: `appl`; hardware is `aphw`.
    public var manufacturers: Set<UInt32> = [UInt32(kAppleSoftwareAudioCodecManufacturer)]
    /// The errors to come.
    public var failures: [Failure] = []

    /// [U] The status for less room than a packet may need, `!siz` or `otsz`.
    public var roomStatus = ConverterStatus.badPropertySize
    /// [U] Whether the converter knows the frames after the last valid one at the end of the stream.
    public var knowsTrailingFrames = true
    /// [U] How the magic cookie signals SBR.
    public var signaling = Signaling.hierarchical
    /// [U] Whether the hierarchical cookie of HE-AAC v2 has object type 29, and not 5 as of HE-AAC.
    public var signalsParametricStereo = true
    /// [U] Whether the encoder has the property of the rate control's mode.
    public var hasRateControlMode = true
    /// [U] Whether a bit rate that is not applicable is replaced by the nearest one, and not refused.
    public var replacesBitRates = false
    /// [U] Whether the applicable bit rates are single numbers, and not one range.
    public var hasSingleBitRates = false
    /// [U] Whether a stream without input has packets.
    public var flushesEmptyStream = true
    /// [U] Whether the converter calls for a whole packet of input, and not just for what it lacks.
    public var asksForWholePackets = false

    /// [U] The frames of priming at 48 kHz of the encoder of Opus: 312, or 120 of an encoder with low delay.
    public var opusPriming = 312
    /// [U] Whether the encoder of Opus tells its priming; otherwise it is 0.
    public var tellsOpusPriming = true
    /// [U] The durations of packets that the encoder of Opus has, in frames at 48 kHz; the first one is the usual one.
    public var opusDurations = [960, 120, 240, 480, 1920, 2880]
    /// [U] The bit rates for each channel that the encoder of Opus has; those of RFC 6716.
    public var opusBitRates: ClosedRange<UInt32> = 6000...255_000
    /// [U] The number of packets that the encoder of Opus holds back.
    public var heldOpusPackets = 0
    /// [U] Whether the decoder of Opus conceals a frame without bytes; otherwise it refuses it.
    public var concealsEmptyFrames = true

    var converters: [UInt: Converter] = [:]
    var fillCount = 0
    private var nextHandle: UInt = 0x1000

    /// Creates a converter.
    func create(_ codec: ConverterCodec, _ sampleRate: Double, _ channelCount: Int, isDecoder: Bool = false) -> OpaquePointer? {
        nextHandle += 16
        converters[nextHandle] = Converter(codec, sampleRate: sampleRate, channelCount: channelCount, isDecoder: isDecoder)
        return OpaquePointer(bitPattern: nextHandle)
    }

    /// Returns a converter that exists; else the call is a violation.
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

    /// Returns an error of `AudioConverterFillComplexBuffer`, counted from the next call on.
    public func failure(
        after calls: Int, count: Int = 1, _ status: OSStatus, takesInput: Bool = false, losesInput: Bool = false
    ) -> Failure {
        Failure(call: fillCount + calls, count: count, status: status, takesInput: takesInput, losesInput: losesInput)
    }

    /// Returns the scripted error of the call to come, if it fails.
    func nextFailure() -> Failure? {
        defer { fillCount += 1 }
        return failures.first { ($0.call..<$0.call + $0.count).contains(fillCount) }
    }

    /// The latest converter's samples of a channel of the stream, in the order in which they were encoded.
    public func encodedSamples(channel: Int = 0) -> [Float] {
        latest.flatMap { $0.encoded.indices.contains(channel) ? $0.encoded[channel] : nil } ?? []
    }

    /// The latest converter's mode of the rate control; `nil` if it was not set.
    public var rateControlMode: UInt32? { latest?.mode }

    /// The latest converter's quality of a variable bit rate; `nil` if it was not set.
    public var variableQuality: UInt32? { latest?.quality }

    /// The number of converters that were created.
    public var creationCount: Int { converters.count }

    private var latest: Converter? { converters.max { $0.key < $1.key }?.value }

    /// Whether a converter still exists.
    var isAnyLeft: Bool { converters.values.contains { !$0.isDisposed } }
}

/// The status codes of AudioToolbox that the model returns.
public enum ConverterStatus {
    /// The code `fmt?`.
    public static let format = kAudioConverterErr_FormatNotSupported
    /// The code `prop`.
    public static let property = kAudioConverterErr_PropertyNotSupported
    /// The code `!siz`.
    public static let badPropertySize: OSStatus = 0x2173_697A
    /// The code `otsz`.
    public static let invalidOutputSize: OSStatus = 0x6F74_737A
    /// `!dat`: `kAudioCodecUnsupportedFormatError` of the codec behind the converter.
    public static let unsupportedValue: OSStatus = 0x2164_6174
    /// The code `hwiu`.
    public static let hardwareInUse: OSStatus = 0x6877_6975
    /// `bada`: `kAudioCodecBadDataError`.
    public static let badData: OSStatus = 0x6261_6461
    /// `perm`: the hardware is not permitted, such as in the background.
    public static let noHardwarePermission: OSStatus = 0x7065_726D
}

/// One converter from floating point to AAC or Opus, or from Opus to floating point.
final class Converter {
    let codec: ConverterCodec
    let sampleRate: Double
    let channelCount: Int
    /// The encoder or the decoder of Opus.
    let opus: OpusEngine?
    var isDisposed = false
    var isInside = false
    /// Whether a packet was asked for, after which only the bit rate changes.
    var hasStarted = false

    var bitRate: UInt32
    var mode: UInt32?
    var quality: UInt32?
    var inputLabels: [UInt32]?
    var outputTag: UInt32?

    /// The caller's memory, which is read as late as Apple's promise allows: until the next call for input.
    var borrowed: UnsafePointer<Float>?
    var borrowedFrames = 0
    /// The samples of the borrowed memory when it was given.
    var lent: [Float] = []
    /// Samples that were copied before the next call for input.
    var own: [Float] = []
    /// The samples of each channel of the stream that were encoded.
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

    /// Returns to the start of a stream; the settings stay.
    func reset() {
        (borrowed, borrowedFrames, lent, own) = (nil, 0, [], [])
        encoded = Array(repeating: [], count: channelCount)
        (encodedFrames, packetCount) = (0, 0)
        (hasEnded, hasFlushed) = (false, false)
        opus?.reset()
    }

    /// The bit rates for the format, ascending.
    var applicableBitRates: [ClosedRange<UInt32>] {
        let range = codec.bitRates(channelCount)
        guard machine.converters.hasSingleBitRates else { return [range] }
        let step = UInt32(8000 * channelCount)
        return stride(from: range.lowerBound, through: range.upperBound, by: Int(step)).map { $0...$0 }
    }

    /// The channel of the input for each channel of the stream.
    ///
    /// Without layouts the encoder assumes that the input has the order of the stream.
    var permutation: [Int] {
        guard let inputLabels, let labels = outputTag.flatMap({ ConverterCodec.labels(ofTag: $0) }) else { return Array(0..<channelCount) }
        return labels.map { inputLabels.firstIndex(of: $0) ?? 0 }
    }

    /// The frames that can be encoded without more input.
    var availableFrames: Int { own.count / channelCount + borrowedFrames }

    /// Copies what is left of the caller's memory, which is the caller's again after that.
    func copyBorrowed() {
        guard borrowedFrames > 0 else { return }
        own += borrowedSamples(borrowedFrames)
    }

    /// Reads frames of the caller's memory.
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

    /// Encodes frames: the copied ones, then those in the caller's memory.
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
