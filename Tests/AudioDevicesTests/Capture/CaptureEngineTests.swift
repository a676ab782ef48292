// SPDX-License-Identifier: Apache-2.0

import AudioDevices
import AudioPrimitives
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite struct CaptureEngineTests {
    @Test("Goes from idle to running to stopped; repeated starts and stops are harmless")
    func states() async throws {
        let backend = ScriptedBackend()
        let capture = AudioCapture.scripted(backend)
        #expect(capture.state == .idle)
        await capture.stop()
        #expect(capture.state == .idle)
        let record = CaptureRecord(capture)
        try await capture.start { record.take($0) }
        try await capture.start { _ in Issue.record("the first receiver stays") }
        #expect(capture.state == .running && backend.starts == 1)
        backend.write(frames: 1000)
        await capture.stop()
        await capture.stop()
        #expect(capture.state == .stopped)
        #expect(CountedSignal.verify(mono: record.samples) == .init(frames: 1000))
        try await capture.start { record.take($0) }
        #expect(capture.state == .running && backend.starts == 2)
        await capture.stop()
    }

    @Test("Device that cannot be opened throws at each start")
    func openingFails() async throws {
        let error = DeviceError.failed(.setSampleRate, .alsa, code: -22)
        let capture = AudioCapture.scripted(ScriptedBackend([.init(error: error), .init()]))
        let record = CaptureRecord(capture)
        await #expect(throws: error) { try await capture.start { _ in } }
        #expect(capture.state == .failed(error))
        await capture.stop()
        #expect(capture.state == .failed(error))
        try await record.wait(for: "failed") { $0 == .failed(error) }
        try await capture.start { _ in }
        #expect(capture.state == .running)
        await capture.stop()
    }

    @Test("Reopens a lost device, also with another format")
    func newFormat() async throws {
        let gone = ScriptedBackend.Opening(error: .noServer(.pulseAudio, code: 6))
        let backend = ScriptedBackend([.init(), gone, gone, .init(sampleRate: 16_000, device: "other")])
        let capture = AudioCapture.scripted(backend)
        let record = CaptureRecord(capture)
        try await capture.start { record.take($0) }
        backend.write(frames: 480)
        backend.report(.serverLost)
        try await record.wait(for: "resumed") { $0 == .resumed }
        #expect(backend.starts == 4)
        backend.write(frames: 160, time: HostClock.now)
        #expect(await Wait.until { capture.statistics.recordedFrames == 640 })
        await capture.stop()
        #expect(await Wait.until { record.events.last == .stopped })
        let names = record.events.map { "\($0)".prefix { $0 != "(" } }
        #expect(names.contains("serverLost") && names.contains("serverRestored") && names.contains("formatChanged"))
        let route = RouteChange(reason: .override, old: "scripted", new: "other")
        #expect(record.events.contains(.routeChanged(route)))
        #expect(capture.format?.sampleRate == 16_000)
        #expect(record.contents.withLock { $0.times.last?.timescale } == 16_000)
    }

    @Test("Manual recovery waits for the program")
    func manual() async throws {
        let backend = ScriptedBackend()
        let capture = AudioCapture.scripted(backend) { $0.recovery = .manual }
        let record = CaptureRecord(capture)
        try await capture.start { record.take($0) }
        backend.write(frames: 480)
        backend.report(.suspended(.deviceSuspended))
        try await record.wait(for: "interrupted") { $0 == .interrupted(.deviceSuspended) }
        try await Task.sleep(for: .seconds(0.3))
        #expect(backend.starts == 1 && capture.state == .interrupted(.deviceSuspended))
        capture.resume()
        try await record.wait(for: "resumed") { $0 == .resumed }
        #expect(backend.starts == 2 && capture.state == .running)
        await capture.stop()
    }

    @Test("Recovery timeout ends the capture with the device's error")
    func givesUp() async throws {
        let error = DeviceError.noDevice(.pulseAudio, .input)
        let backend = ScriptedBackend([.init(), .init(error: error)])
        let capture = AudioCapture.scripted(backend) { $0.recoveryTimeout = .milliseconds(300) }
        let record = CaptureRecord(capture)
        try await capture.start { record.take($0) }
        backend.report(.deviceLost)
        try await record.wait(for: "failed") { $0 == .failed(error) }
        await capture.waitUntilFinished()
        #expect(capture.state == .failed(error))
    }

    @Test("Silent device counts as stalled and is reopened")
    func stalled() async throws {
        let backend = ScriptedBackend()
        let capture = AudioCapture.scripted(backend) { $0.stallTimeout = .milliseconds(200) }
        let record = CaptureRecord(capture)
        try await capture.start { record.take($0) }
        backend.write(frames: 480)
        try await record.wait(for: "stalled") {
            if case .stalled(let time) = $0 { time >= .milliseconds(200) && time < .seconds(5) } else { false }
        }
        try await record.wait(for: "interrupted") { $0 == .interrupted(.stalled) }
        try await record.wait(for: "resumed") { $0 == .resumed }
        #expect(backend.starts >= 2)
        await capture.stop()
    }

    @Test(
        "Reports the system's route change reasons, also without another device",
        arguments: [RouteChangeReason.categoryChange, .wakeFromSleep, .override, .newDeviceAvailable, .unknown])
    func statedReason(reason: RouteChangeReason) async throws {
        let backend = ScriptedBackend()
        let capture = AudioCapture.scripted(backend)
        let record = CaptureRecord(capture)
        try await capture.start { record.take($0) }
        backend.report(.routeChanged(reason, id: "scripted", name: "Scripted"))
        try await record.wait(for: "\(reason)") { $0 == .routeChanged(RouteChange(reason: reason, old: "scripted", new: "scripted")) }
        backend.report(.routeChanged(reason, id: "headset", name: "Headset"))
        try await record.wait(for: "\(reason)") { $0 == .routeChanged(RouteChange(reason: reason, old: "scripted", new: "headset")) }
        #expect(capture.format?.device == "headset" && capture.format?.deviceName == "Headset")
        await capture.stop()
    }

    @Test("Slow receiver loses frames, which are counted and keep their time")
    func overrun() async throws {
        let backend = ScriptedBackend()
        let capture = AudioCapture.scripted(backend) { $0.queueDuration = .milliseconds(500) }
        let record = CaptureRecord(capture)
        let isFree = Flag()
        try await capture.start { audio in
            while !isFree.isSet { Thread.sleep(forTimeInterval: 0.01) }
            record.take(audio)
        }
        for _ in 0..<500 { backend.write(frames: 480) }
        isFree.isSet = true
        await capture.stop()
        #expect(capture.statistics.lostFrames > 100_000)
        #expect(record.frames == 240_000)
        #expect(record.breaks == 0)
        #expect(record.filledFrames == capture.statistics.lostFrames)
        #expect(await Wait.until { record.events.last == .stopped })
        let reported = record.events.reduce(0) { if case .overrun(let frames) = $1 { $0 + frames } else { $0 } }
        #expect(reported == capture.statistics.lostFrames)
    }

    @Test("Receiver may stop the capture")
    func stopInside() async throws {
        let backend = ScriptedBackend()
        let capture = AudioCapture.scripted(backend)
        let record = CaptureRecord(capture)
        try await capture.start { [weak capture] audio in
            record.take(audio)
            capture?.requestStop()
        }
        backend.write(frames: 480)
        await capture.waitUntilFinished()
        #expect(capture.state == .stopped && record.frames == 480)
    }

    @Test("Start after a stop request begins a new run with its own receiver")
    func restart() async throws {
        let backend = ScriptedBackend()
        let capture = AudioCapture.scripted(backend)
        let isFree = Flag()
        try await capture.start { _ in while !isFree.isSet { Thread.sleep(forTimeInterval: 0.001) } }
        backend.write(frames: 480)
        capture.requestStop()
        let record = CaptureRecord(capture)
        let start = Task { try await capture.start { record.take($0) } }
        isFree.isSet = true
        try await start.value
        #expect(capture.state != .stopped && backend.starts >= 2)
        backend.write(frames: 240)
        #expect(await Wait.until { record.frames == 240 })
        await capture.stop()
    }

    @Test("Taken device is suspended, not stopped, and reopened when the interruption ends")
    func interruptionEnds() async throws {
        let busy = ScriptedBackend.Opening(error: .failed(.activateSession, .coreAudio, code: 561_017_449))
        let backend = ScriptedBackend([.init()] + [ScriptedBackend.Opening](repeating: busy, count: 3) + [.init()])
        let capture = AudioCapture.scripted(backend)
        let record = CaptureRecord(capture)
        try await capture.start { record.take($0) }
        backend.report(.interrupted(.requestedByOther))
        try await record.wait(for: "interrupted") { $0 == .interrupted(.requestedByOther) }
        backend.report(.interruptionEnded(shouldResume: false))
        try await record.wait(for: "advice") { $0 == .interruptionEnded(shouldResume: false) }
        try await record.wait(for: "resumed") { $0 == .resumed }
        #expect(backend.suspensions == 1 && backend.stops == 0)
        #expect(!record.events.contains { if case .deviceLost = $0 { true } else { false } })
        await capture.stop()
        #expect(backend.stops == 1)
    }

    @Test("With manual recovery only the program reopens the device")
    func availableWithManualRecovery() async throws {
        let backend = ScriptedBackend()
        let capture = AudioCapture.scripted(backend) { $0.recovery = .manual }
        let record = CaptureRecord(capture)
        try await capture.start { record.take($0) }
        backend.report(.interrupted(.requestedByOther))
        try await record.wait(for: "interrupted") { $0 == .interrupted(.requestedByOther) }
        backend.report(.available)
        backend.report(.interruptionEnded(shouldResume: true))
        try await record.wait(for: "advice") { $0 == .interruptionEnded(shouldResume: true) }
        #expect(backend.starts == 1)
        capture.resume()
        try await record.wait(for: "resumed") { $0 == .resumed }
        await capture.stop()
    }

    @Test("Program may resume a suspended device that is still open")
    func resumeWhileSuspended() async throws {
        let backend = ScriptedBackend()
        let capture = AudioCapture.scripted(backend)
        let record = CaptureRecord(capture)
        try await capture.start { record.take($0) }
        backend.report(.suspended(.deviceSuspended))
        try await record.wait(for: "interrupted") { $0 == .interrupted(.deviceSuspended) }
        capture.resume()
        try await record.wait(for: "resumed") { $0 == .resumed }
        #expect(backend.starts == 2)
        await capture.stop()
    }

    @Test(
        "Changed format reopens the device, also if no audio arrives after a rate change",
        arguments: [CaptureConfiguration.RecoveryPolicy.automatic, .manual])
    func formatChanges(recovery: CaptureConfiguration.RecoveryPolicy) async throws {
        let backend = ScriptedBackend()
        let capture = AudioCapture.scripted(backend) { $0.recovery = recovery }
        let record = CaptureRecord(capture)
        try await capture.start { record.take($0) }
        backend.report(.formatInvalid)
        try await record.wait(for: "resumed") { $0 == .resumed }
        #expect(backend.starts == 2 && record.events.contains(.interrupted(.formatChanged)))
        backend.report(.routeChanged(.newDeviceAvailable, id: "headset", name: "Headset", nativeSampleRate: 24_000, bufferFrames: 512))
        let change = RouteChange(reason: .newDeviceAvailable, old: "scripted", new: "headset")
        #expect(await Wait.until { capture.format?.nativeSampleRate == 24_000 })
        try await record.wait(for: "route change") { $0 == .routeChanged(change) }
        #expect(await Wait.until { backend.starts == 3 })
        await capture.stop()
    }

    @Test("Two seconds of initial zeros are reported once; later silence is not")
    func silence() async throws {
        let backend = ScriptedBackend()
        let capture = AudioCapture.scripted(backend)
        let record = CaptureRecord(capture)
        try await capture.start { record.take($0) }
        for _ in 0..<30 { backend.writeSilence(frames: 4800) }
        try await record.wait(for: "silent") { $0 == .silent(for: .seconds(2)) }
        backend.report(.formatInvalid)
        try await record.wait(for: "resumed") { $0 == .resumed }
        backend.write(frames: 480)
        for _ in 0..<30 { backend.writeSilence(frames: 4800) }
        #expect(await Wait.until { capture.statistics.recordedFrames == 288_480 })
        await capture.stop()
        #expect(record.events.count { $0 == .silent(for: .seconds(2)) } == 1)
    }

    @Test("Delays double at first, and grow while another program has the device")
    func attempts() {
        func delays(isTaken: Bool) -> [Int64] {
            var plan = RecoveryPlan()
            var now: Int64 = 0
            plan.begin(now: now)
            return (0..<15).map { _ in
                let start = now
                while !plan.isDue(now: now) { now += 10_000_000 }
                plan.scheduleRetry(now: now, isTaken: isTaken)
                return (now - start) / 1_000_000
            }
        }
        #expect(delays(isTaken: false) == [50, 100, 200, 400] + [Int64](repeating: 500, count: 11))
        #expect(delays(isTaken: true) == [50, 100, 200, 400] + [Int64](repeating: 500, count: 6) + [Int64](repeating: 2000, count: 5))
    }

    /// 100 ms.
    private let loud = [Int16](repeating: 20_000, count: 4800)

    private func startedCapture() async throws -> (AudioCapture, CaptureRecord, CaptureInput) {
        let backend = ScriptedBackend()
        let capture = AudioCapture.scripted(backend)
        let record = CaptureRecord(capture)
        try await capture.start { record.take($0) }
        return (capture, record, try #require(backend.input))
    }

    @Test("Mute and unmute ramp to zeros and back")
    func mute() async throws {
        let (capture, record, input) = try await startedCapture()
        func write() async {
            let end = record.frames + loud.count
            input.write(loud.span.bytes, hostTime: HostClock.now)
            #expect(await Wait.until { record.frames == end })
        }
        await write()
        capture.isMuted = true
        await write()
        capture.isMuted = false
        await write()
        await capture.stop()
        let samples = record.samples
        #expect(samples[..<4800].allSatisfy { $0 == 20_000 })
        #expect(samples[4800 + 480..<9600].allSatisfy { $0 == 0 })
        #expect(samples[9600 + 480..<14_400].allSatisfy { $0 == 20_000 })
        // The maximum step is 1/480 of the range.
        #expect(zip(samples, samples.dropFirst()).allSatisfy { abs(Int($0) - Int($1)) <= 42 })
        #expect(await Wait.until { record.events.contains(.muted(false, by: .program)) })
    }

    @Test("Audio captured while muted stays silent if it is delivered after unmuting")
    func delayedMute() async throws {
        let (capture, record, input) = try await startedCapture()
        let muted = HostClock.now
        capture.isMuted = true
        try await Task.sleep(for: .milliseconds(250))
        capture.isMuted = false
        let mutedFrames = Int(Double(HostClock.now - muted) / 1e9 * 48_000)
        let chunkCount = mutedFrames / loud.count + 2
        for index in 0..<chunkCount { input.write(loud.span.bytes, hostTime: muted + Int64(index) * 100_000_000) }
        #expect(await Wait.until { record.frames == chunkCount * loud.count })
        await capture.stop()
        // Less a ramp of 10 ms, and 5 ms for the clock.
        #expect(record.samples[480..<mutedFrames - 240].allSatisfy { $0 == 0 })
        #expect(record.samples[(mutedFrames + 720)...].allSatisfy { $0 == 20_000 })
    }

    @Test("Stop during the start throws cancelled at once")
    func stopWhileStarting() async throws {
        let backend = ScriptedBackend([.init(opensSlowly: true)])
        let capture = AudioCapture.scripted(backend)
        let start = Task { try await capture.start { _ in } }
        #expect(await Wait.until { backend.starts == 1 })
        await capture.stop()
        await #expect(throws: DeviceError.cancelled) { try await start.value }
        #expect(capture.state == .failed(.cancelled))
    }

    @Test("Cancelled task does not start the capture")
    func cancelledStart() async throws {
        let backend = ScriptedBackend([.init(opensSlowly: true)])
        let capture = AudioCapture.scripted(backend)
        let start = Task { try await capture.start { _ in } }
        #expect(await Wait.until { backend.starts == 1 })
        start.cancel()
        await #expect(throws: DeviceError.cancelled) { try await start.value }
    }

    @Test("Survives a thousand concurrent starts and stops with audio")
    func stress() async throws {
        let backend = ScriptedBackend()
        let capture = AudioCapture.scripted(backend)
        let isDone = Flag()
        await withTaskGroup { group in
            group.addTask {
                while !isDone.isSet {
                    backend.write(frames: 48)
                    if Int.random(in: 0..<20) == 0 { backend.report(.suspended(.deviceSuspended)) }
                    if Int.random(in: 0..<20) == 0 { backend.report(.serverLost) }
                    await Task.yield()
                }
            }
            group.addTask {
                for index in 0..<1000 {
                    try? await capture.start { _ in }
                    if index % 3 == 0 { try? await capture.start { _ in } }
                    capture.isMuted.toggle()
                    await capture.stop()
                    if index % 5 == 0 { await capture.stop() }
                }
                isDone.isSet = true
            }
        }
        #expect(capture.state == .stopped)
        // Released while running.
        var released: AudioCapture? = AudioCapture.scripted(backend)
        try await released?.start { _ in }
        released = nil
    }
}
