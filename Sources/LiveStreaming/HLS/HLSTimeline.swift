// SPDX-License-Identifier: Apache-2.0

internal import AACCodec
internal import AudioContainers
internal import AudioPrimitives
package import LiveAudio

/// The times of an HLS stream: those in segments, dates, and the borders of segments.
///
/// Times in segments count sample frames of the output rate from the first recorded one, and the priming has times before it: a sample has the
/// same time in streams of all profiles, so that a player can change between them.
package struct HLSTimeline {
    /// The priming of the profile that has the largest, and two of its units: by so many frames, a segment can be longer than its nominal
    /// duration.
    private static let largestExcess: Int = {
        var configuration = AACEncoderConfiguration(sampleRate: 48_000, channelCount: 2, rateControl: .average(bitRate: 32_000))
        configuration.profile = .highEfficiencyV2
        guard let encoder = try? AACEncoder(configuration) else { preconditionFailure("the encoder has the profile") }
        return encoder.delay + 2 * encoder.framesPerPacket
    }()

    /// The sample rate of the output in hertz.
    let sampleRate: Int
    /// The duration of an access unit in sample frames.
    let unitDuration: Int
    /// The nominal duration of a segment in sample frames.
    private let segmentDuration: Double
    private let primingFrames: Int
    /// The date and time of the first recorded sample, in seconds since 1970.
    private let startDate: Double

    /// Creates a timeline.
    ///
    /// - Parameters:
    ///   - format: The format of the stream.
    ///   - segmentDuration: The nominal duration of a segment.
    ///   - startDate: The date and time of the first recorded sample, in seconds since 1970.
    package init(_ format: RecordingFormat, segmentDuration: Duration, startDate: Double) {
        sampleRate = max(1, format.configuration.sampleRate)
        unitDuration = format.framesPerUnit
        primingFrames = format.primingFrames
        self.segmentDuration = max(1, segmentDuration.inSeconds * Double(sampleRate))
        self.startDate = startDate
    }

    /// The target duration of a playlist in seconds (RFC 8216, 4.3.3.1): the same for streams of all profiles (6.2.4).
    package var targetDuration: Int {
        let excess = max(Self.largestExcess, primingFrames + 2 * unitDuration)
        return max(1, Int(((segmentDuration + Double(excess)) / Double(sampleRate)).rounded()))
    }

    /// Returns a time in sample frames.
    func frames(_ time: MediaTime) -> Int {
        guard Int(time.timescale) != sampleRate else { return Int(time.value) }
        return Int((Double(time.value) * Double(sampleRate) / Double(time.timescale)).rounded())
    }

    /// Returns the index of the segment that a unit belongs to if it can stand in it, from its start in frames.
    ///
    /// Borders are the units next to multiples of the nominal duration, whatever has been missing: so its mean is exact.
    func segmentIndex(_ start: Int) -> Int {
        max(0, Int((Double(start + unitDuration / 2) / segmentDuration).rounded(.down)))
    }

    /// Returns the time in a segment, from the start of a unit.
    ///
    /// A second is added, or as many as the priming takes, since times in segments are not negative.
    func segmentTime(_ start: Int) -> Int {
        let seconds = max(1, (primingFrames + sampleRate - 1) / sampleRate)
        return max(0, start + seconds * sampleRate)
    }

    /// Returns the date of the start of a unit, in seconds since 1970.
    func date(_ start: Int) -> Double { startDate + Double(start) / Double(sampleRate) }

    /// Returns frames as seconds.
    func seconds(_ frames: Int) -> Double { Double(frames) / Double(sampleRate) }
}
