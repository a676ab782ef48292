// SPDX-License-Identifier: Apache-2.0

/// Makes texts of a server fit to be shown: some repeat a key or a password.
package struct ServerText: Sendable {
    /// The most characters shown; the texts of known servers have up to 100.
    private static let characterLimit = 300
    /// The shortest text that is hidden: shorter ones are no keys, and occur inside other words.
    private static let shortestSecret = 4

    /// The texts to hide, the longest first.
    private let secrets: [String]

    /// Hides texts, also percent-decoded.
    package init(hiding texts: [String]) {
        let all = texts + texts.map { ServerURL.decoded($0) }
        secrets = Set(all.filter { $0.count >= Self.shortestSecret }).sorted { ($0.count, $0) > ($1.count, $1) }
    }

    /// Returns a text without secrets and control characters, shortened to a line.
    package func shown(_ text: String) -> String {
        var text = String(String.UnicodeScalarView(text.unicodeScalars.filter { !$0.controlsTerminal }))
        for secret in secrets { text = text.replacing(secret, with: "…") }
        return text.count > Self.characterLimit ? text.prefix(Self.characterLimit) + "…" : text
    }
}
