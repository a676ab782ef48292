// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives
internal import SystemFiles

/// Reads samples without compression: WAV from files and pipes, AIFF and CAF, and PCM without a header.
package final class PlainPCMSource: PCMFileSource {
    /// The format and length of the file.
    package private(set) var properties: PCMFileProperties
    /// A wrong length in the header, once the end is reached.
    package private(set) var warnings: [PCMFileWarning] = []

    private let input: FileInput
    /// The encoding of the file; of AIFF and CAF with the least significant byte first.
    package let encoding: SampleEncoding
    /// The encoding of the file.
    private let stored: SampleEncoding
    /// The way to the order of WAV files; nil if the file has it.
    private let order: ChannelOrder?
    /// The position of the first sample.
    private let start: Int
    /// The size of the samples in bytes by the header; nil to read to the end of the file.
    private let declaredByteCount: Int?
    private var endsAtDeclaration: Bool
    /// Whether the samples end there whatever follows.
    private let hasReliableLength: Bool
    private var position = 0
    private var isAtEnd = false
    private var bytes: [UInt8] = []

    /// The size of a sample frame in bytes.
    private var bytesPerFrame: Int { encoding.byteCount * properties.channelCount }

    /// Reads samples of a known format from the current position of `input` to its end.
    init(_ input: FileInput, _ format: AudioFormat, containerName: String = "raw PCM") {
        self.input = input
        encoding = format.encoding
        stored = encoding
        order = nil
        start = input.position
        declaredByteCount = nil
        endsAtDeclaration = false
        hasReliableLength = false
        properties = PCMFileProperties(
            containerName: containerName,
            streamDescription: format.streamDescription, sampleRate: format.sampleRate, channelCount: format.channelCount,
            channelLayout: format.channelLayout, frameCount: input.bytesRemaining.map { $0 / format.bytesPerFrame })
    }

    /// Reads the samples that follow a header.
    init(_ input: FileInput, header: PlainPCMHeader) {
        self.input = input
        stored = header.encoding
        encoding = stored.sampleFormat.map { SampleEncoding($0) } ?? stored
        order = ChannelOrder(from: header.layout)
        start = input.position
        declaredByteCount = header.declaredByteCount
        endsAtDeclaration = declaredByteCount != nil
        hasReliableLength = header.hasReliableLength
        let declared = header.declaredByteCount.map { $0 / header.bytesPerFrame }
        let present = input.bytesRemaining.map { $0 / header.bytesPerFrame }
        properties = PCMFileProperties(
            containerName: header.containerName,
            streamDescription: encoding.streamDescription(sampleRate: header.sampleRate, channelCount: header.channelCount),
            sampleRate: header.sampleRate, channelCount: header.channelCount,
            channelLayout: order == nil ? header.layout : header.layout?.inWAVOrder,
            frameCount: declared.flatMap { $0 == 0 ? nil : min($0, present ?? $0) } ?? present)
        properties.tags = header.tags
    }

    /// Replaces the contents of `buffer` by the next sample frames.
    package func read(into buffer: inout PCMBuffer) throws {
        let requested = try framesToRead(atMost: buffer.frameCapacity) * bytesPerFrame
        if bytes.count < requested { bytes = [UInt8](repeating: 0, count: requested) }
        let got = try input.read(requested, into: &bytes)
        order?.apply(to: &bytes, frameCount: got / bytesPerFrame, width: encoding.byteCount)
        bytes.withSpan { stored.decode($0.bytes.extracting(0..<got), into: &buffer) }
        position += buffer.frameCount
        if got < requested || requested == 0 { recordEnd() }
    }

    /// Replaces bytes by the next sample frames.
    package func read(_ frameCount: Int, into bytes: inout [UInt8]) throws {
        let requested = try framesToRead(atMost: frameCount) * bytesPerFrame
        if bytes.count > requested { bytes.removeLast(bytes.count - requested) }
        if bytes.count < requested { bytes.append(contentsOf: repeatElement(0, count: requested - bytes.count)) }
        let got = try input.read(requested, into: &bytes)
        bytes.removeLast(requested - got + got % bytesPerFrame)
        order?.apply(to: &bytes, frameCount: got / bytesPerFrame, width: encoding.byteCount)
        if encoding != stored { encoding.reverseBytes(of: &bytes) }
        position += got / bytesPerFrame
        if got < requested || requested == 0 { recordEnd() }
    }

    /// Whether the input is a file.
    package var seeksExactly: Bool { canSeek }
    /// Whether the input is a file.
    package var canSeek: Bool { input.fileSize != nil }

    /// Moves to a sample frame counted from the first.
    package func seek(toFrame frame: Int) throws {
        try input.seek(to: start + frame * bytesPerFrame)
        position = frame
        isAtEnd = false
    }

    /// The number of sample frames by the header.
    private var declaredFrames: Int? { declaredByteCount.map { $0 / bytesPerFrame } }

    /// The number of sample frames that may be read next.
    ///
    /// At the declared end it is 0 if the length is reliable, or nothing or another chunk follows; else reading continues.
    private func framesToRead(atMost limit: Int) throws -> Int {
        guard !isAtEnd else { return 0 }
        guard endsAtDeclaration, let declaredByteCount, let declaredFrames else { return limit }
        if position < declaredFrames { return min(limit, declaredFrames - position) }
        let rest = declaredByteCount - declaredFrames * bytesPerFrame
        let padded = rest + declaredByteCount & 1
        let following = try input.peek(WAVEHeader.trailingByteCount + padded).dropFirst(padded)
        if WAVEHeader.endsSamples(following) { return 0 }
        if hasReliableLength {
            let surplus = input.bytesRemaining.map { $0 - padded } ?? following.count
            if !following.allSatisfy({ $0 == 0 }) { warnings = [.skipped(path: input.path, byteCount: surplus)] }
            return 0
        }
        endsAtDeclaration = false
        return limit
    }

    /// Compares the length with that of the header.
    private func recordEnd() {
        isAtEnd = true
        guard let declaredFrames, declaredFrames > 0 else { return }
        if position < declaredFrames {
            warnings = [.endsEarly(path: input.path, declaredFrames: declaredFrames, foundFrames: position)]
        } else if position > declaredFrames {
            warnings = [.continues(path: input.path, declaredFrames: declaredFrames, foundFrames: position)]
        }
    }
}

extension ChannelLayout {
    /// The layout of a channel mask in a WAV header; nil without a mask, or with speakers that are not supported.
    init?(waveMask mask: UInt32) {
        let speakers = (0..<32).filter { mask >> $0 & 1 != 0 }.map { Speaker(rawValue: $0) }
        guard !speakers.isEmpty else { return nil }
        self.init(known: speakers)
    }

    /// The channel mask of a WAV header; nil if the channels are not in the order of the mask.
    var waveMask: UInt32? {
        let bits = speakers.map(\.rawValue)
        guard bits == bits.sorted(), Set(bits).count == bits.count else { return nil }
        return bits.reduce(0) { $0 | 1 << UInt32($1) }
    }
}
