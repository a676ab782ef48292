// SPDX-License-Identifier: Apache-2.0

extension ArgumentParser {
    /// Returns an error if an abbreviation is the whole name of an option of other commands only.
    ///
    /// Otherwise `--time`, which is an option of batch, would mean `--timeout` in stream.
    ///
    /// - Parameters:
    ///   - name: The long name as it was typed, without dashes.
    ///   - option: The option that it abbreviates.
    func failure(forAbbreviation name: String, of option: CommandOption) -> CommandFailure? {
        let isOwn = options.contains { $0.name == name || $0.aliases.contains { $0.name == name } }
        guard !isOwn else { return nil }
        let owners = LinnetCommand.subcommands.filter { $0.options.contains { $0.name == name } }.map { $0.name }
        guard let owner = owners.first else { return nil }
        return CommandFailure(
            .usage, "--\(name) is an option of linnet \(owner); did you mean --\(option.name)? (see \(command) --help)")
    }
}
