// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import Synchronization

/// Delivers the timeline to the receiver: channel selection, gain, mute, counts and events.
struct CaptureDelivery {
    private let selectedChannels: [Int]?
    private let status: CaptureStatus
    private let receiver: AudioCapture.Receiver
    private var gain: GainRamp
    private var silence = SilenceDetector()

    init(_ configuration: CaptureConfiguration, status: CaptureStatus, receiver: @escaping AudioCapture.Receiver) {
        selectedChannels = configuration.selectedChannels
        self.status = status
        self.receiver = receiver
        gain = GainRamp(gain: configuration.gain, isMuted: status.mute.withLock { $0.isOn })
    }

    /// Starts silence detection for an opened stream.
    mutating func watchForSilence() { silence = SilenceDetector(isWatching: true) }

    func publish(_ format: CaptureFormat) {
        let visible = publicFormat(format)
        status.values.withLock { $0.format = visible }
    }

    /// Returns the format with only the selected channels.
    func publicFormat(_ format: CaptureFormat) -> CaptureFormat {
        var result = format
        if let selectedChannels { result.pcm.channelCount = selectedChannels.count }
        return result
    }

    /// Delivers and counts an output of the timeline.
    mutating func handle(_ output: CaptureTimeline.Output) {
        switch output {
        case .audio(let audio): deliver(audio)
        case .discontinuity(let frames):
            status.values.withLock { $0.statistics.discontinuities += 1 }
            status.events.send(.discontinuity(frames: frames))
        case .overrun(let frames):
            status.values.withLock { $0.statistics.lostFrames += frames }
            status.events.send(.overrun(frames: frames))
        }
    }

    /// Passes audio to the receiver after channel selection, gain and mute.
    private mutating func deliver(_ audio: CapturedAudio) {
        var audio = audio
        if !audio.isFilling, let duration = silence.accept(audio) { status.events.send(.silent(for: duration)) }
        if let selectedChannels { audio.select(selectedChannels) }
        if !audio.isFilling {
            gain.apply(to: &audio.bytes, format: audio.format, sampleRate: audio.sampleRate, mutedFrames: mutedFrames(of: audio))
        }
        let frames = audio.frameCount
        status.values.withLock {
            if audio.isFilling { $0.statistics.filledFrames += frames } else { $0.statistics.recordedFrames += frames }
        }
        receiver(audio)
    }

    /// Returns the number of frames at the start that are muted.
    private func mutedFrames(of audio: CapturedAudio) -> Int {
        let end = audio.hostTime &+ HostClock.nanoseconds(ofFrames: audio.frameCount, sampleRate: audio.sampleRate)
        return status.mute.withLock { mute in
            if mute.isOn { return audio.frameCount }
            guard audio.hostTime < end, let unmuted = mute.end(within: audio.hostTime..<end) else { return 0 }
            return HostClock.frames(inNanoseconds: min(unmuted, end) - audio.hostTime, sampleRate: audio.sampleRate)
        }
    }
}
