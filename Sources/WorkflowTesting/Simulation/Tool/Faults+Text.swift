internal import EventLog

/// Why a list of faults cannot be parsed.
@nonexhaustive
public enum FaultListError: Error, Hashable, Sendable, CustomStringConvertible {
    /// There is no fault of that name.
    case unknown(String)
    /// The number after a name is not a valid number of thousandths.
    case badNumber(name: String)

    /// The error.
    public var description: String {
        switch self {
        case .unknown(let name): "there is no fault '\(name)'"
        case .badNumber(let name): "'\(name)' takes a whole number of thousandths, 0 to 1000"
        }
    }
}

extension SimulatedFaults {
    /// Parses a list such as `all`, `none`, `crash,answerLost=150` or `all,crash=0`.
    ///
    /// From left to right: `all` sets every fault to its frequency in a storm, `none` to 0, a name
    /// alone to its frequency in a storm, and `name=N` to N in a thousand.
    ///
    /// - Throws: ``FaultListError`` for the first invalid part.
    public init(text: String) throws(FaultListError) {
        self = .none
        for piece in text.pieces(between: ",", omittingEmptySubsequences: false) {
            let parts = piece.pieces(between: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = parts[0].trimming(" ")
            if parts.count == 1, name == "all" {
                self = .stormy
            } else if parts.count == 1, name == "none" {
                self = .none
            } else {
                guard let usual = SimulatedFaults.stormy[name] else {
                    throw .unknown(name)
                }
                guard parts.count == 2 else {
                    // A fault that is not part of a storm occurs always.
                    self[name] = usual > 0 ? usual : 1000
                    continue
                }
                guard let thousandths = Int(parts[1].trimming(" ")),
                    (0...1000).contains(thousandths)
                else { throw .badNumber(name: name) }
                self[name] = thousandths
            }
        }
    }

    /// The list from which ``init(text:)`` creates these faults.
    public var text: String {
        if self == .stormy { return "all" }
        let pieces = Self.allNames.compactMap { name -> String? in
            guard let thousandths = self[name], thousandths > 0 else { return nil }
            let usual = Self.stormy[name] ?? 0
            return thousandths == (usual > 0 ? usual : 1000) ? name : "\(name)=\(thousandths)"
        }
        return pieces.isEmpty ? "none" : pieces.joined(separator: ",")
    }
}

extension Substring {
    fileprivate func trimming(_ blank: Character) -> String {
        var rest = self
        while rest.first == blank { rest.removeFirst() }
        while rest.last == blank { rest.removeLast() }
        return String(rest)
    }
}
