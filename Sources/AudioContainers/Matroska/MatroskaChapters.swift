// SPDX-License-Identifier: Apache-2.0

#if !hasFeature(Embedded) || LINNET_FILES
internal import AudioMetadata

/// The chapters of the default edition (RFC 9559, 5.1.7).
struct MatroskaChapters {
    private struct Atom {
        /// In nanoseconds.
        var start = 0
        var title = ""
        var isHidden = false
        var parts: [Atom] = []
    }

    /// The maximum depth of nested chapters.
    private static let depthLimit = 8

    private var atoms: [Atom] = []
    private var hasDefault = false

    /// Reads the editions of a file, and uses the default one or the first.
    mutating func read(_ body: ByteCursor) {
        var body = body
        while let (id, edition) = body.nextElement() {
            guard id == MatroskaID.edition else { continue }
            var fields = edition
            var isDefault = false
            while let (id, field) = fields.nextElement() { if id == MatroskaID.isDefaultEdition { isDefault = field.unsigned == 1 } }
            guard atoms.isEmpty || isDefault && !hasDefault else { continue }
            hasDefault = isDefault
            atoms = Self.atoms(in: edition, depth: 0)
        }
    }

    private static func atoms(in body: ByteCursor, depth: Int) -> [Atom] {
        var body = body
        var atoms: [Atom] = []
        while depth < depthLimit, let (id, field) = body.nextElement() {
            if id == MatroskaID.chapterAtom { atoms.append(atom(field, depth)) }
        }
        return atoms
    }

    private static func atom(_ body: ByteCursor, _ depth: Int) -> Atom {
        var fields = body
        var atom = Atom(parts: atoms(in: body, depth: depth + 1))
        while let (id, field) = fields.nextElement() {
            switch id {
            case MatroskaID.chapterStart: atom.start = field.unsigned ?? 0
            case MatroskaID.isHiddenChapter: atom.isHidden = atom.isHidden || field.unsigned == 1
            case MatroskaID.isEnabledChapter: atom.isHidden = atom.isHidden || field.unsigned == 0
            case MatroskaID.chapterDisplay where atom.title.isEmpty:
                var display = field
                while let (id, field) = display.nextElement() { if id == MatroskaID.chapterString { atom.title = field.text } }
            default: break
            }
        }
        return atom
    }

    /// Returns the visible chapters as one list.
    ///
    /// A part that starts with its chapter bears the titles of both.
    ///
    /// - Parameter startTime: The time of the first sample frame, in nanoseconds.
    func flattened(startTime: Int) -> [AudioTags.Chapter] {
        func append(_ atoms: [Atom], _ prefix: String, to result: inout [AudioTags.Chapter]) {
            for atom in atoms where !atom.isHidden && result.count < AudioTags.Chapter.countLimit {
                let title = [prefix, atom.title].filter { !$0.isEmpty }.joined(separator: ": ")
                let isOpenedByPart = atom.parts.first.map { !$0.isHidden && $0.start == atom.start } ?? false
                if !isOpenedByPart {
                    let start = atom.start.subtractingReportingOverflow(startTime)
                    result.append(
                        AudioTags.Chapter(
                            start: start.overflow ? 0 : start.partialValue, timescale: MatroskaIndex.ticksPerSecond, title: title))
                }
                append(Array(atom.parts.prefix(1)), isOpenedByPart ? title : "", to: &result)
                append(Array(atom.parts.dropFirst()), "", to: &result)
            }
        }
        var result: [AudioTags.Chapter] = []
        append(atoms, "", to: &result)
        return result
    }
}
#endif
