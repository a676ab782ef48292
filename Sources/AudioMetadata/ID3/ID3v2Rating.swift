// SPDX-License-Identifier: Apache-2.0

/// The scale of ratings in ID3v2, on which players agree for 1 to 5 stars: 1, 64, 128, 196 and 255.
enum ID3v2Rating {
    private static let stars = [0, 1, 64, 128, 196, 255]

    /// Returns a rating of 0 to 255 as a percentage: 20 per star, interpolated between stars.
    static func percent(_ value: Int) -> Int {
        let star = stars.lastIndex { $0 <= value } ?? 0
        guard star < stars.count - 1 else { return 100 }
        return 20 * star + 20 * (value - stars[star]) / (stars[star + 1] - stars[star])
    }

    /// Returns a percentage as a rating of 1 to 255; `nil` for other texts.
    static func value(_ text: String) -> UInt8? {
        guard let percent = Int(text), (1...100).contains(percent) else { return nil }
        return (1...255).first { self.percent(Int($0)) >= percent }
    }
}
