// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Makes texts of a server fit to be shown: some repeat the stream's name, which is a key.
struct RTMPServerText {
    /// The most characters shown; the texts of known servers have up to 100.
    private static let characterLimit = 300
    /// The shortest part of a stream's name that is hidden: shorter ones are no keys, and occur inside other words.
    private static let shortestSecret = 4

    /// The texts to hide, the longest first.
    private let secrets: [String]

    /// Hides a stream's name, its part before the query, and the values of the query.
    init(hiding streamName: String) {
        let parts = streamName.split(separator: "?", maxSplits: 1)
        let parameters = parts.count > 1 ? parts[1].split(separator: "&") : []
        let values = parameters.map { String($0.drop { $0 != "=" }.dropFirst()) }
        let texts = [streamName, parts.first.map { String($0) } ?? ""] + values
        let all = texts + texts.map { ServerURL.decoded($0) }
        secrets = Set(all.filter { $0.count >= Self.shortestSecret }).sorted { ($0.count, $0) > ($1.count, $1) }
    }

    /// Returns a text without secrets and control characters, shortened to a line.
    func shown(_ text: String) -> String {
        var text = String(String.UnicodeScalarView(text.unicodeScalars.filter { !$0.controlsTerminal }))
        for secret in secrets { text = text.replacing(secret, with: "…") }
        return text.count > Self.characterLimit ? text.prefix(Self.characterLimit) + "…" : text
    }
}
