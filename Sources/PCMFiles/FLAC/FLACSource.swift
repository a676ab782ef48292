// SPDX-License-Identifier: Apache-2.0

#if canImport(CPCMLibraries)
internal import AudioMetadata
internal import AudioPrimitives
internal import CPCMLibraries
internal import SystemFiles

/// Decodes native and Ogg FLAC with libFLAC.
///
/// Damaged and missing frames are replaced with silence, so that later ones keep their timing. A truncated file has the length of its
/// available frames.
final class FLACSource: PCMFileSource {
    private(set) var properties: PCMFileProperties
    /// The integer encoding with the file's resolution.
    let encoding: SampleEncoding
    /// True, because frames are independent.
    let seeksExactly = true

    private let path: String
    private let decoder: FLACDecoder
    private let bitsPerSample: Int
    /// The number of bytes before the stream in its file.
    private let skippedByteCount: Int
    /// The declared length, or `nil` if unknown.
    private let declaredCount: Int?
    private var timeline: FLACTimeline
    /// The loss in the whole file, if it was checked on opening.
    private var wholeLoss: PCMLoss?
    /// The next sample frame to read.
    private var position = 0
    private var isAtEnd = false
    /// The number of silent frames before the decoder's frame, and the remaining frames of that one.
    private var silentCount = 0
    private var left = 0..<0
    private var integers: [Int32] = []

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - input: A seekable file, at its first byte.
    ///   - skippedByteCount: The number of bytes before `input` in the file.
    init(_ input: FileInput, isOgg: Bool, skippedByteCount: Int = 0, _ library: UnsafePointer<LinnetFLACFunctions>) throws {
        path = input.path
        self.skippedByteCount = skippedByteCount
        let tags = AudioTags(reading: input)
        try input.seek(to: 0)
        guard let decoder = try FLACDecoder(input, isOgg: isOgg, library), let info = decoder.info, info.channels > 0, info.sample_rate > 0,
            4...32 ~= info.bits_per_sample
        else {
            throw AudioFileError(.malformedHeader(field: "STREAMINFO", value: 0), path: path)
        }
        self.decoder = decoder
        bitsPerSample = Int(info.bits_per_sample)
        encoding = FLACHeader.encoding(bitsPerSample: bitsPerSample)
        declaredCount = info.total_samples == 0 && !Self.isEmpty(info) ? nil : Int(clamping: info.total_samples)
        timeline = FLACTimeline(declaredCount: declaredCount)
        let channelCount = Int(info.channels)
        properties = PCMFileProperties(
            containerName: isOgg ? "Ogg FLAC" : "FLAC",
            streamDescription: encoding.streamDescription(sampleRate: Int(info.sample_rate), channelCount: channelCount),
            sampleRate: Int(info.sample_rate), channelCount: channelCount,
            channelLayout: FLACHeader.layout(decoder.comments, channelCount: channelCount), frameCount: declaredCount)
        properties.tags = tags
        try checkEnd()
    }

    var warnings: [PCMFileWarning] {
        let loss = wholeLoss ?? timeline.loss
        var warnings: [PCMFileWarning] =
            loss.isEmpty ? [] : [.silenced(path: path, loss: loss, sampleRate: properties.sampleRate)]
        if skippedByteCount > 0 { warnings.append(.skipped(path: path, byteCount: skippedByteCount)) }
        guard let declaredCount else { return warnings }
        let found = wholeLoss == nil ? (isAtEnd ? position : declaredCount) : properties.frameCount ?? 0
        if found < declaredCount { warnings.append(.endsEarly(path: path, declaredFrames: declaredCount, foundFrames: found)) }
        if found > declaredCount { warnings.append(.continues(path: path, declaredFrames: declaredCount, foundFrames: found)) }
        return warnings
    }

    func read(into buffer: inout PCMBuffer) throws {
        let capacity = buffer.frameCapacity
        buffer.frameCount = capacity
        let scale = 1 / Float(1 << (bitsPerSample - 1))
        let channelCount = properties.channelCount
        let count = try fill(capacity) { offset, count, source in
            buffer.samples.withUnsafeMutableBufferPointer { target in
                for channel in 0..<channelCount {
                    let start = channel * capacity + offset
                    guard let source else {
                        for index in start..<start + count { target[index] = 0 }
                        continue
                    }
                    let plane = channel * decoder.planeLength + source
                    decoder.samples.withUnsafeBufferPointer { samples in
                        for index in 0..<count { target[start + index] = Float(samples[plane + index]) * scale }
                    }
                }
            }
        }
        buffer.frameCount = count
    }

    /// Reads the next sample frames as bytes.
    func read(_ frameCount: Int, into bytes: inout [UInt8]) throws {
        let channelCount = properties.channelCount
        if integers.count < frameCount * channelCount { integers = [Int32](repeating: 0, count: frameCount * channelCount) }
        let shift = Int32(32 - bitsPerSample)
        let found = try fill(frameCount) { offset, count, source in
            integers.withUnsafeMutableBufferPointer { target in
                guard let source else {
                    for index in offset * channelCount..<(offset + count) * channelCount { target[index] = 0 }
                    return
                }
                decoder.samples.withUnsafeBufferPointer { samples in
                    for channel in 0..<channelCount {
                        let plane = channel * decoder.planeLength + source
                        for index in 0..<count { target[(offset + index) * channelCount + channel] = samples[plane + index] << shift }
                    }
                }
            }
        }
        let byteCount = found * channelCount * encoding.byteCount
        if bytes.count > byteCount { bytes.removeLast(bytes.count - byteCount) }
        if bytes.count < byteCount { bytes.append(contentsOf: repeatElement(0, count: byteCount - bytes.count)) }
        encoding.pack(integers[0..<found * channelCount], into: &bytes)
    }

    func seek(toFrame frame: Int) throws {
        guard frame != position else { return }
        isAtEnd = false
        (silentCount, left) = (0, 0..<0)
        if frame < declaredCount ?? 0, try decoder.seek(to: frame) {
            timeline.move(to: frame, byteCount: decoder.byteCount)
            position = frame
            return
        }
        // Restart from the first frame if there is damage nearby or the length is unknown.
        try decoder.restart()
        timeline.move(to: 0, byteCount: decoder.byteCount)
        position = 0
        _ = try fill(frame) { _, _, _ in }
    }

    /// Calls `take` with the next sample frames until there are `frameCount` or the file ends.
    ///
    /// - Parameter take: Receives the offset in the output, the count, and the offset in the decoder's frame (`nil` for silence).
    /// - Returns: The number of sample frames.
    private func fill(_ frameCount: Int, _ take: (_ offset: Int, _ count: Int, _ source: Int?) -> Void) throws -> Int {
        var filled = 0
        while filled < frameCount {
            if silentCount > 0 {
                let count = min(silentCount, frameCount - filled)
                take(filled, count, nil)
                silentCount -= count
                filled += count
            } else if !left.isEmpty {
                let count = min(left.count, frameCount - filled)
                take(filled, count, left.lowerBound)
                left.removeFirst(count)
                filled += count
            } else if try !advance() {
                break
            }
        }
        position += filled
        if filled < frameCount { isAtEnd = true }
        return filled
    }

    /// Decodes the next frame.
    ///
    /// Returns false at the end.
    private func advance() throws -> Bool {
        guard !isAtEnd else { return false }
        guard let frame = try decoder.next() else {
            silentCount = timeline.finish()
            return silentCount > 0
        }
        let gap = timeline.place(start: frame.start, count: frame.count, isDamaged: frame.isDamaged, byteCount: decoder.byteCount)
        guard let gap else { return true }
        silentCount = gap + (frame.isForeign ? frame.count : 0)
        left = 0..<(frame.isForeign ? 0 : frame.count)
        if frame.isForeign { timeline.lose(frame.count) }
        return true
    }

    /// Scans the whole file for its end if the last frame is not where the header states.
    private func checkEnd() throws {
        guard let declaredCount, declaredCount > 0 else { return }
        if try decoder.seek(to: declaredCount - 1), try decoder.next()?.isDamaged == false {
            try decoder.restart()
            return
        }
        try decoder.restart()
        while try advance() { silentCount = 0 }
        wholeLoss = timeline.loss
        properties.frameCount = timeline.position
        timeline = FLACTimeline(declaredCount: declaredCount)
        (silentCount, left) = (0, 0..<0)
        try decoder.restart()
    }
}

// Header properties.
extension FLACSource {
    /// Whether the MD5 checksum of a stream without a length indicates an empty signal.
    private static func isEmpty(_ info: FLAC__StreamMetadata_StreamInfo) -> Bool {
        let sum = info.md5sum
        return sum.0 == 0xD4 && sum.1 == 0x1D && sum.2 == 0x8C && sum.3 == 0xD9 && sum.14 == 0x42 && sum.15 == 0x7E
    }
}
#endif
