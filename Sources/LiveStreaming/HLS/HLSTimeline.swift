// SPDX-License-Identifier: Apache-2.0

internal import AACCodec
internal import AudioContainers
internal import AudioPrimitives
package import LiveAudio

/// The timeline of an HLS stream: segment times, dates and segment boundaries.
///
/// Segment times count sample frames at the output rate from the first recorded sample; priming precedes it. A sample has the same time in
/// streams of all profiles, so players can switch between them.
package struct HLSTimeline {
    /// The maximum excess of a segment over its nominal duration, in frames: the largest priming of any profile plus two of its access
    /// units.
    static let maximumExcess: Int = {
        var configuration = AACEncoderConfiguration(sampleRate: 48_000, channelCount: 2, rateControl: .average(bitRate: 32_000))
        configuration.profile = .highEfficiencyV2
        guard let encoder = try? AACEncoder(configuration) else { preconditionFailure("the encoder has the profile") }
        return encoder.delay + 2 * encoder.framesPerPacket
    }()

    /// The output sample rate, in hertz.
    let sampleRate: Int
    /// The access unit duration, in sample frames.
    let unitDuration: Int
    /// The nominal segment duration, in sample frames.
    private let segmentDuration: Double
    private let primingFrames: Int
    /// The date of the first recorded sample, in seconds since 1970.
    private let startDate: Double

    /// - Parameter startDate: The date of the first recorded sample, in seconds since 1970.
    package init(_ format: RecordingFormat, segmentDuration: Duration, startDate: Double) {
        sampleRate = max(1, format.configuration.sampleRate)
        unitDuration = format.framesPerUnit
        primingFrames = format.primingFrames
        self.segmentDuration = max(1, segmentDuration.inSeconds * Double(sampleRate))
        self.startDate = startDate
    }

    /// The playlist's target duration in seconds (RFC 8216, 4.3.3.1), equal for streams of all profiles (6.2.4).
    package var targetDuration: Int {
        let excess = max(Self.maximumExcess, primingFrames + 2 * unitDuration)
        return max(1, Int(((segmentDuration + Double(excess)) / Double(sampleRate)).rounded()))
    }

    /// Returns whether a segment's duration, in sample frames, is rounded to more than the target duration.
    func exceedsTarget(_ frames: Int) -> Bool { Int(seconds(frames).rounded()) > targetDuration }

    func frames(_ time: MediaTime) -> Int {
        guard Int(time.timescale) != sampleRate else { return Int(time.value) }
        return Int((Double(time.value) * Double(sampleRate) / Double(time.timescale)).rounded())
    }

    /// Returns the index of the segment for an access unit that starts at `start` frames.
    ///
    /// Segments start at the access units closest to multiples of the nominal duration, regardless of gaps. Their mean duration is
    /// therefore exact.
    func segmentIndex(_ start: Int) -> Int {
        max(0, Int((Double(start + unitDuration / 2) / segmentDuration).rounded(.down)))
    }

    /// Returns the segment time of an access unit that starts at `start` frames.
    ///
    /// Adds one second, or enough whole seconds for the priming, because segment times cannot be negative.
    func segmentTime(_ start: Int) -> Int {
        let seconds = max(1, (primingFrames + sampleRate - 1) / sampleRate)
        return max(0, start + seconds * sampleRate)
    }

    /// Returns the date of an access unit that starts at `start` frames, in seconds since 1970.
    func date(_ start: Int) -> Double { startDate + Double(start) / Double(sampleRate) }

    func seconds(_ frames: Int) -> Double { Double(frames) / Double(sampleRate) }
}
