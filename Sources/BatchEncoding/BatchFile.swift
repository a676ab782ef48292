// SPDX-License-Identifier: Apache-2.0

internal import AudioFiles
internal import AudioPrimitives
internal import JSONText
internal import PCMFiles
internal import SystemFiles

/// A file of a batch: an input and its output.
public struct BatchFile: Sendable {
    /// The input's path.
    public var input: String
    /// The output's path.
    public var output: String
    /// The encoder's settings, shared between files.
    public var settings: BatchSettings
    /// The input size in bytes, used for ordering, or `nil` to look it up.
    public var byteCount: Int?
    /// Why the file cannot be encoded, if known before the batch.
    public var problem: (any Error)?
    /// Settings of this file only, for the file lists of cluster tasks.
    package var ownSettings: [ManifestEntry.Setting] = []
    /// The album to which the file belongs, or `nil` for none.
    var album: BatchAlbum?

    /// Creates a file of a batch.
    ///
    /// - Parameters:
    ///   - input: The input's path.
    ///   - output: The output's path.
    ///   - settings: The encoder's settings.
    ///   - byteCount: The input size in bytes, or `nil` to look it up.
    ///   - problem: Why the file cannot be encoded, if known before the batch.
    public init(input: String, output: String, settings: BatchSettings, byteCount: Int? = nil, problem: (any Error)? = nil) {
        self.input = input
        self.output = output
        self.settings = settings
        self.byteCount = byteCount
        self.problem = problem
    }

    /// The expected work in bytes of uncompressed audio: the file size times the format's typical compression.
    var work: Double {
        guard let byteCount = byteCount ?? FileStamp(of: input)?.byteCount else { return 0 }
        return Double(byteCount) * (PathName.fileExtension(input).flatMap { Self.compression[$0] } ?? 1)
    }

    /// The settings to record, with the state of the album.
    var recordedSettings: JSONValue {
        guard let album else { return settings.description }
        return .object((settings.description.members ?? []) + [("album", .string(album.key))])
    }

    /// Whether several processes can share the file's segments.
    var canBeDivided: Bool { (try? converter(settings.configuration).canBeDivided()) ?? false }

    /// Returns the converter of the file, which encodes unless the output format is PCM or FLAC.
    func converter(_ configuration: FileConverterConfiguration) -> FileConverter {
        let format = configuration.format ?? AudioFileFormat(path: output)
        // CAF files of a batch contain AAC.
        guard let format, format.isPCM, format != .caf else {
            return FileEncoder(input: input, output: output, configuration: configuration).converter
        }
        return FileConverter(input: input, output: output, configuration: configuration)
    }

    /// Returns the folder for the file's segments, which depends on the input, the settings and the version.
    func segmentFolder(in folder: String) -> String {
        let stamp = FileStamp(of: input)
        let key = [LinnetVersion.current, settings.description.line, input, "\(stamp?.byteCount ?? 0)", "\(stamp?.modified ?? 0)"]
        return folder + "/" + SHA256.hash(of: Array(key.joined(separator: "\n").utf8)).prefix(16)
    }

    /// Bytes of 16-bit PCM per byte of a compressed format at typical bit rates, by file extension.
    private static let compression: [String: Double] = [
        "flac": 1.7, "m4a": 9, "m4b": 18, "mp4": 9, "mp3": 9, "ogg": 10, "oga": 10, "opus": 14, "aac": 10, "adts": 10, "loas": 10,
        "latm": 10, "3gp": 20, "mov": 4, "lbc": 20,
    ]
}

extension [BatchFile] {
    /// Sets the problem ``BatchError/outputClaimed(output:input:)`` on all but the first file with the same output.
    func claimingOutputs() -> [BatchFile] {
        var owners: [String: Int] = [:]
        owners.reserveCapacity(count)
        let folder = Folder.current ?? "/"
        var files = self
        for index in indices where files[index].problem == nil {
            let output = PathName.absolute(files[index].output, in: folder)
            if let owner = owners[output] {
                files[index].problem = BatchError.outputClaimed(output: files[index].output, input: files[owner].input)
            } else {
                owners[output] = index
            }
        }
        return files
    }
}

/// The limits and checks of a batch.
public struct BatchOptions: Sendable {
    /// The number of processors to use, or `nil` for all available ones.
    public var processorCount: Int?
    /// The maximum memory of all encoders in bytes, or `nil` for no limit.
    ///
    /// It limits the number of threads.
    public var memory: Int?
    /// A folder in which several runs share the segments of long files, or `nil` for none.
    package var segmentFolder: String?
    /// The maximum number of open files, or `nil` for the limit of the process.
    package var openFiles: Int?
    /// The check of each output before it gets its final name, or `nil` for none.
    public var verification: Verification?
    /// Whether to replace existing outputs without a record, and to encode up-to-date files again.
    public var replaces = false
    /// Whether to compare contents by checksum even if sizes and times are equal.
    package var readsAll = false
    /// Whether outputs of other Linnet versions count as up to date.
    package var acceptsOtherVersions = false
    /// Whether the files of each input folder get one gain.
    package var groupsAlbums = false
    /// Whether to only report planned encodings without encoding.
    public var isDryRun = false

    /// A check of outputs.
    public struct Verification: Hashable, Sendable {
        /// The maximum mean noise-to-mask ratio, in decibels, or `nil` for no limit.
        public var noiseLimit: Double?

        /// Creates a check of length and damage, and of noise if there is a limit.
        public init(noiseLimit: Double? = nil) { self.noiseLimit = noiseLimit }
    }

    /// Creates options with the defaults.
    public init() {}

    /// The memory of an encoding thread, in bytes, rounded up.
    ///
    /// Measured per additional thread: 2.7 MB with stereo AAC-LC, 6.1 MB with 5.1 HE-AAC.
    ///
    /// Does not include the 10 MB of the program itself.
    static let memoryPerThread = 8 << 20
    /// The number of open files per thread: the input twice (reader, and segment or checksum), the output, and a record.
    static let filesPerThread = 4
    /// The number of other open files: standard streams, results, libraries.
    static let otherFiles = 16

    /// Returns the number of threads within the limits.
    ///
    /// - Parameter fileLimit: The maximum number of open files of the process.
    package func threadCount(processors: Int, fileLimit: Int) -> Int {
        var count = processorCount ?? processors
        if let memory { count = min(count, memory / Self.memoryPerThread) }
        count = min(count, (min(openFiles ?? fileLimit, fileLimit) - Self.otherFiles) / Self.filesPerThread)
        return max(1, count)
    }
}
