// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives
internal import TransformCoding
internal import TransformEncoding

extension AACEncoder {
    /// Encodes a buffer.
    ///
    /// If it throws, the access units before the invalid sample are lost.
    ///
    /// - Parameter buffer: Samples with the sample rate and channel count of the configuration, nominally from -1 to 1.
    /// - Returns: The completed access units, possibly none.
    /// - Throws: `CodecError` if the sample rate or channel count differs, a sample is invalid or the stream is finished.
    public func encode(_ buffer: PCMBuffer) throws(CodecError) -> [AccessUnit] {
        var accessUnits: [AccessUnit] = []
        var position = 0
        while let accessUnit = try nextUnit(buffer, position: &position) { accessUnits.append(accessUnit) }
        return accessUnits
    }

    /// Encodes samples in memory.
    ///
    /// If it throws, the access units before the invalid sample are lost.
    ///
    /// - Parameters:
    ///   - bytes: Whole sample frames; planar if `format` is not interleaved.
    ///   - format: The sample format, with the channel count of the configuration.
    /// - Returns: The completed access units, possibly none.
    /// - Throws: `CodecError.incompleteFrame` if `bytes` is not a whole number of sample frames; `CodecError` if the channel count differs,
    ///   a sample is invalid or the stream is finished.
    public func encode(_ bytes: RawSpan, format: PCMFormat) throws(CodecError) -> [AccessUnit] {
        var accessUnits: [AccessUnit] = []
        var position = 0
        while let accessUnit = try nextUnit(bytes, format: format, position: &position) { accessUnits.append(accessUnit) }
        return accessUnits
    }

    /// Encodes the remaining samples, zero-padded to a whole access unit, and ends the stream.
    ///
    /// - Returns: The last access units, and the priming and padding to trim from the decoded stream.
    public func finish() -> EncodedTail {
        var accessUnits: [AccessUnit] = []
        let gapless = finish { accessUnits.append($0) }
        return EncodedTail(accessUnits: accessUnits, gapless: gapless)
    }

    /// Encodes the remaining samples, zero-padded to a whole access unit, and ends the stream.
    ///
    /// - Parameter body: A closure that receives each access unit as it is completed.
    /// - Returns: The priming and padding to trim from the decoded stream.
    /// - Throws: Errors of `body`.
    public func finish<Failure: Error>(_ body: (AccessUnit) throws(Failure) -> Void) throws(Failure) -> GaplessInfo {
        finishInput()
        while let accessUnit = nextUnit() { try body(accessUnit) }
        return gaplessInfo
    }
}

// Embedded Swift has no untyped errors.
#if !hasFeature(Embedded)
extension AACEncoder {
    /// Encodes a buffer and passes the access units to a closure.
    ///
    /// If the closure throws, encoding stops. Errors are untyped because the encoder's and the closure's error types differ. ``encode(_:)``
    /// has typed errors.
    ///
    /// - Parameters:
    ///   - buffer: Samples with the sample rate and channel count of the configuration, nominally from -1 to 1.
    ///   - body: A closure that receives each access unit as it is completed.
    /// - Throws: `CodecError` if the sample rate or channel count differs, a sample is invalid or the stream is finished; errors of `body`.
    public func encode(_ buffer: PCMBuffer, _ body: (AccessUnit) throws -> Void) throws {
        var position = 0
        while let accessUnit = try nextUnit(buffer, position: &position) { try body(accessUnit) }
    }

    /// Encodes samples in memory and passes the access units to a closure.
    ///
    /// - Parameters:
    ///   - bytes: Whole sample frames; planar if `format` is not interleaved.
    ///   - format: The sample format, with the channel count of the configuration.
    ///   - body: A closure that receives each access unit as it is completed.
    /// - Throws: `CodecError.incompleteFrame` if `bytes` is not a whole number of sample frames; `CodecError` if the channel count differs,
    ///   a sample is invalid or the stream is finished; errors of `body`.
    package func encode(_ bytes: RawSpan, format: PCMFormat, _ body: (AccessUnit) throws -> Void) throws {
        var position = 0
        while let accessUnit = try nextUnit(bytes, format: format, position: &position) { try body(accessUnit) }
    }
}
#endif

/// Input without closures, for C callers and for Embedded Swift, which has no untyped errors.
///
///     var taken = 0
///     while taken < frameCount {
///         taken += try encoder.take(bytes, format: format, from: taken)
///         if let unit = encoder.nextUnit() { … }
///     }
///     encoder.finishInput()
///     while let unit = encoder.nextUnit() { … }
extension AACEncoder {
    /// Reads samples until the input block is full or the input ends.
    ///
    /// - Parameters:
    ///   - bytes: Whole sample frames; planar if `format` is not interleaved.
    ///   - format: The sample format, with the channel count of the configuration.
    /// - Returns: The number of sample frames read; 0 while the block is full, until ``nextUnit()`` is called.
    /// - Throws: The errors of ``encode(_:format:_:)``.
    package func take(_ bytes: RawSpan, format: PCMFormat, from first: Int = 0) throws(CodecError) -> Int {
        let count = try frameCount(of: bytes, format: format)
        guard first < count else { return 0 }
        return try fillBlock(bytes, format: format, from: first, frameCount: count, planeLength: count)
    }

    /// Ends the input.
    ///
    /// The stream is zero-padded to a whole access unit.
    package func finishInput() { isFinished = true }

    /// Encodes the full input block or, after ``finishInput()``, the remaining samples.
    ///
    /// - Returns: The completed access unit, or `nil` if more input is needed or the stream is complete.
    package func nextUnit() -> AccessUnit? {
        while hasNextUnit {
            input.appendSilence(input.space)
            if encodeFrame() { return accessUnit }
        }
        return nil
    }

    /// The number of input sample frames waiting for a full block.
    package var waitingFrameCount: Int { Int(min(Int64(input.frameCount), framesIn)) }

    /// Whether ``nextUnit()`` has a frame to encode.
    package var hasNextUnit: Bool { input.space == 0 || (isFinished && nextFrame < accessUnitCount) }

    /// Reserves bits of the rate control for data that the caller adds to the next access unit.
    package func reserve(bits: Int) {
        if bits > 0 { rate.reserve(bits: bits) }
    }

    /// The priming and padding to trim from the decoded stream if the input ends here.
    package var gaplessInfo: GaplessInfo {
        let padding = Int64(accessUnitCount) * Int64(framesPerPacket) - Int64(delay) - framesIn
        return GaplessInfo(primingFrames: delay, validFrames: Int(clamping: framesIn), remainderFrames: Int(padding))
    }

    /// The number of access units in the stream if the input ends here, rounded up to whole groups with a rate group.
    private var accessUnitCount: Int {
        let count = Int((framesIn + Int64(delay + framesPerPacket - 1)) / Int64(framesPerPacket))
        let multiple = setup.group?.count ?? 1
        return (count + multiple - 1) / multiple * multiple
    }

    /// Reads a buffer from `position` on, and returns the next completed access unit, if any.
    private func nextUnit(_ buffer: PCMBuffer, position: inout Int) throws(CodecError) -> AccessUnit? {
        guard buffer.sampleRate == configuration.sampleRate else {
            throw .sampleRateMismatch(expected: configuration.sampleRate, found: buffer.sampleRate)
        }
        // The bytes of Floats are only read.
        return unsafe try nextUnit(
            buffer.samples.span.bytes, format: PCMFormat(.float32, channelCount: buffer.channelCount, isInterleaved: false),
            position: &position, frameCount: buffer.frameCount, planeLength: buffer.frameCapacity)
    }

    /// Reads samples in memory from `position` on, and returns the next completed access unit, if any.
    private func nextUnit(_ bytes: RawSpan, format: PCMFormat, position: inout Int) throws(CodecError) -> AccessUnit? {
        let count = try frameCount(of: bytes, format: format)
        return try nextUnit(bytes, format: format, position: &position, frameCount: count, planeLength: count)
    }

    /// Reads the first `frameCount` sample frames of `bytes` from `position` on, and returns the next completed access unit, if any.
    ///
    /// - Parameter planeLength: The capacity of each plane of `bytes`, in sample frames.
    private func nextUnit(
        _ bytes: RawSpan, format: PCMFormat, position: inout Int, frameCount: Int, planeLength: Int
    ) throws(CodecError) -> AccessUnit? {
        try check(format)
        while position < frameCount {
            position += try fillBlock(bytes, format: format, from: position, frameCount: frameCount, planeLength: planeLength)
            if input.space == 0, encodeFrame() { return accessUnit }
        }
        return nil
    }

    /// Throws unless the channel count matches and the stream accepts input.
    private func check(_ format: PCMFormat) throws(CodecError) {
        guard !isFinished else { throw .finished }
        guard format.channelCount == configuration.channelCount else {
            throw .channelCountMismatch(expected: configuration.channelCount, found: format.channelCount)
        }
    }

    private func frameCount(of bytes: RawSpan, format: PCMFormat) throws(CodecError) -> Int {
        try check(format)
        guard bytes.byteCount % format.bytesPerFrame == 0 else {
            throw .incompleteFrame(byteCount: bytes.byteCount, bytesPerFrame: format.bytesPerFrame)
        }
        return bytes.byteCount / format.bytesPerFrame
    }

    /// Appends sample frames starting at `first` to the input block, and returns how many fitted.
    private func fillBlock(
        _ bytes: RawSpan, format: PCMFormat, from first: Int, frameCount: Int, planeLength: Int
    ) throws(CodecError) -> Int {
        let count = min(frameCount - first, input.space)
        try input.append(bytes, format: format, from: first, count: count, total: planeLength, position: framesIn)
        framesIn += Int64(count)
        return count
    }
}
