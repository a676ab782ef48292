// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives
internal import SystemFiles

/// Reads uncompressed samples: WAV from files and pipes, AIFF, CAF, and headerless PCM.
package final class PlainPCMSource: PCMFileSource {
    package private(set) var properties: PCMFileProperties
    /// A warning about the declared length, once the end is reached.
    package private(set) var warnings: [PCMFileWarning] = []

    private let input: FileInput
    /// The encoding of returned bytes: the file's, except that AIFF and CAF are converted to little-endian.
    package let encoding: SampleEncoding
    /// The encoding in the file.
    private let stored: SampleEncoding
    /// Reorders channels to WAV order, or `nil` if not needed.
    private let order: ChannelOrder?
    private let start: Int
    /// The declared size of the samples, in bytes, or `nil` to read to the end of the file.
    private let declaredByteCount: Int?
    private let chunkAlignment: Int
    private var endsAtDeclaration: Bool
    /// Whether the samples end at ``declaredByteCount``, whatever follows.
    private let hasReliableLength: Bool
    private var position = 0
    private var isAtEnd = false
    private var bytes: [UInt8] = []

    private var bytesPerFrame: Int { encoding.byteCount * properties.channelCount }

    /// Reads samples of a known format from the current position of `input` to its end.
    init(_ input: FileInput, _ format: AudioFormat, containerName: String = "raw PCM") {
        self.input = input
        encoding = format.encoding
        stored = encoding
        order = nil
        start = input.position
        declaredByteCount = nil
        chunkAlignment = 1
        endsAtDeclaration = false
        hasReliableLength = false
        properties = PCMFileProperties(
            containerName: containerName,
            streamDescription: format.streamDescription, sampleRate: format.sampleRate, channelCount: format.channelCount,
            channelLayout: format.channelLayout, frameCount: input.bytesRemaining.map { $0 / format.bytesPerFrame })
    }

    init(_ input: FileInput, header: PlainPCMHeader) {
        self.input = input
        stored = header.encoding
        encoding = stored.sampleFormat.map { SampleEncoding($0) } ?? stored
        order = ChannelOrder(from: header.layout)
        start = input.position
        declaredByteCount = header.declaredByteCount
        chunkAlignment = header.chunkAlignment
        endsAtDeclaration = declaredByteCount != nil
        hasReliableLength = header.hasReliableLength
        let declared = header.declaredByteCount.map { $0 / header.bytesPerFrame }
        // With a length of 0, samples may follow (``framesToRead(atMost:)``).
        let isEmpty = declared == 0 && (try? WAVEHeader.endsSamples(input.peek(WAVEHeader.trailingByteCount)[...])) == true
        let present = input.bytesRemaining.map { isEmpty ? 0 : $0 / header.bytesPerFrame }
        properties = PCMFileProperties(
            containerName: header.containerName,
            streamDescription: encoding.streamDescription(sampleRate: header.sampleRate, channelCount: header.channelCount),
            sampleRate: header.sampleRate, channelCount: header.channelCount,
            channelLayout: order == nil ? header.layout : header.layout?.inWAVOrder,
            frameCount: declared.flatMap { $0 == 0 ? nil : min($0, present ?? $0) } ?? present)
        properties.tags = header.tags
        properties.validBitCount = header.validBitCount
    }

    package func read(into buffer: inout PCMBuffer) throws {
        let requested = try framesToRead(atMost: buffer.frameCapacity) * bytesPerFrame
        if bytes.count < requested { bytes = [UInt8](repeating: 0, count: requested) }
        let got = try input.read(requested, into: &bytes)
        order?.apply(to: &bytes, frameCount: got / bytesPerFrame, width: encoding.byteCount)
        bytes.withSpan { stored.decode($0.bytes.extracting(0..<got), into: &buffer) }
        position += buffer.frameCount
        if got < requested || (requested == 0 && buffer.frameCapacity > 0) { recordEnd(partialByteCount: got % bytesPerFrame) }
    }

    package func read(_ frameCount: Int, into bytes: inout [UInt8]) throws {
        let requested = try framesToRead(atMost: frameCount) * bytesPerFrame
        if bytes.count > requested { bytes.removeLast(bytes.count - requested) }
        if bytes.count < requested { bytes.append(contentsOf: repeatElement(0, count: requested - bytes.count)) }
        let got = try input.read(requested, into: &bytes)
        let partialByteCount = got % bytesPerFrame
        bytes.removeLast(requested - got + partialByteCount)
        order?.apply(to: &bytes, frameCount: got / bytesPerFrame, width: encoding.byteCount)
        if encoding != stored { encoding.reverseBytes(of: &bytes) }
        position += got / bytesPerFrame
        if got < requested || (requested == 0 && frameCount > 0) { recordEnd(partialByteCount: partialByteCount) }
    }

    package var seeksExactly: Bool { canSeek }
    package var canSeek: Bool { input.fileSize != nil }

    package func seek(toFrame frame: Int) throws {
        isAtEnd = false
        try move(toFrame: endsAtDeclaration ? min(frame, declaredFrames ?? frame) : frame)
        // What follows the declared end shows whether there are more samples.
        if position < frame, try framesToRead(atMost: 1) > 0 { try move(toFrame: frame) }
    }

    /// Moves to a sample frame, or to the end of the file if it is shorter.
    private func move(toFrame frame: Int) throws {
        position = input.byteCount.map { min(frame, max(0, $0 - start) / bytesPerFrame) } ?? frame
        try input.seek(to: start + position * bytesPerFrame)
    }

    private var declaredFrames: Int? { declaredByteCount.map { $0 / bytesPerFrame } }

    /// Returns the number of sample frames to read next.
    ///
    /// At the declared end it is 0 if the length is reliable, or if nothing or another chunk follows. Otherwise reading continues.
    private func framesToRead(atMost limit: Int) throws -> Int {
        guard !isAtEnd else { return 0 }
        guard endsAtDeclaration, let declaredByteCount, let declaredFrames else { return limit }
        if position < declaredFrames { return min(limit, declaredFrames - position) }
        let rest = declaredByteCount - declaredFrames * bytesPerFrame
        let padded = rest + (chunkAlignment - declaredByteCount % chunkAlignment) % chunkAlignment
        let peeked = try input.peek(WAVEHeader.trailingByteCount + padded)
        let following = peeked.dropFirst(padded)
        if WAVEHeader.endsSamples(following) {
            // Some writers count a zero byte of padding.
            if !peeked.prefix(rest).allSatisfy({ $0 == 0 }) { warnings = [.skipped(path: input.path, byteCount: rest)] }
            return 0
        }
        if hasReliableLength {
            let surplus = input.bytesRemaining.map { $0 - padded } ?? following.count
            if !following.allSatisfy({ $0 == 0 }) { warnings = [.skipped(path: input.path, byteCount: surplus)] }
            return 0
        }
        endsAtDeclaration = false
        return limit
    }

    /// Compares the actual length with the declared one, and reports an incomplete last sample frame without one.
    private func recordEnd(partialByteCount: Int) {
        isAtEnd = true
        guard let declaredFrames, declaredFrames > 0 else {
            if partialByteCount > 0 { warnings = [.skipped(path: input.path, byteCount: partialByteCount)] }
            return
        }
        if position < declaredFrames {
            warnings = [.endsEarly(path: input.path, declaredFrames: declaredFrames, foundFrames: position)]
        } else if position > declaredFrames {
            warnings = [.continues(path: input.path, declaredFrames: declaredFrames, foundFrames: position)]
        }
    }
}

extension ChannelLayout {
    /// Creates the layout of a WAV channel mask, or returns `nil` without a mask or with unsupported speakers.
    init?(waveMask mask: UInt32) {
        let speakers = (0..<32).filter { mask >> $0 & 1 != 0 }.map { Speaker(rawValue: $0) }
        guard !speakers.isEmpty else { return nil }
        self.init(known: speakers)
    }

    /// The WAV channel mask, or `nil` if the channels are not in mask order.
    var waveMask: UInt32? {
        let bits = speakers.map(\.rawValue)
        guard bits == bits.sorted(), Set(bits).count == bits.count else { return nil }
        return bits.reduce(0) { $0 | 1 << UInt32($1) }
    }
}
