// SPDX-License-Identifier: Apache-2.0

internal import AACCodec
internal import AudioContainers
internal import AudioConversion
internal import AudioLoudness
internal import AudioMetadata
internal import AudioPrimitives
internal import MPEG4Audio
internal import OpusCodec
internal import PCMFiles
internal import SystemFiles

/// Encodes a file or pipe to a file or pipe of AAC or Opus, in bounded memory.
///
/// ```swift
/// try await FileEncoder(input: "song.wav", output: "song.m4a").run()
/// ```
///
/// The output appears under its name only when it is complete; after an error nothing is left of it.
public struct FileEncoder {
    /// The input's path; `-` is standard input.
    public let input: String
    /// The output's path; `-` is standard output.
    public let output: String
    /// The settings of the output.
    public let configuration: FileEncoderConfiguration

    /// A function that is called with a line about each step: formats, bit rate, every read and write.
    ///
    /// One thread works while it is set.
    public var log: (@Sendable (String) -> Void)?

    /// The processors that this encoder shares with others; nil to use as many threads as the configuration says at once.
    package var threadBudget: ThreadBudget?

    /// A folder with segments of this file that other processes have encoded, see ``contribute(threadCount:isStopped:)``; nil for none.
    package var segmentFolder: String?

    /// A function that is called with the complete output before it gets its name: with the path that the file has until then (nil for a
    /// pipe), and the summary.
    ///
    /// If it throws, nothing is left of the output.
    package var willCommit: ((_ partialPath: String?, EncodingSummary) throws(AudioFileError) -> Void)?

    /// Creates an encoder; nothing is opened yet.
    ///
    /// - Parameters:
    ///   - input: The input's path; `-` is standard input.
    ///   - output: The output's path; `-` is standard output. Its extension chooses the container.
    ///   - configuration: The settings of the output.
    public init(input: String, output: String, configuration: FileEncoderConfiguration = FileEncoderConfiguration()) {
        self.input = input
        self.output = output
        self.configuration = configuration
    }

    /// Encodes the file.
    ///
    /// Files that can be read at several positions get their average bit rate by a first pass, which finds the one quality for it; pipes,
    /// and resampled files, by a quality that follows the rate. The work is done on threads of its own.
    ///
    /// - Parameter progress: Called on another thread after every read or segment with what has been done; nil for none.
    /// - Returns: The properties of the input and of the output, and notes about differences from the request.
    /// - Throws: ``AudioFileError``; ``AudioFileError/Code/cancelled`` if the task was cancelled, and then nothing is left of the output.
    @discardableResult
    public func run(progress: (@Sendable (EncodingProgress) -> Void)? = nil) async throws(AudioFileError) -> EncodingSummary {
        // Used by the one thread only, until it ends.
        nonisolated(unsafe) let encoder = self
        return try await BackgroundWork.run { isCancelled throws(AudioFileError) in
            try encoder.run { state in
                progress?(state)
                return !isCancelled()
            }
        }
    }

    /// Encodes the file on this thread and others.
    ///
    /// - Parameter progress: Called after every read or segment with what has been done; returns false to stop the encoder.
    /// - Returns: The properties of the input and of the output, and notes about differences from the request.
    /// - Throws: ``AudioFileError``; ``AudioFileError/Code/cancelled`` if `progress` returned false.
    @discardableResult
    package func run(_ progress: (EncodingProgress) -> Bool = { _ in true }) throws(AudioFileError) -> EncodingSummary {
        let opened = try attempt { try ConversionInput(path: input, raw: configuration.raw) }
        let tracks = opened.reader.properties.audioTracks
        let notes: [EncodingNote] =
            (tracks.count > 1 ? [.otherTracksLeftOut(tracks)] : []) + (opened.leavesOutSurround ? [.surroundLeftOut] : [])
            + (opened.hasFalsePositions ? [.falsePositions] : [])
            + (opened.hasAmbiguousLayout ? [.ambiguousLayout] : [])
        return try run(reading: opened.reader, notes: notes, progress)
    }

    /// Encodes the file, which has been opened already.
    ///
    /// - Parameters:
    ///   - reader: The input at its first frame.
    ///   - inputNotes: What of the input can't be encoded.
    ///   - progress: Called after every read or segment with what has been done; returns false to stop the encoder.
    func run(
        reading reader: PCMFileReader, notes inputNotes: [EncodingNote] = [], _ progress: (EncodingProgress) -> Bool
    ) throws(AudioFileError) -> EncodingSummary {
        let clock = ContinuousClock()
        let start = clock.now
        let container = try outputContainer()
        if case .opus(let parameters) = configuration.codec ?? container.usualCodec {
            return try encodeOpus(parameters, reader, notes: inputNotes, to: container, since: start, progress)
        }
        let setup = try detectingNearMono(EncodingSetup(configuration, for: reader, input: input), reader)
        let adjustment = try loudnessAdjustment(
            EncodedSignal(frames: setup.frames, sampleRate: setup.encoder.sampleRate, channelCount: setup.encoder.channelCount))
        let samples = try attempt {
            try EncoderInputReader(
                reader, frames: setup.frames, mixedTo: configuration.mixedChannelCount(from: reader.properties.channelCount),
                sampleRate: setup.encoder.sampleRate,
                gain: adjustment?.setting)
        }
        let encoder = try attempt { try AACEncoder(setup.encoder) }
        let file = try OutputFile(path: output, overwrites: configuration.overwrites, input: input)
        logFormats(reader.properties, encoder)
        let tags = outputTags(reader.properties, container, storing: adjustment)
        var format = EncodedFormat(encoder)
        format.omittedUnitCount = encoder.omittableUnitCount
        var stream = try attempt {
            try EncodedOutput(
                container, adts: configuration.adts,
                dab: setup.encoder.settings.subchannel.map { DABWriterOptions(subchannel: $0, labels: configuration.dabLabels) },
                tags: tags.tags,
                expectedFrameCount: setup.isResampled ? nil : setup.frameCount,
                format: format, file: file, log: log)
        }
        var state = EncodingProgress(reader.properties, part: configuration.range == nil ? nil : setup.frames)
        let parallel = parallelEncoding(of: reader, encoder, setup, gain: adjustment?.setting)
        let source = EncodingSource(reader: reader, samples: samples, encoder: encoder, parallel: parallel)
        var end = try encode(source, to: &stream, &state, progress)
        guard end.gapless.validFrames > 0 || configuration.range == nil else { throw AudioFileError(.emptyRange, path: input) }
        end.gapless = try attempt { try stream.finish(end.gapless) }
        var summary = EncodingSummary(
            input: reader.properties, output: file, encoder: .aac(encoder), stream: stream, end: end, elapsed: clock.now - start)
        summary.notes = inputNotes + setup.notes + notes(tags, container) + notes(adjustment)
        summary.loudness = adjustment?.loudness
        summary.gain = adjustment?.setting?.gain
        summary.decodedLoudness = try decodedLoudness(of: file)
        try commit(file, summary)
        log?("Total number of output frames counted: \(stream.meter.frameCount)")
        log?("Audio Encoder Complete")
        return summary
    }

    /// Gives a complete output its name, after ``willCommit``.
    func commit(_ file: OutputFile, _ summary: EncodingSummary) throws(AudioFileError) {
        try willCommit?(file.partialPath, summary)
        try file.commit()
    }

    /// Returns the requested container, or the one of the output's extension, if it can hold tags and signalling.
    func outputContainer() throws(AudioFileError) -> ContainerFormat {
        let container = try ContainerFormat(configuration.container, outputPath: output)
        // Words of CAF hold gains, which no player reads.
        let storesLoudness = container.tagStorage == .items || container.tagStorage == .opusComments
        guard !configuration.tags.exceeds(container.tagStorage), storesLoudness || !configuration.storesLoudness else {
            throw AudioFileError(.unsupportedTags(container), path: PathName.outputName(output))
        }
        if !container.supportsExplicitSignaling, let signaling = configuration.signaling, signaling != .implicit {
            throw AudioFileError(.unsupportedSignaling(container), path: PathName.outputName(output))
        }
        return container
    }

    /// Returns the setup with the knowledge of whether both channels are nearly alike, which the automatic profile uses.
    func detectingNearMono(_ setup: EncodingSetup, _ reader: PCMFileReader) throws(AudioFileError) -> EncodingSetup {
        var encoder = setup.encoder
        guard encoder.profile == .automatic, encoder.channelCount == 2, reader.allowsSharedReading, let frameCount = setup.frameCount else {
            return setup
        }
        encoder.isNearlyMono = try attempt {
            try NearMonoDetector.isNearlyMono(path: input, raw: configuration.raw, frames: setup.frames.prefix(frameCount))
        }
        return EncodingSetup(setup, encoder: encoder)
    }

    /// The opened input and its encoder.
    private struct EncodingSource {
        let reader: PCMFileReader
        var samples: EncoderInputReader
        let encoder: AACEncoder
        /// The division of the file into segments; nil if it can't be read at several positions.
        let parallel: ParallelFileEncoding?
    }

    /// Encodes the input: writes what the first pass has encoded, or encodes segments on several threads, or everything on this one.
    ///
    /// - Returns: The end of the signal.
    private func encode(
        _ source: EncodingSource, to stream: inout EncodedOutput, _ state: inout EncodingProgress,
        _ progress: (EncodingProgress) -> Bool
    ) throws(AudioFileError) -> EncodedSegment.End {
        let encoder = source.encoder
        var samples = source.samples
        let shared = source.parallel.map { SegmentEncoder($0.source, reader: source.reader, samples: samples, encoder: encoder) }
        let first = try attempt { try source.parallel.flatMap { try firstPass(of: $0, encoder: shared) } }
        if let parallel = source.parallel {
            if log == nil, var segments = first?.segments, !segments.isEmpty {
                segments.reverse()
                return try write({ segments.popLast() }, of: parallel.source, to: &stream, &state, progress)
            }
            if var segments = sharedSegments(of: parallel, plan: first?.plan)?.joined() {
                return try write({ try segments.next() }, of: parallel.source, to: &stream, &state, progress)
            }
            if parallel.isWorthwhile(plan: first?.plan), log == nil {
                let segments = parallel.segments(plan: first?.plan)
                defer { segments.stop() }
                return try write(segments.next, of: parallel.source, to: &stream, &state, progress)
            }
        }
        if source.parallel?.hasFirstPass == true {
            // It has moved the reader and used the encoder.
            try attempt { try samples.seek(toFrame: 0) }
            encoder.clearFixedNoiseScale()
        }
        let quality = source.parallel.flatMap { parallel in
            first.map { SequentialQuality($0, encoder: encoder, segmentLength: parallel.division.segmentLength) }
        }
        let gapless = try encode(&samples, encoder, quality, to: &stream, &state, progress)
        return EncodedSegment.End(gapless: gapless, warnings: source.reader.warnings)
    }

    /// Encodes everything on this thread.
    ///
    /// - Returns: The priming and padding of the stream.
    private func encode(
        _ samples: inout EncoderInputReader, _ encoder: AACEncoder, _ quality: consuming SequentialQuality?,
        to stream: inout EncodedOutput, _ state: inout EncodingProgress, _ progress: (EncodingProgress) -> Bool
    ) throws(AudioFileError) -> GaplessInfo {
        var quality = quality
        /// Writes an access unit, and tells the quality plan its size.
        func append(_ unit: AccessUnit) throws {
            quality?.append(byteCount: unit.payload.count)
            try stream.append(unit)
        }
        while let buffer = try attempt({ try samples.next() }) {
            if samples.latestFrames > 0 {
                log?("read \(samples.latestFrames) packets with \(samples.latestByteCount) bytes at position \(state.framesRead)")
            }
            try attempt { try encoder.encode(buffer, append) }
            // Units of a pipe are written as they come, those of a file many at a time.
            if !samples.allowsSharedReading || log != nil { try attempt { try stream.flush() } }
            state.framesRead = samples.framesRead
            state.bytesWritten = stream.byteCount
            guard progress(state) else { throw AudioFileError(.cancelled, path: input) }
        }
        return try attempt { try encoder.finish(append) }
    }

    /// Writes segments.
    ///
    /// - Parameters:
    ///   - next: Returns the next segment.
    ///   - source: What the segments are encoded from.
    private func write(
        _ next: () throws -> EncodedSegment?, of source: SegmentSource, to stream: inout EncodedOutput, _ state: inout EncodingProgress,
        _ progress: (EncodingProgress) -> Bool
    ) throws(AudioFileError) -> EncodedSegment.End {
        var isInputDamaged = false
        while let segment = try attempt({ try next() }) {
            try attempt {
                try stream.append(segment)
                try stream.flush()
            }
            state.framesRead = segment.framesRead
            state.bytesWritten = stream.byteCount
            guard progress(state) else { throw AudioFileError(.cancelled, path: input) }
            isInputDamaged = isInputDamaged || segment.isInputDamaged
            guard var end = segment.end else { continue }
            if isInputDamaged { end.warnings = try attempt { try source.inputWarnings() } }
            return end
        }
        preconditionFailure("the last segment continues to the end")
    }

    /// Returns the division of the file into segments; nil if it can't be read at several positions.
    func parallelEncoding(
        of reader: PCMFileReader, _ encoder: AACEncoder, _ setup: EncodingSetup, gain: TruePeakLimiter.Setting?
    ) -> ParallelFileEncoding? {
        guard reader.allowsSharedReading, !setup.isResampled, let frameCount = setup.frameCount else { return nil }
        let source = SegmentSource(
            path: input, raw: configuration.raw, frames: setup.frames,
            mixedChannelCount: configuration.mixedChannelCount(from: reader.properties.channelCount), gain: gain,
            configuration: encoder.configuration, keepsElements: configuration.adts.hasCRC)
        return ParallelFileEncoding(
            source: source, encoder: encoder, frameCount: frameCount,
            threads: EncodingThreads(count: configuration.threadCount ?? WorkerThreads.processorCount, budget: threadBudget))
    }

    /// Logs the formats of input and output.
    private func logFormats(_ properties: PCMFileProperties, _ encoder: AACEncoder) {
        guard let log else { return }
        let specific = encoder.audioSpecificConfig
        let output = StreamDescription(
            formatID: encoder.profile.formatID, sampleRate: specific.outputSampleRate, channelCount: encoder.configuration.channelCount)
        log("Input Audio Stream Format:\n\(properties.streamDescription)")
        log("Output Audio Stream Format:\n\(output)")
        if encoder.profile != .lowComplexity { log("Profile: \(encoder.profile), core at \(specific.sampleRate) Hz") }
        log("AAC Encode Bitrate: \(encoder.bitRate.map(String.init) ?? "variable")")
    }

    /// Runs a step, and makes errors of lower layers name the file.
    func attempt<Value>(_ step: () throws -> Value) throws(AudioFileError) -> Value {
        do {
            return try step()
        } catch let error as AudioFileError {
            throw error
        } catch let error as PCMFileError {
            throw AudioFileError(error, path: input)
        } catch let error as ContainerError {
            throw AudioFileError(writing: output, error)
        } catch let error as AACError {
            throw AudioFileError(encoding: input, error)
        } catch let error as OpusError {
            throw AudioFileError(encoding: input, error)
        } catch let error as LoudnessError {
            throw AudioFileError(.loudnessNotMeasurable, path: input, underlying: error)
        } catch {
            throw AudioFileError(.unexpected, path: input, underlying: error)
        }
    }
}
