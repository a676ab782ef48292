// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import AACCodec
import AudioContainers
import AudioFiles
import AudioPrimitives
import PCMFiles

/// The result of an encoding as text and as JSON.
enum EncodeText {
    /// One line: what became of what, how much it was, how fast it went.
    static func line(_ summary: EncodingSummary, of job: EncodeJob) -> String {
        // The usual profile goes without saying.
        let profile = summary.configuration.profile == .lowComplexity ? [] : [summary.profile.description]
        let parts = [
            "\(summary.gapless.validFrames) frames", "\(Format.fixed(summary.seconds, digits: 2)) s",
            Format.bitRate(summary.averageBitRate), "\(summary.byteCount) bytes", "\(Format.speed(summary.speed)) real time",
        ]
        return "\(job.inputName) -> \(summary.outputPath): " + (profile + parts).joined(separator: ", ")
    }

    /// All there is to say about a job, for programs.
    static func json(_ job: EncodeJob, _ result: Result<EncodingSummary, FileEncodingError>?) -> JSONValue {
        let names: [(name: String, value: JSONValue)] = [("input", .string(job.inputName)), ("output", .string(job.output))]
        switch result {
        case .success(let summary): return .object(names + members(summary))
        case .failure(let error):
            let failure = CommandFailure(error)
            return .object(names + [("error", .string(failure.message)), ("exitCode", .integer(Int(failure.exitCode.rawValue)))])
        case nil: return .object(names)
        }
    }

    private static func members(_ summary: EncodingSummary) -> [(name: String, value: JSONValue)] {
        [
            ("container", .string(name(summary.container))),
            ("objectType", .string(summary.profile == .lowComplexity ? "AAC LC" : summary.profile.description)),
            ("inputFormat", .string(summary.input.containerName)),
            ("sampleRate", .integer(summary.configuration.sampleRate)),
            ("channels", .integer(summary.configuration.channelCount)),
            ("bandwidth", .integer(summary.bandwidth)),
            ("targetBitRate", summary.targetBitRate.map { .integer($0) } ?? .null),
            ("bitRate", .rounded(summary.averageBitRate, digits: 0)),
            ("peakBitRate", .rounded(summary.peakBitRate, digits: 0)),
            ("accessUnits", .integer(summary.unitCount)),
            ("frames", .integer(summary.gapless.validFrames)),
            ("primingFrames", .integer(summary.gapless.primingFrames)),
            ("remainderFrames", .integer(summary.gapless.remainderFrames)),
            ("seconds", .rounded(summary.seconds, digits: 6)),
            ("bytes", .integer(summary.byteCount)),
            ("payloadBytes", .integer(summary.payloadByteCount)),
            ("elapsedSeconds", .rounded(summary.elapsedSeconds, digits: 4)),
            ("speed", .rounded(summary.speed, digits: 1)),
            ("warnings", .array(summary.warnings.map { .string($0.description) })),
        ]
    }

    private static func name(_ container: ContainerFormat) -> String {
        container == .fragmentedM4A ? "M4A in fragments" : container.name
    }
}
