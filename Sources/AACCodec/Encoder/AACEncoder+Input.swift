// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives
internal import TransformCoding
internal import TransformEncoding

extension AACEncoder {
    /// Encodes a buffer.
    ///
    /// - Parameter buffer: Samples with the sample rate and channel count of the configuration, nominally from -1 to 1.
    /// - Returns: The access units that are complete; there may be none.
    /// - Throws: `CodecError` if the sample rate or the channel count differs, a sample is invalid or the stream is finished.
    public func encode(_ buffer: PCMBuffer) throws(CodecError) -> [AccessUnit] {
        var units: [AccessUnit] = []
        var position = 0
        while let unit = try nextUnit(buffer, position: &position) { units.append(unit) }
        return units
    }

    /// Encodes samples in memory.
    ///
    /// - Parameters:
    ///   - bytes: A whole number of sample frames; channel after channel if `format` is not interleaved.
    ///   - format: The format of the samples, with the channel count of the configuration.
    /// - Returns: The access units that are complete; there may be none.
    /// - Throws: `CodecError.incompleteFrame` if `bytes` is not a whole number of sample frames; `CodecError` if the
    ///   channel count differs, a sample is invalid or the stream is finished.
    public func encode(_ bytes: RawSpan, format: PCMFormat) throws(CodecError) -> [AccessUnit] {
        var units: [AccessUnit] = []
        var position = 0
        while let unit = try nextUnit(bytes, format: format, position: &position) { units.append(unit) }
        return units
    }

    /// Encodes the remaining samples, zero-padded to a whole unit, and ends the stream.
    ///
    /// - Returns: The last access units, and the priming and padding to trim from the decoded stream.
    public func finish() -> EncodedTail {
        var units: [AccessUnit] = []
        let gapless = finish { units.append($0) }
        return EncodedTail(units: units, gapless: gapless)
    }

    /// Encodes the remaining samples, zero-padded to a whole unit, and ends the stream.
    ///
    /// - Parameter body: A closure that receives each access unit as it is completed.
    /// - Returns: The priming and padding to trim from the decoded stream.
    /// - Throws: Errors of `body`.
    public func finish<Failure: Error>(_ body: (AccessUnit) throws(Failure) -> Void) throws(Failure) -> GaplessInfo {
        finishInput()
        while let unit = nextUnit() { try body(unit) }
        return gaplessInfo
    }
}

// Embedded Swift has no untyped errors.
#if !hasFeature(Embedded)
extension AACEncoder {
    /// Encodes a buffer with a closure that may throw; nothing is encoded after its error.
    ///
    /// The errors are of two types, so that they are not typed here; those of ``encode(_:)`` are.
    ///
    /// - Parameters:
    ///   - buffer: Samples with the sample rate and channel count of the configuration, nominally from -1 to 1.
    ///   - body: A closure that receives each access unit as it is completed.
    /// - Throws: `CodecError` if the sample rate or the channel count differs, a sample is invalid or the stream is finished; errors of `body`.
    public func encode(_ buffer: PCMBuffer, _ body: (AccessUnit) throws -> Void) throws {
        var position = 0
        while let unit = try nextUnit(buffer, position: &position) { try body(unit) }
    }

    /// Encodes samples in memory.
    ///
    /// - Parameters:
    ///   - bytes: A whole number of sample frames; channel after channel if `format` is not interleaved.
    ///   - format: The format of the samples, with the channel count of the configuration.
    ///   - body: A closure that receives each access unit as it is completed.
    /// - Throws: `CodecError.incompleteFrame` if `bytes` is not a whole number of sample frames; `CodecError` if the
    ///   channel count differs, a sample is invalid or the stream is finished; errors of `body`.
    package func encode(_ bytes: RawSpan, format: PCMFormat, _ body: (AccessUnit) throws -> Void) throws {
        var position = 0
        while let unit = try nextUnit(bytes, format: format, position: &position) { try body(unit) }
    }
}
#endif

/// Input without closures, for callers in C and for builds as Embedded Swift, which has no untyped errors.
///
///     var taken = 0
///     while taken < frameCount {
///         taken += try encoder.take(bytes, format: format, from: taken)
///         if let unit = encoder.nextUnit() { … }
///     }
///     encoder.finishInput()
///     while let unit = encoder.nextUnit() { … }
extension AACEncoder {
    /// Takes samples until the input block is full or none is left.
    ///
    /// - Parameters:
    ///   - bytes: A whole number of sample frames; channel after channel if `format` is not interleaved.
    ///   - format: The format of the samples, with the channel count of the configuration.
    ///   - first: The first sample frame to take.
    /// - Returns: The number of sample frames taken; 0 while the block is full, until ``nextUnit()`` is called.
    /// - Throws: `CodecError` as ``encode(_:format:_:)``.
    package func take(_ bytes: RawSpan, format: PCMFormat, from first: Int = 0) throws(CodecError) -> Int {
        let count = try frameCount(of: bytes, format: format)
        guard first < count else { return 0 }
        return try fillBlock(bytes, format: format, from: first, frameCount: count, planeLength: count)
    }

    /// Ends the input; the samples taken so far are padded with zeros to a whole unit.
    package func finishInput() { isFinished = true }

    /// Encodes the full input block; after ``finishInput()`` what remains.
    ///
    /// - Returns: The access unit that is complete; `nil` if more input is needed or, after ``finishInput()``, at the end.
    package func nextUnit() -> AccessUnit? {
        while hasNextUnit {
            input.appendSilence(input.space)
            if encodeFrame() { return unit }
        }
        return nil
    }

    /// The number of sample frames of the input that wait for a full block.
    package var waitingFrameCount: Int { Int(min(Int64(input.frameCount), framesIn)) }

    /// Whether ``nextUnit()`` has a frame to encode.
    package var hasNextUnit: Bool { input.space == 0 || (isFinished && nextFrame < unitCount) }

    /// Leaves room in the rate for bits that the caller adds to the next unit.
    package func reserve(bits: Int) {
        if bits > 0 { rate.reserve(bits: bits) }
    }

    /// The priming and padding to trim from the decoded stream if the input ends here.
    package var gaplessInfo: GaplessInfo {
        let padding = Int64(unitCount) * Int64(framesPerPacket) - Int64(delay) - framesIn
        return GaplessInfo(primingFrames: delay, validFrames: Int(clamping: framesIn), remainderFrames: Int(padding))
    }

    /// The number of units of the stream if the input ends here.
    ///
    /// With a rate group they are those of whole groups.
    private var unitCount: Int {
        let count = Int((framesIn + Int64(delay + framesPerPacket - 1)) / Int64(framesPerPacket))
        let multiple = setup.group?.count ?? 1
        return (count + multiple - 1) / multiple * multiple
    }

    /// Returns the next unit that the samples of a buffer from a position on complete; `nil` if there is none.
    private func nextUnit(_ buffer: PCMBuffer, position: inout Int) throws(CodecError) -> AccessUnit? {
        guard buffer.sampleRate == configuration.sampleRate else {
            throw .sampleRateMismatch(expected: configuration.sampleRate, found: buffer.sampleRate)
        }
        // The bytes of Floats are only read.
        return unsafe try nextUnit(
            buffer.samples.span.bytes, format: PCMFormat(.float32, channelCount: buffer.channelCount, isInterleaved: false),
            position: &position, frameCount: buffer.frameCount, planeLength: buffer.frameCapacity)
    }

    /// Returns the next unit that the samples in memory from a position on complete; `nil` if there is none.
    private func nextUnit(_ bytes: RawSpan, format: PCMFormat, position: inout Int) throws(CodecError) -> AccessUnit? {
        let count = try frameCount(of: bytes, format: format)
        return try nextUnit(bytes, format: format, position: &position, frameCount: count, planeLength: count)
    }

    /// Returns the next unit that the first `frameCount` sample frames of `bytes`, whose planes have room for `planeLength`, complete from a position
    /// on; `nil` if there is none.
    private func nextUnit(
        _ bytes: RawSpan, format: PCMFormat, position: inout Int, frameCount: Int, planeLength: Int
    ) throws(CodecError) -> AccessUnit? {
        try check(format)
        while position < frameCount {
            position += try fillBlock(bytes, format: format, from: position, frameCount: frameCount, planeLength: planeLength)
            if input.space == 0, encodeFrame() { return unit }
        }
        return nil
    }

    /// Throws unless the format has the encoder's channels and the stream accepts input.
    private func check(_ format: PCMFormat) throws(CodecError) {
        guard !isFinished else { throw .finished }
        guard format.channelCount == configuration.channelCount else {
            throw .channelCountMismatch(expected: configuration.channelCount, found: format.channelCount)
        }
    }

    /// Returns the number of sample frames in some bytes.
    private func frameCount(of bytes: RawSpan, format: PCMFormat) throws(CodecError) -> Int {
        try check(format)
        guard bytes.byteCount % format.bytesPerFrame == 0 else {
            throw .incompleteFrame(byteCount: bytes.byteCount, bytesPerFrame: format.bytesPerFrame)
        }
        return bytes.byteCount / format.bytesPerFrame
    }

    /// Appends sample frames from `first` on to the input block, and returns how many fitted.
    private func fillBlock(
        _ bytes: RawSpan, format: PCMFormat, from first: Int, frameCount: Int, planeLength: Int
    ) throws(CodecError) -> Int {
        let count = min(frameCount - first, input.space)
        try input.append(bytes, format: format, from: first, count: count, total: planeLength, position: framesIn)
        framesIn += Int64(count)
        return count
    }
}
