// SPDX-License-Identifier: Apache-2.0

// Asks Core Audio the questions that only a device can answer, and prints JSON. Documentation/Internals/Apple.md lists which switch of the
// model each answer sets. On a Mac, in the package's folder, with loudspeaker and microphone on:
//
//     swiftc -parse-as-library Tests/AppleModel/Probe/Probe.swift -o probe    # then with $(Scripts/Support/info-plist) too
//     ./probe >terminal.json                                  # in Terminal
//     ssh localhost "$PWD/probe" >ssh.json                    # over ssh
//     launchctl submit -l linnet.probe -o "$PWD/launchd.json" -- "$PWD/probe"; sleep 60; launchctl remove linnet.probe
//     ./probe 120 >sleep.json                                 # observes for 120 s: let the Mac sleep and wake, unplug the microphone
//
// In an iOS app whose playAndRecord session is active: print(Probe().run(seconds: 120)). Meanwhile connect a headset, take a call, lock the
// screen.

#if canImport(Darwin)
import AVFAudio
import AudioToolbox
import CoreAudio
import Darwin

/// Returns a status in Apple's notation: four characters, or a number.
func text(_ status: OSStatus) -> String {
    let bytes = (0..<4).map { UInt8(truncatingIfNeeded: status >> (24 - 8 * $0)) }
    return bytes.allSatisfy { (32..<127).contains($0) } ? "'" + String(decoding: bytes, as: UTF8.self) + "'" : "\(status)"
}

/// A capturing unit and what its callback observes; a probe may allocate in the callback.
final class Capture: @unchecked Sendable {
    let unit: AudioUnit
    var calls: [String] = []
    var format = AudioStreamBasicDescription()
    private(set) var renders: [String: Int] = [:]
    private(set) var click = (level: Float(0), time: 0.0)
    private var sizes: [String: Int] = [:], jumps: [String] = [], peaks: [Float] = [], isDoubled = true
    private var expected = (sample: -1.0, time: 0.0)
    private let memory = UnsafeMutablePointer<Float>.allocate(capacity: 1 << 19)

    init?(_ subtype: UInt32) {
        var wanted = AudioComponentDescription()
        (wanted.componentType, wanted.componentSubType) = (kAudioUnitType_Output, subtype)
        let start = mach_absolute_time()
        var new: AudioUnit?
        guard let found = AudioComponentFindNext(nil, &wanted), AudioComponentInstanceNew(found, &new) == 0, let new else { return nil }
        unit = new
        calls.append("New in \(AVAudioTime.seconds(forHostTime: mach_absolute_time() - start)) s")
    }
    func call(_ name: String, _ status: OSStatus) { calls.append("\(name) \(text(status))") }
    func set<Value: BitwiseCopyable>(_ name: String, _ property: UInt32, _ scope: UInt32, _ bus: UInt32, _ value: Value) {
        var value = value
        call(name, AudioUnitSetProperty(unit, property, scope, bus, &value, UInt32(MemoryLayout<Value>.size)))
    }
    func get<Value: BitwiseCopyable>(_ name: String, _ property: UInt32, _ scope: UInt32, _ bus: UInt32, _ empty: Value) -> Value {
        var (value, size) = (empty, UInt32(MemoryLayout<Value>.size))
        call(name, AudioUnitGetProperty(unit, property, scope, bus, &value, &size))
        let format = value as? AudioStreamBasicDescription
        calls.append("\(name) = " + (format.map { "\($0.mSampleRate) Hz, \($0.mChannelsPerFrame) channels" } ?? "\(value)"))
        return value
    }
    /// Starts the unit, with deliberately misordered calls before and after.
    func start() {
        let callback = AURenderCallbackStruct(
            inputProc: { @Sendable this, flags, time, _, frames, _ in
                Unmanaged<Capture>.fromOpaque(this).takeUnretainedValue().render(flags, time.pointee, frames)
            }, inputProcRefCon: Unmanaged.passRetained(self).toOpaque())
        set("SetInputCallback", kAudioOutputUnitProperty_SetInputCallback, kAudioUnitScope_Global, 0, callback)
        call("Start too early", AudioOutputUnitStart(unit))
        call("Initialize", AudioUnitInitialize(unit))
        set("EnableIO too late", kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 1, UInt32(1))
        set("StreamFormat too late", kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 1, format)
        call("Start", AudioOutputUnitStart(unit))
    }
    private func render(_ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>, _ stamp: AudioTimeStamp, _ frames: UInt32) -> OSStatus {
        let (count, now) = (Int(format.mChannelsPerFrame), AVAudioTime.seconds(forHostTime: stamp.mHostTime))
        if expected.sample >= 0, stamp.mSampleTime != expected.sample {
            jumps.append("\(stamp.mSampleTime - expected.sample) frames, \(now - expected.time) s")
        }
        expected = (stamp.mSampleTime + Double(frames), now + Double(frames) / format.mSampleRate)
        let buffer = AudioBuffer(mNumberChannels: UInt32(count), mDataByteSize: frames * format.mBytesPerFrame, mData: memory)
        var list = AudioBufferList(mNumberBuffers: 1, mBuffers: buffer)
        let status = withUnsafePointer(to: stamp) { AudioUnitRender(unit, flags, $0, 1, frames, &list) }
        renders[text(status), default: 0] += 1
        sizes["\(frames)", default: 0] += 1
        guard status == noErr else { return status }
        if peaks.count != count { peaks = Array(repeating: 0, count: count) }
        for index in 0..<Int(frames) * count {
            let level = abs(sample(index))
            peaks[index % count] = max(peaks[index % count], level)
            isDoubled = isDoubled && sample(index) == sample(index - index % count)
            if level > click.level { click = (level, now + Double(index / count) / format.mSampleRate) }
        }
        return status
    }
    private func sample(_ index: Int) -> Float {
        if format.mBitsPerChannel == 32 { return memory[index] }
        return Float(UnsafeRawPointer(memory).load(fromByteOffset: 3 * index + 2, as: Int8.self)) / 128
    }
    func end() -> [String: Any] {
        call("Stop", AudioOutputUnitStop(unit))
        call("Dispose", AudioComponentInstanceDispose(unit))
        return ["calls": calls, "renders": renders, "sizes": sizes, "jumps": jumps, "peaks": peaks, "channels are alike": isDoubled]
    }
}

/// The questions and their answers.
#if os(macOS)
@main
#endif
final class Probe {
    private var answers: [String: Any] = ["host ticks per second": AVAudioTime.hostTime(forSeconds: 1)]
    private var permission: String { text(OSStatus(truncatingIfNeeded: AVAudioApplication.shared.recordPermission.rawValue)) }
    /// Captures in several ways, observes the first for some seconds, and returns the answers as JSON.
    func run(seconds: Int) -> String {
        answers["permission before"] = permission
        let voice = kAudioUnitSubType_VoiceProcessingIO
        #if os(macOS)
        let plain = kAudioUnitSubType_HALOutput
        capture("voice processing, microphone as element 0", voice, element: 0) { $0.mChannelsPerFrame = 1 }
        capture("rate changed meanwhile", plain, action: changeRate)
        #else
        let plain = kAudioUnitSubType_RemoteIO
        #endif
        capture("plain", plain, watching: seconds)
        answers["permission after"] = permission
        capture("click", plain, action: click)
        capture("one channel more", plain) { $0.mChannelsPerFrame += 1 }
        capture("another rate", plain) { $0.mSampleRate = $0.mSampleRate == 48_000 ? 44_100 : 48_000 }
        capture("packed signed 24-bit samples", plain) { ($0.mFormatFlags, $0.mBitsPerChannel) = (4 | 8, 24) }
        capture("voice processing", voice) { $0.mChannelsPerFrame = 1 }
        capture("voice processing, two channels", voice) { $0.mChannelsPerFrame = 2 }
        let json = try? JSONSerialization.data(withJSONObject: answers, options: [.prettyPrinted, .sortedKeys])
        return String(decoding: json ?? Data(), as: UTF8.self)
    }
    /// Captures in a format that differs from the device's, and restarts if no audio has arrived for a second.
    private func capture(
        _ name: String, _ subtype: UInt32, element: UInt32 = 1, watching count: Int = 2,
        _ change: (inout AudioStreamBasicDescription) -> Void = { _ in }, action: (Capture) -> Void = { _ in }
    ) {
        guard let capture = Capture(subtype) else { return answers[name] = "no unit" }
        let isVoice = subtype == kAudioUnitSubType_VoiceProcessingIO
        capture.set("EnableIO", kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 1, UInt32(1))
        if !isVoice { capture.set("EnableIO of output", kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Output, 0, UInt32(0)) }
        #if os(macOS)
        for bus in [UInt32(0), 1] { _ = capture.get("device \(bus)", kAudioOutputUnitProperty_CurrentDevice, 0, bus, UInt32(0)) }
        capture.set("CurrentDevice", kAudioOutputUnitProperty_CurrentDevice, kAudioUnitScope_Global, isVoice ? element : 0, device)
        #endif
        _ = capture.get("slice", kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global, 0, UInt32(0))
        _ = capture.get("client", kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 1, capture.format)
        capture.format = capture.get("hardware", kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 1, capture.format)
        (capture.format.mFormatFlags, capture.format.mBitsPerChannel) = (kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked, 32)
        change(&capture.format)
        capture.format.mBytesPerFrame = capture.format.mBitsPerChannel / 8 * capture.format.mChannelsPerFrame
        capture.format.mBytesPerPacket = capture.format.mBytesPerFrame
        capture.set("StreamFormat", kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 1, capture.format)
        capture.start()
        action(capture)
        for _ in 0..<count {
            let before = capture.renders[text(noErr)]
            sleep(1)
            guard capture.renders[text(noErr)] == before else { continue }
            capture.call("Stop", AudioOutputUnitStop(capture.unit))
            capture.call("Start after 1 s without audio, permission \(permission)", AudioOutputUnitStart(capture.unit))
        }
        answers[name] = capture.end()
    }
    private func click(_ capture: Capture) {
        let (engine, player) = (AVAudioEngine(), AVAudioPlayerNode())
        let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1)
        guard let format, let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 48) else { return }
        buffer.frameLength = 48
        for frame in 0..<48 { buffer.floatChannelData?[0][frame] = frame % 2 == 0 ? 1 : -1 }
        engine.attach(player)
        engine.connect(player, to: engine.mainMixerNode, format: format)
        try? engine.start()
        let time = mach_absolute_time() + AVAudioTime.hostTime(forSeconds: 0.5)
        player.scheduleBuffer(buffer)
        player.play(at: AVAudioTime(hostTime: time))
        sleep(2)
        capture.calls.append("click of level \(capture.click.level) \(capture.click.time - AVAudioTime.seconds(forHostTime: time)) s later")
    }
    #if os(macOS)
    static func main() { print(Probe().run(seconds: CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 5)) }
    private var device: UInt32 { property(kAudioHardwarePropertyDefaultInputDevice, UInt32(kAudioObjectSystemObject), UInt32(0)).1 }
    private func property<V: BitwiseCopyable>(_ selector: UInt32, _ object: UInt32, _ value: V, sets: Bool = false) -> (OSStatus, V) {
        var address = AudioObjectPropertyAddress(mSelector: selector, mScope: kAudioObjectPropertyScopeGlobal, mElement: 0)
        var (value, size) = (value, UInt32(MemoryLayout<V>.size))
        if sets { return (AudioObjectSetPropertyData(object, &address, 0, nil, size, &value), value) }
        return (AudioObjectGetPropertyData(object, &address, 0, nil, &size, &value), value)
    }
    private func changeRate(_ capture: Capture) {
        let old = property(kAudioDevicePropertyNominalSampleRate, device, 0.0).1
        for rate in [old == 48_000 ? 44_100 : 48_000, old] {
            capture.call("rate \(rate)", property(kAudioDevicePropertyNominalSampleRate, device, rate, sets: true).0)
            sleep(2)
        }
    }
    #endif
}

#endif
