// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

#if !os(WASI)
#if canImport(Darwin)
internal import AudioPrimitives
internal import AudioToolbox
internal import SystemLibrary

#if os(iOS)
internal import AVFAudio
#elseif os(macOS)
internal import CoreAudio
#endif

/// An audio unit that captures: bus 1 is the input, bus 0 the output.
///
/// Not yet tested on a device.
final class CoreAudioUnit: @unchecked Sendable {
    private static let inputBus: AudioUnitElement = 1
    private static let outputBus: AudioUnitElement = 0
    /// The largest number of frames that the unit renders at once.
    private static let largestSlice: UInt32 = 8192

    private let unit: AudioUnit
    private let input: CaptureInput
    private let format: CaptureFormat
    // The memory that the unit renders to, allocated before it starts.
    private let storage: UnsafeMutableRawBufferPointer
    private let timebase: mach_timebase_info_data_t
    private var isStarted = false
    #if os(iOS)
    private var observers: CoreAudioSessionObservers?
    #endif

    /// Creates an audio unit and applies the configuration.
    init(_ configuration: CaptureConfiguration, cancelsEcho: Bool, input: CaptureInput) throws(DeviceError) {
        unit = try Self.makeUnit(cancelsEcho: cancelsEcho)
        self.input = input
        var timebase = mach_timebase_info_data_t()
        mach_timebase_info(&timebase)
        self.timebase = timebase
        do {
            var on: UInt32 = 1
            try Self.set(unit, .openDevice, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, Self.inputBus, &on)
            if !cancelsEcho {
                // Only voice processing needs the output, as its reference.
                var off: UInt32 = 0
                try Self.set(unit, .openDevice, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Output, Self.outputBus, &off)
            }
            let device = try CoreAudioDevices.choose(configuration.device, for: unit)
            var description = try Self.description(unit, configuration)
            try Self.set(unit, .setSampleRate, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, Self.inputBus, &description)
            var slice = Self.largestSlice
            try Self.set(unit, .setBufferSize, kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global, 0, &slice)
            let pcm = PCMFormat(configuration.sampleFormat, channelCount: Int(description.mChannelsPerFrame))
            format = CaptureFormat(
                sampleRate: Int(description.mSampleRate), pcm: pcm,
                bufferFrames: Self.bufferFrames(unit, configuration.bufferDuration.inSeconds, sampleRate: description.mSampleRate),
                device: device.id,
                deviceName: device.name,
                nativeSampleRate: device.sampleRate)
        } catch {
            AudioComponentInstanceDispose(unit)
            throw error
        }
        storage = .allocate(byteCount: Int(Self.largestSlice) * format.pcm.bytesPerFrame, alignment: 16)
    }

    deinit { storage.deallocate() }

    /// Creates the audio unit for this platform.
    private static func makeUnit(cancelsEcho: Bool) throws(DeviceError) -> AudioUnit {
        #if os(macOS)
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
        return unit
    }

    /// Returns the stream format to request: the hardware's own sample rate and channel count unless others are wanted.
    private static func description(_ unit: AudioUnit, _ configuration: CaptureConfiguration) throws(DeviceError)
        -> AudioStreamBasicDescription
    {
        var hardware = AudioStreamBasicDescription()
        var size = UInt32(MemoryLayout<AudioStreamBasicDescription>.size)
        let status = AudioUnitGetProperty(unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, inputBus, &hardware, &size)
        guard status == noErr else { throw .failed(.setSampleRate, .coreAudio, code: status) }
        guard hardware.mSampleRate > 0, hardware.mChannelsPerFrame > 0 else { throw .noDevice(.coreAudio, .input) }
        let sample = configuration.sampleFormat
        let kind = sample.isFloat ? kAudioFormatFlagIsFloat : kAudioFormatFlagIsSignedInteger
        let channels = UInt32(
            configuration.selectedChannels == nil
                ? configuration.channelCount ?? Int(hardware.mChannelsPerFrame) : Int(hardware.mChannelsPerFrame))
        let frame = UInt32(sample.byteCount) * channels
        #if os(macOS)
        // The HAL's unit doesn't resample captured audio.
        let rate = hardware.mSampleRate
        #else
        let rate = configuration.sampleRate.map(Double.init) ?? hardware.mSampleRate
        #endif
        return AudioStreamBasicDescription(
            mSampleRate: rate, mFormatID: kAudioFormatLinearPCM,
            mFormatFlags: kind | kAudioFormatFlagIsPacked, mBytesPerPacket: frame, mFramesPerPacket: 1, mBytesPerFrame: frame,
            mChannelsPerFrame: channels, mBitsPerChannel: UInt32(sample.byteCount * 8), mReserved: 0)
    }

    /// Requests a buffer duration in seconds, and returns the actual number of frames.
    private static func bufferFrames(_ unit: AudioUnit, _ duration: Double, sampleRate: Double) -> Int {
        #if os(iOS)
        return Int((AVAudioSession.sharedInstance().ioBufferDuration * sampleRate).rounded())
        #else
        var frames = UInt32(max(1, (duration * sampleRate).rounded()))
        var size = UInt32(MemoryLayout<UInt32>.size)
        // A device that doesn't support the size keeps its own.
        AudioUnitSetProperty(unit, kAudioDevicePropertyBufferFrameSize, kAudioUnitScope_Global, outputBus, &frames, size)
        AudioUnitGetProperty(unit, kAudioDevicePropertyBufferFrameSize, kAudioUnitScope_Global, outputBus, &frames, &size)
        return Int(frames)
        #endif
    }

    /// Sets a property of the audio unit; throws with `step` if that fails.
    private static func set<Value: BitwiseCopyable>(
        _ unit: AudioUnit, _ step: DeviceStep, _ property: AudioUnitPropertyID, _ scope: AudioUnitScope, _ bus: AudioUnitElement,
        _ value: inout Value
    ) throws(DeviceError) {
        let status = AudioUnitSetProperty(unit, property, scope, bus, &value, UInt32(MemoryLayout<Value>.size))
        guard status == noErr else { throw .failed(step, .coreAudio, code: status) }
    }

    /// Starts the unit and writes what it renders to the input.
    func start() throws(DeviceError) {
        var callback = AURenderCallbackStruct(
            inputProc: { @Sendable this, flags, time, _, frames, _ in
                Unmanaged<CoreAudioUnit>.fromOpaque(this).takeUnretainedValue().render(flags, time, frames)
            }, inputProcRefCon: Unmanaged.passUnretained(self).toOpaque())
        do {
            // Valid in the global scope only.
            try Self.set(unit, .startStream, kAudioOutputUnitProperty_SetInputCallback, kAudioUnitScope_Global, Self.inputBus, &callback)
            var status = AudioUnitInitialize(unit)
            guard status == noErr else { throw DeviceError.failed(.applySettings, .coreAudio, code: status) }
            input.prepare(format)
            status = AudioOutputUnitStart(unit)
            guard status == noErr else { throw DeviceError.failed(.startStream, .coreAudio, code: status) }
        } catch {
            dispose()
            throw error as? DeviceError ?? .failed(.startStream, .coreAudio, code: 0)
        }
        isStarted = true
        #if os(iOS)
        observers = CoreAudioSessionObservers(input)
        #endif
    }

    /// Stops the unit and disposes of it.
    func stop() {
        guard isStarted else { return }
        isStarted = false
        #if os(iOS)
        observers = nil
        #endif
        AudioOutputUnitStop(unit)
        dispose()
    }

    /// Disposes of the unit.
    private func dispose() {
        AudioUnitUninitialize(unit)
        AudioComponentInstanceDispose(unit)
    }

    /// Renders into the preallocated memory and writes the result to the input; called on a real-time thread.
    private func render(
        _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>, _ time: UnsafePointer<AudioTimeStamp>, _ frames: UInt32
    ) -> OSStatus {
        guard frames <= Self.largestSlice else { return kAudioUnitErr_TooManyFramesToProcess }
        let size = frames * UInt32(format.pcm.bytesPerFrame)
        var list = AudioBufferList(
            mNumberBuffers: 1,
            mBuffers: AudioBuffer(mNumberChannels: UInt32(format.pcm.channelCount), mDataByteSize: size, mData: storage.baseAddress))
        let status = AudioUnitRender(unit, flags, time, Self.inputBus, frames, &list)
        guard status == noErr else { return status }
        // The unit may render less than requested.
        let count = Int(min(list.mBuffers.mDataByteSize, size))
        guard count > 0, let data = list.mBuffers.mData else { return noErr }
        let isTimed = time.pointee.mFlags.contains(.hostTimeValid)
        input.write(UnsafeRawBufferPointer(start: data, count: count).bytes, hostTime: isTimed ? nanoseconds(time.pointee.mHostTime) : 0)
        return noErr
    }

    /// Converts host ticks to nanoseconds; Core Audio's own conversion exists on macOS only.
    private func nanoseconds(_ ticks: UInt64) -> Int64 {
        let (numerator, denominator) = (UInt64(timebase.numer), UInt64(max(timebase.denom, 1)))
        return Int64(clamping: ticks / denominator &* numerator &+ ticks % denominator &* numerator / denominator)
    }
}
#endif
#endif
