// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// The options and operands of one call, with their values checked as they are taken.
struct ParsedArguments {
    let command: String
    let options: [CommandOption]
    /// What is no option, in order.
    var operands: [String] = []
    private var values: [String: [String]] = [:]

    init(command: String, options: [CommandOption]) {
        self.command = command
        self.options = options
    }

    mutating func append(_ value: String, for name: String) { values[name, default: []].append(value) }

    /// Whether an option was given.
    func has(_ name: String) -> Bool { values[checked(name)] != nil }

    /// The value of an option, the last one if it was given several times.
    func text(_ name: String) -> String? { values[checked(name)]?.last }

    /// Every value of an option, in order.
    func texts(_ name: String) -> [String] { values[checked(name)] ?? [] }

    /// A whole number in a range.
    func integer(_ name: String, in range: ClosedRange<Int>) throws(CommandFailure) -> Int? {
        guard let text = text(name) else { return nil }
        guard let value = Int(text), range.contains(value) else {
            let limits = range.upperBound == Int.max ? "\(range.lowerBound) or more" : "\(range.lowerBound) to \(range.upperBound)"
            throw complaint(name, text, "a whole number, \(limits)")
        }
        return value
    }

    /// A number in a range.
    func number(_ name: String, in range: ClosedRange<Double>) throws(CommandFailure) -> Double? {
        guard let text = text(name) else { return nil }
        guard let value = Double(text), range.contains(value) else {
            throw complaint(name, text, "a number, \(Format.short(range.lowerBound)) to \(Format.short(range.upperBound))")
        }
        return value
    }

    /// A positive number of something a second, where `k` stands for thousands: `128k`, `44.1k`, `96000`.
    func perSecond(_ name: String, example: String) throws(CommandFailure) -> Int? {
        guard let text = text(name) else { return nil }
        let isThousands = text.last == "k" || text.last == "K"
        let digits = isThousands ? text.dropLast() : Substring(text)
        guard let value = Double(digits), value > 0, value <= 1e9 else { throw complaint(name, text, "a number like \(example)") }
        return Int((value * (isThousands ? 1000 : 1)).rounded())
    }

    /// One of a few words.
    func choice<Value>(_ name: String, _ choices: [(name: String, value: Value)]) throws(CommandFailure) -> Value? {
        guard let text = text(name) else { return nil }
        if let match = choices.first(where: { $0.name == text }) { return match.value }
        let names = choices.map(\.name)
        let hint = SpellingSuggestion.nearest(to: text, among: names).map { "; did you mean \($0)?" } ?? ""
        throw complaint(name, text, names.joined(separator: ", ") + hint)
    }

    /// Complains if two options that exclude each other were both given.
    func exclude(_ first: String, _ second: String) throws(CommandFailure) {
        if has(first), has(second) { throw failure("--\(first) and --\(second) exclude each other") }
    }

    /// A complaint about the command line.
    func failure(_ text: String) -> CommandFailure { CommandFailure(.usage, "\(text) (see \(command) --help)") }

    private func complaint(_ name: String, _ text: String, _ expectation: String) -> CommandFailure {
        failure("--\(name) \(text) can't be used; it takes \(expectation)")
    }

    /// Catches a misspelled name in the program itself.
    private func checked(_ name: String) -> String {
        precondition(options.contains { $0.name == name }, "no option is called \(name)")
        return name
    }
}
