// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AACCodec
internal import AudioContainers
public import AudioPrimitives
internal import MPEG4Audio

/// A file of AAC as sound to play.
///
/// A stream that changes its rate or channels is converted to those it begins with.
public final class AACAudioFile: PlayableSource {
    private let path: String
    private var decoder: FileDecoder
    private var buffer: PCMBuffer
    private var taken = 0
    private var isOver = false

    /// Sample rate in hertz.
    public let sampleRate: Int
    /// The number of channels.
    public let channelCount: Int
    /// The number of frames, where the container tells.
    public let frameCount: Int?
    /// The frame that is read next.
    public private(set) var position = 0

    /// Opens a file and decodes its beginning; `-` is standard input, of which `head` has been read already.
    ///
    /// Throws ``InputError``, ``CodedFileError`` or ``FileDecodingError``.
    public init(path: String, head: [UInt8] = []) throws {
        self.path = path
        var configuration = FileDecoderConfiguration()
        configuration.keepsFormat = true
        decoder = try FileDecoder(path: path, configuration: configuration, head: head)
        buffer = PCMBuffer(sampleRate: 48_000, channelCount: 1, frameCapacity: 0)
        isOver = try !decoder.read(into: &buffer)
        sampleRate = buffer.sampleRate
        channelCount = buffer.channelCount
        let factor = decoder.decoder.map { $0.sampleRate == 2 * $0.configuration.outputSampleRate ? 2 : 1 } ?? 1
        frameCount = decoder.description.gaplessInfo.map { $0.validFrames * factor }
    }

    /// Reads the next frames.
    public func read(into target: inout PCMBuffer) throws {
        var count = 0
        while count < target.frameCapacity, !isOver {
            if taken == buffer.frameCount {
                taken = 0
                isOver = try !decoder.read(into: &buffer)
                continue
            }
            let step = min(target.frameCapacity - count, buffer.frameCount - taken)
            for channel in 0..<channelCount {
                let from = buffer.range(ofChannel: channel).lowerBound + taken
                let to = channel * target.frameCapacity + count
                for frame in 0..<step { target.samples[to + frame] = buffer.samples[from + frame] }
            }
            taken += step
            count += step
        }
        position += count
        target.setFrameCount(count)
    }

    /// Goes to a frame, by decoding up to it; false for standard input.
    public func seek(toFrame frame: Int) throws -> Bool {
        guard path != "-" else { return false }
        let goal = max(0, min(frame, frameCount ?? Int.max))
        var configuration = FileDecoderConfiguration()
        configuration.keepsFormat = true
        configuration.seconds = Double(goal) / Double(sampleRate)..<Double.infinity
        decoder = try FileDecoder(path: path, configuration: configuration)
        taken = buffer.frameCount
        isOver = false
        position = goal
        return true
    }
}
