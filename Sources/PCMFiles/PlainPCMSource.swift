// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives

/// Samples without compression, read as they come: WAV from files and pipes, and PCM without any header.
final class PlainPCMSource: PCMSource {
    let properties: PCMFileProperties
    private(set) var warnings: [PCMFileWarning] = []

    private let input: ByteInput
    private let encoding: SampleEncoding
    /// Where the first sample lies.
    private let start: Int
    /// Bytes of samples by the header; nil to read to the end of the file.
    private let declaredByteCount: Int?
    private var endsAtDeclaration: Bool
    private var position = 0
    private var isAtEnd = false
    private var bytes: [UInt8] = []

    private var bytesPerFrame: Int { encoding.byteCount * properties.channelCount }

    /// Reads samples of a known kind from where `input` stands to its end.
    init(_ input: ByteInput, encoding: SampleEncoding, sampleRate: Int, channelCount: Int) {
        self.input = input
        self.encoding = encoding
        start = input.position
        declaredByteCount = nil
        endsAtDeclaration = false
        properties = PCMFileProperties(
            containerName: "raw PCM",
            streamDescription: encoding.streamDescription(sampleRate: sampleRate, channelCount: channelCount),
            sampleRate: sampleRate, channelCount: channelCount,
            frameCount: input.bytesRemaining.map { $0 / (encoding.byteCount * channelCount) })
    }

    /// Reads the samples that follow a WAV header.
    init(_ input: ByteInput, header: WAVEHeader) {
        self.input = input
        encoding = header.encoding
        start = input.position
        declaredByteCount = header.declaredByteCount
        endsAtDeclaration = declaredByteCount != nil
        let declared = header.declaredByteCount.map { $0 / header.bytesPerFrame }
        let present = input.bytesRemaining.map { $0 / header.bytesPerFrame }
        let layout = ChannelLayout(waveMask: header.channelMask)
        properties = PCMFileProperties(
            containerName: header.isRF64 ? "RF64" : "WAV",
            streamDescription: header.encoding.streamDescription(sampleRate: header.sampleRate, channelCount: header.channelCount),
            sampleRate: header.sampleRate, channelCount: header.channelCount,
            channelLayout: layout?.channelCount == header.channelCount ? layout : nil,
            frameCount: declared.flatMap { $0 == 0 ? nil : min($0, present ?? $0) } ?? present)
    }

    func read(into buffer: inout PCMBuffer) throws(PCMFileError) {
        let wanted = try framesToRead(atMost: buffer.frameCapacity) * bytesPerFrame
        if bytes.count < wanted { bytes = [UInt8](repeating: 0, count: wanted) }
        let got = try input.read(wanted, into: &bytes)
        encoding.decode(bytes.span.bytes.extracting(0..<got), into: &buffer)
        position += buffer.frameCount
        if got < wanted || wanted == 0 { noteEnd() }
    }

    var seeksExactly: Bool { input.fileSize != nil }

    func seek(toFrame frame: Int) throws(PCMFileError) {
        try input.seek(to: start + frame * bytesPerFrame)
        position = frame
        isAtEnd = false
    }

    private var declaredFrames: Int? { declaredByteCount.map { $0 / bytesPerFrame } }

    /// How many frames may be read now.
    ///
    /// At the declared end: none if nothing or another chunk follows, else the header lies and reading goes on.
    private func framesToRead(atMost limit: Int) throws(PCMFileError) -> Int {
        guard !isAtEnd else { return 0 }
        guard endsAtDeclaration, let declaredByteCount, let declaredFrames else { return limit }
        if position < declaredFrames { return min(limit, declaredFrames - position) }
        let rest = declaredByteCount - declaredFrames * bytesPerFrame
        let padded = rest + declaredByteCount & 1
        if WAVEHeader.looksLikeChunk(try input.peek(8 + padded).dropFirst(padded)) { return 0 }
        endsAtDeclaration = false
        return limit
    }

    private func noteEnd() {
        isAtEnd = true
        guard let declaredFrames, declaredFrames > 0 else { return }
        if position < declaredFrames {
            warnings = [.endsEarly(path: input.path, declaredFrames: declaredFrames, foundFrames: position)]
        } else if position > declaredFrames {
            warnings = [.goesOn(path: input.path, declaredFrames: declaredFrames, foundFrames: position)]
        }
    }
}

extension ChannelLayout {
    /// The layout of a channel mask in a WAV header; nil for no mask, or one with speakers that have no name here.
    init?(waveMask mask: UInt32) {
        let speakers = (0..<32).filter { mask >> $0 & 1 != 0 }.map { Speaker(rawValue: $0) }
        guard !speakers.isEmpty, !speakers.contains(nil) else { return nil }
        self.init(speakers.compactMap { $0 })
    }

    /// The channel mask of a WAV header; nil where the channels are not in its order.
    var waveMask: UInt32? {
        let bits = speakers.map(\.rawValue)
        guard bits == bits.sorted(), Set(bits).count == bits.count else { return nil }
        return bits.reduce(0) { $0 | 1 << UInt32($1) }
    }
}
