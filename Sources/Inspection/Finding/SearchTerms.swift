package import EventLog
package import SwedbankPay

/// The terms by which a store's search index finds sessions.
///
/// A term begins with a letter that says its kind: `t` is a text from the beginning of one of its words on, in lower case, so
/// that what stands there is found by its beginning; `r` is a whole text backwards, so that it is found by its end; `c` are the
/// last four digits of a card; `b` is a sealed value, blinded under a key of the store; `n` says that there is a note, whose words
/// are nowhere but in the log.
package struct SearchTerms: Sendable {
    /// The version of these rules: an index of another version is filled again from the first record.
    package static let version = 1
    /// How much of a text is indexed, in characters.
    package static let longestText = 200
    /// How many words of a text are indexed.
    package static let mostWords = 24

    /// The term of a session with a note.
    package static let note = "n"

    /// The terms that stand in the clear.
    package private(set) var clear: Set<String> = []
    /// The sealed values that are to be blinded.
    package private(set) var sealed: Set<Sealed> = []

    /// No terms.
    package init() {}

    /// Adds those of an event.
    package mutating func add(_ event: SessionEvent) {
        for text in SearchTexts.texts(of: event) { add(text.value) }
        for card in SearchTexts.cards(of: event) { add(card: card) }
        if case .noteAdded = event { clear.insert(Self.note) }
        sealed.formUnion(SearchTexts.sealedValues(of: event))
    }

    private mutating func add(_ text: String) {
        let folded = String(text.lowercased().prefix(Self.longestText))
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

    private mutating func add(card masked: String) {
        let last = masked.reversed().prefix { $0.isASCII && $0.isNumber }.prefix(4)
        if last.count == 4 { clear.insert("c" + String(last.reversed())) }
    }

    /// The term of a sealed value.
    ///
    /// - Parameter digest: Of ``blinded(_:)``, under a key of the store.
    package static func term(of digest: Digest256) -> String { "b" + digest.hexadecimal }

    /// What a key of the store is asked for a sealed value: nothing else that is blinded begins like that.
    package static func blinded(_ plaintext: String) -> String { "search:" + plaintext }
}

/// What searches look at in an event.
enum SearchTexts {
    /// The texts that stand in the clear, with the field that each stands in.
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

    /// The masked numbers of the cards that are offered.
    static func cards(of event: SessionEvent) -> [String] {
        guard case .methodsOffered(let offered) = event else { return [] }
        return offered.methods.flatMap(\.prefills).compactMap {
            if case .card(let card) = $0 { card.maskedPan } else { nil }
        }
    }

    /// The sealed telephone numbers, and what the PSP calls the session.
    static func sealedValues(of event: SessionEvent) -> [Sealed] {
        switch event {
        case .attemptStarted(let started):
            if case .swish(let number?) = started.choice { [number] } else { [] }
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
    /// How the search index is asked: for terms that begin like one of these.
    package var termBeginnings: [String] {
        let folded = text.lowercased()
        guard folded.count <= SearchTerms.longestText else { return [] }
        let texts = ["t" + folded, "r" + String(folded.reversed())]
        let digits = text.reversed().prefix { $0.isASCII && $0.isNumber }
        let last = String(digits.prefix(4).reversed())
        return texts + (isCardNumber && last.count == 4 ? ["c" + last] : [])
    }

    /// The texts that logs may hold sealed and that the index has blinded.
    package var blindedForms: [String] { sealedForms.map(SearchTerms.blinded) }
}
