// SPDX-License-Identifier: Apache-2.0

internal import AACCodec
internal import AudioConversion
internal import AudioPrimitives
internal import OpusCodec
internal import Synchronization

/// A recording's bit rate.
///
/// Any thread requests a change, and the encoding thread applies it.
final class AdjustableBitRate: Sendable {
    /// State shared between threads.
    private struct State {
        var current: Int?
        var requested: Int?
    }

    /// The bit rates that the encoder supports; `nil` at constant quality.
    let supported: ClosedRange<Int>?

    private let state: Mutex<State>

    init(_ encoder: any AudioPacketEncoder, _ configuration: AudioEncoderConfiguration) {
        supported =
            switch configuration {
            case .opus(let configuration): OpusEncoderConfiguration.bitRates(channelCount: configuration.channelCount)
            case .aac(let configuration): encoder.bitRate.map { _ in (encoder as? AACEncoder)?.bitRates ?? configuration.bitRates }
            case .ilbc, .alac: nil
            }
        state = Mutex(State(current: encoder.bitRate))
    }

    /// The encoder's bit rate; `nil` at constant quality.
    var current: Int? { state.withLock { $0.current } }

    /// Requests a bit rate.
    ///
    /// The last request before the next frame wins.
    ///
    /// - Throws: `CodecError` if the encoder does not support the bit rate.
    func request(_ bitRate: Int) throws(CodecError) {
        guard let supported else { throw .variableBitRate }
        guard supported.contains(bitRate) else { throw .unsupportedBitRate(bitRate, allowed: supported) }
        state.withLock { $0.requested = bitRate }
    }

    /// Applies a pending request to the encoder.
    ///
    /// Must be called on the encoding thread.
    ///
    /// - Returns: The new bit rate; `nil` if it has not changed.
    func apply(to encoder: any AudioPacketEncoder) throws -> Int? {
        let requested = state.withLock { state -> Int? in
            defer { state.requested = nil }
            return state.requested == state.current ? nil : state.requested
        }
        guard let requested else { return nil }
        try encoder.setBitRate(requested)
        state.withLock { $0.current = requested }
        return requested
    }
}
