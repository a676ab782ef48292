// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Measures how long the threads of some programs wait for a processor, as the kernel counts it.
///
/// On a busy machine a server delivers audio late, and nobody can tell then whether it is late or lost. So what a test may tolerate is what this
/// witness measured, and no more: on a machine with a free processor that is next to nothing.
struct SchedulingWitness {
    private let processes: [Int32]
    private var start: [Int32: Int64] = [:]

    /// Starts to measure the processes.
    init(_ processes: [Int32]) {
        self.processes = processes
        start = Self.waits(processes)
    }

    /// The time in seconds that the threads have waited since the start: of each process, that of the thread that waited longest.
    var seconds: Double {
        let now = Self.waits(processes)
        var byProcess: [Int64] = []
        for process in processes {
            let threads = Self.threads(of: process)
            byProcess.append(threads.map { (now[$0] ?? 0) - (start[$0] ?? 0) }.max() ?? 0)
        }
        return Double(byProcess.reduce(0, +)) / 1e9
    }

    /// The threads of a process.
    private static func threads(of process: Int32) -> [Int32] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
        return names.compactMap { Int32($0) }
    }

    /// The time in nanoseconds that each thread has waited in a run queue since it began.
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
