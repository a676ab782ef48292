// SPDX-License-Identifier: Apache-2.0

/// The options and operands of one command line.
///
/// Values are checked when they are read.
package struct ParsedArguments {
    /// The command's name in messages, such as `linnet encode`.
    let command: String
    let options: [CommandOption]
    package var operands: [String] = []
    /// The values by option name; empty strings for options without a value.
    private var values: [String: [String]] = [:]

    /// Creates arguments without options and operands.
    package init(command: String, options: [CommandOption]) {
        self.command = command
        self.options = options
    }

    mutating func append(_ value: String, for name: String) { values[name, default: []].append(value) }

    mutating func removeValues(of name: String) { values[checked(name)] = nil }

    func offers(_ name: String) -> Bool { options.contains { $0.name == name } }

    /// Returns whether an option was given.
    package func has(_ name: String) -> Bool { values[checked(name)] != nil }

    /// Returns the value of an option, the last one if it was repeated.
    package func text(_ name: String) -> String? { values[checked(name)]?.last }

    func texts(_ name: String) -> [String] { values[checked(name)] ?? [] }

    /// Returns command line words that repeat these options with their values.
    func words(of names: [String]) -> [String] {
        names.flatMap { name in
            let takesValue = options.contains { $0.name == name && $0.valueName != nil }
            return texts(name).flatMap { value in takesValue ? ["--" + name, value] : ["--" + name] }
        }
    }

    func integer(_ name: String, in range: ClosedRange<Int>) throws(CommandFailure) -> Int? {
        guard let text = text(name) else { return nil }
        guard let value = Int(text), range.contains(value) else {
            let limits =
                range.count == 1
                ? "\(range.lowerBound)"
                : range.upperBound == Int.max
                    ? "an integer, \(range.lowerBound) or more" : "an integer, \(range.lowerBound) to \(range.upperBound)"
            throw failure(name, text, limits)
        }
        return value
    }

    func number(_ name: String, in range: ClosedRange<Double>) throws(CommandFailure) -> Double? {
        guard let text = text(name) else { return nil }
        guard let value = Double(decimal: text), range.contains(value) else {
            throw failure(name, text, "a number, \(Format.short(range.lowerBound)) to \(Format.short(range.upperBound))")
        }
        return value
    }

    /// Returns the value of an option as a positive rate, such as `128k`, `44.1k` or `96000`.
    func perSecond(_ name: String, example: String) throws(CommandFailure) -> Int? {
        guard let text = text(name) else { return nil }
        guard let value = Self.rate(text) else { throw failure(name, text, "a number like \(example)") }
        return value
    }

    /// Returns the value of `--bitrate` in bits per second.
    ///
    /// - Throws: An error for values below 1000, which are meant as kilobits.
    func bitRate() throws(CommandFailure) -> Int? {
        let bitRate = try perSecond("bitrate", example: "128k")
        if let bitRate, bitRate < 1000 { throw failure("--bitrate is in bits per second; for \(bitRate) kb/s use \(bitRate)k") }
        return bitRate
    }

    /// Returns a positive rate of at most 10⁹, such as `44.1k` or `64kbps`; `nil` for other texts.
    static func rate(_ text: some StringProtocol) -> Int? {
        let text = ["bit/s", "bps", "b/s"].first { text.lowercased().hasSuffix($0) }.map { text.dropLast($0.count) } ?? text[...]
        let isThousands = text.last == "k" || text.last == "K"
        guard let number = Double(decimal: isThousands ? text.dropLast() : text) else { return nil }
        let value = (number * (isThousands ? 1000 : 1)).rounded()
        return 1...1e9 ~= value ? Int(value) : nil
    }

    /// Returns the value of an option as one of a few words.
    ///
    /// - Parameter aliases: Alternative words, in lower case and without hyphens, for words of `choices`.
    func choice<Value>(
        _ name: String, _ choices: [(name: String, value: Value)], aliases: [String: String] = [:]
    ) throws(CommandFailure) -> Value? {
        guard let text = text(name) else { return nil }
        let alias = aliases[text.lowercased().filter { !"-_ ".contains($0) }]
        if let match = choices.first(where: { $0.name == text }) ?? choices.first(where: { $0.name == alias }) { return match.value }
        let names = choices.map(\.name)
        let hint = SpellingSuggestion.nearest(to: text, among: names).map { "; did you mean \($0)?" } ?? ""
        throw failure(name, text, names.joined(separator: ", ") + hint)
    }

    /// Throws if two options that exclude each other were both given.
    func exclude(_ first: String, _ second: String) throws(CommandFailure) {
        if has(first), has(second) { throw failure("--\(first) and --\(second) exclude each other") }
    }

    func failure(_ text: String) -> CommandFailure { CommandFailure(.usage, "\(text) (see \(command) --help)") }

    private func failure(_ name: String, _ text: String, _ expectation: String) -> CommandFailure {
        failure("invalid --\(name) value '\(text)'; use \(expectation)")
    }

    /// Returns the name after checking that the command has the option.
    ///
    /// A missing one is a programming error.
    private func checked(_ name: String) -> String {
        precondition(offers(name), "no option is called \(name)")
        return name
    }
}
