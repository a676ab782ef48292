// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
/// The volume and pan of a source in a mixer.
public protocol AVAudioMixing: AnyObject {
    /// The gain of the source, 0 to 1.
    var volume: Float { get set }
    /// The pan, -1 (left) to 1 (right).
    var pan: Float { get set }
}

/// Mixes its inputs, converted to the sample rate and channel count of its output.
open class AVAudioMixerNode: AVAudioNode, AVAudioMixing {
    private var inputs: [AVAudioNodeBus: MixerInput] = [:]
    private var gain: Float = 1

    /// The output gain, 0 to 1.
    public var outputVolume: Float {
        get { graphLock.withLock { gain } }
        set { graphLock.withLock { gain = newValue } }
    }

    /// The number of connected inputs plus one.
    public override var numberOfInputs: Int { graphLock.withLock { inputs.count + 1 } }

    /// The first input without a source.
    public var nextAvailableInputBus: AVAudioNodeBus {
        graphLock.withLock { (0...inputs.count).first { inputs[$0] == nil } ?? inputs.count }
    }

    func connect(_ source: AVAudioNode, bus: AVAudioNodeBus) { graphLock.withLock { inputs[bus] = MixerInput(source) } }

    /// Removes the sources that match a condition.
    func disconnect(_ condition: (AVAudioNode, AVAudioNodeBus) -> Bool) {
        graphLock.withLock { inputs = inputs.filter { !condition($0.value.source, $0.key) } }
    }

    /// Resets the sample rate converters of the inputs.
    open override func reset() { graphLock.withLock { inputs = inputs.mapValues { MixerInput($0.source) } } }

    /// The format of the connection as 32-bit floating point, which mixers use internally.
    override var format: AVAudioFormat {
        let format = super.format
        guard format.commonFormat != .pcmFormatFloat32 else { return format }
        return AVAudioFormat(standardFormatWithSampleRate: format.sampleRate, channels: format.channelCount) ?? format
    }

    /// The connected nodes.
    var sources: [AVAudioNode] { graphLock.withLock { inputs.values.map(\.source) } }

    /// Adds all inputs.
    override func render(into buffer: AVAudioPCMBuffer, at time: AVAudioTime) {
        let (all, total) = graphLock.withLock { (inputs.sorted { $0.key < $1.key }.map(\.value), gain) }
        guard let output = buffer.floatChannelData else { return }
        let (channelCount, frameCount) = (Int(buffer.format.channelCount), Int(buffer.frameLength))
        for input in all {
            guard let audio = input.pull(frameCount, as: buffer.format, at: time), let samples = audio.floatChannelData else { continue }
            let mixing = input.source as? any AVAudioMixing
            for channel in 0..<channelCount {
                let gain = total * (mixing?.gain(ofChannel: channel, of: channelCount) ?? 1)
                for frame in 0..<Int(audio.frameLength) {
                    output[channel][frame * buffer.stride] += gain * samples[channel][frame * audio.stride]
                }
            }
        }
    }
}

extension AVAudioMixing {
    /// Returns the gain of a stereo channel.
    ///
    /// Panning to one side attenuates the other.
    fileprivate func gain(ofChannel channel: Int, of channelCount: Int) -> Float {
        guard channelCount == 2 else { return volume }
        let position = max(-1, min(1, pan))
        return volume * (channel == 0 ? min(1, 1 - position) : min(1, 1 + position))
    }
}

/// A source of a mixer, with the conversion to the mixer's format.
///
/// Used by one thread at a time.
final class MixerInput {
    let source: AVAudioNode
    private var converter: AVAudioConverter?
    /// The source's next frame at its own rate; `nil` before the first conversion.
    private var position: AVAudioFramePosition?

    init(_ source: AVAudioNode) { self.source = source }

    /// Returns the next frames in a format; `nil` if the conversion is unsupported.
    func pull(_ frameCount: Int, as format: AVAudioFormat, at time: AVAudioTime) -> AVAudioPCMBuffer? {
        let from = source.format
        if from == format { return source.pull(frameCount, at: time) }
        if converter?.inputFormat != from || converter?.outputFormat != format {
            converter = AVAudioConverter(from: from, to: format)
            converter?.downmix = true
            position = nil
        }
        guard let converter, let result = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(frameCount)) else {
            return nil
        }
        // Frames are counted at the source's rate. The converter requests them in parts, ahead of its output.
        let rate = from.sampleRate
        let first = AVAudioFramePosition(clamping: Double(time.sampleTime) * rate / format.sampleRate)
        let start = AVAudioTime(host: time.validHostTime, sample: first, sampleRate: rate)
        var pulled = Int(max(0, (position ?? first) - first))
        converter.convert(to: result, error: nil) { [source] needed, status in
            status.pointee = .haveData
            defer { pulled += Int(needed) }
            return source.pull(Int(needed), at: start.advanced(byFrames: pulled))
        }
        position = first + AVAudioFramePosition(pulled)
        return result
    }
}
#endif
