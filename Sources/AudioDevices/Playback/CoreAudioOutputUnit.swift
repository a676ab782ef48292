// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
internal import AudioPrimitives
internal import AudioToolbox
internal import SystemLibrary

/// An audio unit that plays what a queue has; it converts the sample rate itself.
///
/// Not yet run on a device: see Documentation/Internals/Apple.md.
final class CoreAudioOutputUnit: @unchecked Sendable {
    /// The output.
    let choice: CoreAudioDevices.Choice

    private let unit: AudioUnit
    private let queue: PlaybackQueue
    private let pcm: PCMFormat
    private let sampleRate: Int
    private let channels: ChannelFit
    /// The time from the host time of a frame until it is heard, in nanoseconds.
    private let latency: Int64
    private let ticks = HostTicks()
    /// Memory of the real-time thread for channels that are mixed.
    private let storage = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 16)
    private var hasCallback = false

    /// The way from the channels of the audio to those of the unit, which itself leaves out what a device lacks, and plays one channel at the
    /// left side only.
    private enum ChannelFit {
        case same, doubled, mixed

        /// Compares the audio with a device.
        init(_ pcm: PCMFormat, device channelCount: Int) throws(DeviceError) {
            switch (pcm.channelCount, channelCount) {
            case (1, 2...): self = .doubled
            case (2, 1) where pcm.sampleFormat == .float32: self = .mixed
            case (let wanted, let available) where wanted > available: throw .unsupportedSetting(.channelCount(wanted))
            default: self = .same
            }
        }
    }

    /// Creates an audio unit for the output of a configuration, and initialises it.
    ///
    /// - Throws: ``DeviceError``; nothing is left then.
    init(_ configuration: PlaybackConfiguration, _ queue: PlaybackQueue) throws(DeviceError) {
        unit = try CoreAudioUnit.makeUnit(cancelsEcho: false)
        self.queue = queue
        pcm = configuration.pcm
        sampleRate = configuration.sampleRate
        do throws(DeviceError) {
            try CoreAudioUnit.enable(unit, input: false, output: true)
            choice = try CoreAudioDevices.chooseOutput(configuration.device)
            try CoreAudioDevices.assign(output: choice, to: unit)
            channels = try ChannelFit(pcm, device: choice.device.channelCount ?? pcm.channelCount)
            latency = Int64(CoreAudioDevices.outputLatency(choice) * 1e9)
            let count: UInt32 =
                switch channels {
                case .same: UInt32(pcm.channelCount)
                case .doubled: 2
                case .mixed: 1
                }
            var description = CoreAudioUnit.description(pcm.sampleFormat, channelCount: count, sampleRate: Double(sampleRate))
            try CoreAudioUnit.set(
                unit, .setSampleFormat, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, CoreAudioUnit.outputBus, &description)
            // The frames of a cycle of the device become more at a higher rate.
            let ratio = Double(sampleRate) / Double(max(1, choice.device.sampleRate ?? sampleRate))
            var slice = UInt32(max(8192, Double(CoreAudioDevices.largestBuffer(of: choice)) * ratio + 1))
            try CoreAudioUnit.set(unit, .setBufferSize, kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global, 0, &slice)
            let status = AudioUnitInitialize(unit)
            guard status == noErr else { throw .failed(.applySettings, .coreAudio, code: status) }
        } catch {
            storage.deallocate()
            AudioComponentInstanceDispose(unit)
            throw error
        }
    }

    deinit { storage.deallocate() }

    // MARK: Running

    /// Starts the unit, or goes on after a pause; if that fails, ``close()`` has to follow.
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

    /// Stops the unit; the queue keeps what the device has not read.
    func pause() { AudioOutputUnitStop(unit) }

    /// Stops the unit, and disposes of it; called once.
    func close() {
        if hasCallback {
            AudioOutputUnitStop(unit)
            var none = AURenderCallbackStruct()
            try? setCallback(&none)
        }
        AudioUnitUninitialize(unit)
        AudioComponentInstanceDispose(unit)
        // The callback holds this object until the unit is gone.
        if hasCallback { Unmanaged.passUnretained(self).release() }
    }

    /// Sets the callback, while the unit is stopped.
    private func setCallback(_ callback: inout AURenderCallbackStruct) throws(DeviceError) {
        try CoreAudioUnit.set(
            unit, .startStream, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, CoreAudioUnit.outputBus, &callback)
    }

    /// Fills the memory of the unit; called on a real-time thread.
    private func render(_ time: UnsafePointer<AudioTimeStamp>, _ list: UnsafeMutablePointer<AudioBufferList>?) -> OSStatus {
        guard let list, let data = list.pointee.mBuffers.mData else { return noErr }
        // Raw values: the option set's own functions allocate at their first call.
        let isTimed = time.pointee.mFlags.rawValue & 2 != 0
        let hostTime = (isTimed ? ticks.nanoseconds(time.pointee.mHostTime) : HostClock.now) + latency
        let memory = UnsafeMutableRawBufferPointer(start: data, count: Int(list.pointee.mBuffers.mDataByteSize))
        let width = pcm.sampleFormat.byteCount
        switch channels {
        case .same: queue.read(into: memory, hostTime: hostTime)
        case .doubled:
            // In place, from the end.
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

    /// Fills memory with the means of two channels.
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
