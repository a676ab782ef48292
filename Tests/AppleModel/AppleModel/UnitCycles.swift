// SPDX-License-Identifier: Apache-2.0

import AudioToolbox
import CModel
import CoreAudio
import Darwin
import VirtualTime

/// The time from a cycle's last frame to the callback in seconds.
private let latency = 0.001
/// The time from the callback to its cycle's first frame, of a playing unit, in seconds.
private let lead = 0.002

/// Runs the hardware cycles of a unit while it runs.
///
/// A device's clock starts at the machine's time zero, so frame numbers stay continuous across a gap.
func runCycles(of unit: Unit) {
    let thread = Scheduler.shared.current
    let isPlayer = unit.isPlayer
    /// The next hardware frame; nil after a pause.
    var position: Int?
    model_order_acquire(unit.address)
    while unit.isRunning, unit.thread === thread {
        guard let device = unit.device(), unit.delivers(device) else {
            position = nil
            Scheduler.shared.sleep(seconds: 0.01)
            continue
        }
        let rate = device.actualRate
        let first = position ?? Int(((Machine.now + (isPlayer ? lead : 0)) * rate).rounded(.up))
        let frames = unit.cycleFrames(device)
        let callTime = isPlayer ? Double(first) / rate - lead : Double(first + frames) / rate + latency
        Scheduler.shared.sleep(seconds: callTime - Machine.now)
        guard unit.isRunning, unit.thread === thread else { return }
        guard let same = unit.device(), same.actualRate == rate, unit.delivers(same) else {
            position = nil
            continue
        }
        position = first + frames
        if !isPlayer {
            unit.callBack(first: first, frames: frames, device: same)
        } else if unit.skippedCycles > 0 {
            unit.skippedCycles -= 1
        } else {
            unit.pull(first: first, frames: frames, device: same)
        }
    }
}

extension Unit {
    /// Whether the hardware delivers audio.
    func delivers(_ device: Machine.Device) -> Bool {
        if isOrphaned || !device.isAlive { return false }
        #if MODEL_IOS
        return machine.session.isActive && !(rateHasChanged && machine.behaviour.remoteIOStopsOnRateChange)
        #else
        return !(isPlayer && rateHasChanged && machine.behaviour.outputStopsOnRateChange)
        #endif
    }

    func cycleFrames(_ device: Machine.Device) -> Int {
        #if MODEL_IOS
        machine.screenIsLocked ? 4096 : machine.session.frames
        #else
        machine.bufferFrames(of: device)
        #endif
    }

    /// Calls the program with a hardware cycle, unless the cycle is skipped.
    fileprivate func callBack(first: Int, frames hardwareFrames: Int, device: Machine.Device) {
        guard let client, let thread, let procedure = callback.inputProc, let context = callback.inputProcRefCon else { return }
        // RemoteIO and VoiceProcessingIO resample, so the number of frames varies by one.
        let ratio = kind == .hal ? 1 : client.mSampleRate / device.sampleRate
        let position = Int(Double(first) * ratio)
        let frames = Int(Double(first + hardwareFrames) * ratio) - position
        if skippedCycles > 0 {
            skippedCycles -= 1
            return
        }
        guard frames <= Int(maximumFrames) else {
            machine.violate("the slice of \(frames) frames is larger than MaximumFramesPerSlice")
            return
        }
        var stamp = AudioTimeStamp()
        stamp.mSampleTime = Double(machine.behaviour.remoteIOCountsHardwareFrames ? first : position) + timeJump
        stamp.mHostTime = UInt64(
            Double(first) / device.actualRate * 1e9 * Double(machineTimebase.denominator) / Double(machineTimebase.numerator))
        stamp.mRateScalar = 1
        stamp.mFlags = AudioTimeStampFlags(rawValue: 1 | 2 | 4)
        var flags = AudioUnitRenderActionFlags(rawValue: 0)
        cycle = Cycle(thread: thread, frames: frames, position: position)
        model_realtime_enter()
        _ = procedure(context, &flags, &stamp, 1, UInt32(frames), nil)
        model_realtime_leave()
        cycle = nil
        model_order_release(address)
    }
}

@_cdecl("AudioUnitRender")
func unitRender(
    _ handle: OpaquePointer, _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?, _ time: UnsafePointer<AudioTimeStamp>,
    _ bus: UInt32, _ frames: UInt32, _ list: UnsafeMutablePointer<AudioBufferList>
) -> OSStatus {
    Scheduler.shared.outsideRealTime {
        guard let unit = machine.unit(handle, "AudioUnitRender") else { return UnitError.instanceInvalidated }
        guard unit.state != .created else { return UnitError.uninitialized }
        guard bus == 1 else {
            machine.violate("a bus other than 1 is rendered")
            return bus == 0 ? UnitError.noConnection : UnitError.invalidElement
        }
        guard let cycle = unit.cycle, cycle.thread === Scheduler.shared.current else {
            machine.violate("AudioUnitRender outside the input callback")
            return UnitError.cannotDoInContext
        }
        guard let client = unit.client, let device = unit.device() else { return UnitError.cannotDoInContext }
        // [P] After a device rate change every render call fails.
        if unit.kind == .hal, client.mSampleRate != device.sampleRate { return UnitError.cannotDoInContext }
        guard frames == cycle.frames else {
            machine.violate("the number of rendered frames differs from the announced number")
            return UnitError.cannotDoInContext
        }
        return unit.store(cycle, client, device, list)
    }
}

extension Unit {
    /// Stores the machine's sound, or frame numbers; all channels but the first have the negative numbers.
    fileprivate func store(
        _ cycle: Cycle, _ client: AudioStreamBasicDescription, _ device: Machine.Device, _ list: UnsafeMutablePointer<AudioBufferList>
    ) -> OSStatus {
        let channels = Int(client.mChannelsPerFrame)
        let width = Int(client.mBitsPerChannel / 8)
        let byteCount = cycle.frames * channels * width
        guard list.pointee.mNumberBuffers == 1, list.pointee.mBuffers.mNumberChannels == client.mChannelsPerFrame,
            let memory = list.pointee.mBuffers.mData
        else {
            machine.violate("the buffers contradict the format")
            return UnitError.invalidParameter
        }
        guard Int(list.pointee.mBuffers.mDataByteSize) == byteCount else {
            machine.violate("mDataByteSize does not match the frames")
            return UnitError.invalidParameter
        }
        // [A] Silence if permission is denied or not yet granted.
        var isSilent = machine.permission != .granted || device.isSilent
        #if MODEL_MACOS
        if let isHeard = machine.tapIsHeard(device) { isSilent = !isHeard }
        #endif
        let own = kind == .voice ? 1 : device.inputChannels
        let isFloat = client.mFormatFlags & kAudioFormatFlagIsFloat != 0
        let rate = client.mSampleRate * (1 + device.drift * 1e-6)
        let sound = machine.sound?(Double(cycle.position) / rate, rate, cycle.frames)
        for frame in 0..<cycle.frames {
            for channel in 0..<channels {
                let isExtra = channel >= own && !machine.behaviour.extraChannelsRepeat
                let number = isSilent || isExtra ? 0 : (cycle.position + frame) * (channel == 0 || channel >= own ? 1 : -1)
                let sample = memory + (frame * channels + channel) * width
                switch (isFloat, width) {
                case (true, _) where sound != nil: sample.storeBytes(of: isSilent || isExtra ? 0 : sound?[frame] ?? 0, as: Float.self)
                case (true, _): sample.storeBytes(of: Float(number & 0xFFFFF) / 1_048_576, as: Float.self)
                case (_, 4): sample.storeBytes(of: Int32(truncatingIfNeeded: number), as: Int32.self)
                case (_, 2): sample.storeBytes(of: Int16(truncatingIfNeeded: number), as: Int16.self)
                default:
                    for byte in 0..<width {
                        sample.storeBytes(of: UInt8(truncatingIfNeeded: number >> (8 * byte)), toByteOffset: byte, as: UInt8.self)
                    }
                }
            }
        }
        list.pointee.mBuffers.mDataByteSize -= UInt32(min(missingFrames, cycle.frames) * channels * width)
        missingFrames = 0
        self.cycle?.isRendered = true
        return noErr
    }
}
