// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioConversion
internal import AudioLoudness
internal import PCMFiles

extension FileConverter {
    /// Measures the signal as it will be written, if its loudness is to be changed; nil else.
    ///
    /// - Throws: ``AudioFileError/Code/notSeekable`` for a pipe, which can't be read again.
    func loudnessAdjustment(_ plan: ConversionPlan) throws -> LoudnessAdjustment? {
        guard let target = configuration.loudnessTarget else { return nil }
        try LoudnessAdjustment.requireRereadable(input)
        return try LoudnessAdjustment(target) { try measure(plan, $0) }
    }

    /// Reads the whole input and measures it.
    private func measure(_ plan: ConversionPlan, _ setting: TruePeakLimiter.Setting?) throws -> LoudnessSummary {
        let stage = try LoudnessStage(plan, setting)
        let meter = try LoudnessMeter(
            sampleRate: stage.format.sampleRate, channelCount: stage.format.channelCount, layout: stage.format.channelLayout)
        try forEachRead(of: ConversionInput(path: input, raw: configuration.raw), plan) { try meter.add(stage.process($0)) }
        for buffer in try stage.finish() { try meter.add(buffer) }
        return try meter.summary()
    }

    /// Reads the part of the input that is converted.
    ///
    /// - Parameter body: Called with the sample frames of each read.
    func forEachRead(of input: ConversionInput, _ plan: ConversionPlan, _ body: ([UInt8]) throws -> Void) throws {
        let readLength = max(256, Self.readSize / plan.source.bytesPerFrame)
        var bytes: [UInt8] = []
        var framesRead = 0
        try input.move(toFrame: plan.frames.lowerBound)
        while framesRead < plan.frames.count {
            try input.reader.read(min(readLength, plan.frames.count - framesRead), into: &bytes)
            guard !bytes.isEmpty else { return }
            framesRead += bytes.count / plan.source.bytesPerFrame
            try body(bytes)
        }
    }
}
