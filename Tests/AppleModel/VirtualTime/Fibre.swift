// SPDX-License-Identifier: Apache-2.0

import CModel
import Glibc

/// A thread that runs only while it holds the scheduler's baton.
public final class Fibre: @unchecked Sendable {
    /// The name for deadlock reports.
    public let name: String
    /// Whether the body has returned.
    public internal(set) var hasEnded = false

    let baton: UnsafeMutablePointer<Int32>
    var timer: Int?
    /// Whether ``Scheduler/wake(_:)`` ended the latest wait, not its timeout.
    var wasWoken = false
    private var body: (() -> Void)?

    init(_ name: String, _ body: @escaping () -> Void) {
        self.name = name
        self.body = body
        baton = .allocate(capacity: 1)
        baton.pointee = 0
        var thread = pthread_t()
        let context = Unmanaged.passRetained(self).toOpaque()
        let status = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                Unmanaged<Fibre>.fromOpaque(context).takeRetainedValue().main()
                return nil
            }, context)
        precondition(status == 0, "no more threads")
        pthread_detach(thread)
    }

    private func main() {
        model_baton_wait(baton)
        body?()
        body = nil
        hasEnded = true
        Scheduler.shared.leave()
    }
}
