// SPDX-License-Identifier: Apache-2.0

public import AACCodec
internal import AudioContainers
package import AudioDevices
public import AudioPrimitives
internal import Dispatch
public import LiveAudio
internal import Synchronization

extension HLSFolder {
    /// Returns a sink that encodes a recording at several bit rates and writes each as a variant stream.
    ///
    /// Each variant has a subfolder such as `64k`; a master playlist lists them all.
    ///
    /// ```swift
    /// let variants = HLSFolder(path: "/var/www/talk").variants(bitRates: [32_000, 64_000, 128_000])
    /// let recorder = Recorder(RecorderConfiguration(sampleRate: 48_000), sinks: [variants.sink])
    /// ```
    ///
    /// A sample has the same time in all streams, and their segments start within one access unit of each other, so players can switch
    /// without a jump. Each stream fails and recovers independently. A sample sink receives no pauses: dates count recorded samples.
    ///
    /// - Parameters:
    ///   - bitRates: The average bit rates, in bits per second.
    ///   - profiles: The profile for each bit rate. Bit rates without one use the profile of `settings`, or the best one for the bit rate.
    ///   - settings: The settings of all encoders. The variants' bit rates replace the bit rate, constant if the settings have a constant
    ///     bit rate, otherwise average. Invalid samples become silence.
    ///   - limits: The time limits of each stream.
    /// - Returns: The sink, and the streams in ascending bit rate order for their events and counts.
    public func variants(
        bitRates: [Int], profiles: [Int: AACProfile] = [:], settings: AACEncoderSettings = AACEncoderSettings(),
        limits: StreamingLimits = StreamingLimits()
    ) -> (sink: RecorderSink, streams: [StreamingSink]) {
        let sink = HLSVariantSink(
            self, variants: bitRates.map { .init(bitRate: $0, profile: profiles[$0]) }, settings: settings, limits: limits)
        return (.samples(to: sink), sink.sinks)
    }
}

/// A sink that writes several variant streams.
package final class HLSVariantSink: PCMSink, WaitableSink, @unchecked Sendable {
    package struct Variant: Hashable, Sendable {
        /// The average bit rate, in bits per second.
        package var bitRate: Int
        /// The profile; `nil` uses the settings' profile, or the best one for the bit rate.
        package var profile: AACProfile?

        package init(bitRate: Int, profile: AACProfile? = nil) {
            self.bitRate = bitRate
            self.profile = profile
        }
    }

    package let name: String
    /// The settings of all encoders, except bit rate, profile and invalid sample handling.
    package let settings: AACEncoderSettings
    /// The variants' streams in ascending bit rate order.
    package let sinks: [StreamingSink]

    private let variants: [Variant]
    private let segmentDuration: Duration
    // Used only on the sink's thread.
    private var encoders: [AACEncoder] = []

    /// Creates a sink.
    ///
    /// Writes nothing yet.
    ///
    /// - Parameters:
    ///   - folder: The folder of the master playlist, and the segment format. Each variant has a subfolder such as `64k`.
    ///   - variants: The bit rates and profiles. Duplicate bit rates are ignored.
    ///   - settings: The settings of all encoders. The variants' bit rates replace the bit rate, constant if the settings have a constant
    ///     bit rate, otherwise average. Invalid samples become silence.
    ///   - limits: The time limits of each stream.
    package init(
        _ folder: HLSFolder, variants: [Variant], settings: AACEncoderSettings = AACEncoderSettings(),
        limits: StreamingLimits = StreamingLimits()
    ) {
        var seen: Set<Int> = []
        let variants = variants.filter { seen.insert($0.bitRate).inserted }.sorted { $0.bitRate < $1.bitRate }
        name = "hls:\(folder.path)"
        self.variants = variants
        self.settings = settings
        segmentDuration = folder.segmentDuration
        let master = HLSMasterFile(folder: folder.path, variantCount: variants.count, clock: HLSDestination.systemTime)
        sinks = variants.enumerated().map { index, variant in
            var part = folder
            let name = Self.folderName(variant.bitRate)
            part.path = HLSFiles(folder: folder.path).path(name)
            let entry = HLSDestination.MasterEntry(file: master, index: index, name: "\(name)/\(HLSFileNames.playlist)")
            return StreamingSink(HLSDestination(part, entry), limits: limits)
        }
    }

    /// Returns a variant's folder name: `64k`, or `64100` for a bit rate that is not a multiple of 1000.
    private static func folderName(_ bitRate: Int) -> String {
        bitRate % 1000 == 0 ? "\(bitRate / 1000)k" : "\(bitRate)"
    }

    /// Creates the encoders and starts the streams.
    ///
    /// - Throws: ``/AudioDevices/DeviceError/sinkFailed(name:underlying:)`` with a `CodecError` if a variant cannot be encoded.
    package func begin(_ format: RecordingFormat) throws(DeviceError) {
        do throws(CodecError) {
            encoders = try variants.enumerated().map { index, variant throws(CodecError) in
                var configuration = AACEncoderConfiguration(
                    sampleRate: format.sampleRate, channelCount: format.channelCount, settings: encoderSettings(of: variant))
                configuration.streamIdentifier = UInt16(clamping: index + 1)
                return try AACEncoder(configuration)
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

    package func encoderSettings(of variant: Variant) -> AACEncoderSettings {
        var result = settings
        if case .constant = settings.rateControl {
            result.rateControl = .constant(bitRate: variant.bitRate)
        } else {
            result.rateControl = .average(bitRate: variant.bitRate)
        }
        result.profile = variant.profile ?? settings.profile ?? .automatic
        result.invalidSamples = .silence
        result.accessPointInterval = min(result.accessPointInterval, segmentDuration.inSeconds)
        return result
    }

    package func waitForRoom() {
        for sink in sinks { sink.waitForRoom() }
    }

    /// Encodes samples at all bit rates.
    ///
    /// - Throws: ``/AudioDevices/DeviceError/sinkFailed(name:underlying:)`` with a ``StreamingError`` if all streams have failed, or with a
    ///   `CodecError` if the channel count does not match.
    package func append(_ buffer: PCMBuffer) throws(DeviceError) {
        var failures: [StreamingError] = []
        for (sink, encoder) in zip(sinks, encoders) {
            var failure: StreamingError?
            do throws(CodecError) {
                for accessUnit in try encoder.encode(buffer) where failure == nil {
                    do throws(StreamingError) { try sink.append(accessUnit) } catch { failure = error }
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
        // In parallel, since each stream has its own time limit.
        let failures = Mutex<[Int: StreamingError]>([:])
        DispatchQueue.concurrentPerform(iterations: encoders.count) { [sinks, gaplessInfo] index in
            do throws(StreamingError) { try sinks[index].finish(gaplessInfo[index]) } catch { failures.withLock { $0[index] = error } }
        }
        let first = failures.withLock { $0.min { $0.key < $1.key } }
        if let first { throw .sinkFailed(name: name, underlying: first.value) }
    }
}
