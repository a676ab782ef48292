// SPDX-License-Identifier: Apache-2.0

internal import AudioDevices
internal import AudioPrimitives

/// Sends a recording as speech to any number of subscribers, each with its own source and format.
///
/// All methods may be called from any thread.
final class SpeechBroadcaster: Sendable {
    /// The blocks that a buffer completes, or the error that ends a stream.
    typealias Event = Result<[SpeechBlock], DeviceError>

    /// The audio that a stream buffers.
    private static let bufferedDuration = Duration.seconds(60)

    /// The source and the format of a subscriber.
    private struct Subscription {
        /// The index of the source; `nil` for all.
        let source: Int?
        let assembler: SpeechAssembler
    }

    private let broadcaster = Broadcaster<Event, Subscription>()
    private let sources: [String]

    /// - Parameter sources: The names of the sources.
    init(sources: [String]) { self.sources = sources }

    var hasSubscribers: Bool { broadcaster.hasSubscribers }

    /// Returns a stream of the subsequent blocks of a source, or of all sources.
    ///
    /// The stream buffers at least a minute, and at least eight blocks: a slow reader loses the oldest ones.
    func stream(of source: String?, blockDuration: Duration, sampleRate: Int) -> AsyncStream<Event> {
        let index = source.flatMap { sources.firstIndex(of: $0) }
        if let source, index == nil {
            return AsyncStream {
                $0.yield(.failure(.unknownSource(source, available: self.sources)))
                $0.finish()
            }
        }
        let count = Self.bufferedDuration / max(blockDuration, .milliseconds(10))
        let assembler = SpeechAssembler(blockDuration: blockDuration, sampleRate: sampleRate)
        return broadcaster.stream(of: Subscription(source: index, assembler: assembler), bufferingNewest: max(8, Int(count)))
    }

    /// Sends audio at a position of the recording.
    ///
    /// - Parameters:
    ///   - buffers: One buffer per source, with the same sample rate and frame count.
    ///   - seconds: Its position.
    ///   - hostTime: The host time of its first frame, in nanoseconds.
    func send(_ buffers: [PCMBuffer], at seconds: Double, hostTime: Int64) {
        guard hasSubscribers, buffers[0].frameCount > 0 else { return }
        let all = buffers.count == 1 ? buffers[0] : Self.sum(buffers)
        broadcaster.send { subscription in
            Self.event { () throws(CodecError) in
                try subscription.assembler.accept(subscription.source.map { buffers[$0] } ?? all, at: seconds, hostTime: hostTime)
            }
        }
    }

    /// Returns the sum of the sources, each as the mean of its channels.
    private static func sum(_ buffers: [PCMBuffer]) -> PCMBuffer {
        var result = PCMBuffer(sampleRate: buffers[0].sampleRate, channelCount: 1, frameCapacity: buffers[0].frameCount)
        for buffer in buffers {
            let gain = 1 / Float(buffer.channelCount)
            for channel in 0..<buffer.channelCount {
                let first = buffer.range(ofChannel: channel).lowerBound
                for frame in 0..<buffer.frameCount { result.samples[frame] += gain * buffer.samples[first + frame] }
            }
        }
        return result
    }

    /// Ends all streams after the remaining audio.
    func finish() {
        broadcaster.send { subscription in Self.event { () throws(CodecError) in try subscription.assembler.finish() } }
        broadcaster.finish()
    }

    /// Returns the event of a step, if it has one.
    private static func event(_ step: () throws(CodecError) -> [SpeechBlock]) -> Event? {
        do throws(CodecError) {
            let blocks = try step()
            return blocks.isEmpty ? nil : .success(blocks)
        } catch {
            return .failure(.encoding(error))
        }
    }
}
