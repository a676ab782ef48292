// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

/// Codes real prediction coefficients as differences in frequency or in time, whichever is shorter (`cplx_pred_data`).
struct PredictionDifferences: ~Copyable {
    /// The coefficients of the frame, in tenths, at `group * 16 + sfb` for even bands.
    var coefficients = FixedArray<Int8>(repeating: 0, count: WindowDivision.bandCapacity)
    /// The coefficients of the previous frame.
    private var previous = FixedArray<Int8>(repeating: 0, count: WindowDivision.bandCapacity)
    /// Whether the previous frame is a long window with prediction.
    private var followsLong = false

    /// Sets the differences of a frame with prediction.
    ///
    /// Differences in time are used only between long windows, because decoders disagree after a change of the window length.
    func set(_ stereo: inout StereoCoreToolInfo, _ windows: WindowDivision, isIndependent: Bool) {
        stereo.isDeltaInTime = false
        let bits = setDifferences(&stereo, windows)
        guard !isIndependent, followsLong, !windows.isShort else { return }
        stereo.isDeltaInTime = true
        guard setDifferences(&stereo, windows) > bits else { return }
        stereo.isDeltaInTime = false
        _ = setDifferences(&stereo, windows)
    }

    /// Sets the differences and returns their bits.
    private func setDifferences(_ stereo: inout StereoCoreToolInfo, _ windows: WindowDivision) -> Int {
        let coder = ScaleFactorCoder.shared
        let codewords = coder.codewords.span
        var bits = 0
        for group in 0..<windows.groupCount {
            var last = 0
            for sfb in stride(from: 0, to: stereo.bandCount, by: 2) {
                let band = group * WindowDivision.bandStride + sfb
                let difference = (stereo.isDeltaInTime ? Int(previous[sfb]) : last) - Int(coefficients[band])
                stereo.realDifferences[band] = Int8(difference)
                bits += Int(codewords[difference + ScaleFactorCodebook.indexOffset] & 0xFF)
                last = Int(coefficients[band])
            }
        }
        return bits
    }

    /// Makes the frame the previous one.
    mutating func finish(_ stereo: borrowing StereoCoreToolInfo, _ windows: WindowDivision) {
        followsLong = stereo.mode == .prediction && !windows.isShort
        previous.fill(0)
        guard followsLong else { return }
        for sfb in 0..<stereo.bandCount { previous[sfb] = coefficients[sfb] }
    }
}
