// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

@preconcurrency import CGetopt

#if canImport(Glibc)
@preconcurrency import Glibc
#elseif canImport(Darwin)
@preconcurrency import Darwin
#endif

/// Splits a command line into options and operands by the C library's `getopt_long`, so that it behaves like other programs:
/// `-b128k`, `-b 128k`, `--bitrate=128k`, unambiguous beginnings of long names, options behind operands, and `--`.
struct ArgumentParser {
    /// The command's name in messages, as `linnet encode`.
    let command: String
    let options: [CommandOption]

    /// Values of the entries in the option table; they start where no character is.
    private static let firstValue: Int32 = 1000

    /// Parses the words behind the command's name.
    func parse(_ words: [String]) throws(CommandFailure) -> ParsedArguments {
        var arguments = ([command] + words).map { strdup($0) } + [nil]
        let names = options.map { strdup($0.name) }
        // `getopt_long` reorders the words, so the strings to free are kept apart.
        let owned = arguments + names
        defer { for string in owned { free(string) } }
        let table =
            zip(options, names).enumerated().map { index, entry in
                option(
                    name: UnsafePointer(entry.1), has_arg: entry.0.valueName == nil ? 0 : 1, flag: nil, val: Self.firstValue + Int32(index))
            } + [option(name: nil, has_arg: 0, flag: nil, val: 0)]
        opterr = 0
        #if canImport(Glibc)
        optind = 0
        #else
        optind = 1
        optreset = 1
        #endif
        var result = ParsedArguments(command: command, options: options)
        while true {
            let found = getopt_long(Int32(arguments.count - 1), &arguments, shortOptions, table, nil)
            if found == -1 { break }
            guard let option = knownOption(for: found) else { throw complaint(found, arguments) }
            result.append(option.valueName == nil ? "" : optarg.map { String(cString: $0) } ?? "", for: option.name)
        }
        result.operands = arguments[Int(optind)..<arguments.count - 1].compactMap { $0.map { String(cString: $0) } }
        return result
    }

    /// The short options as `getopt` takes them; the colon in front asks for a code of its own for missing values.
    private var shortOptions: String {
        options.reduce(into: ":") { text, option in
            guard let short = option.short else { return }
            text.append(short)
            if option.valueName != nil { text.append(":") }
        }
    }

    private func knownOption(for found: Int32) -> CommandOption? {
        if found >= Self.firstValue { return options[Int(found - Self.firstValue)] }
        return options.first { $0.short.flatMap(\.asciiValue).map(Int32.init) == found }
    }

    /// What was wrong with the word that `getopt_long` stopped at.
    private func complaint(_ found: Int32, _ arguments: [UnsafeMutablePointer<CChar>?]) -> CommandFailure {
        let word = arguments[Int(optind) - 1].map { String(cString: $0) } ?? ""
        let known = optopt == 0 ? nil : knownOption(for: optopt)
        if found == Int32(UInt8(ascii: ":")), let known {
            return failure("\(known.name.count > 0 ? "--" + known.name : word) needs a value (\(known.valueName ?? "VALUE"))")
        }
        if let known { return failure("--\(known.name) takes no value") }
        if optopt != 0, let scalar = UnicodeScalar(UInt32(bitPattern: optopt)) { return failure("unknown option -\(scalar)") }
        let name = String(word.drop { $0 == "-" }.prefix { $0 != "=" })
        let matches = options.map(\.name).filter { $0.hasPrefix(name) }
        if matches.count > 1 {
            return failure("--\(name) can mean " + matches.map { "--\($0)" }.joined(separator: ", "))
        }
        let hint = SpellingSuggestion.nearest(to: name, among: options.map(\.name)).map { "; did you mean --\($0)?" } ?? ""
        return failure("unknown option --\(name)\(hint)")
    }

    private func failure(_ text: String) -> CommandFailure {
        CommandFailure(.usage, "\(text) (see \(command) --help)")
    }
}
