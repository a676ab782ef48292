// SPDX-License-Identifier: Apache-2.0

import LiveStreaming
import SystemFiles

/// RTP streams as inputs, named by session descriptions.
enum RTPInput {
    /// The option for the delay that waits for late packets.
    static let latency = CommandOption(
        "latency", value: "MS", "maximum wait for late RTP packets, in milliseconds (default: 60)")

    /// Opens the stream of a session description; `nil` for other files.
    ///
    /// - Parameters:
    ///   - arguments: The command line.
    ///   - isPaced: Whether audio is released when it is due, as for playback.
    static func source(_ path: String, _ arguments: ParsedArguments, isPaced: Bool = false) throws -> RTPSource? {
        let milliseconds = try arguments.number("latency", in: 1...10_000)
        guard RTPSource.isDescription(path: path) else {
            // A missing file is reported when it is opened.
            if milliseconds != nil, path == "-" || (try? FileStatus(of: path)) != nil {
                throw arguments.failure("--latency applies to RTP streams only; \(path) is not a session description (.sdp)")
            }
            return nil
        }
        let track = AudioTrackOption.option.name
        if arguments.offers(track), arguments.has(track) {
            throw arguments.failure("--\(track) applies to files only; \(path) describes a stream")
        }
        return try RTPSource(path: path, latency: .milliseconds(milliseconds ?? 60), isPaced: isPaced)
    }

    /// Returns messages about losses.
    ///
    /// - Parameters:
    ///   - statistics: The counts at the end.
    ///   - input: The input's name in messages.
    static func warnings(_ statistics: RTPStatistics, input: String) -> [String] {
        let counts = [
            (statistics.lostPacketCount, "packets of \(input) were lost"),
            (statistics.latePacketCount, "packets of \(input) arrived too late"),
            (statistics.malformedPacketCount, "packets of \(input) were malformed"),
            (statistics.unauthenticatedPacketCount, "packets of \(input) had another key, or were damaged"),
            (statistics.damagedUnitCount, "access units of \(input) were damaged"),
        ]
        return counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    }
}
