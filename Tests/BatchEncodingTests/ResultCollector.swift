// SPDX-License-Identifier: Apache-2.0

import BatchEncoding
import Foundation
import Synchronization

/// Collects results from several threads.
final class ResultCollector: Sendable {
    private let results = Mutex<[BatchResult]>([])

    func add(_ result: BatchResult) { results.withLock { $0.append(result) } }

    /// All results so far, in order of arrival.
    var all: [BatchResult] { results.withLock { $0 } }

    /// The results by the file name of their input.
    var byName: [String: BatchResult] {
        Dictionary(all.map { (URL(fileURLWithPath: $0.input).lastPathComponent, $0) }) { first, _ in first }
    }
}

extension BatchResult {
    /// The outcome with its reason or step, such as `done new`.
    var text: String {
        switch outcome {
        case .done(let reason), .planned(let reason): "\(status) \(reason)"
        case .failed(let step, let error): "failed \(step): \(error)"
        case .unchanged, .interrupted: status
        }
    }
}
