// SPDX-License-Identifier: Apache-2.0

import AACCodec
import JSONText
import MPEG4Audio

/// The tools of an access unit as text and JSON, with the abbreviations of ISO/IEC 14496-3.
enum ToolText {
    /// Returns the line of an element, followed by lines for each channel and SBR.
    static func lines(_ tools: ElementTools) -> [String] {
        var head = "\(name(tools.element)) \(tools.instanceTag): \(tools.bitCount) bits"
        if tools.element == .pair { head += tools.hasCommonWindow ? ", common window" : ", separate windows" }
        if tools.midSideBandCount > 0 { head += ", M/S in \(bands(tools.midSideBandCount))" }
        let channels = tools.channels.map { "    " + text($0) }
        let sbr = tools.sbr.map { ["    SBR: " + text($0)] } ?? []
        return ([head] + channels + sbr).map { "        " + $0 }
    }

    private static func text(_ channel: ChannelTools) -> String {
        var parts = [name(channel.windowSequence), name(channel.windowShape), bands(channel.bandCount)]
        if !channel.groupLengths.isEmpty { parts[0] += " (" + channel.groupLengths.map(String.init).joined(separator: "+") + ")" }
        if !channel.tnsOrders.isEmpty {
            parts.append("TNS order " + channel.tnsOrders.map(String.init).joined(separator: "+"))
        }
        if channel.noiseBandCount > 0 { parts.append("PNS in \(bands(channel.noiseBandCount))") }
        if channel.intensityBandCount > 0 { parts.append("intensity in \(bands(channel.intensityBandCount))") }
        if channel.pulseCount > 0 { parts.append("\(channel.pulseCount) pulse\(channel.pulseCount == 1 ? "" : "s")") }
        if channel.isPredicted { parts.append("prediction") }
        return parts.joined(separator: ", ")
    }

    private static func text(_ tools: SBRTools) -> String {
        var parts = ["\(tools.bitCount) bits" + (tools.isChecked ? " with a checksum" : "")]
        if tools.channels.isEmpty { parts.append("not decodable") }
        if tools.isCoupled { parts.append("coupled") }
        for channel in tools.channels {
            let sines = channel.sineCount > 0 ? " and \(channel.sineCount) sine\(channel.sineCount == 1 ? "" : "s")" : ""
            parts.append("\(channel.frameClass.rawValue) with \(envelopes(channel.envelopeCount))\(sines)")
        }
        if let stereo = tools.stereo {
            let phases = stereo.hasPhases ? ", phases" : ""
            parts.append(
                "PS with \(envelopes(stereo.envelopeCount)) (levels in \(bands(stereo.levelBandCount)), "
                    + "coherence in \(bands(stereo.coherenceBandCount))\(phases))")
        }
        return parts.joined(separator: ", ")
    }

    static func json(_ elements: [ElementTools]) -> JSONValue {
        .array(
            elements.map { tools in
                .object([
                    ("element", .string(name(tools.element))), ("tag", .integer(tools.instanceTag)), ("bits", .integer(tools.bitCount)),
                    ("commonWindow", .bool(tools.hasCommonWindow)), ("midSideBands", .integer(tools.midSideBandCount)),
                    ("channels", .array(tools.channels.map(json))), ("sbr", tools.sbr.map(json) ?? .null),
                ])
            })
    }

    private static func json(_ channel: ChannelTools) -> JSONValue {
        .object([
            ("windowSequence", .string(name(channel.windowSequence))), ("windowShape", .string(name(channel.windowShape))),
            ("groups", .array(channel.groupLengths.map { .integer($0) })), ("bands", .integer(channel.bandCount)),
            ("tnsOrders", .array(channel.tnsOrders.map { .integer($0) })), ("pnsBands", .integer(channel.noiseBandCount)),
            ("intensityBands", .integer(channel.intensityBandCount)), ("pulses", .integer(channel.pulseCount)),
            ("prediction", .bool(channel.isPredicted)),
        ])
    }

    private static func json(_ tools: SBRTools) -> JSONValue {
        .object([
            ("bits", .integer(tools.bitCount)), ("checksum", .bool(tools.isChecked)), ("coupled", .bool(tools.isCoupled)),
            (
                "channels",
                .array(
                    tools.channels.map {
                        .object([
                            ("frameClass", .string($0.frameClass.rawValue)), ("envelopes", .integer($0.envelopeCount)),
                            ("sines", .integer($0.sineCount)),
                        ])
                    })
            ),
            (
                "ps",
                tools.stereo.map {
                    .object([
                        ("envelopes", .integer($0.envelopeCount)), ("levelBands", .integer($0.levelBandCount)),
                        ("coherenceBands", .integer($0.coherenceBandCount)), ("phases", .bool($0.hasPhases)),
                    ])
                } ?? .null
            ),
        ])
    }

    /// Returns the abbreviation of an element.
    private static func name(_ element: ChannelElement?) -> String {
        switch element {
        case .single: "SCE"
        case .pair: "CPE"
        case .lowFrequency: "LFE"
        case nil: "CCE"
        }
    }

    private static func name(_ sequence: WindowSequence) -> String {
        switch sequence {
        case .onlyLong: "long"
        case .longStart: "start"
        case .eightShort: "short"
        case .longStop: "stop"
        case .stopStart: "stop-start"
        }
    }

    private static func name(_ shape: WindowShape) -> String { shape == .sine ? "sine" : "KBD" }

    private static func bands(_ count: Int) -> String { "\(count) band\(count == 1 ? "" : "s")" }

    private static func envelopes(_ count: Int) -> String { "\(count) envelope\(count == 1 ? "" : "s")" }
}
