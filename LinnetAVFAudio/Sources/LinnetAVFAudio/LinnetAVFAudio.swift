// SPDX-License-Identifier: Apache-2.0

// Apple's systems provide these types.
#if canImport(Darwin)
@_exported public import AVFAudio
#else
@_exported public import CLinnetAudioTypes
@_exported public import Foundation
#endif
