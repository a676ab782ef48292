// SPDX-License-Identifier: Apache-2.0

// On Apple's systems `DescribedError` is a `LocalizedError` by itself. Elsewhere only this module imports Foundation, so that programs that
// import single modules need not have it.
#if canImport(Foundation) && !canImport(Darwin)
public import Foundation

extension LocalizedError where Self: DescribedError {
    /// The description of the error, which is what `localizedDescription` returns.
    public var errorDescription: String? { description }
}

extension AACError: LocalizedError {}
extension ALACConfigurationError: LocalizedError {}
extension ALACError: LocalizedError {}
extension AudioConversionError: LocalizedError {}
extension CodecDamage: LocalizedError {}
extension ContainerError: LocalizedError {}
extension DeviceError: LocalizedError {}
extension ILBCError: LocalizedError {}
extension LoudnessError: LocalizedError {}
extension MPEG4AudioError: LocalizedError {}
extension OpusError: LocalizedError {}
extension OpusFormatError: LocalizedError {}
extension AudioFileError: LocalizedError {}
extension SignalComparisonError: LocalizedError {
    /// The description of the error.
    public var errorDescription: String? { description }
}
extension StreamingError: LocalizedError {}
extension USACError: LocalizedError {}
#endif
