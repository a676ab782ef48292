// SPDX-License-Identifier: Apache-2.0

#if LINNET_FILES
internal import AudioContainers
internal import AudioPrimitives
internal import CLinnet
internal import MPEG4Audio

/// The result code of a failed step.
struct FileFailure: Error {
    let code: ResultCode

    init(_ error: ContainerError) { code = error.resultCode }
    init(_ error: CodecError) { code = error.resultCode }
    init(_ constant: Int) { code = constant.code }
}

/// Decodes a file without its priming and padding.
final class DecodedFile {
    let format: AudioFileFormat
    let sampleRate: Int
    let channelCount: Int
    /// The number of access units that were damaged or missing so far.
    var damagedUnitCount: Int { damage.count }

    private let bytes: LibrarySource
    private var source: UnitSource
    private var codec: FileCodec
    private var configuration: CodecConfiguration
    private var buffer: PCMBuffer
    /// The decoded sample frames to return, in ascending order.
    private let ranges: [Range<Int>]
    /// The number of sample frames of the file, or `nil` if unknown.
    let frameCount: Int?
    /// Decoded frames per frame that the container counts: 2 for unsignaled SBR, otherwise 1.
    private let factor: Int
    /// The decoded sample frames in the buffer.
    private var decoded = 0..<0
    /// The next decoded sample frame to return.
    private var next = 0
    /// The first decoded sample frame of each damaged or missing access unit or block.
    private var damage = PositionSet()
    /// The rest of an access unit with several blocks.
    private var payload: [UInt8] = []
    private var payloadOffset = 0
    private var blocksLeft = 0
    /// The number of missing access units or blocks to conceal before `payload`.
    private var missingLeft = 0

    /// The first access unit of a file, decoded.
    private struct Start {
        let bytes: LibrarySource
        let format: AudioFileFormat
        let source: UnitSource
        let codec: FileCodec
        let configuration: CodecConfiguration
        let buffer: PCMBuffer
        let unit: DemuxedAccessUnit
        /// The number of access units missing before `unit`.
        let missingCount: Int
        let outcome: (isDamaged: Bool, byteCount: Int)
        let outputFormat: (sampleRate: Int, channelCount: Int)

        /// The maximum number of access units to search for an intact one.
        private static let searchedUnitCount = 64

        init(_ bytes: LibrarySource) throws(FileFailure) {
            self.bytes = bytes
            do throws(ContainerError) {
                guard let format = try ContainerProbe.format(of: bytes) else { throw .unsupportedCodec(nil) }
                self.format = format
                source = try UnitSource.open(bytes, format: format)
                guard let unit = try source.nextUnit(), let configuration = source.codecConfiguration else {
                    throw .unsupportedCodec(nil)
                }
                self.unit = unit
                self.configuration = configuration
            } catch {
                throw FileFailure(error)
            }
            guard source.metadata?.isRearranged != true else { throw FileFailure(LINNET_ERROR_UNSUPPORTED) }
            missingCount = source.loss.run(before: unit, estimates: format.lacksUnitIndex).concealed
            codec = try FileCodec(configuration)
            var buffer = PCMBuffer(
                sampleRate: max(codec.sampleRate, 1), channelCount: max(codec.channelCount, 1), frameCapacity: codec.frameLength,
                frameCount: 0)
            let payload = unit.accessUnit.payload
            outcome = codec.decode(payload.span, into: &buffer)
            self.buffer = buffer
            let found = outcome.isDamaged ? Self.intactFormat(bytes, format) : nil
            outputFormat = found ?? (buffer.sampleRate, buffer.channelCount)
        }

        /// Returns the output format of the first intact access unit, since a damaged one does not show SBR that is not signaled.
        private static func intactFormat(_ bytes: LibrarySource, _ format: AudioFileFormat) -> (sampleRate: Int, channelCount: Int)? {
            guard let source = try? UnitSource.open(bytes, format: format), let configuration = source.codecConfiguration,
                let codec = try? FileCodec(configuration)
            else { return nil }
            var buffer = PCMBuffer(
                sampleRate: max(codec.sampleRate, 1), channelCount: max(codec.channelCount, 1), frameCapacity: codec.frameLength,
                frameCount: 0)
            for _ in 0..<searchedUnitCount {
                guard let unit = try? source.nextUnit() else { return nil }
                let payload = unit.accessUnit.payload
                if !codec.decode(payload.span, into: &buffer).isDamaged { return (buffer.sampleRate, buffer.channelCount) }
            }
            return nil
        }
    }

    /// Opens a file and decodes its first access unit, which determines the output format.
    convenience init(_ bytes: LibrarySource) throws(FileFailure) {
        // Before allocation: Embedded Swift leaks an object whose initializer throws.
        self.init(try Start(bytes))
    }

    private init(_ start: Start) {
        (bytes, format, source, codec) = (start.bytes, start.format, start.source, start.codec)
        (configuration, buffer) = (start.configuration, start.buffer)
        (sampleRate, channelCount) = start.outputFormat
        let factor = sampleRate == 2 * configuration.sampleRate ? 2 : 1
        self.factor = factor
        let metadata = start.source.metadata
        ranges = Self.ranges(metadata, factor: factor)
        if metadata?.gaplessInfo != nil {
            frameCount = ranges.reduce(0) { $0 + $1.count }
        } else {
            // The last packet of Apple Lossless can be shorter than the container states.
            frameCount = configuration.audioSpecificConfig == nil ? nil : metadata?.frameCount.map { $0 * factor }
        }
        missingLeft = start.missingCount
        keep(start.unit)
        guard missingLeft == 0 else {
            // The access unit was decoded only for the format.
            codec.reset()
            return
        }
        if start.outcome.isDamaged { damage.insert(0) }
        _ = matchFormat(isDamaged: start.outcome.isDamaged)
        decoded = 0..<buffer.frameCount
        passBlock(of: start.outcome.byteCount)
    }

    /// Returns the decoded sample frames that are neither priming nor padding nor omitted by an edit list.
    private static func ranges(_ metadata: ContainerMetadata?, factor: Int) -> [Range<Int>] {
        guard let gapless = metadata?.gaplessInfo else { return [0..<Int.max] }
        var ranges: [Range<Int>] = []
        var first = gapless.primingFrames
        let end = first + gapless.validFrames
        for gap in metadata?.omittedRanges ?? [] where gap.upperBound > first && gap.lowerBound < end {
            if gap.lowerBound > first { ranges.append(first * factor..<gap.lowerBound * factor) }
            first = gap.upperBound
        }
        if first < end { ranges.append(first * factor..<end * factor) }
        return ranges
    }

    /// The name of the codec or profile.
    ///
    /// SBR that the configuration does not signal is HE-AAC, with or without parametric stereo.
    var codecName: String { factor == 2 ? "HE-AAC" : configuration.profileName }

    var skippedByteCount: Int { source.skipped.byteCount }

    var bitDepth: Int { if case .alac(let configuration) = configuration { configuration.bitDepth } else { 0 } }

    /// The number of returned sample frames before the next one.
    var position: Int {
        var position = 0
        for range in ranges where range.lowerBound < next { position += min(next, range.upperBound) - range.lowerBound }
        return position
    }

    /// Writes interleaved sample frames and their number, which is smaller than `frameCount` only at the end and before an error.
    func read(into target: UnsafeMutablePointer<Float>, frameCount: Int, written: inout Int) throws(FileFailure) {
        written = 0
        var index = 0
        while written < frameCount {
            while index < ranges.count, ranges[index].upperBound <= next { index += 1 }
            guard index < ranges.count else { break }
            next = max(next, ranges[index].lowerBound)
            guard next < decoded.upperBound else {
                guard try decodeNext() else { break }
                continue
            }
            let count = min(frameCount - written, decoded.upperBound - next, ranges[index].upperBound - next)
            unsafe copy(from: next - decoded.lowerBound, count, to: target + written * channelCount)
            next += count
            written += count
        }
    }

    /// Interleaves frames of the buffer.
    private func copy(from first: Int, _ count: Int, to target: UnsafeMutablePointer<Float>) {
        let channelCount = channelCount
        for channel in 0..<channelCount {
            let source = buffer[channel: channel]
            for frame in 0..<count { unsafe target[frame &* channelCount &+ channel] = source[first &+ frame] }
        }
    }

    /// Decodes or conceals the next access unit or block, and returns false at the end.
    private func decodeNext() throws(FileFailure) -> Bool {
        if missingLeft == 0, blocksLeft == 0 {
            let unit: DemuxedAccessUnit?
            do throws(ContainerError) { unit = try source.nextUnit() } catch { throw FileFailure(error) }
            guard let unit else { return false }
            missingLeft = source.loss.run(before: unit, estimates: format.lacksUnitIndex).concealed
            try follow(source.codecConfiguration)
            keep(unit)
        }
        var isDamaged = true
        if missingLeft > 0 {
            missingLeft -= 1
            codec.conceal(into: &buffer)
        } else {
            let outcome = codec.decode(payload.span.extracting(payloadOffset..<payload.count), into: &buffer)
            isDamaged = outcome.isDamaged
            passBlock(of: outcome.byteCount)
        }
        if isDamaged { damage.insert(decoded.upperBound) }
        guard matchFormat(isDamaged: isDamaged) else { throw FileFailure(LINNET_ERROR_UNSUPPORTED) }
        decoded = decoded.upperBound..<decoded.upperBound + buffer.frameCount
        return true
    }

    /// Replaces a damaged access unit in another format, such as the core without its SBR, by silence.
    ///
    /// Returns false if an intact one has another format.
    private func matchFormat(isDamaged: Bool) -> Bool {
        guard buffer.sampleRate != sampleRate || buffer.channelCount != channelCount else { return true }
        let frameCount = buffer.frameCount * sampleRate / max(1, buffer.sampleRate)
        buffer = PCMBuffer(sampleRate: sampleRate, channelCount: channelCount, frameCapacity: frameCount)
        return isDamaged
    }

    /// Replaces the decoder if the configuration has changed.
    private func follow(_ current: CodecConfiguration?) throws(FileFailure) {
        guard let current, current != configuration else { return }
        codec = try FileCodec(current)
        configuration = current
    }

    private func keep(_ unit: DemuxedAccessUnit) {
        payload = unit.accessUnit.payload
        (payloadOffset, blocksLeft) = (0, unit.rawDataBlockCount)
    }

    /// Advances past a decoded block.
    ///
    /// After damage, which uses all bytes, the positions of later blocks are unknown.
    private func passBlock(of byteCount: Int) {
        payloadOffset += max(1, byteCount)
        blocksLeft -= 1
        guard payloadOffset >= payload.count else { return }
        (missingLeft, blocksLeft) = (blocksLeft, 0)
    }

    /// Moves to a sample frame, or to the end if it is later.
    func seek(toFrame frame: Int) throws(FileFailure) {
        let target = decodedFrame(of: frame)
        let isNear = target >= decoded.lowerBound && target - decoded.upperBound < Self.nearUnitCount * codec.frameLength
        if !isNear, source.canSeek, factor == 1 {
            let first = max(0, target - configuration.cutPrerollFrames(isStored: true))
            let drop: Int
            do throws(ContainerError) { drop = try source.seek(toFrame: first) } catch { throw FileFailure(error) }
            restart(at: max(0, first - drop))
        } else if target < decoded.lowerBound {
            let skipped = source.skipped
            do throws(ContainerError) { source = try UnitSource.open(bytes, format: format) } catch { throw FileFailure(error) }
            source.skipped = skipped
            restart(at: 0)
        }
        next = target
    }

    /// The distance in access units that is decoded instead of seeking.
    private static let nearUnitCount = 64

    private func restart(at frame: Int) {
        codec.reset()
        source.loss = UnitLoss()
        decoded = frame..<frame
        (payload, payloadOffset, blocksLeft, missingLeft) = ([], 0, 0, 0)
    }

    /// Returns the decoded sample frame of a returned one.
    private func decodedFrame(of frame: Int) -> Int {
        var left = max(0, frame)
        for range in ranges {
            if left < range.count { return range.lowerBound + left }
            left -= range.count
        }
        return ranges.last?.upperBound ?? 0
    }
}
#endif
