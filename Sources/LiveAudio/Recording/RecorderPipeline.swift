// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AACCodec
internal import AudioDevices
internal import AudioFiles
internal import AudioPrimitives
internal import Synchronization

/// Captured sound to sinks: conversion, levels, encoding.
///
/// One thread at a time feeds it: capture's worker, and whoever finishes it after capture has ended.
final class RecorderPipeline: @unchecked Sendable {
    /// What others look at while it runs.
    struct Published {
        var summary = RecordingSummary()
        var meter: LevelMeter
    }

    let format: RecordingFormat
    let published: Mutex<Published>
    private let encoder: AACEncoder
    private let sampleSinks: [SinkRunner]
    private let unitSinks: [SinkRunner]
    private let frameLimit: Int?
    private let sinkTimeout: Double

    private var converter: FormatConverter?
    private var nextTime: MediaTime?
    private var frameCount = 0
    /// Where time was left out: from this frame on, access units come so many frames later.
    private var jumps: [(frame: Int, length: Int)] = []

    /// Makes a pipeline and opens all sinks; throws the first error.
    init(_ configuration: RecorderConfiguration, for captureFormat: CaptureFormat, sinks: [SinkRunner]) throws {
        encoder = try AACEncoder(configuration.encoderConfiguration(for: captureFormat))
        format = RecordingFormat(
            sampleRate: encoder.configuration.sampleRate, channelCount: encoder.configuration.channelCount,
            audioSpecificConfig: encoder.audioSpecificConfig, primingFrames: encoder.delay, bitRate: encoder.bitRate)
        sampleSinks = sinks.filter { !$0.sink.takesAccessUnits }
        unitSinks = sinks.filter(\.sink.takesAccessUnits)
        let rate = Double(format.sampleRate)
        frameLimit = configuration.duration.map { Int(($0 * rate).rounded()) }
        sinkTimeout = configuration.sinkTimeout
        var published = Published(meter: LevelMeter(channelCount: format.channelCount))
        published.summary.sampleRate = format.sampleRate
        published.summary.framesPerAccessUnit = encoder.unitLength
        published.summary.profile = encoder.profile
        self.published = Mutex(published)
        for (index, sink) in sinks.enumerated() {
            do {
                try sink.begin(format)
            } catch {
                for other in sinks[..<index] { other.finish(nil, within: sinkTimeout) }
                throw error
            }
        }
    }

    /// Whether everything asked for is recorded.
    var isComplete: Bool { frameLimit.map { frameCount >= $0 } ?? false }

    /// Takes captured sound; `isPaused` leaves it out.
    func accept(_ audio: CapturedAudio, isPaused: Bool) throws {
        defer { nextTime = audio.time.advanced(byFrames: audio.frameCount) }
        guard !isPaused, !isComplete else { return }
        try adapt(to: audio)
        guard let converter else { return }
        try pass(converter.convert(audio.pcmBuffer()))
    }

    /// Sends what is still inside to the sinks, and closes them.
    func finish() throws {
        if let rest = try converter?.finish() { try pass(rest) }
        converter = nil
        var gaplessInfo: GaplessInfo?
        if !unitSinks.isEmpty { gaplessInfo = try encoder.finish { send($0) } }
        published.withLock { $0.summary.gaplessInfo = gaplessInfo }
        for sink in sampleSinks + unitSinks { sink.finish(gaplessInfo, within: sinkTimeout) }
    }

    /// Follows a change of the device's format, and gaps that are left out.
    private func adapt(to audio: CapturedAudio) throws {
        if let nextTime, nextTime < audio.time {
            let gap = (audio.time.seconds - nextTime.seconds) * Double(format.sampleRate)
            // A change of rate moves the same time by less than a frame.
            if gap >= 1 { jumps.append((frameCount, Int(gap.rounded()))) }
        }
        if let converter, !converter.accepts(sampleRate: audio.sampleRate, channelCount: audio.format.channelCount) {
            if let rest = try converter.finish() { try pass(rest) }
            self.converter = nil
        }
        if converter == nil {
            converter = try FormatConverter(
                from: (audio.sampleRate, audio.format.channelCount), to: (format.sampleRate, format.channelCount))
        }
    }

    private func pass(_ buffer: PCMBuffer) throws {
        var buffer = buffer
        if let frameLimit { buffer.setFrameCount(min(buffer.frameCount, max(0, frameLimit - frameCount))) }
        guard buffer.frameCount > 0 else { return }
        frameCount += buffer.frameCount
        published.withLock {
            $0.meter.accept(buffer)
            $0.summary.frameCount = frameCount
        }
        for sink in sampleSinks { sink.append(.samples(buffer)) }
        if !unitSinks.isEmpty { try encoder.encode(buffer) { send($0) } }
    }

    private func send(_ unit: AccessUnit) {
        var unit = unit
        let start = unit.presentationTime.value
        for jump in jumps where start >= jump.frame { unit.presentationTime.value += Int64(jump.length) }
        published.withLock {
            $0.summary.accessUnitCount += 1
            $0.summary.byteCount += unit.payload.count
        }
        for sink in unitSinks { sink.append(.accessUnit(unit)) }
    }
}
