// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import AudioContainers
import AudioFiles

/// `linnet remux`: moves access units between containers.
enum RemuxCommand: Subcommand {
    static let name = "remux"
    static let summary = "put AAC into another container, untouched"
    static let usage = "IN OUT [--container NAME] [--force]"
    static let options = [
        CommandOption("container", value: "NAME", help: "adts, m4a, caf or loas, if not the one of OUT's extension"),
        CommandOption("force", help: "overwrite OUT"),
        CommandOption("quiet", help: "print nothing but errors"),
    ]
    static let details = """
        IN is ADTS, LOAS, MP4, M4A, 3GP, QuickTime or CAF; OUT is .aac, .m4a, .caf or .loas; - is standard input or output. Nothing is
        decoded, so nothing is lost; what the container of IN says about the start and the end goes along where OUT can hold it.
        """
    static let examples = [
        (command: "linnet remux song.aac song.m4a", meaning: "for players that want M4A"),
        (command: "linnet remux film.mp4 - --container adts | ffplay -", meaning: "the AAC track as a stream"),
    ]

    static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        guard arguments.operands.count == 2 else { throw arguments.failure("remux takes one input and one output") }
        let (input, output) = (arguments.operands[0], arguments.operands[1])
        let named = try arguments.choice("container", [("adts", ContainerFormat.adts), ("m4a", .m4a), ("caf", .caf), ("loas", .loas)])
        let ending = output.split(separator: "/").last?.split(separator: ".").dropFirst().last
        guard let container = named ?? ending.flatMap({ ContainerFormat(writableFileExtension: String($0)) }) else {
            throw arguments.failure("\(output) names no container: use .aac, .m4a, .caf or .loas, or --container")
        }
        if output == "-", StandardOutput.isTerminal { throw arguments.failure("AAC is nothing for a terminal") }
        SignalWatcher.start { number in
            PartialFileRegistry.removeAll()
            SignalWatcher.die(of: number)
        }
        let remuxer = FileRemuxer(input: input, output: output, container: container, overwrites: arguments.has("force"))
        let summary: FileRemuxer.Summary
        do {
            summary = try remuxer.run()
        } catch let error as RemuxingError {
            throw CommandFailure(.refusedSettings, error.description)
        }
        if summary.lostByteCount > 0 { StandardError.complain("warning: \(summary.lostByteCount) damaged bytes of \(input) were left out") }
        if summary.losesTags, !arguments.has("quiet") {
            StandardError.complain("warning: tags of \(input) stay behind, for which \(output) has no place")
        }
        let line = "\(input) -> \(output): \(summary.unitCount) access units, \(summary.byteCount) bytes"
        if output == "-" || arguments.has("quiet") { return summary.lostByteCount > 0 ? .damagedInput : .success }
        try StandardOutput.print(line)
        return summary.lostByteCount > 0 ? .damagedInput : .success
    }
}
