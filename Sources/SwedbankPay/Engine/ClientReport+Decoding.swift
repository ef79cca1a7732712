extension ClientReport: Decodable {
    /// Reads what a client says about an action: the member `outcome` with the words of
    /// `workflowctl report`, and what belongs to each beside it.
    ///
    /// | `outcome` | beside it |
    /// |---|---|
    /// | `launched`, `launch-failed`, `shown`, `done`, `canceled`, `terms` | |
    /// | `completed` | `cRes`, of a challenge |
    /// | `authorized` | `payload` |
    /// | `checked-in` | `consumerProfileRef` |
    /// | `failed` | `error`, or what the PSP's page reported: `origin`, `messageId`, `details` |
    /// | `navigated`, `left` | `to` (a host, or the scheme of an app), `in` (`webView`, `browser`
    /// or `app`), `url` |
    ///
    /// - Throws: `DecodingError`, which does not quote the report.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Member.self)
        func text(_ member: Member) throws -> String? {
            try members.decodeIfPresent(String.self, forKey: member)
        }
        switch try Self.word(in: members) {
        case .launched: self = .launched
        case .launchFailed: self = .launchFailed
        case .shown: self = .shown
        case .done: self = .done
        case .canceled: self = .canceled
        case .terms: self = .openedTermsOfService
        case .completed:
            self = try text(.cRes).map { .challengeCompleted(cRes: $0) } ?? .completed
        case .authorized:
            self = .authorized(payload: try members.decode(String.self, forKey: .payload))
        case .checkedIn:
            let reference = try members.decode(String.self, forKey: .consumerProfileRef)
            self = .checkedIn(consumerProfileRef: reference)
        case .failed:
            let page = (try text(.origin), try text(.messageId), try text(.details))
            self =
                page == (nil, nil, nil)
                ? .failed(error: try text(.error))
                : .pageFailed(origin: page.0, messageID: page.1, details: page.2)
        case .navigated:
            let place = try Self.place(in: members) ?? .webView
            self = .navigated(
                destination: try Self.destination(in: members, place),
                place,
                url: try text(.url)
            )
        case .left:
            let place = try Self.place(in: members) ?? .app
            self = .leftForExternalContent(
                destination: try Self.destination(in: members, place),
                place,
                url: try text(.url)
            )
        }
    }

    private static func word(in members: KeyedDecodingContainer<Member>) throws -> Word {
        guard let word = Word(rawValue: try members.decode(String.self, forKey: .outcome)) else {
            throw DecodingError.dataCorruptedError(
                forKey: .outcome,
                in: members,
                debugDescription: "it must be one of "
                    + Word.allCases.map(\.rawValue).joined(separator: ", ")
            )
        }
        return word
    }

    /// The words for what a client says about an action.
    package enum Word: String, CaseIterable, Sendable {
        case launched
        case launchFailed = "launch-failed"
        case shown, done, failed, completed, authorized, canceled
        case checkedIn = "checked-in"
        case navigated, left, terms
    }

    /// The names of the members that a report may have.
    package static var members: Set<String> { Set(Member.allCases.map(\.rawValue)) }

    private static func place(
        in members: KeyedDecodingContainer<Member>
    ) throws -> Navigated.Place? {
        guard let word = try members.decodeIfPresent(String.self, forKey: .in) else { return nil }
        guard let place = Navigated.Place(rawValue: word) else {
            let places = Navigated.Place.allCases.map(\.rawValue).joined(separator: ", ")
            throw DecodingError.dataCorruptedError(
                forKey: .in,
                in: members,
                debugDescription: "it must be one of \(places)"
            )
        }
        return place
    }

    /// An app is named by its scheme, with a colon behind it.
    private static func destination(
        in members: KeyedDecodingContainer<Member>,
        _ place: Navigated.Place
    ) throws -> String? {
        let to = try members.decodeIfPresent(String.self, forKey: .to)
        return to.map { place == .app && !$0.hasSuffix(":") ? $0 + ":" : $0 }
    }

    /// The members of a report.
    private enum Member: String, CodingKey, CaseIterable {
        case outcome, cRes, payload, consumerProfileRef, error, origin, messageId, details, to, url
        case `in`
    }
}
