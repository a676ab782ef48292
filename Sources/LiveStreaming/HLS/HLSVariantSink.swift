// SPDX-License-Identifier: Apache-2.0

public import AACCodec
internal import AudioContainers
package import AudioDevices
public import AudioPrimitives
internal import Dispatch
public import LiveAudio
internal import Synchronization

extension HLSFolder {
    /// Returns a sink that encodes the samples of a recording at several bit rates, and writes each as a variant stream in a folder such as `64k`
    /// with a master playlist over all.
    ///
    /// ```swift
    /// let variants = HLSFolder(path: "/var/www/talk").variants(bitRates: [32_000, 64_000, 128_000])
    /// let recorder = Recorder(RecorderConfiguration(sampleRate: 48_000), sinks: [variants.sink])
    /// ```
    ///
    /// A sample has the same time in all streams, and their segments begin within an access unit of each other: players change between them
    /// without a jump. Each stream fails and recovers alone. A sink of samples doesn't know about pauses: dates count the samples recorded.
    ///
    /// - Parameters:
    ///   - bitRates: The average bit rates in bits per second.
    ///   - profiles: The profiles by bit rate; that of the settings, or the best one for the bit rate, where there is none.
    ///   - settings: The settings of all encoders. Their bit rates are those of the variants, constant if the settings have a constant
    ///     one, else average; invalid samples are silence.
    ///   - limits: The time limits.
    /// - Returns: The sink, and the streams in the order of their bit rates, with their events and counts.
    public func variants(
        bitRates: [Int], profiles: [Int: AACProfile] = [:], settings: AACEncoderSettings = AACEncoderSettings(),
        limits: StreamingLimits = StreamingLimits()
    ) -> (sink: RecorderSink, streams: [StreamingSink]) {
        let sink = HLSVariantSink(
            self, variants: bitRates.map { .init(bitRate: $0, profile: profiles[$0]) }, settings: settings, limits: limits)
        return (.samples(to: sink), sink.sinks)
    }
}

/// The sink of several bit rates.
package final class HLSVariantSink: PCMSink, @unchecked Sendable {
    /// A variant stream.
    package struct Variant: Hashable, Sendable {
        /// The average bit rate in bits per second.
        package var bitRate: Int
        /// The profile; nil for that of the settings, or the best one for the bit rate.
        package var profile: AACProfile?

        /// Creates a variant stream; the profile is that of the settings, or the best one for the bit rate, if none is given.
        package init(bitRate: Int, profile: AACProfile? = nil) {
            self.bitRate = bitRate
            self.profile = profile
        }
    }

    /// The folder of the master playlist.
    package let name: String
    /// The settings of all encoders, but for bit rate, profile and invalid samples.
    package let settings: AACEncoderSettings
    /// The streams of the variants in the order of their bit rates, with their events and counts.
    package let sinks: [StreamingSink]

    private let variants: [Variant]
    // Used on the sink's thread only.
    private var encoders: [AACEncoder] = []

    /// Creates a sink with a profile for each bit rate; nothing is written yet.
    ///
    /// - Parameters:
    ///   - folder: The folder of the master playlist, and the form of segments; each variant has a folder in it, such as `64k`.
    ///   - variants: The bit rates and profiles; of several with the same bit rate only the first counts.
    ///   - settings: The settings of all encoders. Their bit rates are those of the variants, constant if the settings have a constant
    ///     one, else average; invalid samples are silence.
    ///   - limits: The time limits.
    package init(
        _ folder: HLSFolder, variants: [Variant], settings: AACEncoderSettings = AACEncoderSettings(),
        limits: StreamingLimits = StreamingLimits()
    ) {
        var seen: Set<Int> = []
        let variants = variants.filter { seen.insert($0.bitRate).inserted }.sorted { $0.bitRate < $1.bitRate }
        name = "hls:\(folder.path)"
        self.variants = variants
        self.settings = settings
        let master = HLSMasterFile(folder: folder.path, variantCount: variants.count, clock: HLSDestination.systemTime)
        sinks = variants.enumerated().map { index, variant in
            var part = folder
            let name = Self.folderName(variant.bitRate)
            part.path = HLSFiles(folder: folder.path).path(name)
            let entry = HLSDestination.MasterEntry(file: master, index: index, name: "\(name)/\(HLSFileNames.playlist)")
            return StreamingSink(HLSDestination(part, entry), limits: limits)
        }
    }

    /// Returns the name of a variant's folder: `64k`, or `64100` for a bit rate that is no multiple of a thousand.
    private static func folderName(_ bitRate: Int) -> String {
        bitRate % 1000 == 0 ? "\(bitRate / 1000)k" : "\(bitRate)"
    }

    /// Creates the encoders, and starts to write.
    ///
    /// - Throws: ``/AudioDevices/DeviceError/sinkFailed(name:underlying:)`` with a `CodecError` if a variant can't be encoded.
    package func begin(_ format: RecordingFormat) throws(DeviceError) {
        do throws(CodecError) {
            encoders = try variants.map { variant throws(CodecError) in
                try AACEncoder(
                    AACEncoderConfiguration(
                        sampleRate: format.sampleRate, channelCount: format.channelCount, settings: encoderSettings(of: variant)))
            }
        } catch {
            throw .sinkFailed(name: name, underlying: error)
        }
        for (sink, encoder) in zip(sinks, encoders) {
            sink.begin(
                RecordingFormat(
                    sampleRate: format.sampleRate, channelCount: format.channelCount, configuration: .aac(encoder.audioSpecificConfig),
                    framesPerUnit: encoder.framesPerPacket, primingFrames: encoder.delay, bitRate: encoder.bitRate))
        }
    }

    /// Returns the settings of a variant's encoder.
    package func encoderSettings(of variant: Variant) -> AACEncoderSettings {
        var result = settings
        if case .constant = settings.rateControl {
            result.rateControl = .constant(bitRate: variant.bitRate)
        } else {
            result.rateControl = .average(bitRate: variant.bitRate)
        }
        result.profile = variant.profile ?? settings.profile ?? .automatic
        result.invalidSamples = .silence
        return result
    }

    /// Encodes samples at all bit rates.
    ///
    /// - Throws: ``/AudioDevices/DeviceError/sinkFailed(name:underlying:)``: with a ``StreamingError`` when all streams were given up, with an
    ///   `CodecError` for a buffer of other channels.
    package func append(_ buffer: PCMBuffer) throws(DeviceError) {
        var failures: [StreamingError] = []
        for (sink, encoder) in zip(sinks, encoders) {
            var failure: StreamingError?
            do throws(CodecError) {
                for unit in try encoder.encode(buffer) where failure == nil {
                    do throws(StreamingError) { try sink.append(unit) } catch { failure = error }
                }
            } catch {
                throw .sinkFailed(name: name, underlying: error)
            }
            if let failure { failures.append(failure) }
        }
        if let failure = failures.first, failures.count == sinks.count { throw .sinkFailed(name: name, underlying: failure) }
    }

    /// Encodes the remaining samples, and completes all streams.
    ///
    /// - Throws: ``/AudioDevices/DeviceError/sinkFailed(name:underlying:)`` with the first error of a stream.
    package func finish() throws(DeviceError) {
        var gaplessInfo: [GaplessInfo?] = []
        for (sink, encoder) in zip(sinks, encoders) { gaplessInfo.append(try? encoder.finish { try sink.append($0) }) }
        // All at the same time, since each has a time limit of its own.
        let failures = Mutex<[Int: StreamingError]>([:])
        DispatchQueue.concurrentPerform(iterations: encoders.count) { [sinks, gaplessInfo] index in
            do throws(StreamingError) { try sinks[index].finish(gaplessInfo[index]) } catch { failures.withLock { $0[index] = error } }
        }
        let first = failures.withLock { $0.min { $0.key < $1.key } }
        if let first { throw .sinkFailed(name: name, underlying: first.value) }
    }
}
