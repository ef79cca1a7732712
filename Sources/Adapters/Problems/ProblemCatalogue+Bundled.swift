internal import Crypto
internal import FoundationEssentials
public import Workflow

extension ProblemCatalogue {
    /// The catalogue that belongs to this build: every kind of problem that the PSP documents.
    ///
    /// Its version is the beginning of the SHA-256 of the data, so that a log tells which data a
    /// decision used.
    public static let bundled: ProblemCatalogue = {
        do {
            return try ProblemCatalogue(parsing: PackageResources.problems_json)
        } catch {
            preconditionFailure("the bundled problem catalogue is unreadable: \(error)")
        }
    }()

    /// Reads a catalogue.
    ///
    /// - Parameter data: A JSON list of rows.
    /// - Throws: What the JSON library says of data that has another form.
    public init(parsing data: [UInt8]) throws {
        let rows = try JSONDecoder().decode([CatalogueRow].self, from: Data(data))
        let digest = SHA256.hash(data: data).prefix(6)
            .map { String($0 >> 4, radix: 16) + String($0 & 0xF, radix: 16) }.joined()
        self.init(rows: rows.map(\.row), version: "problems-" + digest)
    }
}

/// A row as the data writes it.
private struct CatalogueRow: Decodable {
    let row: ProblemCatalogue.Row

    private enum Name: String, CodingKey {
        case slug, status, family, actor, retrySameRequest, newAttempt, payerMessage
        case operatorMessage
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Name.self)
        let slug = try members.decode(String.self, forKey: .slug)
        let status = try members.decodeIfPresent(Int.self, forKey: .status)
        let family = try members.decode(String.self, forKey: .family)
        let actorName = try members.decode(String.self, forKey: .actor)
        let retrySameRequest = try members.decode(Bool.self, forKey: .retrySameRequest)
        let newAttemptName = try members.decode(String.self, forKey: .newAttempt)
        let payerMessage = try members.decode(String.self, forKey: .payerMessage)
        let operatorMessage = try members.decode(String.self, forKey: .operatorMessage)
        guard let actor = Actor(rawValue: actorName) else {
            throw DecodingError.dataCorruptedError(
                forKey: .actor,
                in: members,
                debugDescription: "unknown actor"
            )
        }
        guard let newAttempt = ProblemAdvice.NewAttempt(rawValue: newAttemptName) else {
            throw DecodingError.dataCorruptedError(
                forKey: .newAttempt,
                in: members,
                debugDescription: "unknown kind of attempt"
            )
        }
        row = ProblemCatalogue.Row(
            slug: slug,
            status: status,
            family: family,
            advice: ProblemAdvice(
                actor: actor,
                isRetryable: retrySameRequest,
                newAttempt: newAttempt,
                payerMessage: payerMessage,
                operatorMessage: operatorMessage,
                isKnown: true
            )
        )
    }
}
