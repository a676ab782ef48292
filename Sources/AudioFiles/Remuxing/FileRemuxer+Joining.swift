// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
internal import AudioMetadata
internal import AudioPrimitives
internal import PCMFiles

extension FileRemuxer {
    /// Reads all inputs of a join, and checks that their access units can follow each other.
    ///
    /// - Throws: ``/PCMFiles/AudioFileError/Code/differentCodec(found:expected:)`` if the configuration of an input differs from the first.
    func joinInputs(while isWanted: () -> Bool) throws(AudioFileError) -> [JoinInput] {
        var inputs: [JoinInput] = []
        for path in [input] + (joined ?? []) {
            let next = try JoinInput(path: path, audioTrack: configuration.audioTrack, while: isWanted)
            if let first = inputs.first, !first.configuration.joins(next.configuration) {
                throw AudioFileError(
                    .differentCodec(found: next.configuration.joinDescription, expected: first.configuration.joinDescription), path: path)
            }
            inputs.append(next)
        }
        return inputs
    }

    /// Copies the access units of all inputs to one file.
    func join(
        _ inputs: [JoinInput], to file: OutputFile, as format: AudioFileFormat, while isWanted: () -> Bool
    ) throws -> RemuxingSummary {
        var summary = RemuxingSummary(container: format)
        let tags = joinTags(inputs, format)
        summary.namesOfLostTags = tags.namesLost
        summary.audioTracks = inputs.first { $0.metadata.audioTracks.count > 1 }?.metadata.audioTracks ?? []
        let timeline = JoinTimeline(inputs)
        if format == .oggOpus {
            try chain(inputs, tags.tags, to: file, &summary, while: isWanted)
        } else {
            var options = ContainerWriterOptions()
            options.tags = tags.tags
            options.priming = timeline.gapless.primingFrames
            options.expectedUnitCount = inputs.reduce(0) { $0 + $1.accessUnitCount + Self.unitsPerEdit * $1.playedRanges.count }
            var output = try ContainerOutput(format, inputs.joinedConfiguration, options: options, file: file)
            for input in inputs { try copy(input, to: &output, &summary, while: isWanted) }
            if !output.omit(timeline.gaps) { summary.gapFrameCount = timeline.gaps.reduce(0) { $0 + $1.count } }
            summary.unsettledPartCount = inputs.dropFirst().count { $0.isUnsettled }
            try output.finish(timeline.gapless)
        }
        summary.unstatedPartCount = inputs.count { $0.gapless == nil }
        summary.gapless = timeline.gapless
        summary.lostByteCount = inputs.reduce(0) { $0 + $1.lostByteCount }
        summary.missingUnitCount = inputs.reduce(0) { $0 + $1.missingUnitCount }
        summary.gapUnitCount = inputs.reduce(0) { $0 + $1.gapUnitCount }
        return summary
    }

    /// Writes one Ogg stream after another (RFC 3533, 4), each with its priming and padding.
    private func chain(
        _ inputs: [JoinInput], _ tags: AudioTags, to file: OutputFile, _ summary: inout RemuxingSummary, while isWanted: () -> Bool
    ) throws {
        for (index, input) in inputs.enumerated() {
            var options = ContainerWriterOptions()
            options.tags = index == 0 ? tags : AudioTags()
            options.tags.encoder = options.tags.encoder ?? input.metadata.tags.encoder
            options.priming = input.gapless?.primingFrames ?? 0
            var output = try ContainerOutput(.oggOpus, input.configuration, options: options, file: file)
            try copy(input, to: &output, &summary, while: isWanted)
            try output.finish(input.gapless)
            summary.gapFrameCount += input.metadata.omittedFrameCount
        }
    }

    /// Copies the access units of one input, at consecutive times.
    private func copy(
        _ input: JoinInput, to output: inout ContainerOutput, _ summary: inout RemuxingSummary, while isWanted: () -> Bool
    ) throws {
        let timescale = input.configuration.sampleRate
        (summary.timescale, summary.sampleRate) = (timescale, timescale)
        try input.forEachUnit { demuxed in
            guard isWanted() else { throw AudioFileError(.cancelled, path: input.path) }
            var accessUnit = demuxed.accessUnit
            accessUnit.duration = input.configuration.decodedFrameCount(of: accessUnit)
            accessUnit.presentationTime = MediaTime(value: Int64(summary.frameCount), timescale: Int32(timescale))
            try output.append(accessUnit)
            summary.accessUnitCount += 1
            summary.frameCount += accessUnit.duration
        }
    }

    /// Returns the tags of a join: the tags of the first input as a book, and the chapters of all.
    private func joinTags(_ inputs: [JoinInput], _ format: AudioFileFormat) -> OutputTags {
        var tags = inputs[0].metadata.tags.titledAsBook
        var start = 0
        tags.setChapters(
            inputs.flatMap { input in
                defer { start += input.playedFrameCount }
                return input.metadata.tags.chapters(
                    ofPart: input.path, in: start..<start + input.playedFrameCount, sampleRate: input.configuration.sampleRate)
            })
        return OutputTags(
            configuration.tags, input: configuration.inheritsTags ? tags : nil, storage: format.tagStorage, isCopy: true,
            keepsLoudness: false)
    }
}

/// The frames of a join that are played, and the gaps between them.
struct JoinTimeline {
    /// The decoded frames of priming and padding between parts.
    private(set) var gaps: [Range<Int>] = []
    /// The priming of the first input, all frames up to the end of the last one, and its padding.
    let gapless: GaplessInfo

    init(_ inputs: [JoinInput]) {
        var start = 0
        var played: [Range<Int>] = []
        for input in inputs {
            played += input.playedRanges.filter { !$0.isEmpty }.map { start + $0.lowerBound..<start + $0.upperBound }
            start += input.frameCount
        }
        gaps = zip(played, played.dropFirst()).compactMap { $0.upperBound < $1.lowerBound ? $0.upperBound..<$1.lowerBound : nil }
        let (first, end) = (played.first?.lowerBound ?? 0, played.last?.upperBound ?? 0)
        gapless = GaplessInfo(primingFrames: first, validFrames: end - first, remainderFrames: start - end)
    }
}

extension [JoinInput] {
    /// The configuration of all inputs, with the limits of the largest packets.
    fileprivate var joinedConfiguration: CodecConfiguration {
        guard case .alac(var config) = self[0].configuration else { return self[0].configuration }
        let sizes = map { if case .alac(let own) = $0.configuration { own.maximumPacketSize } else { 0 } }
        config.maximumPacketSize = sizes.contains(0) ? 0 : sizes.max() ?? 0
        config.averageBitRate = 0
        return .alac(config)
    }
}

extension CodecConfiguration {
    /// The codec, rate, channels and what else must be equal in a join.
    fileprivate var joinDescription: String {
        let channels = channelCount.map { "\($0) channel\($0 == 1 ? "" : "s")" }
        let units = framesPerUnit.map { "\($0) frames per access unit" }
        let bits: String? = if case .alac(let config) = self { "\(config.bitDepth) bits" } else { nil }
        return ([profileName, "\(sampleRate) Hz"] + [channels, units, bits].compactMap { $0 }).joined(separator: ", ")
    }
}
