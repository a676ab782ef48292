// SPDX-License-Identifier: Apache-2.0

extension ChannelLayout {
    /// The usual speaker abbreviations, such as "FL FR".
    package var names: String { speakers.map { $0.abbreviation }.joined(separator: " ") }
}

extension Speaker {
    /// The usual abbreviation, such as "FL".
    package var abbreviation: String {
        switch self {
        case .left: "FL"
        case .right: "FR"
        case .center: "FC"
        case .lowFrequency: "LFE"
        case .backLeft: "BL"
        case .backRight: "BR"
        case .leftOfCenter: "FLC"
        case .rightOfCenter: "FRC"
        case .backCenter: "BC"
        case .sideLeft: "SL"
        case .sideRight: "SR"
        case .topLeft: "TFL"
        case .topRight: "TFR"
        }
    }
}
