// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import AudioContainers
import SystemFiles

/// The container of an output, by `--format` or by the extension of its path.
enum ContainerOption {
    /// The names of `--format` that the help and messages show.
    static let names = "adts, m4a, caf, loas, ts or opus"

    /// The extensions that the help and messages name.
    static let extensions = ".aac, .m4a, .caf, .loas, .ts or .opus"

    /// Returns the container that `--format` names.
    static func named(_ arguments: ParsedArguments) throws(CommandFailure) -> ContainerFormat? {
        try arguments.choice(
            "format",
            ContainerFormat.writableFileExtensions.compactMap { name in ContainerFormat(writableFileExtension: name).map { (name, $0) } })
    }

    /// Returns the container that the extension of a path stands for; ADTS for standard output and for names without an extension.
    ///
    /// - Throws: An error that names the known extensions if it is none of them.
    static func container(of path: String, _ arguments: ParsedArguments) throws(CommandFailure) -> ContainerFormat {
        guard path != "-", let found = PathName.fileExtension(path) else { return .adts }
        guard let container = ContainerFormat(writableFileExtension: found) else {
            throw arguments.failure("\(path) has an unknown extension: use \(extensions), or --format")
        }
        return container
    }
}
