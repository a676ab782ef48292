// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioFiles
import AudioPrimitives
import BatchEncoding
import PCMFiles
import SystemFiles

/// The files of a batch with their outputs and settings.
struct BatchSources {
    private let arguments: ParsedArguments
    /// The output folder, with a trailing slash.
    private let target: String
    private let currentFolder = Folder.current ?? "/"
    /// The settings so far, by their text.
    private var known: [String: Result<BatchSettings, CommandFailure>] = [:]

    init(_ arguments: ParsedArguments) {
        self.arguments = arguments
        target = PathName.folder(arguments.text("output") ?? ".")
    }

    /// Returns the files of all sources.
    ///
    /// - Throws: An error of the command line, or of an unreadable folder or list. Errors of a line belong to its file.
    consuming func files() throws -> [BatchFile] {
        // Errors of the command line end the command instead of each file.
        let usual = try settings([], output: nil).get()
        let fileExtension = self.fileExtension(usual)
        var files: [BatchFile] = []
        for source in arguments.operands {
            if Folder.exists(source) {
                let scan = try FolderScan(source, excluding: target)
                files += scan.errors.map { BatchFile(input: $0.path, output: target, settings: usual, problem: $0) }
                let found = scan.files.map { found in
                    let output = target + PathName.replacingExtension(of: found.relativePath, by: fileExtension)
                    return BatchFile(input: found.path, output: output, settings: usual, byteCount: found.byteCount)
                }
                files += withoutOutputs(found)
            } else if source == "-" || PathName.fileExtension(source).map(Manifest.fileExtensions.contains) == true {
                let manifest = try Manifest(path: source)
                if manifest.entries.isEmpty, manifest.errors.isEmpty {
                    throw arguments.failure("no files in the list \(PathName.inputName(source))")
                }
                files += manifest.errors.map { BatchFile(input: source, output: target, settings: usual, problem: $0) }
                for entry in manifest.entries { files.append(try file(entry, of: source, usual)) }
            } else {
                let output = output(of: source, fileExtension)
                files.append(BatchFile(input: source, output: output, settings: usual, problem: Self.problem(of: source)))
            }
        }
        return files
    }

    /// Returns the files of a folder without outputs of previous batches that this batch would encode again, or instead of their inputs.
    private func withoutOutputs(_ files: [BatchFile]) -> [BatchFile] {
        let isOutput = files.map { isBelowTarget($0.input) && FileStamp(of: BatchRecord.path(of: $0.input)) != nil }
        let others = Set(zip(files, isOutput).filter { !$0.1 }.map(\.0.output))
        return zip(files, isOutput).filter { file, isOutput in
            let isOwn = PathName.absolute(file.input, in: currentFolder) == PathName.absolute(file.output, in: currentFolder)
            return !isOutput || !isOwn && !others.contains(file.output)
        }.map(\.0)
    }

    /// Returns the error of a named source that cannot be found.
    ///
    /// It may be a folder, whose files are then unknown.
    private static func problem(of source: String) -> AudioFileError? {
        do throws(SystemFileError) { _ = try FileStatus(of: source) } catch { return AudioFileError(reading: source, error) }
        return nil
    }

    private mutating func file(_ entry: ManifestEntry, of list: String, _ usual: BatchSettings) throws -> BatchFile {
        let named = entry.output.map { $0.hasPrefix("/") ? $0 : target + $0 }
        if let path = entry.output, let named, !isBelowTarget(named) {
            let problem = BatchError.invalidManifest(
                path: PathName.inputName(list), line: entry.line, problem: .outputElsewhere(path))
            return BatchFile(input: entry.input, output: named, settings: usual, problem: problem)
        }
        let isUsual = entry.settings.isEmpty && named.map { PathName.fileExtension($0) == fileExtension(usual) } ?? true
        switch isUsual ? .success(usual) : settings(entry.settings, output: named) {
        case .success(let settings):
            var file = BatchFile(
                input: entry.input, output: named ?? output(of: entry.input, fileExtension(settings)), settings: settings)
            file.ownSettings = entry.settings
            return file
        case .failure(let failure):
            let problem = CommandFailure(failure.exitCode, "\(list), line \(entry.line): \(failure.message)")
            return BatchFile(
                input: entry.input, output: named ?? output(of: entry.input, fileExtension(usual)), settings: usual, problem: problem)
        }
    }

    /// Whether a path is in the output folder or its subfolders.
    private func isBelowTarget(_ path: String) -> Bool {
        let folder = PathName.folder(PathName.absolute(target, in: currentFolder))
        return PathName.absolute(path, in: currentFolder).utf8.starts(with: folder.utf8)
    }

    /// Returns the output of a named file: its relative path below the target, or only its name if it is elsewhere.
    private func output(of input: String, _ fileExtension: String) -> String {
        let isBelow = !input.hasPrefix("/") && !input.split(separator: "/").contains("..")
        let path = isBelow ? String(input.trimmingPrefix("./")) : PathName.lastComponent(input)
        return target + PathName.replacingExtension(of: path, by: fileExtension)
    }

    /// Returns the extension of outputs named after their inputs.
    private func fileExtension(_ settings: BatchSettings) -> String { (settings.configuration.format ?? .m4a).fileExtension }

    /// Returns the settings of a file: the command line's and its own.
    ///
    /// - Parameters:
    ///   - own: The settings of the file.
    ///   - output: The output's path, if given. Its extension selects the container.
    private mutating func settings(_ own: [ManifestEntry.Setting], output: String?) -> Result<BatchSettings, CommandFailure> {
        let suffix = output.flatMap(PathName.fileExtension)
        let key = own.map { "\($0.name)=\($0.value)\u{0}" }.joined() + (suffix ?? "")
        if let found = known[key] { return found }
        let made = Result { try makeSettings(own, output: output, suffix: suffix) }.mapError { CommandFailure($0) }
        known[key] = made
        return made
    }

    private func makeSettings(
        _ own: [ManifestEntry.Setting], output: String?, suffix: String?
    ) throws -> BatchSettings {
        var arguments = arguments
        // The values of a file replace the command line's, except for any other tags.
        var replaced: Set = ["tag"]
        for setting in own {
            guard let option = (BatchCommand.encoderOptions + [.format, .sampleFormat]).first(where: { $0.isNamed(setting.name) }) else {
                throw CommandFailure(.usage, "unknown setting \(setting.name)")
            }
            if option.valueName == nil, !setting.value.isEmpty, setting.value != "true" {
                throw CommandFailure(.usage, "\(setting.name) takes no value except true")
            }
            if replaced.insert(option.name).inserted { arguments.removeValues(of: option.name) }
            arguments.append(setting.value, for: option.name)
        }
        var options = try EncodeCommand.encoderOptions(arguments)
        if options.format == nil {
            options.format =
                try output.map { path throws(CommandFailure) in
                    if let format = AudioFileFormat(pcmPath: path), format != .caf { return format }
                    return try ContainerOption.container(of: path, arguments)
                }
                ?? (arguments.text("codec") == "opus" ? .oggOpus : .m4a)
        }
        options.storesLoudness = LoudnessOptions.storesLoudness(arguments, options)
        if let format = options.format, format.isPCM, format != .caf {
            try EncoderOptions.refuse(arguments, for: format, others: ["preset", "scale-bitrate", "crc", "mpeg2"])
            options.encoding = try ConvertOptions.encoding(arguments, codec: nil)
            return BatchSettings(options)
        }
        if options.format != .adts { try EncodeCommand.refuseADTSOptions(arguments) }
        try OpusOptions.setCodec(of: &options, arguments, container: options.format)
        options.encoding = try ConvertOptions.encoding(arguments, codec: options.codec)
        return BatchSettings(options)
    }
}
