// SPDX-License-Identifier: Apache-2.0

#if !hasFeature(Embedded) || LINNET_FILES
/// A language as an ISO 639-1 or 639-2 code with optional subtags, such as a region (BCP 47, RFC 5646).
package struct LanguageTag: Hashable, Sendable {
    /// The subtags in lower case, starting with the terminology code of ISO 639-2 if there is one.
    private let subtags: [Substring]

    /// The code of an unknown language.
    package static let undetermined = "und"

    package init(_ text: String) {
        var subtags = text.lowercased().split { $0 == "-" || $0 == "_" }
        if let first = subtags.first { subtags[0] = Self.codes[first] ?? first }
        self.subtags = subtags
    }

    /// Whether a text has the form of a tag.
    package static func isValid(_ text: String) -> Bool {
        let parts = text.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "_" }
        func isWord(_ part: Substring) -> Bool {
            (1...8).contains(part.utf8.count) && part.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || isLetter($0) }
        }
        func isLetter(_ byte: UInt8) -> Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 }
        return parts.allSatisfy(isWord) && (2...3).contains(parts[0].utf8.count) && parts[0].utf8.allSatisfy(isLetter)
    }

    /// Whether one tag is the other one, or the other one with more subtags.
    package func matches(_ other: LanguageTag) -> Bool {
        !subtags.isEmpty && !other.subtags.isEmpty && zip(subtags, other.subtags).allSatisfy { $0 == $1 }
    }

    /// The terminology codes of ISO 639-2, by the codes of ISO 639-1 and the bibliographic codes of ISO 639-2.
    private static let codes: [Substring: Substring] = Dictionary(
        uniqueKeysWithValues: table.split { $0 == " " || $0 == "\n" }.map { ($0.prefix { $0 != "=" }, $0.suffix(3)) })

    private static let table = """
        aa=aar ab=abk ae=ave af=afr ak=aka am=amh an=arg ar=ara as=asm av=ava ay=aym az=aze ba=bak be=bel bg=bul bh=bih bi=bis
        bm=bam bn=ben bo=bod br=bre bs=bos ca=cat ce=che ch=cha co=cos cr=cre cs=ces cu=chu cv=chv cy=cym da=dan de=deu dv=div
        dz=dzo ee=ewe el=ell en=eng eo=epo es=spa et=est eu=eus fa=fas ff=ful fi=fin fj=fij fo=fao fr=fra fy=fry ga=gle gd=gla
        gl=glg gn=grn gu=guj gv=glv ha=hau he=heb hi=hin ho=hmo hr=hrv ht=hat hu=hun hy=hye hz=her ia=ina id=ind ie=ile ig=ibo
        ii=iii ik=ipk io=ido is=isl it=ita iu=iku ja=jpn jv=jav ka=kat kg=kon ki=kik kj=kua kk=kaz kl=kal km=khm kn=kan ko=kor
        kr=kau ks=kas ku=kur kv=kom kw=cor ky=kir la=lat lb=ltz lg=lug li=lim ln=lin lo=lao lt=lit lu=lub lv=lav mg=mlg mh=mah
        mi=mri mk=mkd ml=mal mn=mon mr=mar ms=msa mt=mlt my=mya na=nau nb=nob nd=nde ne=nep ng=ndo nl=nld nn=nno no=nor nr=nbl
        nv=nav ny=nya oc=oci oj=oji om=orm or=ori os=oss pa=pan pi=pli pl=pol ps=pus pt=por qu=que rm=roh rn=run ro=ron ru=rus
        rw=kin sa=san sc=srd sd=snd se=sme sg=sag si=sin sk=slk sl=slv sm=smo sn=sna so=som sq=sqi sr=srp ss=ssw st=sot su=sun
        sv=swe sw=swa ta=tam te=tel tg=tgk th=tha ti=tir tk=tuk tl=tgl tn=tsn to=ton tr=tur ts=tso tt=tat tw=twi ty=tah ug=uig
        uk=ukr ur=urd uz=uzb ve=ven vi=vie vo=vol wa=wln wo=wol xh=xho yi=yid yo=yor za=zha zh=zho zu=zul
        alb=sqi arm=hye baq=eus bur=mya chi=zho cze=ces dut=nld fre=fra geo=kat ger=deu gre=ell ice=isl mac=mkd mao=mri may=msa
        per=fas rum=ron slo=slk tib=bod wel=cym
        """
}
#endif
