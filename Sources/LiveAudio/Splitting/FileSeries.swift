// SPDX-License-Identifier: Apache-2.0

internal import AudioDevices
internal import AudioMetadata
internal import AudioPrimitives
internal import PCMFiles
internal import SystemFiles
internal import SystemLibrary

/// The files of one output: opens them one after another under unused names, and reports them.
struct FileSeries<File: RepeatableFileSink> {
    private let template: File
    private let pattern: FileNamePattern?
    /// Whether the first file is created when the audio starts.
    private let isDeferred: Bool
    private let clock: WallClock
    private let names: UsedNames
    private let report: @Sendable (RecorderEvent) -> Void
    private var format: RecordingFormat?
    private var lastNumber = 0
    private var start: FileBoundary?

    /// The marks of the current and later files, in frames of the recording.
    var marks: [AudioTags.Chapter] = []
    /// The marks that completed files do not have.
    private(set) var lostMarks: [AudioTags.Chapter] = []

    private(set) var file: File?

    init(
        _ template: File, isDeferred: Bool, clock: WallClock, names: UsedNames, report: @escaping @Sendable (RecorderEvent) -> Void
    ) {
        self.template = template
        pattern = template.isPattern ? FileNamePattern(template.path) : nil
        self.isDeferred = isDeferred || pattern?.isDated ?? false
        self.clock = clock
        self.names = names
        self.report = report
    }

    var name: String { PathName.outputName(template.path) }

    var startFrame: Int { start?.frame ?? 0 }

    /// Creates the first file, or checks that it can be created when the audio starts.
    ///
    /// - Throws: An error of the sink, also if the file exists.
    mutating func begin(_ format: RecordingFormat) throws {
        self.format = format
        if template.isPattern, pattern == nil { throw AudioFileError(.cannotCreate(systemCode: EINVAL), path: template.path) }
        guard isDeferred else {
            let file = template.withPath(base(at: 0))
            _ = names.insert(file.path)
            try file.begin(format)
            (self.file, lastNumber) = (file, 1)
            return
        }
        // Creates and removes a file, so that all errors occur before the recording. A file to be replaced stays until then.
        let base = base(at: clock.time(at: HostClock.now))
        try createFolder(of: base)
        var number = 1
        while template.overwrites, (try? FileStatus(of: FileNamePattern.numbered(base, number))) != nil { number += 1 }
        let probe = template.withPath(FileNamePattern.numbered(base, number))
        try probe.begin(format)
        try probe.discard()
    }

    /// Starts a file at a boundary.
    ///
    /// - Parameter priming: The decoded frames before the file's first one; `nil` for the recording's.
    mutating func open(at boundary: FileBoundary, priming: Int? = nil) throws {
        start = boundary
        guard var format else { return }
        if let priming { format.primingFrames = priming }
        if file == nil { file = try create(at: boundary.time, format) }
        if let file { report(.fileStarted(path: file.path, time: .seconds(boundary.time))) }
    }

    /// Completes the current file.
    ///
    /// - Parameters:
    ///   - end: The frame after its last one; `nil` after an error, so that the file is not reported.
    ///   - isLast: Whether the recording ends, so that the file gets all remaining marks.
    ///   - finish: Writes the end of the file.
    mutating func close(at end: Int?, isLast: Bool = false, _ finish: (File) throws -> Void) throws {
        guard let file else { return }
        self.file = nil
        passMarks(to: file, before: isLast ? nil : end)
        defer { lostMarks += file.lostMarks.map { Self.moved($0, by: startFrame) } }
        try finish(file)
        guard let end, let format, let start else { return }
        let rate = format.sampleRate
        report(
            .fileFinished(
                path: file.path, start: Duration(frameCount: start.frame, sampleRate: rate),
                duration: Duration(frameCount: end - start.frame, sampleRate: rate)))
    }

    /// Passes the marks of a file, relative to its start.
    private mutating func passMarks(to file: File, before end: Int?) {
        let count = end.map { end in marks.prefix { $0.start < end }.count } ?? marks.count
        for mark in marks.prefix(count) { file.mark(Self.moved(mark, by: -startFrame)) }
        marks.removeFirst(count)
    }

    private static func moved(_ mark: AudioTags.Chapter, by frames: Int) -> AudioTags.Chapter {
        AudioTags.Chapter(start: mark.start + frames, timescale: mark.timescale, title: mark.title)
    }

    func growth(_ format: RecordingFormat) -> FileGrowth { template.growth(format) }

    func discard() throws { try file?.discard() }

    private func base(at time: Double) -> String { pattern?.path(at: time) ?? template.path }

    /// Creates a file with the first free number.
    private mutating func create(at time: Double, _ format: RecordingFormat) throws -> File {
        let base = base(at: time)
        try createFolder(of: base)
        var number = pattern?.isDated ?? false ? 1 : lastNumber + 1
        while true {
            let path = FileNamePattern.numbered(base, number)
            if names.insert(path) {
                let file = template.withPath(path)
                do {
                    try file.begin(format)
                    lastNumber = number
                    return file
                } catch  where Self.isExisting(error) {}
            }
            number += 1
        }
    }

    private func createFolder(of path: String) throws {
        guard pattern != nil, let folder = PathName.parent(path) else { return }
        do throws(SystemFileError) { try Folder.create(folder) } catch { throw AudioFileError(writing: path, error) }
    }

    private static func isExisting(_ error: any Error) -> Bool {
        let cause = (error as? DeviceError)?.underlyingError ?? error
        return (cause as? AudioFileError)?.code == .outputExists
    }
}
