// SPDX-License-Identifier: Apache-2.0

#if MODEL_IOS
import AppleModel
import AudioDevices
import Darwin
import LiveAudio
import VirtualTime

let recorderScenarios: [Scenario] = [
    Scenario(name: "recorder-headset-rate", expectation: "a 24 kHz headset is recorded to a 44.1 kHz file of the full duration") { report in
        phone { machine.devices.insert(airPods, at: 0) }
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        let path = "\(parent)/headset-rate.aac"
        let recorder = Recorder(RecorderConfiguration(sampleRate: 44_100), source: .coreAudio(), sinks: [.file(path)])
        do {
            try await recorder.start()
            await sleep(3)
            let summary = await recorder.stop()
            report.check(summary.sampleRate == 44_100, "the summary has \(summary.sampleRate) Hz")
        } catch {
            report.check(false, "\(error)")
        }
        report.checkADTSFile(path, seconds: 3, sampleRate: 44_100)
    }
]

extension Report {
    /// Requires that a file consists of AAC-LC ADTS frames of the given duration, to within 0.1 s.
    mutating func checkADTSFile(_ path: String, seconds: Double, sampleRate: Double) {
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        guard let file = fopen(path, "r") else { return check(false, "there is no file \(path)") }
        let size = fread(&bytes, 1, bytes.count, file)
        fclose(file)
        var (position, frames) = (0, 0)
        while position + 7 <= size, bytes[position] == 0xFF, bytes[position + 1] & 0xF6 == 0xF0 {
            position += Int(bytes[position + 3] & 3) << 11 | Int(bytes[position + 4]) << 3 | Int(bytes[position + 5]) >> 5
            frames += 1
        }
        let recorded = Double(frames) * 1024 / sampleRate
        check(size > 0 && position == size, "\(size) bytes, of which \(position) are ADTS frames")
        check(abs(recorded - seconds) < 0.1, "the file has \(recorded) s")
    }
}
#endif
