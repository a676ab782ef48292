// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
internal import AudioPrimitives
internal import AudioToolbox

#if os(macOS)
internal import CoreAudio
#else
internal import AVFAudio
#endif

extension CoreAudioUnit {
    /// Returns the stream format to request: the hardware's sample rate and channel count unless configured otherwise.
    static func description(
        _ unit: AudioUnit, _ configuration: CaptureConfiguration, cancelsEcho: Bool
    ) throws(DeviceError) -> AudioStreamBasicDescription {
        var hardware = AudioStreamBasicDescription()
        var size = UInt32(MemoryLayout<AudioStreamBasicDescription>.size)
        let status = AudioUnitGetProperty(unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, inputBus, &hardware, &size)
        guard status == noErr else { throw .failed(.setSampleRate, .coreAudio, code: status) }
        guard hardware.mSampleRate > 0, hardware.mChannelsPerFrame > 0 else { throw .noDevice(.coreAudio, .input) }
        // With voice processing, the hardware channels include the canceller's references. The voice has one channel.
        let available = cancelsEcho ? 1 : Int(hardware.mChannelsPerFrame)
        if let selected = configuration.selectedChannels, selected.contains(where: { $0 >= available }) {
            throw .unsupportedSetting(.selectedChannels(selected))
        }
        let wanted = configuration.selectedChannels == nil && !cancelsEcho ? configuration.channelCount : nil
        let channels = UInt32(wanted ?? available)
        #if os(macOS)
        // The HAL unit does not resample captured audio.
        let rate = hardware.mSampleRate
        #else
        let rate = configuration.sampleRate.map(Double.init) ?? hardware.mSampleRate
        #endif
        return self.description(configuration.sampleFormat, channelCount: channels, sampleRate: rate)
    }

    /// Returns the description of an interleaved PCM format.
    static func description(_ sample: SampleFormat, channelCount channels: UInt32, sampleRate: Double) -> AudioStreamBasicDescription {
        let kind = sample.isFloat ? kAudioFormatFlagIsFloat : kAudioFormatFlagIsSignedInteger
        let frame = UInt32(sample.byteCount) * channels
        return AudioStreamBasicDescription(
            mSampleRate: sampleRate, mFormatID: kAudioFormatLinearPCM,
            mFormatFlags: kind | kAudioFormatFlagIsPacked, mBytesPerPacket: frame, mFramesPerPacket: 1, mBytesPerFrame: frame,
            mChannelsPerFrame: channels, mBitsPerChannel: UInt32(sample.byteCount * 8), mReserved: 0)
    }

    /// Requests the configured buffer size.
    ///
    /// - Returns: The actual number of frames, and its maximum. On macOS the device uses the smallest request of all its captures, so the
    ///   number grows when one of them ends.
    static func requestBuffer(
        _ unit: AudioUnit, _ configuration: CaptureConfiguration, _ choice: CoreAudioDevices.Choice, sampleRate: Double
    ) -> (frames: Int, largest: Int) {
        #if os(macOS)
        var size = UInt32(MemoryLayout<UInt32>.size)
        var frames = UInt32(max(1, (configuration.bufferDuration.inSeconds * sampleRate).rounded()))
        if let range = CoreAudioDevices.bufferRange(of: choice.object) { frames = min(max(frames, range.lowerBound), range.upperBound) }
        let requested = frames
        // A device that does not support the size keeps its own.
        AudioUnitSetProperty(unit, kAudioDevicePropertyBufferFrameSize, kAudioUnitScope_Global, outputBus, &frames, size)
        AudioUnitGetProperty(unit, kAudioDevicePropertyBufferFrameSize, kAudioUnitScope_Global, outputBus, &frames, &size)
        return (Int(frames), Int(max(frames, requested)))
        #else
        // While the screen is locked, slices have 4096 frames of the hardware, which the unit converts to the client's sample rate. A
        // route change can reduce the hardware's to 8 kHz.
        return (CoreAudioSession.bufferFrames(sampleRate: sampleRate), Int((4096 * sampleRate / 8000).rounded(.up)) + 1)
        #endif
    }
}
#endif
