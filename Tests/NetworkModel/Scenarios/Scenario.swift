// SPDX-License-Identifier: Apache-2.0

import Foundation
import LiveStreaming
import Network
import Synchronization

/// A sequence of events and the requirements it must meet in addition to the model's rules.
struct Scenario: Sendable {
    var name: String
    /// The requirements in one sentence.
    var expectation: String
    var body: @Sendable (Report) throws -> Void
}

/// The requirements that were not met.
final class Report {
    private(set) var problems: [String] = []

    func check(_ condition: Bool, _ problem: @autoclosure () -> String) { if !condition { problems.append(problem()) } }

    /// Requires that an operation throws an error.
    func check(_ what: String, throws expected: StreamingError, _ body: () throws -> Void) {
        check(what, throws: { $0 == expected }, body)
    }
    func check(_ what: String, throws isExpected: (StreamingError) -> Bool, _ body: () throws -> Void) {
        do {
            try body()
            problems.append("\(what): no error")
        } catch let error as StreamingError where isExpected(error) {
        } catch {
            problems.append("\(what): \(error)")
        }
    }

    /// Requires that an operation's duration is in a range.
    func check(_ what: String, takes time: ClosedRange<Double>, _ body: () throws -> Void) rethrows {
        let start = ContinuousClock.now
        defer {
            let seconds = (ContinuousClock.now - start) / .seconds(1)
            check(time.contains(seconds), "\(what) took \(seconds) s")
        }
        try body()
    }
}

@main enum Main {
    private static let all = openingScenarios + trustScenarios + streamScenarios + destinationScenarios + srtpScenarios

    /// Runs the scenario that the argument names; without an argument, prints all names.
    static func main() {
        guard let name = CommandLine.arguments.dropFirst().first else { return all.forEach { print($0.name) } }
        guard let scenario = all.first(where: { $0.name == name }) else {
            print("there is no scenario \(name)")
            exit(2)
        }
        let report = Report()
        do { try scenario.body(report) } catch { report.check(false, "\(error)") }
        report.check(waits { liveConnectionCount.withLock { $0 } == 0 }, "\(liveConnectionCount.withLock { $0 }) connections remain")
        for rule in brokenRules.withLock({ $0 }) { report.check(false, rule) }
        print("\(report.problems.isEmpty ? "pass" : "FAIL")  \(name): \(scenario.expectation)")
        for problem in report.problems { print("        - \(problem)") }
        exit(report.problems.isEmpty ? 0 : 1)
    }
}

/// Waits up to ten seconds for a condition.
func waits(for condition: () -> Bool) -> Bool {
    for _ in 0..<1000 {
        if condition() { return true }
        usleep(10_000)
    }
    return condition()
}
