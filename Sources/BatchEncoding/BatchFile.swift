// SPDX-License-Identifier: Apache-2.0

internal import AudioFiles
internal import JSONText
internal import PCMFiles
internal import SystemFiles

/// A file of a batch: an input that becomes an output.
public struct BatchFile: Sendable {
    /// The input's path.
    public var input: String
    /// The output's path.
    public var output: String
    /// The encoder's settings, which files share.
    public var settings: BatchSettings
    /// The size of the input in bytes, by which work is ordered; nil to look it up.
    public var byteCount: Int?
    /// The reason for which the file can't be encoded, found before the batch; nil if there is none.
    public var problem: (any Error)?
    /// The settings of a list that only this file has, for the lists of a cluster's tasks.
    package var ownSettings: [ManifestEntry.Setting] = []

    /// Creates a file of a batch.
    ///
    /// - Parameters:
    ///   - input: The input's path.
    ///   - output: The output's path.
    ///   - settings: The encoder's settings.
    ///   - byteCount: The size of the input in bytes; nil to look it up.
    ///   - problem: The reason for which the file can't be encoded, found before the batch.
    public init(input: String, output: String, settings: BatchSettings, byteCount: Int? = nil, problem: (any Error)? = nil) {
        self.input = input
        self.output = output
        self.settings = settings
        self.byteCount = byteCount
        self.problem = problem
    }

    /// The expected work, in bytes of uncompressed audio: the size times the usual compression of the format.
    var work: Double {
        guard let byteCount = byteCount ?? FileStamp(of: input)?.byteCount else { return 0 }
        return Double(byteCount) * (PathName.fileExtension(input).flatMap { Self.compression[$0] } ?? 1)
    }

    /// Whether several processes can share the file's segments.
    var canBeDivided: Bool {
        (try? FileEncoder(input: input, output: output, configuration: settings.configuration).converter.canBeDivided()) ?? false
    }

    /// Returns the folder for the file's segments: another one for another input, other settings, and another version.
    func segmentFolder(in folder: String) -> String {
        let stamp = FileStamp(of: input)
        let key = [LinnetVersion.current, settings.description.line, input, "\(stamp?.byteCount ?? 0)", "\(stamp?.modified ?? 0)"]
        return folder + "/" + SHA256.hash(of: Array(key.joined(separator: "\n").utf8)).prefix(16)
    }

    /// Bytes of 16-bit PCM for a byte of a compressed format, by the extension of the name: about right for usual bit rates.
    private static let compression: [String: Double] = [
        "flac": 1.7, "m4a": 9, "m4b": 18, "mp4": 9, "mp3": 9, "ogg": 10, "oga": 10, "opus": 14, "aac": 10, "adts": 10, "loas": 10,
        "latm": 10, "3gp": 20, "mov": 4, "lbc": 20,
    ]
}

extension [BatchFile] {
    /// Returns the files; of those with the same output all but the first have ``BatchError/outputClaimed(output:input:)`` as their problem.
    func claimingOutputs() -> [BatchFile] {
        var owners: [String: Int] = [:]
        owners.reserveCapacity(count)
        var files = self
        for index in indices where files[index].problem == nil {
            if let owner = owners[files[index].output] {
                files[index].problem = BatchError.outputClaimed(output: files[index].output, input: files[owner].input)
            } else {
                owners[files[index].output] = index
            }
        }
        return files
    }
}

/// The limits and the checks of a batch.
public struct BatchOptions: Sendable {
    /// The number of processors to use; nil for all that the process may use.
    public var processorCount: Int?
    /// The memory in bytes that encoders may take together, which limits the number of processors; nil for no limit.
    public var memory: Int?
    /// A folder in which several runs share the segments of long files; nil for none.
    package var segmentFolder: String?
    /// The number of files that may be open at a time; nil for the limit of the process.
    package var openFiles: Int?
    /// The check of each output, before it gets its name; nil for none.
    public var verification: Verification?
    /// Whether existing outputs without a record are replaced, and files that are done are encoded again.
    public var replaces = false
    /// Whether contents are compared with the checksums of records also where sizes and times are the same.
    package var readsAll = false
    /// Whether outputs of other versions of Linnet count as done.
    package var acceptsOtherVersions = false
    /// Whether nothing is encoded, and the result only says what would be.
    public var isDryRun = false

    /// A check of outputs.
    public struct Verification: Hashable, Sendable {
        /// The highest mean noise-to-mask ratio, in decibels; nil for no limit.
        public var noiseLimit: Double?

        /// Creates a check of length and damage, and of noise if there is a limit.
        public init(noiseLimit: Double? = nil) { self.noiseLimit = noiseLimit }
    }

    /// Creates options with the defaults.
    public init() {}

    /// The memory of a thread that encodes, in bytes, rounded up: each further one took 2.7 MB with AAC-LC of stereo, 6.1 MB with HE-AAC of 5.1.
    ///
    /// What the program itself takes, 10 MB, is not counted.
    static let memoryPerThread = 8 << 20
    /// Files that a thread has open: the input twice (its reader, and a segment's or the checksum's), the output, and a record.
    static let filesPerThread = 4
    /// Files that are open beside those of threads: standard streams, results, libraries.
    static let otherFiles = 16

    /// The number of threads that the limits permit.
    ///
    /// - Parameters:
    ///   - processors: The processors of the process.
    ///   - fileLimit: The number of files that the process may have open.
    package func threadCount(processors: Int, fileLimit: Int) -> Int {
        var count = processorCount ?? processors
        if let memory { count = min(count, memory / Self.memoryPerThread) }
        count = min(count, (min(openFiles ?? fileLimit, fileLimit) - Self.otherFiles) / Self.filesPerThread)
        return max(1, count)
    }
}
