// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import MPEG4Audio

/// The core's input and the coded SBR and PS data of an element's frames, kept for another pass over the same input.
///
/// They do not depend on the noise scale, and take half to two thirds of the encoding time.
struct SBRRecording {
    /// The blocks passed to the core, frame after frame, channel after channel.
    private var samples: ContiguousArray<Float> = []

    private var fillElements: [BitWriter] = []

    /// The number of complete frames.
    var frameCount: Int { fillElements.count }

    /// Appends the blocks that were passed to the core last.
    mutating func appendBlocks(of core: borrowing ElementEncoder) {
        core.first.appendNewestBlock(to: &samples)
        if core.kind == .pair { core.second.appendNewestBlock(to: &samples) }
    }

    /// Completes a frame.
    mutating func appendFillElement(_ sbr: SBRElementEncoder, stereo: BitWriter?) {
        var writer = BitWriter()
        sbr.write(to: &writer, stereo: stereo)
        fillElements.append(writer)
    }

    func passBlocks(ofFrame frame: Int, to core: inout ElementEncoder) {
        let channelCount = core.kind.channelCount
        let blockLength = core.first.frameLength
        for channel in 0..<channelCount {
            let first = (frame * channelCount + channel) * blockLength
            core.append(samples.span.extracting(first..<first + blockLength), channel: channel)
        }
    }

    func write(frame: Int, to writer: inout BitWriter) { fillElements[frame].write(to: &writer) }
}
