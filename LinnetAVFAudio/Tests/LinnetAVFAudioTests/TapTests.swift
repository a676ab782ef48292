// SPDX-License-Identifier: Apache-2.0

import LinnetAVFAudio
import Testing

@Suite struct TapTests {
    @Test("A tap with another sample rate has the times of its audio, also after a gap", arguments: [(48_000, 16_000), (8000, 48_000)])
    func convertedTimes(from inputRate: Int, to outputRate: Int) throws {
        let input = try #require(AVAudioFormat(standardFormatWithSampleRate: Double(inputRate), channels: 1))
        let output = try #require(AVAudioFormat(standardFormatWithSampleRate: Double(outputRate), channels: 1))
        /// The largest samples before and after the gap, with their times in seconds.
        var peaks: [(level: Float, sampleTime: Double, hostTime: Double)] = [(0, 0, 0), (0, 0, 0)]
        let delivery = TapDelivery(to: output, bufferSize: 1000) { buffer, time in
            guard let data = buffer.floatChannelData else { return }
            for frame in 0..<1000 where data[0][frame] > peaks[time.sampleTime < 5 * outputRate ? 0 : 1].level {
                peaks[time.sampleTime < 5 * outputRate ? 0 : 1] = (
                    data[0][frame], Double(Int(time.sampleTime) + frame) / Double(outputRate),
                    Double(time.hostTime) / 1e9 + Double(frame) / Double(outputRate)
                )
            }
        }
        // A click in the middle of two seconds, twice, with a gap of 8 s; the host time starts at 20 s.
        for start in [0, 10 * inputRate] {
            for first in stride(from: start, to: start + 2 * inputRate, by: inputRate / 100) {
                let block = try constant(0, input, frameCount: inputRate / 100)
                if first == start + inputRate { try #require(block.floatChannelData)[0][0] = 1 }
                let host = UInt64(20_000_000_000 + first * 1_000_000_000 / inputRate)
                delivery.append(block, at: AVAudioTime(hostTime: host, sampleTime: Int64(first), atRate: Double(inputRate)))
            }
        }
        for (peak, expected) in zip(peaks, [1.0, 11]) {
            #expect(abs(peak.sampleTime - expected) < 0.001 && abs(peak.hostTime - 20 - expected) < 0.001, "\(peak)")
        }
    }

    @Test("A tap drops an incomplete buffer before a gap")
    func gap() throws {
        let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1))
        var times: [AVAudioFramePosition] = []
        var samples: [Float] = []
        let delivery = TapDelivery(to: nil, bufferSize: 4096) { buffer, time in
            times.append(time.sampleTime)
            if let data = buffer.floatChannelData { samples += UnsafeBufferPointer(start: data[0], count: Int(buffer.frameLength)) }
        }
        for (value, start) in [(Float(0.25), 0), (0.5, 100_000), (0.5, 102_048)] as [(Float, Int64)] {
            delivery.append(try constant(value, format, frameCount: 2048), at: AVAudioTime(sampleTime: start, atRate: 48_000))
        }
        #expect(times == [100_000] && samples.count == 4096 && samples.allSatisfy { $0 == 0.5 })
    }

    @Test("A tap has no audio from before a stop, and all audio from before a pause", arguments: [false, true])
    func restart(isPaused: Bool) throws {
        let (engine, player) = try manualEngine(playerRate: 48_000)
        var times: [AVAudioFramePosition] = []
        engine.mainMixerNode.installTap(onBus: 0, bufferSize: 1000, format: nil) { _, time in times.append(time.sampleTime) }
        player.scheduleBuffer(try constant(0.5, engine.manualRenderingFormat, frameCount: 10_000))
        player.play()
        _ = try render(512, from: engine)
        if isPaused { engine.pause() } else { engine.stop() }
        try engine.start()
        _ = try render(1024, from: engine)
        #expect(times == [isPaused ? 0 : 512])
    }

    @Test("A mixer gets no captured audio from before a stop")
    func waitingInput() throws {
        let engine = AVAudioEngine()
        let output = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1))
        try engine.enableManualRenderingMode(.offline, format: output, maximumFrameCount: 512)
        let input = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 1))
        engine.inputNode.setDeviceFormat(input)
        engine.connect(engine.inputNode, to: engine.mainMixerNode, format: nil)
        try engine.start()
        // Fewer frames than the reserve of the sample rate converter.
        engine.inputNode.receive(try constant(0.5, input, frameCount: 1000), at: AVAudioTime(sampleTime: 0, atRate: 44_100))
        engine.stop()
        try engine.start()
        let samples = try render(512, from: engine)
        #expect(samples.allSatisfy { $0 == 0 })
    }
}
