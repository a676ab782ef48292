// SPDX-License-Identifier: Apache-2.0

import AudioDevices
import Foundation
import LinnetAVFAudio
import Synchronization
import Testing

@Suite struct EngineTests {
    /// Temporary files, removed with the test.
    private let folder = TemporaryFolder()

    @Test("A tap gets no audio if its format is unsupported")
    func unsupportedTap() throws {
        let mono = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1))
        // No sample rate converter supports half a hertz.
        let other = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100.5, channels: 2))
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: mono, frameCapacity: 512))
        buffer.frameLength = 512
        for (format, expected) in [(mono, 2), (other, 0)] {
            var count = 0
            let delivery = TapDelivery(to: format, bufferSize: 256) { _, _ in count += 1 }
            delivery.append(buffer, at: AVAudioTime(sampleTime: 0, atRate: 48_000))
            #expect(count == expected, "\(format)")
        }
    }

    @Test("Mixes players of different rates and channel counts; a loop continues until replaced")
    func mixing() throws {
        let engine = AVAudioEngine()
        let output = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2))
        try engine.enableManualRenderingMode(.offline, format: output, maximumFrameCount: 4096)
        let (left, right) = (AVAudioPlayerNode(), AVAudioPlayerNode())
        let mono = try #require(AVAudioFormat(standardFormatWithSampleRate: 24_000, channels: 1))
        for player in [left, right] {
            engine.attach(player)
            engine.connect(player, to: engine.mainMixerNode, format: player === left ? output : mono)
        }
        left.pan = -1
        right.pan = 1
        right.volume = 0.5
        let stereo = try #require(AVAudioPCMBuffer(pcmFormat: output, frameCapacity: 100))
        stereo.frameLength = 100
        let data = try #require(stereo.floatChannelData)
        for frame in 0..<100 { (data[0][frame], data[1][frame]) = (0.5, 0.5) }
        left.scheduleBuffer(stereo, at: nil, options: .loops)
        right.scheduleBuffer(try tone(mono, frameCount: 24_000), completionHandler: nil)
        try engine.start()
        #expect(engine.isRunning)
        left.play()
        right.play()
        let result = try #require(AVAudioPCMBuffer(pcmFormat: output, frameCapacity: 4096))
        for _ in 0..<4 { #expect(try engine.renderOffline(4096, to: result) == .success) }
        let found = try #require(result.floatChannelData)
        #expect((0..<4096).allSatisfy { found[0][$0] == 0.5 })
        let level = (0..<4096).reduce(Float(0)) { $0 + found[1][$1] * found[1][$1] } / 4096
        #expect(abs(level.squareRoot() - 0.177) < 0.01)
        #expect(engine.manualRenderingSampleTime == 16_384)
        let time = try #require(left.lastRenderTime.flatMap { left.playerTime(forNodeTime: $0) })
        #expect(time.sampleTime == 12_288)
        left.stop()
        _ = try engine.renderOffline(4096, to: result)
        #expect((0..<4096).allSatisfy { found[0][$0] == 0 })
        engine.stop()
        #expect(!left.isPlaying)
        #expect(throws: NSError.self) { _ = try engine.renderOffline(10, to: result) }
    }

    @Test("Plays a complete file at its start time and calls the completion handler")
    func files() async throws {
        let url = folder.url("a.wav")
        do {
            let settings: [String: Any] = [AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 16_000, AVNumberOfChannelsKey: 1]
            let file = try AVAudioFile(forWriting: url, settings: settings)
            try file.write(from: tone(file.processingFormat, frameCount: 1600))
        }
        let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 16_000, channels: 1))
        let (engine, player) = try manualEngine(format)
        let done = DispatchSemaphore(value: 0)
        player.scheduleFile(try AVAudioFile(forReading: url), at: AVAudioTime(sampleTime: 300, atRate: 16_000)) { done.signal() }
        try engine.start()
        player.play()
        let block = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 512))
        var samples: [Float] = []
        for _ in 0..<5 {
            _ = try engine.renderOffline(512, to: block)
            samples += UnsafeBufferPointer(start: try #require(block.floatChannelData)[0], count: 512)
        }
        #expect(done.wait(timeout: .now() + 10) == .success)
        let expected = try AVAudioFile(forReading: url)
        let whole = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 1600))
        try expected.read(into: whole)
        let source = try #require(whole.floatChannelData)
        #expect(samples == (0..<2560).map { (300..<1900).contains($0) ? source[0][$0 - 300] : 0 })
    }

    @Test("A pause stops the player's time; the remaining buffer follows")
    func pausing() throws {
        let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 8000, channels: 1))
        let (engine, player) = try manualEngine(format, maximumFrameCount: 64)
        let source = try tone(format, frameCount: 128)
        player.scheduleBuffer(source, at: nil, options: [], completionHandler: nil)
        try engine.start()
        let block = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 64))
        let (sent, received) = (try #require(source.floatChannelData), try #require(block.floatChannelData))
        player.play()
        _ = try engine.renderOffline(64, to: block)
        #expect((0..<64).allSatisfy { received[0][$0] == sent[0][$0] })
        player.pause()
        _ = try engine.renderOffline(64, to: block)
        #expect((0..<64).allSatisfy { received[0][$0] == 0 })
        player.play()
        _ = try engine.renderOffline(64, to: block)
        #expect((0..<64).allSatisfy { received[0][$0] == sent[0][$0 + 64] })
        let time = try #require(player.lastRenderTime.flatMap { player.playerTime(forNodeTime: $0) })
        #expect(time.sampleTime == 64)
    }

    @Test("A source node calls its render block")
    func sourceNode() throws {
        let engine = AVAudioEngine()
        let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 8000, channels: 1))
        try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 64)
        var next: Float = 0
        let node = AVAudioSourceNode(format: format) { _, _, frameCount, list -> OSStatus in
            for buffer in UnsafeMutableAudioBufferListPointer(list) {
                let samples = UnsafeMutableBufferPointer<Float>(buffer)
                for frame in 0..<Int(frameCount) {
                    samples[frame] = next
                    next += 0.001
                }
            }
            return noErr
        }
        engine.attach(node)
        engine.connect(node, to: engine.mainMixerNode, format: format)
        engine.mainMixerNode.outputVolume = 0.5
        try engine.start()
        let block = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 64))
        _ = try engine.renderOffline(64, to: block)
        let samples = try #require(block.floatChannelData)
        #expect(abs(samples[0][63] - 0.0315) < 1e-6)
    }

    @Test("The input's tap delivers buffers of the requested size and format")
    func recording() throws {
        let engine = AVAudioEngine()
        let input = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1))
        engine.inputNode.setDeviceFormat(input)
        let removesEcho = Mutex(false)
        engine.makeCapture = { configuration, removes in
            removesEcho.withLock { $0 = removes }
            return AudioCapture(configuration, source: .program(ToneSource()))
        }
        try engine.outputNode.setVoiceProcessingEnabled(true)
        #expect(engine.inputNode.isVoiceProcessingEnabled)
        let wanted = try #require(AVAudioFormat(standardFormatWithSampleRate: 16_000, channels: 1))
        let url = folder.url("talk.m4a")
        let settings: [String: Any] = [AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 16_000, AVNumberOfChannelsKey: 1]
        let recorded = DispatchSemaphore(value: 0)
        do {
            let file = try AVAudioFile(forWriting: url, settings: settings)
            nonisolated(unsafe) var count = 0
            engine.inputNode.installTap(onBus: 0, bufferSize: 1600, format: wanted) { buffer, time in
                guard count < 10 else { return }
                count += 1
                #expect(buffer.frameLength == 1600 && buffer.format == wanted)
                #expect(time.isSampleTimeValid)
                do { try file.write(from: buffer) } catch { Issue.record(error) }
                if count == 10 { recorded.signal() }
            }
            try engine.start()
            #expect(recorded.wait(timeout: .now() + 20) == .success)
            #expect(removesEcho.withLock { $0 })
            engine.inputNode.removeTap(onBus: 0)
            engine.stop()
            file.close()
        }
        let file = try AVAudioFile(forReading: url)
        #expect(file.length == 16_000)
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 16_000))
        try file.read(into: buffer)
        #expect(abs(level(buffer, from: 4000, count: 8000) - 0.3536) < 0.02)
    }

    @Test("A mixer fed by the input passes it to its tap without playback")
    func inputThroughMixer() throws {
        let engine = AVAudioEngine()
        // The source has 48 kHz mono, whatever is requested.
        engine.inputNode.setDeviceFormat(try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2)))
        engine.makeCapture = { configuration, _ in AudioCapture(configuration, source: .program(ToneSource())) }
        let mixer = AVAudioMixerNode()
        engine.attach(mixer)
        engine.connect(engine.inputNode, to: mixer, format: nil)
        let wanted = try #require(
            AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 16_000, channels: 1, interleaved: true))
        let received = DispatchSemaphore(value: 0)
        let peaks = Mutex<[Int16]>([])
        mixer.installTap(onBus: 0, bufferSize: 1600, format: wanted) { buffer, _ in
            guard let data = buffer.int16ChannelData else { return }
            let peak = (0..<Int(buffer.frameLength)).map { data[0][$0] }.max() ?? 0
            let count = peaks.withLock { peaks in
                peaks.append(peak)
                return peaks.count
            }
            if count == 10 { received.signal() }
        }
        try engine.start()
        #expect(received.wait(timeout: .now() + 20) == .success)
        engine.stop()
        #expect(peaks.withLock { $0[4..<9].allSatisfy { abs(Int($0) - 16_384) < 200 } })
    }

    @Test("Engines start while the shared thread pool is blocked", .timeLimit(.minutes(1)))
    func startingOnBusyThreads() async throws {
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<ProcessInfo.processInfo.activeProcessorCount * 2 {
                group.addTask {
                    let engine = AVAudioEngine()
                    engine.inputNode.setDeviceFormat(.usual)
                    engine.makeCapture = { configuration, _ in AudioCapture(configuration, source: .program(ToneSource())) }
                    let received = DispatchSemaphore(value: 0)
                    engine.inputNode.installTap(onBus: 0, bufferSize: 480, format: nil) { _, _ in received.signal() }
                    do { try engine.start() } catch { return false }
                    defer { engine.stop() }
                    return received.wait(timeout: .now() + 20) == .success
                }
            }
            for await hasStarted in group { #expect(hasStarted) }
        }
    }

    @Test("Asynchronous scheduling returns when the buffer is consumed")
    func asynchronousScheduling() async throws {
        let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 8000, channels: 1))
        let (engine, player) = try manualEngine(format, maximumFrameCount: 64)
        try engine.start()
        player.play()
        nonisolated(unsafe) let (node, buffer) = (player, try tone(format, frameCount: 100))
        let scheduled = Task { await node.scheduleBuffer(buffer) }
        let block = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 64))
        nonisolated(unsafe) var heard = 0
        for _ in 0..<1000 where heard < 2 {
            _ = try engine.renderOffline(64, to: block)
            if level(block) > 0 { heard += 1 } else { try await Task.sleep(for: .milliseconds(1)) }
        }
        _ = try engine.renderOffline(64, to: block)
        await scheduled.value
        #expect(heard == 2)
    }

    @Test("Renders to a device; a device failure stops the engine and notifies observers")
    func playback() throws {
        let engine = AVAudioEngine()
        let device = Mutex<[Float]>([])
        engine.openPlayback = { _ in FailingDevice(after: 4800) { samples in device.withLock { $0 += samples } } }
        let player = AVAudioPlayerNode()
        engine.attach(player)
        engine.connect(player, to: engine.mainMixerNode, format: nil)
        let told = DispatchSemaphore(value: 0)
        let observer = NotificationCenter.default.addObserver(
            forName: .AVAudioEngineConfigurationChange, object: engine, queue: nil
        ) { _ in told.signal() }
        defer { NotificationCenter.default.removeObserver(observer) }
        player.scheduleBuffer(try tone(player.outputFormat(forBus: 0), frameCount: 48_000))
        player.play()
        try engine.start()
        #expect(told.wait(timeout: .now() + 20) == .success)
        #expect(!engine.isRunning)
        let samples = device.withLock { $0 }
        let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2))
        let expected = try tone(format, frameCount: 4800)
        #expect(samples.prefix(9600) == expected.interleavedSamples.prefix(9600))
    }

    @Test("An engine without tap and source, or without an input, does not start")
    func refusals() throws {
        let engine = AVAudioEngine()
        #expect(throws: NSError.self) { try engine.start() }
        engine.inputNode.setDeviceFormat(.absent)
        engine.inputNode.installTap(onBus: 0, bufferSize: 512, format: nil) { _, _ in }
        #expect(throws: NSError.self) { try engine.start() }
        #expect(!engine.isRunning)
    }
}
