// SPDX-License-Identifier: Apache-2.0

import AppleModel
import Darwin
import VirtualTime

/// A sequence of events and the requirements it must meet in addition to the model's rules.
struct Scenario: Sendable {
    var name: String
    /// The requirements in one sentence.
    var expectation: String
    var body: @Sendable (inout Report) async -> Void
}

/// The requirements that were not met.
struct Report {
    private(set) var problems: [String] = []
    private(set) var notes: [String] = []

    mutating func check(_ condition: Bool, _ problem: @autoclosure () -> String) { if !condition { problems.append(problem()) } }
    mutating func note(_ text: String) { notes.append(text) }
    mutating func add(_ broken: [String]) { problems += broken }
}

@main enum Main {
    #if MODEL_IOS
    private static let all =
        captureScenarios + playScenarios + phonePlayScenarios + encoderScenarios + opusScenarios + sampleBufferScenarios + fileScenarios
        + appScenarios + recorderScenarios
    #else
    private static let all = captureScenarios + playScenarios + macPlayScenarios
    #endif

    /// Runs the scenario that the argument names; without an argument, prints all names.
    static func main() {
        guard let name = CommandLine.arguments.dropFirst().first else { return all.forEach { print($0.name) } }
        guard let scenario = all.first(where: { $0.name == name }) else {
            print("there is no scenario \(name)")
            exit(2)
        }
        nonisolated(unsafe) var report = Report()
        let hasEnded = Scheduler.shared.run {
            await scenario.body(&report)
            report.add(machine.finish())
        }
        if !hasEnded { report.add(["all threads wait for each other: \(Scheduler.shared.waitingNames.joined(separator: ", "))"]) }
        print("\(report.problems.isEmpty ? "pass" : "FAIL")  \(name): \(scenario.expectation)")
        for problem in report.problems { print("        - \(problem)") }
        // Notes go to the result files too, because repeated runs are compared by them.
        for note in report.notes { print("        \(note)") }
        exit(report.problems.isEmpty ? 0 : 1)
    }
}
