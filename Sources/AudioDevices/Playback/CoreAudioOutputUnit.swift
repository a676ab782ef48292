// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
internal import AudioPrimitives
internal import AudioToolbox
internal import Synchronization
internal import SystemLibrary

/// An audio unit that plays a queue.
///
/// It converts the sample rate itself. Not yet tested on a device; see Documentation/Internals/Apple.md.
final class CoreAudioOutputUnit: @unchecked Sendable {
    let choice: CoreAudioDevices.Choice

    private let unit: AudioUnit
    private let queue: PlaybackQueue
    private let pcm: PCMFormat
    private let sampleRate: Int
    private let channels: ChannelFit
    /// The time between a frame's host time and its playback, in nanoseconds.
    private let latency = Atomic<Int64>(0)
    private let ticks = HostTicks()
    /// Scratch memory of the real-time thread for downmixing.
    private let storage = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 16)
    private var hasCallback = false

    /// The mapping from the audio's channels to the unit's.
    ///
    /// Without a mapping, a unit drops surplus channels and plays mono only on the left.
    private enum ChannelFit {
        case same, doubled, mixed

        init(_ pcm: PCMFormat, device channelCount: Int) throws(DeviceError) {
            switch (pcm.channelCount, channelCount) {
            case (1, 2...): self = .doubled
            case (2, 1) where pcm.sampleFormat == .float32: self = .mixed
            case (let wanted, let available) where wanted > available: throw .unsupportedSetting(.channelCount(wanted))
            default: self = .same
            }
        }
    }

    /// Creates and initializes an audio unit for the configured output.
    ///
    /// Releases everything on failure.
    init(_ configuration: PlaybackConfiguration, _ queue: PlaybackQueue) throws(DeviceError) {
        unit = try CoreAudioUnit.makeUnit(cancelsEcho: false)
        self.queue = queue
        pcm = configuration.pcm
        sampleRate = configuration.sampleRate
        do throws(DeviceError) {
            try CoreAudioUnit.enable(unit, input: false, output: true)
            choice = try CoreAudioDevices.chooseOutput(configuration.device)
            try CoreAudioDevices.assign(output: choice, to: unit)
            channels = try ChannelFit(pcm, device: CoreAudioDevices.outputChannelCount(choice) ?? pcm.channelCount)
            let count: UInt32 =
                switch channels {
                case .same: UInt32(pcm.channelCount)
                case .doubled: 2
                case .mixed: 1
                }
            var description = CoreAudioUnit.description(pcm.sampleFormat, channelCount: count, sampleRate: Double(sampleRate))
            try CoreAudioUnit.set(
                unit, .setSampleFormat, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, CoreAudioUnit.outputBus, &description)
            // At a higher sample rate, a device cycle contains more frames.
            let ratio = Double(sampleRate) / Double(max(1, choice.device.sampleRate ?? sampleRate))
            var slice = UInt32(max(8192, Double(CoreAudioDevices.maximumBufferFrameCount(of: choice)) * ratio + 1))
            try CoreAudioUnit.set(unit, .setBufferSize, kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global, 0, &slice)
            let status = AudioUnitInitialize(unit)
            guard status == noErr else { throw .failed(.applySettings, .coreAudio, code: status) }
        } catch {
            storage.deallocate()
            AudioComponentInstanceDispose(unit)
            throw error
        }
        updateLatency()
    }

    deinit { storage.deallocate() }

    /// Reads the latency, which changes with the session's route.
    func updateLatency() { latency.store(Int64(CoreAudioDevices.outputLatency(choice) * 1e9), ordering: .relaxed) }

    // MARK: Running

    /// Starts or resumes the unit.
    ///
    /// If that fails, ``close()`` must follow.
    func start() throws(DeviceError) {
        if !hasCallback {
            hasCallback = true
            var callback = AURenderCallbackStruct(
                inputProc: { @Sendable this, _, time, _, _, list in
                    Unmanaged<CoreAudioOutputUnit>.fromOpaque(this).takeUnretainedValue().render(time, list)
                }, inputProcRefCon: Unmanaged.passRetained(self).toOpaque())
            try setCallback(&callback)
        }
        let status = AudioOutputUnitStart(unit)
        guard status == noErr else { throw .failed(.startStream, .coreAudio, code: status) }
    }

    /// Stops the unit.
    ///
    /// The queue keeps the frames that the device has not read.
    func pause() { AudioOutputUnitStop(unit) }

    /// Stops and disposes of the unit.
    ///
    /// Must be called once.
    func close() {
        if hasCallback {
            AudioOutputUnitStop(unit)
            var none = AURenderCallbackStruct()
            try? setCallback(&none)
        }
        AudioUnitUninitialize(unit)
        AudioComponentInstanceDispose(unit)
        // The callback retains this object until the unit is gone.
        if hasCallback { Unmanaged.passUnretained(self).release() }
    }

    /// Sets the callback while the unit is stopped.
    private func setCallback(_ callback: inout AURenderCallbackStruct) throws(DeviceError) {
        try CoreAudioUnit.set(
            unit, .startStream, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, CoreAudioUnit.outputBus, &callback)
    }

    /// Fills the unit's buffer.
    ///
    /// Called on a real-time thread.
    private func render(_ time: UnsafePointer<AudioTimeStamp>, _ list: UnsafeMutablePointer<AudioBufferList>?) -> OSStatus {
        guard let list, let data = list.pointee.mBuffers.mData else { return noErr }
        // Raw values, because the option set's functions allocate at their first call.
        let isTimed = time.pointee.mFlags.rawValue & 2 != 0
        let hostTime = (isTimed ? ticks.nanoseconds(time.pointee.mHostTime) : HostClock.now) + latency.load(ordering: .relaxed)
        let memory = UnsafeMutableRawBufferPointer(start: data, count: Int(list.pointee.mBuffers.mDataByteSize))
        let width = pcm.sampleFormat.byteCount
        switch channels {
        case .same: queue.read(into: memory, hostTime: hostTime)
        case .doubled:
            // In place, backwards.
            queue.read(into: UnsafeMutableRawBufferPointer(start: data, count: memory.count / 2), hostTime: hostTime)
            var frame = memory.count / (2 * width)
            while frame > 0 {
                frame -= 1
                memmove(data + (2 * frame + 1) * width, data + frame * width, width)
                memmove(data + 2 * frame * width, data + frame * width, width)
            }
        case .mixed: mix(into: memory, hostTime: hostTime)
        }
        return noErr
    }

    /// Fills memory with the mean of two channels.
    private func mix(into memory: UnsafeMutableRawBufferPointer, hostTime: Int64) {
        let (frameCount, step) = (memory.count / 4, storage.count / 8)
        var first = 0
        while first < frameCount {
            let count = min(step, frameCount - first)
            queue.read(
                into: UnsafeMutableRawBufferPointer(start: storage.baseAddress, count: count * 8),
                hostTime: hostTime + HostClock.nanoseconds(ofFrames: first, sampleRate: sampleRate))
            for frame in 0..<count {
                let left = storage.load(fromByteOffset: frame * 8, as: Float.self)
                let right = storage.load(fromByteOffset: frame * 8 + 4, as: Float.self)
                memory.storeBytes(of: (left + right) / 2, toByteOffset: (first + frame) * 4, as: Float.self)
            }
            first += count
        }
    }
}
#endif
