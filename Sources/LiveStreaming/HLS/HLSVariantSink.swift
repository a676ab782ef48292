// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

public import AACCodec
internal import AudioContainers
public import AudioPrimitives
internal import Dispatch
public import LiveAudio

/// Encodes the samples of a recording at several bit rates, and writes each as a variant stream of HTTP Live Streaming with a master playlist
/// over all.
///
/// ```swift
/// let sink = HLSVariantSink(HLSFolder(path: "/var/www/talk"), bitRates: [32_000, 64_000, 128_000])
/// let recorder = Recorder(RecorderConfiguration(sampleRate: 48_000), sinks: [.pcm(sink)])
/// ```
///
/// A sample has the same time in all streams, and their segments begin within an access unit of each other: players change between them
/// without a jump. Each stream fails and recovers alone. A sink of samples doesn't know about pauses: dates count the samples recorded.
public final class HLSVariantSink: PCMSink, @unchecked Sendable {
    /// A variant stream.
    public struct Variant: Hashable, Sendable {
        /// The average bit rate in bits per second.
        public var bitRate: Int
        /// The profile.
        public var profile = AACProfile.automatic

        /// Creates a variant stream; the best profile for the bit rate is chosen if none is given.
        public init(bitRate: Int, profile: AACProfile = .automatic) {
            self.bitRate = bitRate
            self.profile = profile
        }
    }

    /// The folder of the master playlist.
    public let name: String
    /// The streams of the variants in the order of their bit rates, with their events and counts.
    public let sinks: [StreamingSink]

    private let variants: [Variant]
    private let effort: AACEncoderConfiguration.Effort
    // Used on the sink's thread only.
    private var encoders: [AACEncoder] = []

    /// Creates a sink; nothing is written yet.
    ///
    /// - Parameters:
    ///   - folder: The folder of the master playlist, and the form of segments; each variant has a folder in it, such as `64k`.
    ///   - bitRates: The average bit rates in bits per second.
    ///   - effort: The processor time that each encoder spends for quality.
    ///   - limits: The time limits.
    public convenience init(
        _ folder: HLSFolder, bitRates: [Int], effort: AACEncoderConfiguration.Effort = .balanced,
        limits: StreamingLimits = StreamingLimits()
    ) {
        self.init(folder, variants: bitRates.map { Variant(bitRate: $0) }, effort: effort, limits: limits)
    }

    /// Creates a sink with a profile for each bit rate; nothing is written yet.
    ///
    /// - Parameters:
    ///   - folder: The folder of the master playlist, and the form of segments; each variant has a folder in it, such as `64k`.
    ///   - variants: The bit rates and profiles; of several with the same bit rate only the first counts.
    ///   - effort: The processor time that each encoder spends for quality.
    ///   - limits: The time limits.
    public init(
        _ folder: HLSFolder, variants: [Variant], effort: AACEncoderConfiguration.Effort = .balanced,
        limits: StreamingLimits = StreamingLimits()
    ) {
        var seen: Set<Int> = []
        let variants = variants.filter { seen.insert($0.bitRate).inserted }.sorted { $0.bitRate < $1.bitRate }
        name = "hls:\(folder.path)"
        self.variants = variants
        self.effort = effort
        let master = HLSMasterFile(folder: folder.path, variantCount: variants.count)
        let start = HLSStartDate()
        sinks = variants.enumerated().map { index, variant in
            var part = folder
            let name = Self.folderName(variant.bitRate)
            part.path = HLSFiles(folder: folder.path).path(name)
            let entry = HLSDestination.MasterEntry(file: master, index: index, name: "\(name)/\(HLSFileNames.playlist)")
            return StreamingSink(HLSDestination(part, entry, clock: start.value), limits: limits)
        }
    }

    /// Returns the name of a variant's folder: `64k`, or `64100` for a bit rate that is no multiple of a thousand.
    private static func folderName(_ bitRate: Int) -> String {
        bitRate % 1000 == 0 ? "\(bitRate / 1000)k" : "\(bitRate)"
    }

    /// Creates the encoders, and starts to write.
    ///
    /// - Throws: ``/AACCodec/AACError`` if a bit rate can't be encoded.
    public func begin(_ format: RecordingFormat) throws {
        encoders = try variants.map { variant in
            var configuration = AACEncoderConfiguration(
                sampleRate: format.sampleRate, channelCount: format.channelCount, rateControl: .average(bitRate: variant.bitRate),
                effort: effort)
            configuration.profile = variant.profile
            configuration.invalidSamples = .silence
            return try AACEncoder(configuration)
        }
        for (sink, encoder) in zip(sinks, encoders) {
            sink.begin(
                RecordingFormat(
                    sampleRate: format.sampleRate, channelCount: format.channelCount, configuration: .aac(encoder.audioSpecificConfig),
                    framesPerUnit: encoder.unitLength, primingFrames: encoder.delay, bitRate: encoder.bitRate))
        }
    }

    /// Encodes samples at all bit rates.
    ///
    /// - Throws: ``StreamingError`` when all streams were given up.
    public func append(_ buffer: PCMBuffer) throws {
        var failures: [any Error] = []
        for (sink, encoder) in zip(sinks, encoders) {
            do { try encoder.encode(buffer) { try sink.append($0) } } catch let error as StreamingError { failures.append(error) }
        }
        if let failure = failures.first, failures.count == sinks.count { throw failure }
    }

    /// Encodes the remaining samples, and completes all streams.
    ///
    /// - Throws: The first error of a stream.
    public func finish() throws {
        var gaplessInfo: [GaplessInfo?] = []
        for (sink, encoder) in zip(sinks, encoders) { gaplessInfo.append(try? encoder.finish { try sink.append($0) }) }
        // All at the same time, since each has a time limit of its own.
        let results = EndResults(count: encoders.count)
        DispatchQueue.concurrentPerform(iterations: encoders.count) { [sinks, gaplessInfo] index in
            results.set(Result { try sinks[index].finish(gaplessInfo[index]) }, at: index)
        }
        try results.throwFirst()
    }
}
