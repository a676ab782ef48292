// SPDX-License-Identifier: Apache-2.0

/// Sanitizes a server's texts for display, because some contain a key or a password.
package struct ServerText: Sendable {
    /// The maximum length shown.
    ///
    /// Known servers send up to 100 characters.
    private static let characterLimit = 300
    /// The minimum length of a hidden text.
    ///
    /// Shorter ones are not keys and occur inside other words.
    private static let minimumSecretLength = 4

    /// The texts to hide, longest first.
    private let secrets: [String]

    /// Hides the texts, both as given and percent-decoded.
    package init(hiding texts: [String]) {
        let all = texts + texts.map { ServerURL.decoded($0) }
        secrets = Set(all.filter { $0.count >= Self.minimumSecretLength }).sorted { ($0.count, $0) > ($1.count, $1) }
    }

    /// Returns a text without secrets and control characters, shortened to one line.
    package func shown(_ text: String) -> String {
        var text = String(String.UnicodeScalarView(text.unicodeScalars.filter { !$0.controlsTerminal }))
        for secret in secrets { text = text.replacing(secret, with: "…") }
        return text.count > Self.characterLimit ? text.prefix(Self.characterLimit) + "…" : text
    }
}
