// SPDX-License-Identifier: Apache-2.0

// On Apple's systems `DescribedError` is a `LocalizedError` by itself. Elsewhere only this module imports Foundation, so that programs that
internal import AudioPrimitives

// import single modules need not have it.
#if canImport(Foundation) && !canImport(Darwin)
public import Foundation

extension LocalizedError where Self: DescribedError {
    /// The description of the error, which is what `localizedDescription` returns.
    public var errorDescription: String? { description }
}

extension CodecError: LocalizedError {}
extension ContainerError: LocalizedError {}
extension DeviceError: LocalizedError {}
extension AudioFileError: LocalizedError {}
extension SignalComparisonError: LocalizedError {
    /// The description of the error.
    public var errorDescription: String? { description }
}
extension StreamingError: LocalizedError {}
#endif
