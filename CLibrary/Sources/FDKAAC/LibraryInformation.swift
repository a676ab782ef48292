// SPDX-License-Identifier: Apache-2.0

public import CFDKAAC

/// A module of the library, as the interface describes it.
private struct LibraryPart {
    let identifier: FDK_MODULE_ID
    let title: StaticString
    let versionText: StaticString
    let version: Int32
    let flags: Int

    /// The encoder's modules.
    static let encoder = [
        LibraryPart(
            identifier: FDK_SBRENC, title: "Linnet SBR encoder", versionText: "4.0.0", version: 0x0400_0000,
            flags: Int(CAPF_SBR_HQ | CAPF_SBR_PS_MPEG)),
        LibraryPart(
            identifier: FDK_AACENC, title: "Linnet AAC encoder", versionText: "4.0.1", version: 0x0400_0100,
            flags: Int(CAPF_AAC_LC | CAPF_AAC_1024 | CAPF_AAC_960) | lowDelay),
    ]

    /// The decoder's modules.
    static let decoder = [
        LibraryPart(
            identifier: FDK_SBRDEC, title: "Linnet SBR decoder", versionText: "3.1.0", version: 0x0301_0000,
            flags: Int(CAPF_SBR_HQ | CAPF_SBR_PS_MPEG)),
        LibraryPart(
            identifier: FDK_AACDEC, title: "Linnet AAC decoder", versionText: "3.2.0", version: 0x0302_0000,
            flags: Int(CAPF_AAC_LC | CAPF_AAC_960 | CAPF_AAC_1024 | CAPF_AAC_MPEG4 | CAPF_AAC_CONCEALMENT) | lowDelay | resilience),
    ]

    /// The capabilities of AAC-LD and AAC-ELD.
    private static let lowDelay = Int(CAPF_ER_AAC_LD | CAPF_ER_AAC_ELD | CAPF_AAC_480 | CAPF_AAC_512)

    /// The capabilities of the error-resilient tools.
    private static let resilience = Int(CAPF_AAC_HCR | CAPF_AAC_VCB11 | CAPF_AAC_RVLC)

    /// Writes the module to an entry of the interface.
    func write(to entry: inout LIB_INFO) {
        unsafe entry = LIB_INFO()
        unsafe entry.title = title.pointer
        let empty: StaticString = ""
        unsafe entry.build_date = empty.pointer
        unsafe entry.build_time = empty.pointer
        unsafe entry.module_id = identifier
        unsafe entry.version = version
        unsafe entry.flags = UInt32(flags)
        unsafe withUnsafeMutableBytes(of: &entry.versionStr) { target in
            unsafe target.copyBytes(from: UnsafeRawBufferPointer(start: versionText.utf8Start, count: versionText.utf8CodeUnitCount))
        }
    }
}

extension StaticString {
    /// The null-terminated text, valid as long as the library is loaded.
    fileprivate var pointer: UnsafePointer<CChar> { unsafe UnsafeRawPointer(utf8Start).assumingMemoryBound(to: CChar.self) }
}

/// Adds modules to array entries that are `FDK_NONE`.
///
/// Returns whether they fit.
private func add(_ parts: [LibraryPart], to info: UnsafeMutablePointer<LIB_INFO>) -> Bool {
    var index = 0
    for part in parts {
        while unsafe index < Int(FDK_MODULE_LAST.rawValue) && info[index].module_id != FDK_NONE { index += 1 }
        guard index < Int(FDK_MODULE_LAST.rawValue) else { return false }
        unsafe part.write(to: &info[index])
    }
    return true
}

/// Adds the encoder's modules.
@c @implementation
public func aacEncGetLibInfo(_ info: UnsafeMutablePointer<LIB_INFO>?) -> AACENC_ERROR {
    guard let info = unsafe info else { return AACENC_INVALID_HANDLE }
    return unsafe add(LibraryPart.encoder, to: info) ? AACENC_OK : AACENC_INIT_ERROR
}

/// Adds the decoder's modules.
@c @implementation
public func aacDecoder_GetLibInfo(_ info: UnsafeMutablePointer<LIB_INFO>?) -> Int32 {
    guard let info = unsafe info else { return -1 }
    return unsafe add(LibraryPart.decoder, to: info) ? 0 : -1
}
