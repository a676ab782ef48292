// SPDX-License-Identifier: Apache-2.0

import Foundation
import LinnetAVFAudio
import Synchronization
import Testing

@Suite struct PlayerTests {
    @Test("Player times count frames at the player's rate, not the engine's", arguments: [24_000.0, 44_100, 48_000])
    func timesAtAnotherRate(rate: Double) throws {
        let (engine, player) = try manualEngine(playerRate: rate)
        let format = player.outputFormat(forBus: 0)
        let half = AVAudioFramePosition(rate / 2)
        player.scheduleBuffer(try constant(0.5, format, frameCount: 2000), at: AVAudioTime(sampleTime: half, atRate: rate))
        player.play()
        let samples = try render(48_000, from: engine)
        let onset = try #require(samples.firstIndex { $0 > 0.25 })
        #expect(abs(onset - 24_000) <= 2)
        let node = try #require(player.lastRenderTime)
        let time = try #require(player.playerTime(forNodeTime: node))
        #expect(time.sampleRate == rate && !time.isHostTimeValid)
        #expect(abs(Double(time.sampleTime) / rate - 1) < 0.02)
        let back = try #require(player.nodeTime(forPlayerTime: time))
        #expect(back.sampleTime == node.sampleTime)
    }

    @Test("A pause has the same duration at any player rate")
    func pauseAtAnotherRate() throws {
        let (engine, player) = try manualEngine(playerRate: 24_000)
        let format = player.outputFormat(forBus: 0)
        player.scheduleBuffer(try constant(0.5, format, frameCount: 2400), at: AVAudioTime(sampleTime: 6000, atRate: 24_000))
        player.play()
        _ = try render(4800, from: engine)
        player.pause()
        _ = try render(24_000, from: engine)
        player.play()
        let onset = try #require(try render(24_000, from: engine).firstIndex { $0 > 0.25 })
        // A sample rate converter reads its input in blocks.
        #expect(abs(onset - 7200) <= 1500)
    }

    @Test("play(at:) starts at the given time")
    func startTime() throws {
        let (engine, player) = try manualEngine(playerRate: 48_000)
        player.scheduleBuffer(try constant(0.5, player.outputFormat(forBus: 0), frameCount: 4800))
        player.play(at: AVAudioTime(sampleTime: 1000, atRate: 48_000))
        let samples = try render(8192, from: engine)
        #expect(samples.firstIndex { $0 > 0.25 } == 1000)
        #expect(samples.lastIndex { $0 > 0.25 } == 5799)
    }

    @Test("Pausing an engine loses no audio")
    func enginePause() throws {
        let engine = AVAudioEngine()
        let played = Mutex<[Float]>([])
        engine.openPlayback = { _ in PacedDevice { samples in played.withLock { $0 += samples } } }
        let player = AVAudioPlayerNode()
        engine.attach(player)
        engine.connect(player, to: engine.mainMixerNode, format: nil)
        let rendered = DispatchSemaphore(value: 0)
        let sent = try tone(player.outputFormat(forBus: 0), frameCount: 9600)
        player.scheduleBuffer(sent, completionCallbackType: .dataRendered) { _ in rendered.signal() }
        player.play()
        try engine.start()
        while played.withLock({ $0.count }) < 4000 { Thread.sleep(forTimeInterval: 0.001) }
        engine.pause()
        try engine.start()
        #expect(rendered.wait(timeout: .now() + 20) == .success)
        engine.pause()
        #expect(played.withLock { Array($0.prefix(2 * 9600)) } == sent.interleavedSamples)
    }

    @Test("Starts at a host time")
    func hostStartTime() throws {
        let engine = AVAudioEngine()
        engine.openPlayback = { _ in PacedDevice() }
        let player = AVAudioPlayerNode()
        engine.attach(player)
        engine.connect(player, to: engine.mainMixerNode, format: nil)
        let rendered = DispatchSemaphore(value: 0)
        player.scheduleBuffer(try constant(0.5, player.outputFormat(forBus: 0), frameCount: 480)) { rendered.signal() }
        try engine.start()
        defer { engine.stop() }
        let start = AVAudioTime.hostTime(forSeconds: 0.3) + DispatchTime.now().uptimeNanoseconds
        player.play(at: AVAudioTime(hostTime: start))
        #expect(rendered.wait(timeout: .now() + 20) == .success)
        #expect(DispatchTime.now().uptimeNanoseconds > start)
    }

    @Test("Calls handlers at the last frame, also if it ends a rendering call")
    func completion() throws {
        let (engine, player) = try manualEngine(playerRate: 48_000)
        let done = DispatchSemaphore(value: 0)
        player.scheduleBuffer(try constant(0.5, player.outputFormat(forBus: 0), frameCount: 1024)) { done.signal() }
        player.play()
        _ = try render(1024, from: engine)
        #expect(done.wait(timeout: .now() + 5) == .success)
    }

    @Test("A handler may wait for another player's handler")
    func independentHandlers() throws {
        let (first, second) = (AVAudioPlayerNode(), AVAudioPlayerNode())
        let buffer = try constant(0, .usual, frameCount: 10)
        let (other, both) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        first.scheduleBuffer(buffer) { if other.wait(timeout: .now() + 5) == .success { both.signal() } }
        second.scheduleBuffer(buffer) { other.signal() }
        first.stop()
        second.stop()
        #expect(both.wait(timeout: .now() + 4) == .success)
    }

    @Test("Detaching a player or releasing its engine calls the handlers")
    func abandonedHandlers() throws {
        let done = DispatchSemaphore(value: 0)
        let players = [AVAudioPlayerNode(), AVAudioPlayerNode()]
        do {
            let engine = AVAudioEngine()
            for player in players {
                engine.attach(player)
                player.scheduleBuffer(try constant(0, .usual, frameCount: 10)) { done.signal() }
            }
            engine.detach(players[0])
            #expect(done.wait(timeout: .now() + 5) == .success)
        }
        #expect(done.wait(timeout: .now() + 5) == .success)
    }

    @Test("Only dataPlayedBack handlers wait for the device")
    func playedBack() throws {
        let engine = AVAudioEngine()
        engine.openPlayback = { _ in PacedDevice(waitingFrameCount: 24_000) }
        let player = AVAudioPlayerNode()
        engine.attach(player)
        engine.connect(player, to: engine.mainMixerNode, format: nil)
        let (rendered, played) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let buffer = try constant(0.5, player.outputFormat(forBus: 0), frameCount: 480)
        player.scheduleBuffer(buffer, completionCallbackType: .dataRendered) { _ in rendered.signal() }
        player.scheduleBuffer(buffer, completionCallbackType: .dataPlayedBack) { _ in played.signal() }
        player.play()
        let start = Date()
        try engine.start()
        defer { engine.stop() }
        #expect(rendered.wait(timeout: .now() + 20) == .success)
        #expect(played.wait(timeout: .now() + 20) == .success)
        #expect(Date().timeIntervalSince(start) > 0.45)
    }

    @Test("A node has no render time if its engine is stopped or it is not connected")
    func noRenderTime() throws {
        let (engine, player) = try manualEngine(playerRate: 48_000)
        _ = try render(512, from: engine)
        #expect(player.lastRenderTime != nil)
        engine.disconnectNodeOutput(player)
        #expect(player.lastRenderTime == nil)
        #expect(engine.mainMixerNode.lastRenderTime != nil)
        engine.stop()
        #expect(engine.mainMixerNode.lastRenderTime == nil)
    }

    @Test("Clamps extreme times and frame indices")
    func extremes() throws {
        let (engine, player) = try manualEngine(playerRate: 24_000)
        let buffer = try constant(0.5, player.outputFormat(forBus: 0), frameCount: 16)
        player.play()
        for sampleTime in [AVAudioFramePosition.min, .max] {
            for rate in [1e-9, 24_000, 1e300] {
                let time = AVAudioTime(sampleTime: sampleTime, atRate: rate)
                player.scheduleBuffer(buffer, at: time)
                player.play(at: time)
                _ = try render(64, from: engine)
                _ = player.playerTime(forNodeTime: time)
                _ = player.nodeTime(forPlayerTime: time)
            }
        }
    }
}
