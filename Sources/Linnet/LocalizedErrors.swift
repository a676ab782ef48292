// SPDX-License-Identifier: Apache-2.0

// On Apple's systems `DescribedError` already is a `LocalizedError`. Elsewhere only this module imports Foundation, so that programs that
// import single modules do not need it.

internal import AudioPrimitives

#if canImport(Foundation) && !canImport(Darwin)
public import Foundation

extension LocalizedError where Self: DescribedError {
    /// The description, which `localizedDescription` returns.
    public var errorDescription: String? { description }
}

extension CodecError: LocalizedError {}
extension ContainerError: LocalizedError {}
extension DeviceError: LocalizedError {}
extension AudioFileError: LocalizedError {}
extension SignalComparisonError: LocalizedError {
    /// The description, which `localizedDescription` returns.
    public var errorDescription: String? { description }
}
extension StreamingError: LocalizedError {}
#endif
