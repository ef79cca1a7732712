/// The language of the PSP's pages, for example `sv-SE`: an open set, compared exactly.
///
/// The PSP uses English for a language that it does not know.
///
/// - Note: Source: payment order model.
public struct Language: RawRepresentable, Hashable, Sendable {
    /// The tag, consisting of language and region.
    public let rawValue: String

    /// Creates the language with that tag.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Danish.
    public static let daDK = Language(rawValue: "da-DK")
    /// German.
    public static let deDE = Language(rawValue: "de-DE")
    /// Estonian.
    public static let etEE = Language(rawValue: "et-EE")
    /// English, which the PSP uses for a language that it does not know.
    public static let enUS = Language(rawValue: "en-US")
    /// Spanish.
    public static let esES = Language(rawValue: "es-ES")
    /// Finnish.
    public static let fiFI = Language(rawValue: "fi-FI")
    /// French.
    public static let frFR = Language(rawValue: "fr-FR")
    /// Lithuanian.
    public static let ltLT = Language(rawValue: "lt-LT")
    /// Latvian.
    public static let lvLV = Language(rawValue: "lv-LV")
    /// Norwegian (Bokmål).
    public static let nbNO = Language(rawValue: "nb-NO")
    /// Polish.
    public static let plPL = Language(rawValue: "pl-PL")
    /// Russian.
    public static let ruRU = Language(rawValue: "ru-RU")
    /// Swedish.
    public static let svSE = Language(rawValue: "sv-SE")

    /// The languages in which the PSP's pages are available, ordered by tag.
    public static let documented: [Language] = [
        .daDK, .deDE, .enUS, .esES, .etEE, .fiFI, .frFR, .ltLT, .lvLV, .nbNO, .plPL, .ruRU, .svSE,
    ]

    /// Whether the tag has the form `xx-XX`.
    public var isWellFormed: Bool {
        let bytes = Array(rawValue.utf8)
        return bytes.count == 5 && bytes[2] == UInt8(ascii: "-")
            && bytes[..<2].allSatisfy { (0x61...0x7A).contains($0) }
            && bytes[3...].allSatisfy { (0x41...0x5A).contains($0) }
    }
}
