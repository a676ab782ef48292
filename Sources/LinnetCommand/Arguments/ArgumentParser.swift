// SPDX-License-Identifier: Apache-2.0

@preconcurrency import CGetopt
import Synchronization
@preconcurrency import SystemLibrary

/// A parser of options and operands, built on the C library's `getopt_long`.
///
/// It accepts the usual forms: `-b128k`, `-b 128k`, `--bitrate=128k`, unambiguous prefixes of long names, options after operands, and `--`.
package struct ArgumentParser {
    /// The command's name in messages, such as `linnet encode`.
    let command: String
    let options: [CommandOption]

    package init(command: String, options: [CommandOption]) {
        self.command = command
        self.options = options
    }

    private struct LongName {
        let name: String
        let option: CommandOption
        /// The value that an alias implies; `nil` for other names.
        let value: String?
        /// Whether a value must follow.
        var takesValue: Bool { value == nil && option.valueName != nil }
    }

    /// The value of the first entry of the option table.
    ///
    /// Smaller values are characters.
    private static let firstValue: Int32 = 1000

    private var longNames: [LongName] {
        options.flatMap { option in
            [LongName(name: option.name, option: option, value: nil)]
                + option.aliases.map { LongName(name: $0.name, option: option, value: $0.value) }
        }
    }

    /// Guards `getopt_long`, whose state is global.
    private static let state = Mutex(())

    package func parse(_ words: [String]) throws(CommandFailure) -> ParsedArguments {
        try Self.state.withLock { _ throws(CommandFailure) in try parseAlone(words) }
    }

    /// Parses the words with ``state`` locked.
    private func parseAlone(_ words: [String]) throws(CommandFailure) -> ParsedArguments {
        let longNames = longNames
        var arguments = ([command] + words).map { strdup($0) } + [nil]
        let names = longNames.map { strdup($0.name) }
        // `getopt_long` reorders the words.
        let owned = arguments + names
        defer { for string in owned { free(string) } }
        let table =
            zip(longNames, names).enumerated().map { index, entry in
                option(
                    name: UnsafePointer(entry.1), has_arg: entry.0.takesValue ? 1 : 0, flag: nil, val: Self.firstValue + Int32(index))
            } + [option(name: nil, has_arg: 0, flag: nil, val: 0)]
        opterr = 0
        #if os(Linux)
        optind = 0
        #else
        optind = 1
        optreset = 1
        #endif
        var result = ParsedArguments(command: command, options: options)
        while true {
            let found = Self.nextOption(of: &arguments, shortOptions, table)
            if found == -1 { break }
            guard let known = knownName(for: found, longNames) else { throw failure(for: found, arguments, longNames) }
            if found >= Self.firstValue, let failure = failure(forAbbreviation: Self.typedName(known, arguments), of: known.option) {
                throw failure
            }
            let value = known.takesValue ? optarg.map { String(cString: $0) } ?? "" : known.value ?? ""
            if let hint = ForeignOptionHint.text(forValue: value, of: known.option, among: options) { throw failure(hint) }
            if let short = known.option.short, let hint = ForeignOptionHint.text(forWord: "-\(short)\(value)", among: options) {
                throw failure("unknown option -\(short)\(value); \(hint)")
            }
            result.append(value, for: known.option.name)
        }
        result.operands = arguments[Int(optind)..<arguments.count - 1].compactMap { $0.map { String(cString: $0) } }
        return result
    }

    /// Returns the latest long name as it was typed, possibly abbreviated.
    private static func typedName(_ known: LongName, _ words: [UnsafeMutablePointer<CChar>?]) -> String {
        let last = words[Int(optind) - 1]
        let isBeforeValue = known.takesValue && optarg == last
        let word = (isBeforeValue ? words[Int(optind) - 2] : last).map { String(cString: $0) } ?? ""
        return String(word.dropFirst(2).prefix { $0 != "=" })
    }

    /// Calls `getopt_long`, which may reorder the words.
    private static func nextOption(of words: inout [UnsafeMutablePointer<CChar>?], _ shortOptions: String, _ table: [option]) -> Int32 {
        let count = Int32(words.count - 1)
        #if os(Android)
        // Its header declares every word as non-null, even the last.
        return words.withUnsafeMutableBufferPointer { words in
            words.withMemoryRebound(to: UnsafeMutablePointer<CChar>.self) { words in
                words.baseAddress.map { getopt_long(count, $0, shortOptions, table, nil) } ?? -1
            }
        }
        #else
        return getopt_long(count, &words, shortOptions, table, nil)
        #endif
    }

    /// The short options in the form of `getopt`.
    ///
    /// The leading colon selects a separate code for missing values.
    private var shortOptions: String {
        options.reduce(into: ":") { text, option in
            guard let short = option.short else { return }
            text.append(short)
            if option.valueName != nil { text.append(":") }
        }
    }

    /// Returns the entry for a result of `getopt_long`; `nil` for its error codes.
    private func knownName(for found: Int32, _ longNames: [LongName]) -> LongName? {
        if found >= Self.firstValue { return longNames[Int(found - Self.firstValue)] }
        return longNames.first { $0.name == $0.option.name && $0.option.short.flatMap(\.asciiValue).map(Int32.init) == found }
    }

    /// Returns an error for the word at which `getopt_long` stopped.
    private func failure(for found: Int32, _ arguments: [UnsafeMutablePointer<CChar>?], _ longNames: [LongName]) -> CommandFailure {
        let known = optopt == 0 ? nil : knownName(for: optopt, longNames)
        if found == Int32(UInt8(ascii: ":")), let known {
            return failure("--\(known.name) needs a value (\(known.option.valueName ?? "VALUE"))")
        }
        if let known { return failure("--\(known.name) takes no value") }
        if optopt != 0, let scalar = UnicodeScalar(UInt32(bitPattern: optopt)) {
            // `optind` passes a cluster of short options only after its last one.
            for index in [Int(optind), Int(optind) - 1] where arguments.indices.contains(index) {
                guard let word = arguments[index].map({ String(cString: $0) }), word.unicodeScalars.contains(scalar),
                    let hint = ForeignOptionHint.text(forWord: word, among: options)
                else { continue }
                return failure("unknown option \(word); \(hint)")
            }
            let hint = ForeignOptionHint.text(for: String(scalar), among: options).map { "; \($0)" } ?? ""
            return failure("unknown option -\(scalar)\(hint)")
        }
        let word = arguments[Int(optind) - 1].map { String(cString: $0) } ?? ""
        let name = String(word.drop { $0 == "-" }.prefix { $0 != "=" })
        let matches = longNames.map(\.name).filter { $0.hasPrefix(name) }
        if matches.count > 1 {
            return failure("--\(name) can mean " + matches.map { "--\($0)" }.joined(separator: ", "))
        }
        if let hint = ForeignOptionHint.text(for: name, among: options) { return failure("unknown option --\(name); \(hint)") }
        let hint = SpellingSuggestion.nearest(to: name, among: options.map(\.name)).map { "; did you mean --\($0)?" } ?? ""
        return failure("unknown option --\(name)\(hint)")
    }

    private func failure(_ text: String) -> CommandFailure {
        CommandFailure(.usage, "\(text) (see \(command) --help)")
    }
}
