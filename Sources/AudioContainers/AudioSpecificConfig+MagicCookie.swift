// SPDX-License-Identifier: Apache-2.0

public import MPEG4Audio

extension AudioSpecificConfig {
    /// Creates the configuration from a magic cookie, as used by Core Audio and CAF.
    ///
    /// - Parameter magicCookie: An `ES_Descriptor` (ISO/IEC 14496-1, 7.2.6.5) with lengths of one to four bytes, or a bare
    ///   AudioSpecificConfig.
    /// - Throws: ``ContainerError`` if the bytes are neither.
    public init(magicCookie: [UInt8]) throws(ContainerError) {
        let elementaryStreamTag: UInt8 = 3
        var bytes = magicCookie
        if magicCookie.first == elementaryStreamTag {
            var cursor = ByteCursor(magicCookie)
            bytes = try ESDescriptorBox(parsingDescriptors: &cursor).audioSpecificConfig
        }
        do {
            self = try AudioSpecificConfig(parsing: bytes)
        } catch {
            throw .codec(error)
        }
    }
}
