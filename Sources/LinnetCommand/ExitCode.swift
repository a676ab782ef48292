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
    case readerGone = 141

    /// The meaning in a few words.
    package var meaning: String {
        switch self {
        case .success: "success"
        case .failure: "an error that none of the others describes"
        case .usage: "the command line is wrong"
        case .unreadableInput: "an input is missing or can't be read"
        case .folderInput: "an input is a folder"
        case .unsuitableInput: "an input is in no format that this command reads"
        case .damagedInput: "an input is damaged"
        case .outputExists: "an output exists already"
        case .unwritableOutput: "an output can't be created or written"
        case .noSpace: "the disk is full"
        case .refusedSettings: "the settings can't be used with this input or output"
        case .noDevice: "there is no such device or sound server, or it failed"
        case .unsupportedInput: "an input is intact, but holds another codec or an unsupported feature"
        case .serverFailed: "a live server can't be reached, or refuses the stream"
        case .someFailed: "some files of a batch failed, the others are done"
        case .allFailed: "no file of a batch could be done"
        case .libraryMissing: "a library that this needs is not installed"
        case .interrupted: "stopped by Ctrl-C (143: by SIGTERM)"
        case .readerGone: "the reader of a pipe has ended"
        }
    }
}
