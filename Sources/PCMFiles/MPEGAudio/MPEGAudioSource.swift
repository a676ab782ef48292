// SPDX-License-Identifier: Apache-2.0

#if canImport(CPCMLibraries) || canImport(Darwin)
internal import AudioMetadata
internal import AudioPrimitives
internal import SystemFiles

/// Decodes MPEG audio, layers I to III, with libmpg123 or the system.
///
/// Priming and padding are removed if a tag signals them. Frames are not numbered, so the number of frames lost in damaged bytes is
/// estimated from the mean frame size, and silence replaces them.
final class MPEGAudioSource: PCMFileSource {
    private(set) var properties: PCMFileProperties
    let encoding = SampleEncoding.float32
    /// False, because frames depend on previous ones.
    let seeksExactly = false

    private let input: FileInput
    private let start: MPEGAudioStart
    private let decoder: MPEGAudioDecoder
    /// Whether the first frame contains only a tag.
    private let hasTagFrame: Bool
    /// The range of decoded sample frames that is the signal; the end is `nil` if unknown.
    private var signal: (start: Int, end: Int?) = (0, nil)
    /// The number of sample frames in all frames according to the tag, or 0 if unknown.
    private var total = 0
    /// The number of decoded sample frames before the first part with another frame length or a tag of its own, as far as known.
    private var firstPartCount = Int.max
    /// The number of omitted padding frames to insert again, because more frames follow than the tag states.
    private var paddingCount = 0
    /// The number of sample frames before the next frame, including silent ones.
    private var decodedCount = 0
    /// The lost parts, counted in decoded sample frames.
    private var loss = PCMLoss()
    /// The total size and number of frames so far, and the end of the latest one.
    private var (byteCount, frameCount, frameEnd) = (0, 0, Int?.none)
    /// The number of parts with another format than the first frame's, and the first such format.
    private var (otherPartCount, otherFormat) = (0, (sampleRate: Int, channelCount: Int)?.none)
    /// The format of the latest frame, and the end of the frames whose formats are counted.
    private var (latestFormat, formatsEnd) = ((sampleRate: Int, channelCount: Int)?.none, 0)
    private var pending: MPEGAudioDecoder.Frame?
    private var isAtEnd = false
    private var position = 0
    private var silentCount = 0
    private var left = 0..<0
    private var buffer: PCMBuffer?

    /// Opens a seekable file.
    ///
    /// - Parameter tags: Tags of a file that contains the input, which take precedence.
    init(_ input: FileInput, _ start: MPEGAudioStart, tags: AudioTags) throws {
        self.input = input
        self.start = start
        let tags = tags.inheriting(AudioTags(reading: input))
        let length = try MPEGAudioLength(input, start)
        guard let decoder = try MPEGAudioDecoder(input, start) else {
            throw AudioFileError(.unrecognizedFormat(reason: "it has no MPEG audio frames"), path: input.path)
        }
        self.decoder = decoder
        properties = PCMFileProperties(
            containerName: "MPEG audio",
            streamDescription: encoding.streamDescription(sampleRate: decoder.sampleRate, channelCount: decoder.channelCount),
            sampleRate: decoder.sampleRate, channelCount: decoder.channelCount, frameCount: nil)
        properties.isLossy = true
        if case .inTag = length { hasTagFrame = true } else { hasTagFrame = false }
        pending = try decoder.next()
        firstLength = max(1, pending?.samplesPerFrame ?? 1152)
        switch length {
        case .inTag(let tag):
            total = tag.frameCount.map { $0 * firstLength } ?? 0
            if total > 0 { firstPartCount = total }
            signal = tag.signal(samplesPerFrame: firstLength)
            properties.gaplessInfo = tag.gaplessInfo(samplesPerFrame: firstLength)
        case .counted(let count): properties.frameCount = count
        case .counting(let count): firstPartCount = count
        case .unknown: break
        }
        properties.frameCount = signal.end.map { $0 - signal.start } ?? properties.frameCount
        properties.tags = tags
        if hasTagFrame { skipTagFrame() }
    }

    var warnings: [PCMFileWarning] {
        var warnings: [PCMFileWarning] = []
        if start.skippedByteCount > 0 { warnings.append(.skipped(path: input.path, byteCount: start.skippedByteCount)) }
        if !loss.isEmpty {
            warnings.append(.silenced(path: input.path, loss: loss.counted(from: signal.start), sampleRate: properties.sampleRate))
        }
        if let (sampleRate, channelCount) = otherFormat {
            warnings.append(
                .converted(path: input.path, partCount: otherPartCount, sampleRate: sampleRate, channelCount: channelCount))
        }
        guard isAtEnd, let declared = properties.frameCount else { return warnings }
        if position < declared { warnings.append(.endsEarly(path: input.path, declaredFrames: declared, foundFrames: position)) }
        if position > declared, loss.isEmpty {
            warnings.append(.continues(path: input.path, declaredFrames: declared, foundFrames: position))
        }
        return warnings
    }

    func read(into buffer: inout PCMBuffer) throws {
        let capacity = buffer.frameCapacity
        let channelCount = properties.channelCount
        buffer.frameCount = capacity
        var filled = 0
        while filled < capacity {
            if silentCount == 0, left.isEmpty, try !advance() { break }
            let isSilent = silentCount > 0
            let count = min(isSilent ? silentCount : left.count, capacity - filled)
            buffer.samples.withUnsafeMutableBufferPointer { target in
                decoder.samples.withUnsafeBufferPointer { source in
                    for channel in 0..<channelCount {
                        let start = channel * capacity + filled
                        if isSilent {
                            for index in start..<start + count { target[index] = 0 }
                        } else {
                            let first = left.lowerBound * channelCount + channel
                            for index in 0..<count { target[start + index] = source[first + index * channelCount] }
                        }
                    }
                }
            }
            if isSilent { silentCount -= count } else { left.removeFirst(count) }
            filled += count
        }
        buffer.frameCount = filled
        position += filled
    }

    /// Reads the next sample frames as bytes.
    func read(_ frameCount: Int, into bytes: inout [UInt8]) throws {
        try readFloats(frameCount, by: &buffer, into: &bytes)
    }

    /// Moves to a sample frame.
    ///
    /// After damage, positions in the first part do not count the lost frames.
    func seek(toFrame frame: Int) throws {
        let length = firstLength
        let target = signal.start + frame
        let tagFrames = hasTagFrame ? 1 : 0
        // Frames of later parts can have other lengths, so they are decoded and counted.
        let known = min(target, firstPartCount)
        let found = try decoder.seek(toFrame: max(0, known / length - Self.earlierFrames) + tagFrames)
        decodedCount = (found - tagFrames) * length
        (silentCount, left, frameEnd, isAtEnd) = (0, 0..<0, nil, false)
        pending = try decoder.next()
        if pending == nil { isAtEnd = true }
        position = frame
        // The start of the signal or of the requested part, inside its frame.
        skipped = target
    }

    /// The number of frames to decode before the target.
    ///
    /// A frame can use bits of several previous ones and overlaps the last one.
    private static let earlierFrames = 10
    /// The first decoded sample frame to return after seeking.
    private var skipped: Int?
    /// The number of sample frames of the first frame.
    private let firstLength: Int

    private func skipTagFrame() {
        if let frame = pending { note(frame) }
        pending = nil
    }

    /// Records a frame for the mean frame size, and its format.
    private func note(_ frame: MPEGAudioDecoder.Frame) {
        noteFormat(of: frame)
        byteCount += frame.bytes.count
        frameCount += 1
        frameEnd = frame.bytes.upperBound
    }

    /// Counts the parts with another format, each once even after seeking back.
    private func noteFormat(of frame: MPEGAudioDecoder.Frame) {
        guard frame.bytes.upperBound > formatsEnd else { return }
        let format = frame.format
        formatsEnd = frame.bytes.upperBound
        if format != (properties.sampleRate, properties.channelCount), latestFormat.map({ $0 != format }) ?? true {
            otherPartCount += 1
            firstPartCount = min(firstPartCount, decodedCount)
            otherFormat = otherFormat ?? format
        }
        latestFormat = format
    }

    /// Decodes the next frame.
    ///
    /// Returns false at the end of the signal.
    private func advance() throws -> Bool {
        while !isAtEnd {
            guard let frame = try pending.take() ?? decoder.next() else {
                isAtEnd = true
                break
            }
            if let end = signal.end, decodedCount >= end {
                try skipPadding(frame, after: end)
                continue
            }
            let lost = try lostCount(before: frame)
            if lost > 0 { loss.add(lost, at: decodedCount) }
            note(frame)
            // If the library returns less than a frame, as after damage, the remainder is silent.
            let missing = max(0, frame.samplesPerFrame - frame.count)
            let first = decodedCount
            decodedCount += lost + missing + frame.count
            let start = skipped ?? signal.start
            let silent = max(0, first + lost + missing - max(first, start)) + paddingCount
            paddingCount = 0
            left = min(frame.count, max(0, start - first - lost - missing))..<frame.count
            silentCount = silent
            if let end = signal.end, decodedCount >= end { try trim(to: end) }
            if silentCount > 0 || !left.isEmpty { return true }
        }
        return false
    }

    /// Skips a frame that is only padding, and resumes the signal if more frames follow than the tag states.
    private func skipPadding(_ frame: MPEGAudioDecoder.Frame, after end: Int) throws {
        note(frame)
        decodedCount += frame.samplesPerFrame
        guard decodedCount >= total else { return }
        if loss.isEmpty, try decoder.findNext() {
            signal.end = nil
            paddingCount = max(0, decodedCount - max(end, skipped ?? 0))
        } else {
            isAtEnd = true
        }
    }

    /// Removes the padding after the signal, unless more frames follow than the tag states.
    private func trim(to end: Int) throws {
        if decodedCount >= total, loss.isEmpty, try decoder.findNext() {
            signal.end = nil
            return
        }
        let surplus = decodedCount - end
        let fromFrame = min(surplus, left.count)
        left = left.lowerBound..<left.upperBound - fromFrame
        silentCount = max(0, silentCount - (surplus - fromFrame))
        // The padding can be longer than the remainder of a frame.
        isAtEnd = decodedCount >= total || !loss.isEmpty
    }

    /// Returns the number of sample frames lost before a frame: as many as fit in the bytes between, excluding tags.
    private func lostCount(before frame: MPEGAudioDecoder.Frame) throws -> Int {
        guard let frameEnd, frame.bytes.lowerBound > frameEnd, frameCount > 0 else { return 0 }
        let gap = frame.bytes.lowerBound - frameEnd
        let position = start.position + frameEnd
        let front = try input.bytes(at: position..<position + min(gap, 8))
        guard !front.starts(with: "ID3".utf8), !MPEGAudioLength.isTag(front[...]) else { return 0 }
        let mean = max(1, byteCount / frameCount)
        return (gap + mean / 2) / mean * frame.samplesPerFrame
    }
}

extension MPEGAudioDecoder {
    struct Frame {
        var bytes: Range<Int>
        var samplesPerFrame: Int
        /// The number of decoded sample frames, or 0 if bits of previous frames are missing.
        var count: Int
        /// The frame's own format.
        var format: (sampleRate: Int, channelCount: Int)
    }
}
#endif
