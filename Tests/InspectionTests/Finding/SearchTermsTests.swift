import EventLog
import Inspection
import SwedbankPay
import Testing
import WorkflowTesting

/// The terms of the search index, and what is found by them.
@Suite struct SearchTermsTests {
    private func terms(_ events: SessionEvent...) -> SearchTerms {
        var terms = SearchTerms()
        for event in events { terms.add(event) }
        return terms
    }

    private func opened(_ reference: OutsideText?) -> SessionEvent {
        var opened = Opened.sample()
        opened.reference = reference
        return .opened(opened)
    }

    /// Whether a store finds the terms by a text, as it compares them: by their beginnings.
    private func finds(_ text: String, in terms: SearchTerms) throws -> Bool {
        try Wanted(text).termBeginnings.contains { beginning in
            terms.clear.contains { $0.hasPrefix(beginning) }
        }
    }

    private static let number = Sealed.sample("+46739000042")

    // MARK: References

    @Test func `a reference has a term for each of its words and one for its end, in lower case`() {
        let found = terms(opened("Order-4711 Åsa"))
        #expect(
            found.clear == ["torder-4711 åsa", "t4711 åsa", "tåsa", "raså 1174-redro"]
        )
        #expect(found.sealed.isEmpty)
        #expect(terms(opened("#42")).clear == ["t#42", "t42", "r24#"])
        #expect(terms(opened("")).clear.isEmpty && terms(opened(nil)).clear.isEmpty)
    }

    @Test(arguments: [
        ("order-4711", true), ("order", true), ("ord", true), ("4711", true), ("471", true),
        ("711", true), ("r-4711", true), ("ORDER-4711", true), ("Order-47", true),
        ("  order-4711 ", true), ("rder", false), ("order-47111", false), ("xorder-4711", false),
        ("order 4711", false), ("er-47", false),
    ])
    func `a reference is found by itself, and by the beginning of a word or its end`(
        text: String,
        isFound: Bool
    ) throws {
        #expect(try finds(text, in: terms(opened("order-4711"))) == isFound)
        #expect(try finds(text, in: terms(opened("ORDER-4711"))) == isFound)
    }

    @Test func `letters beyond ASCII are found in either case`() throws {
        let found = terms(opened("ÅÄÖ-Ref"))
        for text in ["åäö-ref", "ÅÄÖ-REF", "Åäö", "ÄÖ-ref"] {
            #expect(try finds(text, in: found), "\(text)")
        }
        #expect(try !finds("aao-ref", in: found))
    }

    @Test func `a sealed reference has no term, and a note in the clear has terms`() {
        let hidden = terms(opened(.sealed(.sample("8001011234"))))
        #expect(hidden.clear.isEmpty && hidden.sealed.isEmpty)
        var noted = Opened.sample()
        noted.reference = nil
        noted.metadata = ["table": "Seven", "guest": .sealed(.sample("guest"))]
        #expect(terms(.opened(noted)).clear == ["tseven", "rneves"])
    }

    @Test func `terms of several events are united`() {
        let found = terms(opened("abc"), opened("abc"), opened("def"))
        #expect(found.clear == ["tabc", "rcba", "tdef", "rfed"])
    }

    // MARK: Lengths

    @Test func `only the first characters of a text are indexed`() throws {
        let text = String(repeating: "a", count: SearchTerms.longestText - 1)
        let found = terms(opened(.plain(text + "bcd")))
        #expect(found.clear == ["t" + text + "b", "rb" + text])
        #expect(try finds("aab", in: found))
        #expect(try !finds("bcd", in: found) && !finds("abc", in: found))
        let longest = String(repeating: "a", count: SearchTerms.longestText)
        #expect(try Wanted(longest).termBeginnings == ["t" + longest, "r" + longest])
        #expect(try Wanted(longest + "a").termBeginnings == [])
    }

    @Test func `only the first words of a text have terms, and its end always`() throws {
        let words = (1...SearchTerms.mostWords + 6).map { "w\($0)x" }
        let found = terms(opened(.plain(words.joined(separator: " "))))
        #expect(found.clear.count { $0.hasPrefix("t") } == SearchTerms.mostWords)
        #expect(try finds("w24x", in: found) && !finds("w25x", in: found))
        #expect(try finds("w30x", in: found))
    }

    @Test func `a text to be found has a least and a greatest length`() throws {
        for text in ["", "ab", "  ab  ", String(repeating: "a", count: Wanted.longest + 1)] {
            #expect(throws: WantedError.self) { try Wanted(text) }
        }
        #expect(try Wanted("abc").termBeginnings == ["tabc", "rcba"])
        #expect(try Wanted("注文").termBeginnings == ["t注文", "r文注"])
    }

    // MARK: Orders

    @Test func `an order is found by its identifier, by parts of it and by its number`() throws {
        var order = OrderSnapshot.sample
        order.id = "/psp/paymentorders/5ADC265F-f87f-4313-577e-08d3dca1a26c"
        order.number = 40_129_977
        let fetched = OrderFetched(cause: .paymentOrders, digest: .zero, order: order)
        let found = terms(.checkout(.orderFetched(fetched)))
        for text in [
            "/psp/paymentorders/5adc265f-f87f-4313-577e-08d3dca1a26c",
            "5adc265f-f87f-4313-577e-08d3dca1a26c", "5ADC265F", "577e-08d3", "1a26c",
            "paymentorders/5adc", "40129977", "401", "977",
        ] {
            #expect(try finds(text, in: found), "\(text)")
        }
        for text in ["adc265f", "313-577e", "0129", "5adc265f-f87f-4313-577e-08d3dca1a26d"] {
            #expect(try !finds(text, in: found), "\(text)")
        }
        #expect(found.sealed.isEmpty)
        // An order that is the same as before is not repeated in the log.
        let same = OrderFetched(cause: .paymentOrders, digest: .zero, order: nil)
        #expect(terms(.checkout(.orderFetched(same))).clear.isEmpty)
    }

    @Test func `the references of a checkout's payment are found`() throws {
        let session = SessionID(at: ManualClock.noon, random: (1, 2))
        let confirmed = OrderConfirmed(
            order: "/psp/paymentorders/1",
            number: 4_711,
            instrument: nil,
            currency: "SEK",
            amount: 100,
            transactionType: nil
        )
        let capture = TransactionRequest(
            kind: .capture,
            payeeReference: "CAP1",
            amount: 100,
            vatAmount: 20,
            description: "Shipment"
        )
        let found = terms(
            .checkout(.checkoutOpened(.sample())),
            .checkout(.handedOver(HandedOver(session: session))),
            .checkout(.transactionRequested(capture)),
            .checkout(.orderConfirmed(confirmed))
        )
        for text in ["REF1", "cap1", "\(session)", "4711", "/psp/paymentorders/1"] {
            #expect(try finds(text, in: found), "\(text)")
        }
        #expect(try !finds("Shipment", in: found) && !finds("SEK", in: found))
    }

    // MARK: Sealed values

    @Test func `a telephone number is blinded, and no part of it is a term in the clear`() throws {
        let attempt = AttemptStarted(number: 1, choice: .swish(msisdn: Self.number))
        let prefill = Prefill.swish(rank: 1, msisdn: Self.number, masked: "+46•••••0042")
        let offer = MethodOffer(instrument: .swish, method: .swish, prefills: [prefill])
        for event in [
            SessionEvent.attemptStarted(attempt), .methodsOffered(MethodsOffered(methods: [offer])),
        ] {
            let found = terms(event)
            #expect(found.clear.isEmpty && found.sealed == [Self.number])
            for text in ["+46739000042", "0739000042", "9000042", "0042"] {
                #expect(try !finds(text, in: found), "\(text)")
            }
        }
        let unnumbered = AttemptStarted(number: 1, choice: .swish(msisdn: nil))
        #expect(terms(.attemptStarted(unnumbered)).sealed.isEmpty)
        let term = SearchTerms.term(of: Self.number.fingerprint)
        #expect(term == "b" + Self.number.fingerprint.hexadecimal && term.count == 65)
    }

    @Test func `a telephone number is blinded in one form, however it is written`() throws {
        let blinded = SearchTerms.blinded("+46739000042")
        #expect(blinded == "search:+46739000042")
        for text in ["+46739000042", "+46 73-900 00 42", "0046739000042", "+46 (0)73 900 00 42"] {
            #expect(try Wanted(text).blindedForms == [blinded], "\(text)")
        }
        // Without a country code it may be a number of several countries.
        let national = try Wanted("073-900 00 42").blindedForms
        #expect(
            national == ["073-900 00 42", "+46739000042", "+358739000042"].map(SearchTerms.blinded)
        )
        #expect(try Wanted("+46739000043").blindedForms != [blinded])
        // A part of a number is blinded as it is, so it is not found.
        #expect(try Wanted("+4673900").blindedForms != [blinded])
        #expect(try Wanted("39000042").blindedForms.contains(blinded) == false)
    }

    @Test func `the PSP's identifier of a session is blinded, and its trace is in the clear`() {
        var snapshot = Snapshot()
        snapshot.particulars = SnapshotDetails(id: .sample("identifier"), traceID: "Trace-9")
        let found = terms(
            .fetched(Fetched(cause: .session, digest: .zero, snapshot: snapshot)),
            .fetched(Fetched(cause: .session, digest: .zero, snapshot: nil))
        )
        #expect(found.clear == ["ttrace-9", "t9", "r9-ecart"])
        #expect(found.sealed == [.sample("identifier")])
    }

    // MARK: Cards and notes

    @Test func `a card is found by its last four digits only`() throws {
        func offered(_ masked: String?) -> SearchTerms {
            var card = SavedCard.sample(rank: 1)
            card.maskedPan = masked
            let offer = MethodOffer(
                instrument: .card,
                method: .creditCard,
                prefills: [.card(card)]
            )
            return terms(.methodsOffered(MethodsOffered(methods: [offer])))
        }
        let found = offered("476173******1416")
        #expect(found.clear == ["c1416"] && found.sealed.isEmpty)
        for text in ["1416", "****1416", "476173******1416", "4761 73** **** 1416"] {
            #expect(try finds(text, in: found), "\(text)")
        }
        #expect(try !finds("476173", in: found) && !finds("416", in: found))
        #expect(try !finds("1417", in: found))
        for masked in [nil, "476173******416", "1416******", ""] {
            #expect(offered(masked).clear.isEmpty, "\(masked ?? "none")")
        }
    }

    @Test func `a note marks its session, and its text and author are no terms`() {
        let note = NoteAdded(by: "anna", text: .sample("see order-4711"))
        let found = terms(.noteAdded(note))
        #expect(found.clear == [SearchTerms.note] && found.sealed.isEmpty)
    }
}
