internal import Adapters
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// The stored position of the verification of a store on a server.
extension Resumption {
    /// Parses the content of such a file; returns `nil` when it is malformed.
    static func serverMark(in bytes: [UInt8]) -> SessionAuditMark? {
        (try? JSONValue(parsing: bytes)).flatMap(SessionAuditMark.init(_:))
    }

    /// Returns the content of a file with a position.
    static func bytes(of mark: SessionAuditMark) -> [UInt8] {
        Array((JSONDocument.text(mark.json) + "\n").utf8)
    }

    /// The words for the continuation of an earlier verification.
    static func continuation(from mark: SessionAuditMark) -> String {
        let number = Int(mark.result.sessions) + mark.suspects.count
        return "continuing after \(number) session\(number == 1 ? "" : "s") that "
            + "\(number == 1 ? "was" : "were") checked before"
    }
}

extension SessionAuditMark {
    /// The position as JSON.
    fileprivate var json: JSONValue {
        func json(_ place: Place?) -> JSONValue {
            place.map { .array([.string("\($0.session)"), .string("\($0.hash)")]) } ?? .null
        }
        return [
            "form": .integer(Resumption.serverForm), "first": json(first),
            "last": json(last),
            "suspects": .array(suspects.map { .string("\($0)") }),
            "result": result.json,
        ]
    }

    /// Reads the position from a document.
    fileprivate init?(_ document: JSONValue) {
        func place(_ name: String) -> Place?? {
            switch document[name] {
            case .null: return .some(nil)
            case .array(let pair) where pair.count == 2:
                guard case .string(let text) = pair[0], let session = SessionID(text),
                    case .string(let digits) = pair[1], let hash = Digest256(hexadecimal: digits)
                else { return nil }
                return Place(session: session, hash: hash)
            default: return nil
            }
        }
        guard document["form"] == .integer(Resumption.serverForm), let first = place("first"),
            let last = place("last"), case .array(let list)? = document["suspects"],
            let result = document["result"].flatMap(StoreAuditResult.init(_:)),
            result.faults.isEmpty
        else { return nil }
        var suspects: [SessionID] = []
        for suspect in list {
            guard case .string(let text) = suspect, let session = SessionID(text) else {
                return nil
            }
            suspects.append(session)
        }
        self.init(first: first, last: last, suspects: suspects, result: result)
    }
}
