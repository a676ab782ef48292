// SPDX-License-Identifier: Apache-2.0

import AudioToolbox
import CModel
import CoreAudio
import Darwin
import VirtualTime

/// A run of frames that a device played.
public struct Heard: Sendable {
    /// The device's identifier.
    public var device: String
    /// The time at which the first frame was heard in seconds.
    public var time: Double
    /// The first frame's number, which is its sample value; 0 for silence.
    public var number: Int
    /// The number of frames.
    public var count: Int
}

extension Unit {
    /// Requests a hardware cycle from the program in slices.
    func pull(first: Int, frames hardwareFrames: Int, device: Machine.Device) {
        guard let format = playback else { return }
        let channels = Int(format.mChannelsPerFrame)
        // [A] kAudioConverterChannelMap: by default, excess channels are dropped or silent. RemoteIO maps two channels to the device. [P]
        if channels > max(device.outputChannels, kind == .remote ? 2 : 1) { machine.violate("the device drops channels") }
        if kind == .hal, channels < min(2, device.outputChannels) { machine.violate("the right side of the device is silent") }
        // [A] Output units resample, so the number of frames varies by one.
        let ratio = format.mSampleRate / device.sampleRate
        let position = Int(Double(first) * ratio)
        let frames = Int(Double(first + hardwareFrames) * ratio) - position
        guard frames <= Int(maximumFrames) else {
            machine.violate("the slice of \(frames) frames is larger than MaximumFramesPerSlice")
            return
        }
        var offset = 0
        while offset < frames {
            var count = frames - offset
            if let slice = machine.slices.first {
                count = min(count, slice)
                machine.slices = machine.slices.dropFirst() + [slice]
            }
            let time = (Double(first) + Double(offset) / ratio) / device.actualRate
            render(count, at: time, sampleTime: Double(position + offset), format, device)
            offset += count
        }
    }

    /// Requests a slice from the program and records its frames.
    private func render(
        _ frames: Int, at time: Double, sampleTime: Double, _ format: AudioStreamBasicDescription, _ device: Machine.Device
    ) {
        guard let procedure = renderCallback.inputProc, let context = renderCallback.inputProcRefCon, let thread else { return }
        let size = frames * Int(format.mBytesPerFrame)
        let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
        defer { memory.deallocate() }
        // Fills the memory with noise to reveal unwritten samples.
        memory.initializeMemory(as: UInt8.self, repeating: 0x55, count: size)
        var list = AudioBufferList(
            mNumberBuffers: 1,
            mBuffers: AudioBuffer(mNumberChannels: format.mChannelsPerFrame, mDataByteSize: UInt32(size), mData: memory))
        var stamp = AudioTimeStamp()
        stamp.mSampleTime = sampleTime
        // [P] The time at which the first frame is to be played, excluding the device latency.
        stamp.mHostTime = UInt64(time * 1e9 * Double(machineTimebase.denominator) / Double(machineTimebase.numerator))
        stamp.mRateScalar = 1
        stamp.mFlags = AudioTimeStampFlags(rawValue: 1 | 2 | 4)
        var flags = AudioUnitRenderActionFlags(rawValue: 0)
        cycle = Cycle(thread: thread, frames: frames, position: 0)
        model_realtime_enter()
        _ = procedure(context, &flags, &stamp, 0, UInt32(frames), &list)
        model_realtime_leave()
        cycle = nil
        model_order_release(address)
        let latency = Double(device.latency + device.streamLatency) / device.sampleRate
        for frame in 0..<frames {
            machine.hear(
                memory + frame * Int(format.mBytesPerFrame), format, device.uid, time + latency + Double(frame) / format.mSampleRate)
        }
    }
}

extension Machine {
    /// Records a frame: the first channel is its number, the second is the same number or its negative.
    fileprivate func hear(_ frame: UnsafeRawPointer, _ format: AudioStreamBasicDescription, _ device: String, _ time: Double) {
        let width = Int(format.mBitsPerChannel / 8)
        func number(_ channel: Int) -> Int {
            let sample = frame + channel * width
            switch (format.mFormatFlags & kAudioFormatFlagIsFloat != 0, width) {
            case (true, 4): return Int(sample.loadUnaligned(as: Float.self))
            case (true, _): return Int(sample.loadUnaligned(as: Double.self))
            case (_, 4): return Int(sample.loadUnaligned(as: Int32.self))
            case (_, 2): return Int(sample.loadUnaligned(as: Int16.self))
            default:
                let bytes = (0..<width).map { Int(sample.load(fromByteOffset: $0, as: UInt8.self)) }
                return bytes[0] | bytes[1] << 8 | Int(Int8(truncatingIfNeeded: bytes[2])) << 16
            }
        }
        let first = number(0)
        if format.mChannelsPerFrame > 1, number(1).magnitude != first.magnitude {
            violate("the channels of a frame do not match")
        }
        if let last = heard.last, last.device == device, abs(last.time + Double(last.count) / format.mSampleRate - time) < 0.001,
            first == (last.number == 0 ? 0 : last.number + last.count)
        {
            heard[heard.count - 1].count += 1
        } else {
            heard.append(Heard(device: device, time: time, number: first, count: 1))
        }
    }
}
