// SPDX-License-Identifier: Apache-2.0

internal import AACCodec
internal import AudioConversion
internal import AudioDevices
internal import AudioPrimitives
internal import PCMFiles
internal import Synchronization

/// Processes captured audio: conversion, level metering, encoding, and distribution to sinks and streams.
///
/// ``accept(_:isPaused:)`` is called on the capture thread, ``finish()`` after the capture has ended.
final class RecorderPipeline: @unchecked Sendable {
    let format: RecordingFormat
    let summary: Mutex<RecordingSummary>
    let bitRate: AdjustableBitRate
    private let encoder: any AudioPacketEncoder
    /// The number of leading access units that remain to be skipped.
    private var omittedUnitCount: Int
    private let omitsDelay: Bool
    private let isEncoding: Bool
    private let sinks: [SinkRunner]
    private let levels: LevelBroadcaster
    private let accessUnits: EventBroadcaster<AccessUnit>
    private let events: EventBroadcaster<RecorderEvent>
    private let frameLimit: Int?
    private let sinkTimeout: Duration

    private let converter: PCMBufferConverter
    private var nextTime: MediaTime?
    private var frameCount = 0
    private var jumps = TimelineJumps()

    /// Creates a pipeline.
    ///
    /// - Parameters:
    ///   - captureFormat: The device's format at the start.
    ///   - sinks: The sinks, not open yet.
    ///   - streams: The streams of levels, access units and events. Access units are encoded if a sink or a reader receives them.
    /// - Throws: ``/AudioDevices/DeviceError/encoding(_:)`` if the encoder does not support the settings.
    init(
        _ configuration: RecorderConfiguration, for captureFormat: CaptureFormat, sinks: [SinkRunner],
        streams: (levels: LevelBroadcaster, accessUnits: EventBroadcaster<AccessUnit>, events: EventBroadcaster<RecorderEvent>)
    ) throws(DeviceError) {
        let encoding = configuration.encoderConfiguration(for: captureFormat)
        do throws(CodecError) {
            encoder = try encoding.makeEncoder()
        } catch {
            throw .encoding(error)
        }
        omittedUnitCount = (encoder as? AACEncoder)?.omittableUnitCount ?? 0
        omitsDelay = omittedUnitCount > 0
        format = RecordingFormat(
            sampleRate: encoder.sampleRate, channelCount: encoder.channelCount, configuration: encoder.codecConfiguration,
            framesPerUnit: encoder.framesPerPacket, primingFrames: omitsDelay ? 0 : encoder.primingFrames,
            bitRate: encoder.bitRate)
        converter = PCMBufferConverter(
            sampleRate: format.sampleRate, channels: ChannelMatrix.Channels(count: format.channelCount))
        self.sinks = sinks
        (levels, accessUnits, events) = streams
        bitRate = AdjustableBitRate(encoder, encoding)
        isEncoding = sinks.contains(where: \.isCoded) || accessUnits.hasSubscribers
        frameLimit = configuration.duration.map { [format] in $0.frameCount(atRate: format.sampleRate) }
        sinkTimeout = configuration.sinkTimeout
        var summary = RecordingSummary()
        summary.sampleRate = format.sampleRate
        summary.framesPerAccessUnit = encoder.framesPerPacket
        summary.profile = (encoder as? AACEncoder)?.profile
        self.summary = Mutex(summary)
    }

    /// Opens all sinks.
    ///
    /// If one fails, closes the others and removes their files.
    ///
    /// - Throws: The first error of a sink.
    func open() async throws(DeviceError) {
        for (index, sink) in sinks.enumerated() {
            do throws(DeviceError) {
                try await sink.begin(format)
            } catch {
                await wait(for: sinks[..<index].map { $0.discard(timeout: sinkTimeout) })
                throw error
            }
        }
    }

    /// Whether the recording has reached its maximum duration.
    var isComplete: Bool { frameLimit.map { frameCount >= $0 } ?? false }

    /// Processes captured audio, or skips it while the recording is paused.
    ///
    /// - Throws: The error of the encoder or of the sample rate converter.
    func accept(_ audio: CapturedAudio, isPaused: Bool) throws {
        defer { nextTime = audio.time.advanced(byFrames: audio.frameCount) }
        guard !isPaused, !isComplete else { return }
        recordJump(before: audio)
        try process(converter.convert(audio.pcmBuffer()))
    }

    /// Encodes the remaining audio and completes all sinks.
    ///
    /// - Throws: The error of the encoder or of the sample rate converter, after the sinks are complete.
    func finish() async throws {
        let outcome = Result { try finishEncoding() }
        let gaplessInfo = (try? outcome.get()).flatMap { $0 }
        summary.withLock { $0.gaplessInfo = gaplessInfo }
        await wait(for: sinks.map { $0.finish(gaplessInfo, timeout: sinkTimeout) })
        _ = try outcome.get()
    }

    /// Encodes the remaining audio.
    ///
    /// Returns `nil` if nothing is encoded.
    private func finishEncoding() throws -> GaplessInfo? {
        try process(converter.finish())
        guard isEncoding else { return nil }
        var tail = try encoder.finish()
        for accessUnit in tail.accessUnits { send(accessUnit) }
        if omitsDelay { tail.gapless.primingFrames = 0 }
        return tail.gapless
    }

    /// Waits until all sinks have ended.
    private func wait(for ends: [Promise<Void>]) async {
        for end in ends { await end.wait() }
    }

    /// Records a gap that was not encoded.
    private func recordJump(before audio: CapturedAudio) {
        guard isEncoding, let nextTime, nextTime < audio.time else { return }
        let gap = (audio.time.seconds - nextTime.seconds) * Double(format.sampleRate)
        // A sample rate change shifts the same time by less than one frame.
        if gap >= 1 { jumps.append(length: Int(gap.rounded()), at: frameCount) }
    }

    /// Measures, distributes and encodes audio in the recording's format.
    private func process(_ buffer: PCMBuffer) throws {
        var buffer = buffer
        if let frameLimit { buffer.frameCount = min(buffer.frameCount, max(0, frameLimit - frameCount)) }
        guard buffer.frameCount > 0 else { return }
        frameCount += buffer.frameCount
        summary.withLock { $0.frameCount = frameCount }
        levels.send(buffer)
        for sink in sinks where !sink.isCoded { sink.append(buffer) }
        guard isEncoding else { return }
        if let rate = try bitRate.apply(to: encoder) { events.send(.bitRateChanged(rate)) }
        for accessUnit in try encoder.encode(buffer) { send(accessUnit) }
    }

    private func send(_ accessUnit: AccessUnit) {
        guard omittedUnitCount == 0 else {
            omittedUnitCount -= 1
            return
        }
        var accessUnit = accessUnit
        accessUnit.presentationTime.value += Int64(jumps.offset(at: Int(accessUnit.presentationTime.value)))
        summary.withLock {
            $0.accessUnitCount += 1
            $0.byteCount += accessUnit.payload.count
        }
        for sink in sinks where sink.isCoded { sink.append(accessUnit) }
        accessUnits.send(accessUnit)
    }
}
