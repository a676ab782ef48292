// SPDX-License-Identifier: Apache-2.0

internal import AudioConversion
internal import AudioPrimitives
internal import MPEG4Audio
internal import PCMFiles

/// Converts the files of a join to a common sample rate and channel layout.
///
/// Consecutive files of one format are one signal to the resampler, so that they are joined without gaps.
final class JoinConversion {
    let sampleRate: Int
    let channelCount: Int
    let layout: ChannelLayout?

    private let converter: PCMBufferConverter
    /// The converted frames that follow the ones already read.
    private var pending: PCMBuffer
    private var isAtEnd = false

    /// An upper bound of the length of consecutive files, which a false header can exceed.
    private static let maximumLength = 1 << 40

    /// Creates a conversion, or returns `nil` if all files have the same format.
    ///
    /// - Parameters:
    ///   - files: The formats and paths of the files, at least one.
    ///   - configuration: The requested sample rate, channel count and quality.
    /// - Throws: ``/PCMFiles/AudioFileError/Code/differentFormat(sampleRate:channelCount:)`` if the files differ in a property that is not
    ///   requested.
    init?(_ files: [(properties: PCMFileProperties, path: String)], _ configuration: FileConverterConfiguration) throws(AudioFileError) {
        let first = files[0].properties
        let otherRate = files.first { $0.properties.sampleRate != first.sampleRate }
        let otherCount = files.first { $0.properties.channelCount != first.channelCount }
        guard otherRate != nil || otherCount != nil else { return nil }
        let missing = configuration.sampleRate == nil ? otherRate : nil
        if let other = missing ?? (configuration.channelCount == nil ? otherCount : nil) {
            throw AudioFileError(.differentFormat(sampleRate: first.sampleRate, channelCount: first.channelCount), path: other.path)
        }
        sampleRate = otherRate == nil ? first.sampleRate : configuration.sampleRate ?? first.sampleRate
        channelCount = otherCount == nil ? first.channelCount : configuration.channelCount ?? first.channelCount
        let layouts = files.compactMap { $0.properties.channelLayout }.filter { [channelCount] in $0.channelCount == channelCount }
        layout = layouts.first ?? ChannelConfiguration(channelCount: channelCount)?.layout.inWAVOrder
        var options = AudioConverterOptions()
        options.quality = configuration.rateQuality
        converter = PCMBufferConverter(
            sampleRate: sampleRate, channels: ChannelMatrix.Channels(count: channelCount, layout: layout), options: options)
        pending = PCMBuffer(sampleRate: sampleRate, channelCount: channelCount, frameCapacity: 0)
    }

    /// Fills a buffer, except at the end.
    ///
    /// - Parameter next: Returns the next frames of a file with their layout, or `nil` after the last.
    func read(into target: inout PCMBuffer, from next: () throws -> (frames: PCMBuffer, layout: ChannelLayout?)?) throws {
        var count = 0
        while count < target.frameCapacity {
            if pending.frameCount == 0 {
                if isAtEnd { break }
                if let (frames, layout) = try next() {
                    pending = try converter.convert(frames, layout: layout)
                } else {
                    pending = try converter.finish()
                    isAtEnd = true
                }
                continue
            }
            let step = min(target.frameCapacity - count, pending.frameCount)
            target.copyFrames(of: pending, from: 0, count: step, to: count)
            pending.removeFrames(leading: step, trailing: 0)
            count += step
        }
        target.frameCount = count
    }

    /// Returns the start of each file and the end of the last, in converted frames.
    func positions(_ files: [(sampleRate: Int, channelCount: Int, frameCount: Int)]) -> [Int] {
        var positions = [0]
        /// The converted start of the run of files with one format, and its length so far.
        var (start, length) = (0, 0)
        for (index, file) in files.enumerated() {
            if index > 0, file.sampleRate != files[index - 1].sampleRate || file.channelCount != files[index - 1].channelCount {
                (start, length) = (positions[index], 0)
            }
            length = min(length + file.frameCount, Self.maximumLength)
            let converted = file.sampleRate == sampleRate ? length : (2 * length * sampleRate + file.sampleRate) / (2 * file.sampleRate)
            positions.append(start + converted)
        }
        return positions
    }
}
