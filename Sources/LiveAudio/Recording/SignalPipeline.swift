// SPDX-License-Identifier: Apache-2.0

internal import AACCodec
internal import AudioContainers
internal import AudioConversion
internal import AudioDevices
internal import AudioMetadata
internal import AudioPrimitives
internal import PCMFiles

/// One recorded signal: its encoder, and the sinks that receive it.
///
/// Used by one thread at a time.
final class SignalPipeline: @unchecked Sendable {
    let format: RecordingFormat
    let bitRate: AdjustableBitRate
    let profile: AACProfile?
    private(set) var accessUnitCount = 0
    private(set) var byteCount = 0
    var sizes: RecordingSizes
    /// The priming and padding; known at the end if anything was encoded.
    private(set) var gaplessInfo: GaplessInfo?

    private let composer: SignalComposer
    private let encoder: any AudioPacketEncoder
    /// The number of leading access units that remain to be skipped.
    private var omittedUnitCount: Int
    private let omitsDelay: Bool
    private let isEncoding: Bool
    private let sinks: [SinkRunner]
    /// The recorder's stream of access units, for the first signal.
    private let accessUnits: EventBroadcaster<AccessUnit>?
    private var frameCount = 0
    private var jumps = TimelineJumps()

    /// Creates a pipeline.
    ///
    /// - Parameters:
    ///   - encoding: The encoder's settings, with the composer's channel count.
    ///   - sinks: The sinks, not open yet.
    ///   - fileLimit: The maximum size of a file, in bytes; `nil` for no limit.
    ///   - accessUnits: The stream of access units, if any. Access units are encoded if a sink or a reader receives them.
    /// - Throws: ``/AudioDevices/DeviceError/encoding(_:)`` if the encoder does not support the settings.
    init(
        _ composer: SignalComposer, _ encoding: AudioEncoderConfiguration, sinks: [SinkRunner], fileLimit: Int?,
        accessUnits: EventBroadcaster<AccessUnit>?
    ) throws(DeviceError) {
        do throws(CodecError) {
            encoder = try encoding.makeEncoder()
        } catch {
            throw .encoding(error)
        }
        self.composer = composer
        self.sinks = sinks
        self.accessUnits = accessUnits
        omittedUnitCount = (encoder as? AACEncoder)?.omittableUnitCount ?? 0
        omitsDelay = omittedUnitCount > 0
        format = RecordingFormat(
            sampleRate: encoder.sampleRate, channelCount: encoder.channelCount, configuration: encoder.codecConfiguration,
            framesPerUnit: encoder.framesPerPacket, primingFrames: omitsDelay ? 0 : encoder.primingFrames,
            bitRate: encoder.bitRate)
        sizes = RecordingSizes(sinks.compactMap { [format] in $0.growth(format) }, format, fileLimit: fileLimit)
        profile = (encoder as? AACEncoder)?.profile
        bitRate = AdjustableBitRate(encoder, encoding)
        isEncoding = sinks.contains(where: \.isCoded) || accessUnits?.hasSubscribers ?? false
    }

    /// Skips time that is not recorded before the next audio.
    func skip(frames: Int) {
        if isEncoding { jumps.append(length: frames, at: frameCount) }
    }

    /// Distributes and encodes audio.
    ///
    /// - Parameter buffers: One buffer per source, in the recording's sample rate.
    /// - Returns: The new bit rate, if it has changed.
    func process(_ buffers: [PCMBuffer]) throws -> Int? { try process(composer.compose(buffers)) }

    private func process(_ buffer: PCMBuffer) throws -> Int? {
        guard buffer.frameCount > 0 else { return nil }
        frameCount += buffer.frameCount
        for sink in sinks where !sink.isCoded { sink.append(buffer) }
        guard isEncoding else { return nil }
        let rate = try bitRate.apply(to: encoder)
        for accessUnit in try encoder.encode(buffer) { send(accessUnit) }
        return rate
    }

    func finishEncoding() throws {
        if let rest = composer.finish() { _ = try process(rest) }
        guard isEncoding else { return }
        var tail = try encoder.finish()
        for accessUnit in tail.accessUnits { send(accessUnit) }
        if omitsDelay { tail.gapless.primingFrames = 0 }
        gaplessInfo = tail.gapless
    }

    private func send(_ accessUnit: AccessUnit) {
        guard omittedUnitCount == 0 else {
            omittedUnitCount -= 1
            return
        }
        var accessUnit = accessUnit
        accessUnit.presentationTime.value += Int64(jumps.offset(at: Int(accessUnit.presentationTime.value)))
        accessUnitCount += 1
        byteCount += accessUnit.payload.count
        let configuration = format.configuration
        sizes.addUnit(
            byteCount: accessUnit.payload.count,
            isAccessPoint: configuration.hasAccessPoints ? configuration.isAccessPoint(accessUnit) : nil)
        for sink in sinks where sink.isCoded { sink.append(accessUnit) }
        accessUnits?.send(accessUnit)
    }

    // MARK: Sinks

    var splits: Bool { sinks.contains(where: \.splits) }

    /// Passes file boundaries to the sinks that split their output.
    func split(at boundaries: [FileBoundary], decidedFrame: Int) {
        for sink in sinks where sink.splits { sink.split(at: boundaries, decidedFrame: decidedFrame) }
    }

    /// Passes a mark to the sinks that store marks.
    ///
    /// May be called on any thread.
    func mark(_ mark: AudioTags.Chapter) {
        for sink in sinks { sink.mark(mark) }
    }

    /// Opens a sink after another.
    ///
    /// - Throws: The first error. The caller discards the sinks.
    func open(_ opened: (SinkRunner) -> Void) async throws(DeviceError) {
        for sink in sinks {
            try await sink.begin(format)
            opened(sink)
        }
    }

    /// Starts completing the sinks.
    func finishSinks(timeout: Duration) -> [Promise<Void>] { sinks.map { $0.finish(gaplessInfo, timeout: timeout) } }
}
