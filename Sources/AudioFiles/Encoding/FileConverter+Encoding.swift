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

/// AAC and Opus encoding.
extension FileConverter {
    /// Encodes an opened input.
    ///
    /// Opus packets depend on previous ones, so Opus is encoded on one thread.
    ///
    /// - Parameters:
    ///   - setting: The gain and true peak limit, or `nil` to keep the input's loudness.
    ///   - journal: Saves the access units until the output is complete, or `nil` for none.
    ///   - progress: Called after every read or segment. Returns false to stop.
    func encode(
        _ input: inout ConversionInput, _ plan: ConversionPlan, _ setting: TruePeakLimiter.Setting?, _ tags: AudioTags,
        to file: OutputFile, _ journal: JoinJournal?, _ progress: (ConversionProgress) -> Bool
    ) throws -> ConversionSummary {
        guard EncoderInputCopy.isUseful(for: input, plan, path: self.input) else {
            return try encode(input, plan, setting, tags, to: file, journal, progress)
        }
        let copy = try EncoderInputCopy(of: input, plan, gain: setting) { samples in
            logRead(samples)
            var state = ConversionProgress(plan, input.properties)
            state.copiedFraction = state.totalFrames.map { min(1, Double(samples.framesRead) / Double(max(1, $0))) } ?? 0
            guard progress(state) else { throw AudioFileError(.cancelled, path: self.input) }
        }
        guard let copy else {
            input = try open()
            return try encode(input, plan, setting, tags, to: file, journal, progress)
        }
        let copyPlan = try detectingNearMono(plan.encodingCopy(frameCount: copy.frameCount), copy.input)
        var summary = try encode(copy.input, copyPlan, nil, tags, to: file, nil, progress)
        (summary.framesRead, summary.encodedPeak, summary.warnings) = (copy.framesRead, copy.peak, copy.warnings)
        return summary
    }

    /// Encodes an opened input or a copy of it.
    private func encode(
        _ input: ConversionInput, _ plan: ConversionPlan, _ setting: TruePeakLimiter.Setting?, _ tags: AudioTags,
        to file: OutputFile, _ journal: JoinJournal?, _ progress: (ConversionProgress) -> Bool
    ) throws -> ConversionSummary {
        let reader = input.reader
        let plan = try choosingTools(plan, input, gain: setting)
        guard let encoder = try plan.encoder?.makeEncoder() else { preconditionFailure("the plan has an encoder") }
        logFormats(input.properties, encoder)
        var options = ContainerWriterOptions()
        options.tags = tags
        options.adts = configuration.adts
        var stream = try EncodedOutput(
            plan.format, options, dab: configuration.dab,
            expectedFrameCount: plan.usesSegments && !plan.isResampled ? plan.frameCount : nil, encoder: encoder, file: file, log: log)
        let aac = encoder as? AACEncoder
        var first = 0
        if let journal, let aac, let joined = input.joined { first = try stream.resume(journal, aac, joined) }
        let samples = try EncoderInputReader(reader, plan, gain: setting, from: first, invalidSamples: plan.invalidSamples)
        var state = ConversionProgress(plan, reader.properties)
        state.framesRead = samples.framesRead
        if input.isCopy { state.copiedFraction = 1 }
        let parallel = aac.flatMap { parallelEncoding(of: input, $0, plan, gain: setting) }
        let source = EncodingSource(input: input, samples: samples, encoder: encoder, parallel: parallel, journal: journal)
        var end = try encode(source, to: &stream, &state, progress)
        guard end.gapless.validFrames > 0 || configuration.range == nil else { throw AudioFileError(.emptyRange, path: self.input) }
        end.gapless = try stream.finish(end.gapless)
        var summary = ConversionSummary(plan, input.properties, format: stream.container, outputPath: file.path)
        summary.record(encoder, stream.meter)
        summary.framesRead = state.framesRead
        summary.gapless = end.gapless
        summary.warnings = end.warnings
        summary.encodedPeak = end.peak
        log?("Total number of output frames counted: \(stream.meter.frameCount)")
        return summary
    }

    /// For the automatic profile, returns the plan after checking whether both channels are nearly identical.
    func detectingNearMono(_ plan: ConversionPlan, _ input: ConversionInput) throws -> ConversionPlan {
        guard plan.usesSegments, case .aac(var encoder)? = plan.encoder, encoder.profile == .automatic, encoder.channelCount == 2,
            input.reader.allowsSharedReading, let frameCount = plan.frameCount
        else { return plan }
        encoder.isNearlyMono = try NearMonoDetector.isNearlyMono(input.shared, frames: plan.frames.prefix(frameCount))
        return plan.encoding(encoder)
    }

    /// Returns the plan with the tools that suit the file.
    func choosingTools(_ plan: ConversionPlan, _ input: ConversionInput, gain: TruePeakLimiter.Setting?) throws -> ConversionPlan {
        try adapting(choosingSBR(plan, input, gain: gain), input, gain: gain)
    }

    /// Returns the plan with the use of SBR in xHE-AAC, and its crossover, that suit the file.
    private func choosingSBR(_ plan: ConversionPlan, _ input: ConversionInput, gain: TruePeakLimiter.Setting?) throws -> ConversionPlan {
        guard plan.usesSegments, case .aac(var settings)? = plan.encoder, settings.profile == .extendedHighEfficiency,
            let (limit, effort) = try AACEncoder(settings).bandReplicationTrial
        else { return try choosingCrossover(plan, input, gain: gain) }
        settings.usesBandReplication = true
        let result = try choosingCrossover(plan.encoding(settings), input, gain: gain)
        guard case .aac(let withSBR)? = result.encoder,
            let trial = excerptTrial(of: input, try AACEncoder(withSBR), plan, gain: gain)
        else { return plan }
        guard try !trial.prefersSBR(limit: limit, effort: effort) else { return result }
        settings.usesBandReplication = false
        return plan.encoding(settings)
    }

    /// Returns the plan with a higher crossover of SBR if the file needs few bits for the low band.
    private func choosingCrossover(
        _ plan: ConversionPlan, _ input: ConversionInput, gain: TruePeakLimiter.Setting?
    ) throws -> ConversionPlan {
        guard plan.usesSegments, case .aac(var settings)? = plan.encoder, settings.profile != .lowComplexity else { return plan }
        let encoder = try AACEncoder(settings)
        guard let level = encoder.raisedCrossoverLevel, let trial = excerptTrial(of: input, encoder, plan, gain: gain)
        else { return plan }
        settings.raisesCrossover = try trial.needsFewerBits(at: level)
        return plan.encoding(settings)
    }

    /// For effort `best`, returns the plan with the encoder's changes that suit the file.
    private func adapting(_ plan: ConversionPlan, _ input: ConversionInput, gain: TruePeakLimiter.Setting?) throws -> ConversionPlan {
        guard plan.usesSegments, case .aac(var settings)? = plan.encoder, settings.settings.effort == .best else { return plan }
        let encoder = try AACEncoder(settings)
        let possible = encoder.possibleAdaptations
        guard !possible.isEmpty, let trial = excerptTrial(of: input, encoder, plan, gain: gain) else { return plan }
        settings.adaptations = try trial.adaptations(among: possible)
        return plan.encoding(settings)
    }

    /// Returns the trial of excerpts of the file, or `nil` if it is not seekable.
    private func excerptTrial(
        of input: ConversionInput, _ encoder: AACEncoder, _ plan: ConversionPlan, gain: TruePeakLimiter.Setting?
    ) -> ExcerptTrial? {
        guard input.reader.allowsSharedReading, let frameCount = plan.frameCount else { return nil }
        return ExcerptTrial(source: segmentSource(of: input, plan, encoder, gain: gain), frameCount: frameCount)
    }

    /// The opened input and its encoder.
    private struct EncodingSource {
        let input: ConversionInput
        var samples: EncoderInputReader
        let encoder: any AudioPacketEncoder
        /// The division into segments, or `nil` if the file is not seekable.
        let parallel: ParallelFileEncoding?
        let journal: JoinJournal?
    }

    /// Encodes the input: writes the first pass's result, encodes segments on several threads, or encodes everything on this thread.
    ///
    /// - Returns: The end of the signal.
    private func encode(
        _ source: EncodingSource, to stream: inout EncodedOutput, _ state: inout ConversionProgress,
        _ progress: (ConversionProgress) -> Bool
    ) throws -> EncodedSegment.End {
        var samples = source.samples
        var quality: SequentialQuality?
        if let parallel = source.parallel, let encoder = source.encoder as? AACEncoder {
            let shared = SegmentEncoder(parallel.source, reader: source.input.reader, samples: samples, encoder: encoder)
            let first = try firstPass(of: parallel, encoder: shared)
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
            if parallel.hasFirstPass {
                // The first pass has moved the reader and used the encoder.
                try samples.seek(toFrame: 0)
                encoder.clearFixedNoiseScale()
            }
            quality = first.map { SequentialQuality($0, encoder: encoder, segmentLength: parallel.division.segmentLength) }
        }
        let gapless = try encode(&samples, source, quality, to: &stream, &state, progress)
        var end = EncodedSegment.End(gapless: gapless, warnings: source.input.reader.warnings)
        end.peak = samples.peak
        return end
    }

    /// Encodes everything on this thread.
    ///
    /// - Returns: The priming and padding of the stream.
    private func encode(
        _ samples: inout EncoderInputReader, _ source: EncodingSource, _ quality: consuming SequentialQuality?,
        to stream: inout EncodedOutput, _ state: inout ConversionProgress, _ progress: (ConversionProgress) -> Bool
    ) throws -> GaplessInfo {
        let (encoder, journal) = (source.encoder, source.journal)
        var quality = quality
        /// Writes and saves an access unit, and reports its size to the quality plan.
        func append(_ accessUnit: AccessUnit) throws {
            quality?.append(byteCount: accessUnit.payload.count)
            try stream.append(accessUnit)
            journal?.append(accessUnit.payload)
        }
        // The quality plan changes the noise scale between AAC access units.
        let aac = encoder as? AACEncoder
        while let buffer = try samples.next() {
            if !source.input.isCopy { logRead(samples) }
            if let aac {
                try aac.encode(buffer, append)
            } else {
                for accessUnit in try encoder.encode(buffer) { try append(accessUnit) }
            }
            if let journal, let checkpoint = aac?.checkpoint { journal.reach(checkpoint) }
            // Access units are written to a pipe immediately, but to a file in large blocks.
            if !samples.allowsSharedReading || log != nil { try stream.flush() }
            state.framesRead = samples.framesRead
            state.bytesWritten = stream.byteCount
            guard progress(state) else { throw AudioFileError(.cancelled, path: input) }
        }
        if let aac { return try aac.finish(append) }
        let tail = try encoder.finish()
        for accessUnit in tail.accessUnits { try append(accessUnit) }
        return tail.gapless
    }

    /// Writes segments.
    ///
    /// - Parameter next: Returns the next segment.
    private func write(
        _ next: () throws -> EncodedSegment?, of source: SegmentSource, to stream: inout EncodedOutput, _ state: inout ConversionProgress,
        _ progress: (ConversionProgress) -> Bool
    ) throws -> EncodedSegment.End {
        var isInputDamaged = false
        var peak: Float = 0
        while let segment = try next() {
            try stream.append(segment)
            try stream.flush()
            state.framesRead = segment.framesRead
            state.bytesWritten = stream.byteCount
            guard progress(state) else { throw AudioFileError(.cancelled, path: input) }
            isInputDamaged = isInputDamaged || segment.isInputDamaged
            peak = max(peak, segment.peak)
            guard var end = segment.end else { continue }
            end.peak = peak
            if isInputDamaged { end.warnings = try source.inputWarnings() }
            return end
        }
        preconditionFailure("the last segment continues to the end")
    }

    /// Returns the division of the file into segments, or `nil` if it cannot be encoded in segments.
    func parallelEncoding(
        of input: ConversionInput, _ encoder: AACEncoder, _ plan: ConversionPlan, gain: TruePeakLimiter.Setting?
    ) -> ParallelFileEncoding? {
        guard plan.usesSegments, input.reader.allowsSharedReading, !plan.isResampled, let frameCount = plan.frameCount else { return nil }
        return ParallelFileEncoding(
            source: segmentSource(of: input, plan, encoder, gain: gain), encoder: encoder, frameCount: frameCount,
            threads: EncodingThreads(count: configuration.threadCount ?? WorkerThreads.processorCount, budget: threadBudget))
    }

    private func segmentSource(
        of input: ConversionInput, _ plan: ConversionPlan, _ encoder: AACEncoder, gain: TruePeakLimiter.Setting?
    ) -> SegmentSource {
        SegmentSource(
            input: input.shared, frames: plan.frames, mixedChannelCount: plan.mixedChannelCount, gain: gain,
            configuration: encoder.configuration, keepsElements: configuration.adts.hasCRC)
    }

    /// Logs the latest read, unless it was empty.
    private func logRead(_ samples: EncoderInputReader) {
        guard let log, samples.latestFrames > 0 else { return }
        let position = samples.framesRead - samples.latestFrames
        log("read \(samples.latestFrames) packets with \(samples.latestByteCount) bytes at position \(position)")
    }

    private func logFormats(_ properties: PCMFileProperties, _ encoder: any AudioPacketEncoder) {
        guard let log else { return }
        log("Input Audio Stream Format:\n\(properties.streamDescription)")
        guard let encoder = encoder as? AACEncoder else {
            return log("\(encoder is OpusEncoder ? "Opus" : "iLBC") Encode Bitrate: \(encoder.bitRate ?? 0)")
        }
        let specific = encoder.audioSpecificConfig
        let output = StreamDescription(
            formatID: encoder.profile.formatID, sampleRate: specific.outputSampleRate, channelCount: encoder.configuration.channelCount)
        log("Output Audio Stream Format:\n\(output)")
        if encoder.profile != .lowComplexity { log("Profile: \(encoder.profile), core at \(specific.sampleRate) Hz") }
        log("AAC Encode Bitrate: \(encoder.bitRate.map(String.init) ?? "variable")")
    }
}
