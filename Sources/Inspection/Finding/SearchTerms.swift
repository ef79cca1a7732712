package import EventLog
package import SwedbankPay

/// The terms by which a store's search index finds sessions.
///
/// The first letter of a term is its kind: `t` is a text from the beginning of one of its words on,
/// in lower case, found by its prefix; `r` is a whole text reversed, found by its suffix; `c` is
/// the last four digits of a card; `b` is a sealed value, blinded with a key of the store; `n`
/// marks a session with a note, whose text is in the log only.
package struct SearchTerms: Sendable {
    /// The version of these rules: an index of another version is rebuilt from the first record.
    package static let version = 3
    /// The number of characters of a text that are indexed.
    package static let longestText = 200
    /// The maximum number of words of a text that are indexed.
    package static let mostWords = 24

    /// The term of a session with a note.
    package static let note = "n"

    /// The terms in the clear.
    package private(set) var clear: Set<String> = []
    /// The sealed values to be blinded.
    package private(set) var sealed: Set<Sealed> = []

    /// Creates an empty set of terms.
    package init() {}

    /// Adds the terms of an event.
    package mutating func add(_ event: SessionEvent) {
        for text in SearchTexts.texts(of: event) { add(text.value) }
        for card in SearchTexts.cards(of: event) { add(card: card) }
        if case .noteAdded = event { clear.insert(Self.note) }
        sealed.formUnion(SearchTexts.sealedValues(of: event))
    }

    private mutating func add(_ text: String) {
        let folded = String(Self.folded(text).prefix(Self.longestText))
        guard !folded.isEmpty else { return }
        clear.insert("r" + String(folded.reversed()))
        var (words, isInWord) = (0, false)
        for index in folded.indices where words < Self.mostWords {
            let isPart = folded[index].isLetter || folded[index].isNumber
            if index == folded.startIndex || isPart && !isInWord {
                clear.insert("t" + folded[index...])
                words += 1
            }
            isInWord = isPart
        }
    }

    /// Returns a text in the form of terms: in lower case, and in Unicode's composed form, since
    /// the index compares bytes.
    static func folded(_ text: String) -> String { text.lowercased().composed }

    private mutating func add(card masked: String) {
        let last = masked.reversed().prefix { $0.isASCII && $0.isNumber }.prefix(4)
        if last.count == 4 { clear.insert("c" + String(last.reversed())) }
    }

    /// Returns the term of a sealed value.
    ///
    /// - Parameter digest: The digest of ``blinded(_:)`` under a key of the store.
    /// - Returns: The term.
    package static func term(of digest: Digest256) -> String { "b" + digest.hexadecimal }

    /// Returns the text to be blinded for a sealed value; no other blinded text has this prefix.
    package static func blinded(_ plaintext: String) -> String { "search:" + plaintext }
}

/// Extracts the searchable content of events.
enum SearchTexts {
    /// The texts in the clear, with the names of their fields.
    static func texts(of event: SessionEvent) -> [(field: String, value: String)] {
        var texts: [(field: String, value: String)] = []
        func add(_ field: String, _ value: String?) {
            if let value { texts.append((field, value)) }
        }
        switch event {
        case .opened(let opened):
            add("reference", opened.reference?.inTheClear)
            for note in opened.metadata.sorted(by: { $0.key < $1.key }) {
                add("metadata " + note.key, note.value.inTheClear)
            }
        case .checkout(.checkoutOpened(let opened)):
            add("reference", opened.reference?.inTheClear)
            add("payeeReference", opened.payeeReference)
        case .checkout(.orderFetched(let fetched)):
            add("order", fetched.order?.id)
            add("number", fetched.order?.number.map { "\($0)" })
            add("payeeReference", fetched.order?.paid?.payeeReference)
            add("orderReference", fetched.order?.paid?.orderReference)
        case .checkout(.handedOver(let handed)): add("native session", "\(handed.session)")
        case .checkout(.transactionRequested(let request)):
            add("payeeReference", request.payeeReference)
        case .checkout(.orderConfirmed(let confirmed)):
            add("order", confirmed.order)
            add("number", confirmed.number.map { "\($0)" })
        case .fetched(let fetched): add("trace", fetched.snapshot?.particulars.traceID)
        default: break
        }
        return texts
    }

    /// The masked numbers of the offered cards.
    static func cards(of event: SessionEvent) -> [String] {
        guard case .methodsOffered(let offered) = event else { return [] }
        return offered.methods.flatMap(\.prefills).compactMap {
            if case .card(let card) = $0 { card.maskedPan } else { nil }
        }
    }

    /// The sealed telephone numbers, and the PSP's identifiers of the session.
    static func sealedValues(of event: SessionEvent) -> [Sealed] {
        switch event {
        case .attemptStarted(let started): [started.choice.msisdn].compactMap { $0 }
        case .methodsOffered(let offered):
            offered.methods.flatMap(\.prefills).compactMap {
                if case .swish(_, let number, _) = $0 { number } else { nil }
            }
        case .fetched(let fetched): [fetched.snapshot?.particulars.id].compactMap { $0 }
        default: []
        }
    }
}

extension Wanted {
    /// The prefixes with which the search index is queried.
    package var termBeginnings: [String] {
        let folded = SearchTerms.folded(text)
        guard folded.count <= SearchTerms.longestText else { return [] }
        let texts = ["t" + folded, "r" + String(folded.reversed())]
        let digits = text.reversed().prefix { $0.isASCII && $0.isNumber }
        let last = String(digits.prefix(4).reversed())
        return texts + (isCardNumber && last.count == 4 ? ["c" + last] : [])
    }

    /// The forms that logs may hold sealed and that the index has blinded.
    package var blindedForms: [String] { sealedForms.map(SearchTerms.blinded) }
}
