// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
internal import Foundation

/// Converts the consecutive buffers of a stream, and their times.
struct StreamConverter {
    private let format: AVAudioFormat
    private var converter: AVAudioConverter?
    /// The time and length of the latest input.
    private var latest: (time: AVAudioTime, frameCount: Int)?
    /// The numbers of input and output frames since the converter was created.
    private var framesIn = 0
    private var framesOut = 0
    /// The sample time of the converter's first output frame.
    private var origin: AVAudioFramePosition = 0

    init(to format: AVAudioFormat) { self.format = format }

    /// Returns the next converted frames, possibly none, and the time of the first; `nil` if the conversion is unsupported.
    ///
    /// If the input has a gap, the frames that the sample rate converter holds are dropped.
    mutating func convert(_ buffer: AVAudioPCMBuffer, at time: AVAudioTime) -> (AVAudioPCMBuffer, AVAudioTime)? {
        if converter?.inputFormat != buffer.format || !(latest.map { time.follows($0.time, by: $0.frameCount) } ?? true) {
            converter = AVAudioConverter(from: buffer.format, to: format)
            converter?.downmix = true
            (framesIn, framesOut) = (0, 0)
            origin = time.sampleRate > 0 ? .init(clamping: Double(time.sampleTime) * format.sampleRate / time.sampleRate) : 0
        }
        guard let converted = converter?.convertNow(buffer) else { return nil }
        // The sample rate converter holds frames, so that the first output frame is earlier than the first input frame.
        let held = Double(framesIn) / buffer.format.sampleRate - Double(framesOut) / format.sampleRate
        let host = time.validHostTime.map { UInt64(max(0, Int64(clamping: $0) - Int64(clamping: held * 1e9))) }
        let outputTime = AVAudioTime(host: host, sample: origin + AVAudioFramePosition(framesOut), sampleRate: format.sampleRate)
        latest = (time, Int(buffer.frameLength))
        framesIn += Int(buffer.frameLength)
        framesOut += Int(converted.frameLength)
        return (converted, outputTime)
    }
}

extension AVAudioConverter {
    /// Returns the output for one buffer of a continuing stream; `nil` without memory.
    fileprivate func convertNow(_ buffer: AVAudioPCMBuffer) -> AVAudioPCMBuffer? {
        let ratio = outputFormat.sampleRate / inputFormat.sampleRate
        // After an output shorter than the ratio, the sample rate converter returns a longer one.
        let capacity = AVAudioFrameCount((Double(buffer.frameLength) * ratio).rounded(.up)) + 4096
        guard let converted = AVAudioPCMBuffer(pcmFormat: outputFormat, frameCapacity: capacity) else { return nil }
        var isGiven = false
        convert(to: converted, error: nil) { _, status in
            status.pointee = isGiven ? .noDataNow : .haveData
            defer { isGiven = true }
            return isGiven ? nil : buffer
        }
        return converted
    }
}

extension AVAudioTime {
    /// Whether the time is `count` frames later than another one, to within a frame; true if one of the sample times is unknown.
    func follows(_ earlier: AVAudioTime, by count: Int) -> Bool {
        guard isSampleTimeValid, earlier.isSampleTimeValid else { return true }
        return sampleRate == earlier.sampleRate && abs(sampleTime - earlier.sampleTime - AVAudioFramePosition(count)) <= 1
    }
}
#endif
