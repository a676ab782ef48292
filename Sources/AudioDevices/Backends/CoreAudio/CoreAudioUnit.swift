// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
internal import AudioPrimitives
internal import AudioToolbox

/// An audio unit for capture.
///
/// Bus 1 is the input, bus 0 the output. The call order follows Apple's Technical Note TN2091. Not yet tested on a device; see
/// Documentation/Internals/Apple.md.
final class CoreAudioUnit: @unchecked Sendable {
    static let inputBus: AudioUnitElement = 1
    static let outputBus: AudioUnitElement = 0

    let format: CaptureFormat
    /// Whether the system removes this program's playback.
    let cancelsEcho: Bool
    /// The input, whose tap must outlive the unit.
    let choice: CoreAudioDevices.Choice

    private let unit: AudioUnit
    private let input: CaptureInput
    /// The render buffer, for the maximum number of frames that the unit may announce.
    private let storage: UnsafeMutableRawBufferPointer
    private let maximumSlice: UInt32
    private let ticks = HostTicks()
    /// Used only by the real-time thread.
    private var tracker: SampleTimeTracker
    private var isStarted = false

    /// Creates an audio unit, applies the configuration, and initializes the unit.
    ///
    /// Releases everything on failure.
    init(_ configuration: CaptureConfiguration, cancelsEcho: Bool, input: CaptureInput) throws(DeviceError) {
        #if os(macOS)
        // Voice processing would also duck all other audio.
        if cancelsEcho, PlayedAudio(configuration.device) != nil {
            throw .failed(.findUnit, .coreAudio, code: kAudio_ParamError)
        }
        #endif
        unit = try Self.makeUnit(cancelsEcho: cancelsEcho)
        self.cancelsEcho = cancelsEcho
        self.input = input
        do throws(DeviceError) {
            if input.isCancelled { throw .cancelled }
            try Self.enable(unit, input: true, output: cancelsEcho)
            choice = try CoreAudioDevices.choose(configuration, input)
            try CoreAudioDevices.assign(choice, to: unit, cancelsEcho: cancelsEcho)
            var description = try Self.description(unit, configuration, cancelsEcho: cancelsEcho)
            try Self.set(unit, .setSampleRate, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, Self.inputBus, &description)
            if cancelsEcho {
                // Voice processing fails if its two sides differ, even without playback.
                try Self.set(unit, .setSampleRate, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, Self.outputBus, &description)
            }
            let buffer = Self.requestBuffer(unit, configuration, choice, sampleRate: description.mSampleRate)
            var slice = UInt32(max(8192, buffer.largest))
            try Self.set(unit, .setBufferSize, kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global, 0, &slice)
            maximumSlice = slice
            format = CaptureFormat(
                sampleRate: Int(description.mSampleRate),
                pcm: PCMFormat(configuration.sampleFormat, channelCount: Int(description.mChannelsPerFrame)), bufferFrames: buffer.frames,
                device: choice.device.id, deviceName: choice.device.name, nativeSampleRate: choice.device.sampleRate)
            tracker = SampleTimeTracker(sampleRate: description.mSampleRate)
            if input.isCancelled { throw .cancelled }
            let status = AudioUnitInitialize(unit)
            guard status == noErr else { throw .failed(.applySettings, .coreAudio, code: status) }
        } catch {
            AudioComponentInstanceDispose(unit)
            throw error
        }
        storage = .allocate(byteCount: Int(maximumSlice) * format.pcm.bytesPerFrame, alignment: 16)
    }

    deinit { storage.deallocate() }

    static func makeUnit(cancelsEcho: Bool) throws(DeviceError) -> AudioUnit {
        #if os(macOS)
        if cancelsEcho, let kept = KeptVoiceUnit.take() { return kept }
        let plain = kAudioUnitSubType_HALOutput
        #else
        let plain = kAudioUnitSubType_RemoteIO
        #endif
        var description = AudioComponentDescription(
            componentType: kAudioUnitType_Output, componentSubType: cancelsEcho ? kAudioUnitSubType_VoiceProcessingIO : plain,
            componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0, componentFlagsMask: 0)
        guard let component = AudioComponentFindNext(nil, &description) else { throw .failed(.findUnit, .coreAudio, code: 0) }
        var unit: AudioUnit?
        let status = AudioComponentInstanceNew(component, &unit)
        guard status == noErr, let unit else { throw .failed(.openDevice, .coreAudio, code: status) }
        #if os(macOS) || os(iOS)
        if cancelsEcho {
            // A voice processing unit ducks all other audio, even an idle one.
            var ducking = AUVoiceIOOtherAudioDuckingConfiguration()
            ducking.mDuckingLevel = .min
            try? set(unit, .openDevice, kAUVoiceIOProperty_OtherAudioDuckingConfiguration, kAudioUnitScope_Global, 0, &ducking)
        }
        #endif
        return unit
    }

    /// Enables the input and output sides.
    ///
    /// A capture uses its output only as the reference of voice processing.
    static func enable(_ unit: AudioUnit, input: Bool, output: Bool) throws(DeviceError) {
        var (input, output): (UInt32, UInt32) = (input ? 1 : 0, output ? 1 : 0)
        try set(unit, .openDevice, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, inputBus, &input)
        try set(unit, .openDevice, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Output, outputBus, &output)
    }

    /// Sets a property of the audio unit.
    ///
    /// Throws with `step` on failure.
    static func set<Value: BitwiseCopyable>(
        _ unit: AudioUnit, _ step: DeviceStep, _ property: AudioUnitPropertyID, _ scope: AudioUnitScope, _ bus: AudioUnitElement,
        _ value: inout Value
    ) throws(DeviceError) {
        let status = AudioUnitSetProperty(unit, property, scope, bus, &value, UInt32(MemoryLayout<Value>.size))
        guard status == noErr else { throw .failed(step, .coreAudio, code: status) }
    }

    // MARK: Running

    /// Starts the unit, which then writes captured audio to the input.
    ///
    /// Must be called once.
    func start() throws(DeviceError) {
        var callback = AURenderCallbackStruct(
            inputProc: { @Sendable this, flags, time, _, frames, _ in
                Unmanaged<CoreAudioUnit>.fromOpaque(this).takeUnretainedValue().render(flags, time, frames)
            }, inputProcRefCon: Unmanaged.passRetained(self).toOpaque())
        isStarted = true
        do throws(DeviceError) {
            // Valid only in the global scope.
            try Self.set(unit, .startStream, kAudioOutputUnitProperty_SetInputCallback, kAudioUnitScope_Global, Self.inputBus, &callback)
            input.prepare(format, maximumWriteLength: Int(maximumSlice))
            let status = AudioOutputUnitStart(unit)
            guard status == noErr else { throw .failed(.startStream, .coreAudio, code: status) }
        } catch {
            stop()
            throw error
        }
    }

    /// Stops and disposes of the unit.
    ///
    /// Must be called once.
    func stop() {
        var keeps = cancelsEcho
        if isStarted {
            AudioOutputUnitStop(unit)
            var none = AURenderCallbackStruct()
            do throws(DeviceError) {
                try Self.set(unit, .startStream, kAudioOutputUnitProperty_SetInputCallback, kAudioUnitScope_Global, Self.inputBus, &none)
            } catch {
                keeps = false
            }
        }
        AudioUnitUninitialize(unit)
        dispose(keeps: keeps)
        // The callback retains this object until the unit is gone, because the HAL may still call it when the unit stops.
        if isStarted { Unmanaged.passUnretained(self).release() }
    }

    /// Disposes of the unit, or keeps it for the next start.
    ///
    /// A kept unit must not have a callback, which could call a released object.
    private func dispose(keeps: Bool) {
        #if os(macOS)
        if keeps { return KeptVoiceUnit.keep(unit) }
        #endif
        AudioComponentInstanceDispose(unit)
    }

    /// Renders into the preallocated buffer and writes the result to the input.
    ///
    /// Called on a real-time thread.
    private func render(
        _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>, _ time: UnsafePointer<AudioTimeStamp>, _ frames: UInt32
    ) -> OSStatus {
        // Cycles that are rejected here or by the unit show up as a gap in the sample time of the next one.
        guard frames <= maximumSlice else { return kAudioUnitErr_TooManyFramesToProcess }
        let size = frames * UInt32(format.pcm.bytesPerFrame)
        var list = AudioBufferList(
            mNumberBuffers: 1,
            mBuffers: AudioBuffer(mNumberChannels: UInt32(format.pcm.channelCount), mDataByteSize: size, mData: storage.baseAddress))
        let status = AudioUnitRender(unit, flags, time, Self.inputBus, frames, &list)
        guard status == noErr else { return status }
        // The unit may render fewer frames than requested. If it counts the others too, the next cycle has a gap.
        let count = Int(min(list.mBuffers.mDataByteSize, size))
        // Raw values, because the option set's functions allocate at their first call.
        let isTimed = time.pointee.mFlags.rawValue & 2 != 0
        let hostTime = isTimed ? ticks.nanoseconds(time.pointee.mHostTime) : 0
        if isTimed, time.pointee.mFlags.rawValue & 1 != 0 {
            switch tracker.accept(sampleTime: time.pointee.mSampleTime, hostTime: hostTime, frames: count / format.pcm.bytesPerFrame) {
            case .none: break
            case .frames(let count): input.writeGap(byteCount: count * format.pcm.bytesPerFrame, hostTime: 0)
            case .unknown: input.writeBreak()
            }
        }
        guard count > 0, let data = list.mBuffers.mData else { return noErr }
        input.write(UnsafeRawBufferPointer(start: data, count: count).bytes, hostTime: hostTime)
        return noErr
    }
}
#endif
