// SPDX-License-Identifier: Apache-2.0

/// The exit status of the program, as listed by `linnet --help`.
package enum ExitCode: Int32, CaseIterable {
    case success = 0
    case failure = 1
    case usage = 2
    case unreadableInput = 3
    case folderInput = 4
    case unsuitableInput = 5
    case damagedInput = 6
    case outputExists = 7
    case unwritableOutput = 8
    case noSpace = 9
    case refusedSettings = 10
    case noDevice = 11
    case unsupportedInput = 12
    case serverFailed = 13
    case someFailed = 14
    case allFailed = 15
    case libraryMissing = 16
    case interrupted = 130
    case brokenPipe = 141

    /// The meaning in a few words.
    package var meaning: String {
        switch self {
        case .success: "success"
        case .failure: "an unexpected error"
        case .usage: "invalid command line"
        case .unreadableInput: "an input is missing or unreadable"
        case .folderInput: "an input is a folder"
        case .unsuitableInput: "an input has an unsupported format"
        case .damagedInput: "an input is damaged"
        case .outputExists: "an output already exists"
        case .unwritableOutput: "an output cannot be created or written"
        case .noSpace: "the disk is full"
        case .refusedSettings: "the settings do not fit the input or output"
        case .noDevice: "a device or sound server is missing or failed"
        case .unsupportedInput: "an input is intact but has an unsupported codec or feature"
        case .serverFailed: "a live server is unreachable or rejects the stream"
        case .someFailed: "some files of a batch failed"
        case .allFailed: "all files of a batch failed"
        case .libraryMissing: "a required library is not installed"
        case .interrupted: "stopped by Ctrl-C (143: by SIGTERM)"
        case .brokenPipe: "the reader of a pipe ended"
        }
    }
}
