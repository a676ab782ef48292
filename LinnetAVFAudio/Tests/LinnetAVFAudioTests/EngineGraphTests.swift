// SPDX-License-Identifier: Apache-2.0

import AudioDevices
import Foundation
import LinnetAVFAudio
import Synchronization
import Testing

@Suite struct EngineGraphTests {
    @Test("A tap installed before the format is known gets audio in the later format")
    func earlyTap() throws {
        let engine = AVAudioEngine()
        let count = Mutex(0)
        let rates = Mutex<Set<Double>>([])
        engine.mainMixerNode.installTap(onBus: 0, bufferSize: 256, format: nil) { buffer, _ in
            count.withLock { $0 += 1 }
            rates.withLock { _ = $0.insert(buffer.format.sampleRate) }
        }
        let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 16_000, channels: 1))
        try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 512)
        try engine.start()
        _ = try render(1024, from: engine)
        #expect(count.withLock { $0 } == 4)
        #expect(rates.withLock { $0 } == [16_000])
    }

    @Test("A tap with fewer channels downmixes, and has no host time without a device")
    func tapMixesDown() throws {
        let stereo = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2))
        let (engine, player) = try manualEngine(stereo)
        player.pan = 1
        player.scheduleBuffer(try constant(0.5, stereo, frameCount: 2048))
        let peak = Mutex<Float>(0)
        let mono = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1))
        engine.mainMixerNode.installTap(onBus: 0, bufferSize: 512, format: mono) { buffer, time in
            #expect(!time.isHostTimeValid)
            peak.withLock { $0 = max($0, level(buffer)) }
        }
        try engine.start()
        player.play()
        _ = try render(2048, from: engine)
        #expect(peak.withLock { $0 } > 0.2)
    }

    @Test("Reset sets the manual rendering time to 0; the manual format is absent with devices")
    func resetting() throws {
        let (engine, player) = try manualEngine(playerRate: 24_000)
        player.play()
        _ = try render(1024, from: engine)
        engine.reset()
        #expect(engine.manualRenderingSampleTime == 0)
        _ = try render(512, from: engine)
        #expect(engine.manualRenderingSampleTime == 512)
        #expect(engine.mainMixerNode.lastRenderTime?.sampleTime == 0)
        engine.disableManualRenderingMode()
        #expect(engine.manualRenderingFormat.sampleRate == 0 && engine.manualRenderingFormat.channelCount == 0)
    }

    @Test("Disabling an inactive manual rendering mode has no effect")
    func disablingTwice() throws {
        let engine = AVAudioEngine()
        engine.openPlayback = { _ in FailingDevice(after: .max) { _ in } }
        let player = AVAudioPlayerNode()
        engine.attach(player)
        engine.connect(player, to: engine.mainMixerNode, format: nil)
        try engine.start()
        defer { engine.stop() }
        engine.disableManualRenderingMode()
        #expect(engine.isRunning)
    }

    @Test("An unconnected mixer passes the input to its tap while another mixer plays")
    func inputBesidePlayback() throws {
        let engine = AVAudioEngine()
        engine.inputNode.setDeviceFormat(try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1)))
        engine.makeCapture = { configuration, _ in AudioCapture(configuration, source: .program(ToneSource())) }
        engine.openPlayback = { _ in PacedDevice() }
        let (player, mixer) = (AVAudioPlayerNode(), AVAudioMixerNode())
        engine.attach(player)
        engine.attach(mixer)
        engine.connect(player, to: engine.mainMixerNode, format: nil)
        engine.connect(engine.inputNode, to: mixer, format: nil)
        let received = DispatchSemaphore(value: 0)
        mixer.installTap(onBus: 0, bufferSize: 480, format: nil) { _, _ in received.signal() }
        try engine.start()
        defer { engine.stop() }
        for _ in 0..<5 { #expect(received.wait(timeout: .now() + 5) == .success) }
    }

    @Test("The input reaches a mixer with another sample rate without gaps")
    func inputWithoutGaps() throws {
        let engine = AVAudioEngine()
        engine.inputNode.setDeviceFormat(try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 1)))
        let mixer = AVAudioMixerNode()
        engine.attach(mixer)
        let output = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1))
        engine.connect(engine.inputNode, to: mixer, format: nil)
        engine.connect(mixer, to: engine.mainMixerNode, format: output)
        engine.mainMixerNode.outputVolume = 1
        var samples: [Float] = []
        mixer.installTap(onBus: 0, bufferSize: 100, format: nil) { buffer, _ in
            guard let data = buffer.floatChannelData else { return }
            samples += UnsafeBufferPointer(start: data[0], count: Int(buffer.frameLength))
        }
        let input = try constant(0.5, engine.inputNode.outputFormat(forBus: 0), frameCount: 1000)
        for block in 0..<60 { engine.inputNode.receive(input, at: AVAudioTime(sampleTime: Int64(block) * 1000, atRate: 44_100)) }
        let first = try #require(samples.firstIndex { $0 > 0.4 })
        let gaps = samples[(first + 50)...].filter { abs($0 - 0.5) > 0.01 }.count
        #expect(samples.count > 60_000 && gaps == 0)
    }

    @Test("A mixer with an integer connection passes its audio on")
    func integerMixer() throws {
        let (engine, player) = try manualEngine(playerRate: 48_000)
        let mixer = AVAudioMixerNode()
        engine.attach(mixer)
        let format = try #require(AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 48_000, channels: 1, interleaved: true))
        engine.connect(player, to: mixer, format: format)
        engine.connect(mixer, to: engine.mainMixerNode, format: format)
        player.scheduleBuffer(try constant(0.5, engine.manualRenderingFormat, frameCount: 512))
        player.play()
        #expect(try render(512, from: engine).allSatisfy { $0 == 0.5 })
    }

    @Test("The graph can change during playback", .timeLimit(.minutes(1)))
    func changesWhileRunning() throws {
        let engine = AVAudioEngine()
        engine.inputNode.setDeviceFormat(try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1)))
        engine.makeCapture = { configuration, _ in AudioCapture(configuration, source: .program(ToneSource())) }
        engine.openPlayback = { _ in FailingDevice(after: .max) { _ in } }
        let (player, mixer) = (AVAudioPlayerNode(), AVAudioMixerNode())
        engine.attach(mixer)
        engine.connect(engine.inputNode, to: mixer, format: nil)
        mixer.installTap(onBus: 0, bufferSize: 480, format: nil) { _, _ in }
        engine.attach(player)
        engine.connect(player, to: engine.mainMixerNode, format: nil)
        try engine.start()
        for round in 0..<1000 {
            let format = try #require(AVAudioFormat(standardFormatWithSampleRate: round % 2 == 0 ? 44_100 : 48_000, channels: 1))
            engine.connect(player, to: engine.mainMixerNode, format: format)
            player.scheduleBuffer(try constant(0.5, format, frameCount: 100))
            player.play()
            if round % 3 == 0 {
                engine.connect(mixer, to: engine.mainMixerNode, format: format)
            } else {
                engine.disconnectNodeOutput(mixer)
            }
            _ = player.lastRenderTime.flatMap { player.playerTime(forNodeTime: $0) }
            engine.detach(player)
            engine.attach(player)
            if round % 10 == 0 { Thread.sleep(forTimeInterval: 0.001) }
        }
        engine.stop()
        #expect(!engine.isRunning)
    }
}
