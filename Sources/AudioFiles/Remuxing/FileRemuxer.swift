// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
internal import AudioMetadata
internal import AudioPrimitives
internal import MPEG4Audio
public import PCMFiles
internal import SystemFiles

/// Copies the access units of a file to another container without decoding them.
///
/// ```swift
/// try await FileRemuxer(input: "song.aac", output: "song.m4a").run()
/// ```
///
/// The output becomes visible under its name only when it is complete. After an error, no output remains.
public struct FileRemuxer: Sendable {
    /// The input's path, or `-` for standard input.
    package let input: String
    /// The inputs to append to ``input``, or `nil` if no files are joined.
    let joined: [String]?
    /// The output's path, or `-` for standard output.
    package let output: String
    package let configuration: FileRemuxerConfiguration

    /// Creates a remuxer without opening files.
    ///
    /// - Parameters:
    ///   - input: The input's path, or `-` for standard input.
    ///   - output: The output's path, or `-` for standard output. Its extension chooses the container.
    ///   - configuration: The settings.
    public init(input: String, output: String, configuration: FileRemuxerConfiguration = FileRemuxerConfiguration()) {
        self.input = input
        joined = nil
        self.output = output
        self.configuration = configuration
    }

    /// Creates a remuxer that joins several inputs, without opening files.
    ///
    /// Chapters, tags and pictures are those of ``FileConverter/init(joining:output:configuration:)``. M4A and Ogg omit the priming and
    /// padding between the inputs; the summary counts what remains in other containers. All inputs must have the same codec configuration.
    ///
    /// - Parameters:
    ///   - inputs: The inputs' paths, at least one.
    ///   - output: The output's path, or `-` for standard output. Its extension chooses the container.
    ///   - configuration: The settings, without a time range.
    public init(joining inputs: [String], output: String, configuration: FileRemuxerConfiguration = FileRemuxerConfiguration()) {
        precondition(!inputs.isEmpty, "there is a file to join")
        input = inputs[0]
        joined = Array(inputs.dropFirst())
        self.output = output
        self.configuration = configuration
    }

    /// Copies the access units on a dedicated thread.
    ///
    /// - Returns: Counts of copied and lost access units.
    /// - Throws: ``/PCMFiles/AudioFileError``, with ``/PCMFiles/AudioFileError/Code/cancelled`` if the task was cancelled. Then no output
    ///   remains.
    @discardableResult
    public func run() async throws(AudioFileError) -> RemuxingSummary {
        let remuxer = self
        return try await BackgroundWork.run { isCancelled throws(AudioFileError) in try remuxer.run(while: { !isCancelled() }) }
    }

    /// Copies the access units on this thread.
    ///
    /// - Parameter isWanted: Called for each access unit. Returns false to stop.
    /// - Returns: Counts of copied and lost access units.
    /// - Throws: ``/PCMFiles/AudioFileError``.
    @discardableResult
    package func run(while isWanted: () -> Bool = { true }) throws(AudioFileError) -> RemuxingSummary {
        let container = try AudioFileFormat(configuration.container, outputPath: output)
        guard joined == nil || !configuration.recodesToXHEAAC else {
            throw AudioFileError(.recodingNotPossible, path: PathName.inputName(input), underlying: RecodingProblem.join)
        }
        let inputs = joined == nil ? [] : try joinInputs(while: isWanted)
        let reader = try AccessUnitReader(path: input, audioTrack: configuration.audioTrack)
        try reader.requireDelimitedUnits()
        guard !configuration.tags.exceeds(container.tagStorage) else {
            let tags = configuration.tags
            throw AudioFileError(
                tags.chapters.isEmpty ? .unsupportedTags(container) : .tagsNotStorable(tags.names, container),
                path: PathName.outputName(output))
        }
        let file = try OutputFile(
            path: output, overwrites: configuration.overwrites, inputs: replacesInput ? [] : [input] + (joined ?? []))
        return try AudioFileError.attempt(input, output: file.path) {
            let format = try container.writable(to: file)
            var summary =
                try inputs.isEmpty
                ? copy(reader, to: file, as: format, while: isWanted) : join(inputs, to: file, as: format, while: isWanted)
            try file.commit()
            summary.byteCount = file.byteCount
            return summary
        }
    }

    /// Whether the output may replace the input.
    ///
    /// It is written completely to another file before that is renamed.
    private var replacesInput: Bool { joined == nil && configuration.overwrites && configuration.range == nil }

    private func copy(_ reader: AccessUnitReader, to file: OutputFile, as format: AudioFileFormat, while isWanted: () -> Bool) throws
        -> RemuxingSummary
    {
        let metadata = reader.metadata
        var summary = RemuxingSummary(container: format)
        var tags = outputTags(metadata.tags, format, sampleRate: 0)
        summary.namesOfLostTags = tags.namesLost
        summary.audioTracks = metadata.audioTracks
        summary.losesOrder = metadata.isRearranged
        summary.isUnfinished = metadata.isUnfinished
        summary.hasFalsePositions = metadata.hasFalsePositions
        var output: ContainerOutput?
        var trim: AccessUnitTrim?
        var streamConfiguration: CodecConfiguration?
        var recoder: USACRecoder?
        var unitTrim = UnitTrim()
        var unitDuration = 0
        reading: while let event = try reader.next() {
            guard isWanted() else { throw AudioFileError(.cancelled, path: reader.path) }
            switch event {
            case .configuration(let found):
                guard streamConfiguration == nil else {
                    throw AudioFileError(.configurationChange(accessUnit: summary.accessUnitCount), path: reader.path)
                }
                recoder = try configuration.recodesToXHEAAC ? makeRecoder(found, while: isWanted) : nil
                (streamConfiguration, summary.sampleRate) = (found, found.sampleRate)
                tags = outputTags(metadata.tags, format, sampleRate: found.sampleRate)
                trim = try AccessUnitTrim(
                    configuration.range, of: reader, found, storesGaplessInfo: format.storesGaplessInfo, isPart: configuration.part != nil)
            case .accessUnit(let demuxed):
                guard demuxed.rawDataBlockCount == 1 else { throw AudioFileError(.undelimitedAccessUnits, path: reader.path) }
                let isComplete = trim == nil && summary.reachesEnd(of: metadata.gaplessInfo, streamConfiguration)
                guard !isComplete, let units = trim == nil ? [demuxed] : trim?.next(demuxed) else { break reading }
                for unit in units {
                    let accessUnit = try recoder?.recode(unit.accessUnit) ?? unit.accessUnit
                    if let recoded = recoder?.configuration { streamConfiguration = .aac(recoded) }
                    if output == nil, let streamConfiguration {
                        let options = writerOptions(metadata, tags.tags, trim, streamConfiguration)
                        output = try ContainerOutput(format, streamConfiguration, options: options, file: file)
                    }
                    try output?.append(accessUnit)
                    unitTrim.leading += unit.trim.leading
                    unitTrim.trailing += unit.trim.trailing
                    summary.record(unit.accessUnit)
                    unitDuration = max(unitDuration, unit.accessUnit.frameCount(atRate: streamConfiguration?.sampleRate ?? 0))
                }
            case .skipped(let skipped): summary.record(skipped)
            }
        }
        summary.droppedMetadataUnitCount = recoder?.metadataUnitCount ?? 0
        summary.accessPointDistance = recoder?.largeAccessPointDistance
        let stated = metadata.gaplessInfo.map { summary.copied($0, streamConfiguration, unitDuration: unitDuration) }
        summary.gapless = trim == nil ? stated : try trim?.gaplessInfo(path: reader.path)
        if summary.gapless == nil { summary.gapless = GaplessInfo(unitTrim, totalFrames: summary.frameCount) }
        guard summary.accessUnitCount > 0 else { throw AudioFileError(.noAccessUnits, path: reader.path) }
        let omitted = trim.map(\.omittedRanges) ?? metadata.omittedRanges
        if !omitted.isEmpty, output?.omit(omitted) == false { summary.restoredFrameCount = omitted.reduce(0) { $0 + $1.count } }
        try output?.finish(summary.gapless)
        return summary
    }

    /// Returns a recoder to xHE-AAC with the loudness of the requested range, which is decoded if no loudness is stated.
    private func makeRecoder(_ source: CodecConfiguration, while isWanted: () -> Bool) throws -> USACRecoder {
        try USACRecoder(source, accessPointInterval: configuration.accessPointInterval) {
            if let stated = configuration.statedLoudness { return LoudnessInfoSet(stated: stated) }
            guard LoudnessAdjustment.isRereadable(input) else { throw RecodingProblem.unknownLoudness }
            let file = AudioFileInput.file(input, audioTrack: configuration.audioTrack)
            return LoudnessInfoSet(try FileLoudness(of: file, range: configuration.range).run { _ in isWanted() })
        }
    }

    /// Returns the tags of a copy.
    ///
    /// - Parameter sampleRate: The rate of the stream, in hertz, or 0 if unknown.
    private func outputTags(_ tags: AudioTags, _ format: AudioFileFormat, sampleRate: Int) -> OutputTags {
        var inherited = configuration.inputTags(tags, storage: format.tagStorage)
        if let range = configuration.range, sampleRate > 0 {
            inherited?.moveTimeReference(to: range.frames(atRate: sampleRate).lowerBound, rate: sampleRate, newRate: sampleRate)
        }
        return OutputTags(
            configuration.tags, input: inherited, storage: format.tagStorage, isCopy: true, range: configuration.range)
    }

    /// The number of access units that need as much space in an index as one edit.
    static let unitsPerEdit = 3

    /// Returns the writer's options, once the first access unit is known.
    private func writerOptions(
        _ metadata: ContainerMetadata, _ tags: AudioTags, _ trim: AccessUnitTrim?, _ stream: CodecConfiguration
    ) -> ContainerWriterOptions {
        var options = ContainerWriterOptions()
        options.tags = tags
        options.priming = trim?.primingFrames ?? metadata.gaplessInfo?.primingFrames ?? stream.preSkip
        options.expectedUnitCount = trim == nil ? metadata.accessUnitCount : trim?.expectedUnitCount
        if let count = options.expectedUnitCount {
            options.expectedUnitCount = count + Self.unitsPerEdit * metadata.omittedRanges.count
        }
        return options
    }
}

extension GaplessInfo {
    /// Creates the information from the frames that access units signal to trim, or returns `nil` if all are 0.
    init?(_ trim: UnitTrim, totalFrames: Int) {
        guard trim != UnitTrim(), trim.leading + trim.trailing <= totalFrames else { return nil }
        self.init(
            primingFrames: trim.leading, validFrames: totalFrames - trim.leading - trim.trailing, remainderFrames: trim.trailing)
    }
}

extension CodecConfiguration {
    /// The priming in the configuration itself, such as the Opus pre-skip.
    fileprivate var preSkip: Int {
        if case .opus(let configuration) = self { Int(configuration.preSkip) } else { 0 }
    }
}

extension RemuxingSummary {
    fileprivate mutating func record(_ accessUnit: AccessUnit) {
        accessUnitCount += 1
        frameCount += accessUnit.duration
        timescale = Int(accessUnit.presentationTime.timescale)
    }

    fileprivate mutating func record(_ skipped: SkippedBytes) {
        if skipped.isDamage { lostByteCount += skipped.byteRange.count }
        missingUnitCount += skipped.unitCountAfterEnd
        gapUnitCount += skipped.missingUnitCount
    }

    /// The output sample frames of the copied access units.
    private func decodedFrames(_ stream: CodecConfiguration?) -> Int {
        guard let stream else { return 0 }
        // Rounding each duration would move the end.
        return stream.framesPerUnit.map { accessUnitCount * $0 } ?? frameCount.frames(timescale: timescale, atRate: stream.sampleRate)
    }

    /// Whether all further access units are padding.
    ///
    /// They are not copied, because some containers can shorten only the last packet.
    fileprivate func reachesEnd(of stated: GaplessInfo?, _ stream: CodecConfiguration?) -> Bool {
        guard let stated, accessUnitCount > 0, gapUnitCount == 0 else { return false }
        return decodedFrames(stream) >= stated.primingFrames + stated.validFrames
    }

    /// Returns the copy's priming and padding, with a length that excludes access units missing inside the stream.
    fileprivate func copied(_ stated: GaplessInfo, _ stream: CodecConfiguration?, unitDuration: Int) -> GaplessInfo {
        let valid = max(0, stated.validFrames - gapUnitCount * unitDuration)
        let rest = decodedFrames(stream) - stated.primingFrames - valid
        // With damaged access units before the padding, the copy is too short to count it.
        return GaplessInfo(
            primingFrames: stated.primingFrames, validFrames: valid, remainderFrames: rest >= 0 ? rest : stated.remainderFrames)
    }
}
