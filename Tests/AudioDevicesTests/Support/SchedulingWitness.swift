// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Measures how long the threads of some programs wait for a processor, as counted by the kernel.
///
/// On a busy machine a server delivers audio late, which cannot be distinguished from a loss. A test therefore tolerates the measured
/// waiting time and no more. On an idle machine it is almost zero.
struct SchedulingWitness {
    private let processes: [Int32]
    private var start: [Int32: Int64] = [:]

    init(_ processes: [Int32]) {
        self.processes = processes
        start = Self.waits(processes)
    }

    /// The waiting time since the start, in seconds: the sum over processes of the thread that waited longest.
    var seconds: Double {
        let now = Self.waits(processes)
        var byProcess: [Int64] = []
        for process in processes {
            let threads = Self.threads(of: process)
            byProcess.append(threads.map { (now[$0] ?? 0) - (start[$0] ?? 0) }.max() ?? 0)
        }
        return Double(byProcess.reduce(0, +)) / 1e9
    }

    private static func threads(of process: Int32) -> [Int32] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
        return names.compactMap { Int32($0) }
    }

    /// The total waiting time of each thread in the run queue, in nanoseconds.
    private static func waits(_ processes: [Int32]) -> [Int32: Int64] {
        var result: [Int32: Int64] = [:]
        for process in processes {
            for thread in threads(of: process) {
                guard let text = try? String(contentsOfFile: "/proc/\(process)/task/\(thread)/schedstat", encoding: .utf8) else { continue }
                let fields = text.split(separator: " ")
                if fields.count == 3, let wait = Int64(fields[1]) { result[thread] = wait }
            }
        }
        return result
    }
}
