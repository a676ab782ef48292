// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
internal import Foundation

/// Collects a node's audio into buffers of the tap's size and format.
///
/// Used by one thread at a time.
package final class TapDelivery {
    private let block: AVAudioNodeTapBlock
    /// The format of the buffers; `nil` for the audio's format.
    private let format: AVAudioFormat?
    private let bufferSize: Int
    private var converter: StreamConverter?
    private var pending: AVAudioPCMBuffer?
    /// The time of the first frame of `pending`.
    private var pendingTime: AVAudioTime?

    package init(to format: AVAudioFormat?, bufferSize: Int, block: @escaping AVAudioNodeTapBlock) {
        self.block = block
        self.format = format
        self.bufferSize = max(1, bufferSize)
        converter = format.map { StreamConverter(to: $0) }
    }

    /// Returns a delivery with the same settings and without audio.
    func emptied() -> TapDelivery { TapDelivery(to: format, bufferSize: bufferSize, block: block) }

    /// Adds audio and calls the tap for each full buffer.
    ///
    /// Drops audio that cannot be converted to the tap's format, and an incomplete buffer before a gap.
    package func append(_ buffer: AVAudioPCMBuffer, at time: AVAudioTime) {
        guard let format, buffer.format != format else { return collect(buffer, at: time) }
        guard let (converted, convertedTime) = converter?.convert(buffer, at: time) else { return }
        collect(converted, at: convertedTime)
    }

    /// Adds audio in the buffers' format.
    private func collect(_ buffer: AVAudioPCMBuffer, at time: AVAudioTime) {
        // Frames from before a gap would get the wrong time.
        if let pending, pending.format != buffer.format || !(pendingTime.map { time.follows($0, by: Int(pending.frameLength)) } ?? true) {
            self.pending = nil
        }
        var consumed = 0
        while consumed < Int(buffer.frameLength) {
            let target: AVAudioPCMBuffer
            if let pending {
                target = pending
            } else {
                guard let new = AVAudioPCMBuffer(pcmFormat: buffer.format, frameCapacity: AVAudioFrameCount(bufferSize)) else { return }
                target = new
                pending = new
                pendingTime = time.advanced(byFrames: consumed)
            }
            let count = min(bufferSize - Int(target.frameLength), Int(buffer.frameLength) - consumed)
            target.append(buffer, consumed..<consumed + count)
            consumed += count
            if Int(target.frameLength) == bufferSize {
                pending = nil
                block(target, pendingTime ?? time)
            }
        }
    }
}

extension AVAudioTime {
    /// Returns the time `count` frames later.
    func advanced(byFrames count: Int) -> AVAudioTime {
        guard count > 0, sampleRate > 0 else { return self }
        let nanoseconds = UInt64(Double(count) / sampleRate * 1e9)
        return AVAudioTime(host: validHostTime.map { $0 &+ nanoseconds }, sample: sampleTime + Int64(count), sampleRate: sampleRate)
    }
}

extension AVAudioPCMBuffer {
    /// Appends frames of a buffer of the same format, which must fit.
    func append(_ other: AVAudioPCMBuffer, _ frames: Range<Int>) {
        let bytesPerFrame = Int(format.streamDescription.pointee.mBytesPerFrame)
        let first = Int(frameLength)
        for (target, source) in zip(wholeList, other.wholeList) {
            guard let to = target.mData, let from = source.mData else { continue }
            (to + first * bytesPerFrame).copyMemory(
                from: from + frames.lowerBound * bytesPerFrame, byteCount: frames.count * bytesPerFrame)
        }
        frameLength += AVAudioFrameCount(frames.count)
    }
}
#endif
