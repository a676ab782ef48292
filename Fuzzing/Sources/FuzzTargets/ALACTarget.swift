// SPDX-License-Identifier: Apache-2.0

import ALACCodec
import AudioPrimitives

extension FuzzTarget {
    /// Reads a magic cookie, rewrites it in both forms, and decodes the remaining bytes as a packet.
    ///
    /// The samples must match a second decoder's and be in range. Without a valid cookie, the first byte selects channels, bit depth and
    /// frame length.
    static let alac = FuzzTarget("alac") { bytes in
        guard let choice = bytes.first else { return }
        var configuration = ALACConfiguration(
            sampleRate: 44100, channelCount: Int(choice & 7) + 1, bitDepth: ALACConfiguration.bitDepths[Int(choice >> 3) & 3],
            frameLength: choice & 0x80 == 0 ? 64 : 4096)
        var packet = Array(bytes.dropFirst())
        if let cookie = try? ALACConfiguration(parsing: bytes) {
            guard (try? ALACConfiguration(parsing: cookie.serialized())) == cookie,
                (try? ALACConfiguration(parsing: cookie.serializedAsAtoms())) == cookie
            else { preconditionFailure("magic cookie changed in a round trip") }
            // Longer frames only take more time.
            if cookie.frameLength <= 4096 {
                configuration = cookie
                packet = Array(bytes.dropFirst(24))
            }
        }
        check(packet, configuration)
    }
}

/// Decodes a packet with two decoders.
///
/// The second one has a history.
private func check(_ packet: [UInt8], _ configuration: ALACConfiguration) {
    guard let decoder = try? ALACDecoder(configuration), let other = try? ALACDecoder(configuration) else {
        preconditionFailure("valid configuration rejected")
    }
    var (samples, again) = (ALACSamples(), ALACSamples())
    try? other.decode(packet.reversed().span, into: &again)
    var buffer = PCMBuffer(sampleRate: 1, channelCount: 1, frameCapacity: 0)
    let isWhole = (try? decoder.decode(packet.span, into: &samples)) != nil
    precondition(isWhole == ((try? other.decode(packet.span, into: &again)) != nil))
    precondition(isWhole == (other.decode(packet.span, into: &buffer).damage == nil))
    precondition(samples.frameCount <= configuration.frameLength && isWhole == (samples.frameCount > 0))
    precondition(buffer.frameCount == (isWhole ? samples.frameCount : configuration.frameLength))
    let limit = 1 << (configuration.bitDepth - 1)
    for channel in 0..<samples.channelCount {
        precondition(samples.channel(channel) == again.channel(channel))
        precondition(samples.channel(channel).allSatisfy { -limit..<limit ~= Int($0) })
    }
}
