// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
public import AudioPrimitives
internal import CoreAudio
public import CoreMedia

extension PCMBuffer {
    /// Creates a buffer from a sample buffer, for example from AVCaptureAudioDataOutput.
    ///
    /// `MediaTime(CMSampleBufferGetPresentationTimeStamp(sampleBuffer))` is its time. Runs on a model of Core Audio only; see
    /// Documentation/Internals/Apple.md.
    ///
    /// - Parameter sampleBuffer: Linear PCM with 8 to 32 bits or floating point, in whole bytes, interleaved or not.
    /// - Returns: `nil` for other formats, and if the data is not ready.
    public init?(_ sampleBuffer: CMSampleBuffer) {
        guard let description = CMSampleBufferGetFormatDescription(sampleBuffer),
            let stream = CMAudioFormatDescriptionGetStreamBasicDescription(description),
            let format = AudioFormat(StreamDescription(stream.pointee))
        else { return nil }
        let frameCount = CMSampleBufferGetNumSamples(sampleBuffer)
        self.init(sampleRate: format.sampleRate, channelCount: format.channelCount, frameCapacity: frameCount)
        var result = self
        guard sampleBuffer.withAudioBuffers({ result.read($0, format) }) == true else { return nil }
        self = result
    }

    /// Replaces all samples with the contents of Core Audio buffers.
    ///
    /// - Returns: Whether the buffers contain all frames.
    private mutating func read(_ buffers: UnsafeMutableAudioBufferListPointer, _ format: AudioFormat) -> Bool {
        guard buffers.count == (format.isInterleaved ? 1 : channelCount) else { return false }
        let size = format.encoding.byteCount
        for channel in 0..<channelCount {
            let buffer = buffers[format.isInterleaved ? 0 : channel]
            let run = SampleRun(
                encoding: format.encoding, offset: format.isInterleaved ? channel * size : 0,
                stride: format.isInterleaved ? format.bytesPerFrame : size, count: frameCount)
            let length = frameCount * run.stride
            guard let memory = buffer.mData, Int(buffer.mDataByteSize) >= length else { return false }
            let bytes = RawSpan(_unsafeStart: memory, byteCount: length)
            let start = channel * frameCapacity
            var target = samples.mutableSpan
            run.read(bytes, fullScale: 1, into: &target, at: start)
        }
        return true
    }

    /// Returns a Core Media sample buffer with interleaved 32-bit float samples.
    ///
    /// Runs on a model of Core Audio only; see Documentation/Internals/Apple.md.
    ///
    /// - Parameter time: The first frame's time.
    /// - Returns: `nil` for an empty buffer, or if Core Media rejects it.
    public func cmSampleBuffer(at time: MediaTime) -> CMSampleBuffer? {
        let description = StreamDescription(PCMFormat(.float32, channelCount: channelCount), sampleRate: sampleRate)
        guard let format = description.cmFormatDescription(magicCookie: []) else { return nil }
        var bytes = [UInt8](repeating: 0, count: frameCount * channelCount * 4)
        SampleFormat.float32.encode(self, into: &bytes, at: 0)
        return CMSampleBuffer.ready(bytes, format, sampleCount: frameCount, at: time)
    }
}
#endif
