// SPDX-License-Identifier: Apache-2.0

internal import AudioLoudness
internal import AudioPrimitives
internal import PCMFiles
internal import SystemFiles

/// A temporary copy of an encoder's input: mixed, resampled and with adjusted loudness.
///
/// The first pass for an average bit rate, the choice of tools by excerpts and several threads read the input at several positions. That is
/// not exact while resampling or decoding MP3, AAC and similar. Measured in RateControl.md#copies-of-input.
struct EncoderInputCopy {
    /// Reads the copy.
    let input: ConversionInput
    let frameCount: Int
    /// The number of sample frames read from the file.
    let framesRead: Int
    /// The highest magnitude of lossless floating-point samples, otherwise 0.
    let peak: Float
    /// Recoverable problems of the file.
    let warnings: [PCMFileWarning]

    /// The maximum size of a copy in bytes: 93 minutes of 48 kHz stereo.
    private static let maximumByteCount = 1 << 31

    /// Whether an encoder needs a copy of a file to read it at several positions, and there is room for its stated length.
    static func isUseful(for input: ConversionInput, _ plan: ConversionPlan, path: String) -> Bool {
        guard plan.isReadRepeatedly, input.joined == nil, LoudnessAdjustment.isRereadable(path),
            !plan.usesSegments || plan.isResampled || !input.reader.allowsSharedReading
        else { return false }
        let frameCount = ConversionProgress(plan, input.properties).totalFrames ?? 0
        let seconds = Double(frameCount) / Double(input.properties.sampleRate)
        let byteCount = seconds * Double(plan.copyFormat.sampleRate * plan.copyFormat.bytesPerFrame)
        return byteCount < Double(min(maximumByteCount, freeByteCount / 2))
    }

    private static var freeByteCount: Int { FileSystemSpace(of: OpenFile.temporaryFolder)?.availableByteCount ?? .max }

    /// Whether a copy leaves as much space as it has taken, because other copies and outputs grow at the same time.
    private static func mayHave(_ byteCount: Int) -> Bool { byteCount <= min(maximumByteCount, freeByteCount) }

    /// Copies the input of an encoder.
    ///
    /// - Parameters:
    ///   - input: The opened file, at its start.
    ///   - gain: The gain and true peak limit, or `nil` for none.
    ///   - step: Called after every read.
    /// - Returns: `nil` if the copy becomes too large or cannot be written. Then `input` may have been read.
    init?(
        of input: ConversionInput, _ plan: ConversionPlan, gain: TruePeakLimiter.Setting?, step: (EncoderInputReader) throws -> Void
    ) throws {
        guard let file = try? OpenFile.temporary() else { return nil }
        let format = plan.copyFormat
        var samples = try EncoderInputReader(input.reader, plan, gain: gain, invalidSamples: plan.invalidSamples)
        var byteCount = 0
        while let buffer = try samples.next() {
            var bytes = [UInt8](repeating: 0, count: buffer.frameCount * format.bytesPerFrame)
            SampleFormat.float32.encode(buffer, into: &bytes, at: 0)
            byteCount += bytes.count
            guard Self.mayHave(byteCount), (try? file.write(bytes[...])) != nil else { return nil }
            try step(samples)
        }
        frameCount = byteCount / format.bytesPerFrame
        (framesRead, peak, warnings) = (samples.framesRead, samples.peak, input.reader.warnings)
        self.input = try ConversionInput(copyOf: input, .copy(file, byteCount: byteCount, format))
    }
}
