internal import EventLog
internal import SwedbankPay

/// Reads payment methods and what the PSP has saved for the payer.
extension SnapshotReader {
    /// Reads one method.
    mutating func method(_ json: ForeignJSON, at path: String) throws(Obstacle) -> OfferedMethod {
        guard var members = Members(json, at: path),
            let name = members.read("paymentMethod").flatMap(methodName)
        else { throw .wrongShape }
        var method = OfferedMethod(name: name)
        method.operations = try operations(in: &members)
        var position = 0
        method.prefills = try elements(
            of: "prefills",
            in: &members,
            limit: limits.elements,
            called: "prefills"
        ) { reader, json, path throws(Obstacle) in
            position += 1
            return try reader.prefill(json, position: position, at: path)
        }
        method.cardBrands = try names("cardBrands", in: &members)
        method.merchantCapabilities = try names("merchantCapabilities", in: &members)
        method.allowedCardAuthMethods = try names("allowedCardAuthMethods", in: &members)
        method.environment = member("environment", in: &members, self.name)
        method.amount = member("amount", in: &members) { $0.recordable.map { Amount($0) } }
        keep(members)
        return method
    }

    private mutating func names(
        _ name: String,
        in members: inout Members
    ) throws(Obstacle) -> [String] {
        try elements(of: name, in: &members, limit: limits.elements, called: name) {
            reader,
            json,
            _ throws(Obstacle) in
            guard let text = reader.name(json) ?? reader.plain(json) else { throw .wrongShape }
            return text
        }
    }

    private mutating func prefill(
        _ json: ForeignJSON,
        position: Int,
        at path: String
    ) throws(Obstacle) -> Prefill {
        guard var members = Members(json, at: path) else { throw .wrongShape }
        var rank = position
        if let json = members.read("rank") {
            guard let number = json.integer, (0...1_000_000).contains(number) else {
                throw .wrongShape
            }
            rank = Int(number)
        }
        if let msisdn = try text("msisdn", in: &members), !msisdn.isEmpty {
            keep(members)
            return .swish(rank: rank, msisdn: seal(msisdn), masked: MSISDN.masking(msisdn))
        }
        guard let token = try text("paymentToken", in: &members), !token.isEmpty else {
            throw .wrongShape
        }
        var card = SavedCard(rank: rank, token: seal(token))
        card.brand = member("cardBrand", in: &members, plain)
        card.maskedPan = member("maskedPan", in: &members) {
            $0.string.flatMap(CardText.maskedNumber)
        }
        card.expiry = member("expiryDate", in: &members) { $0.string.flatMap(CardText.expiry) }
        keep(members)
        return .card(card)
    }

    /// Reads the failed attempt that a response reports.
    ///
    /// A type that is missing, or that is more than a plain name, becomes `about:blank`: the
    /// attempt failed all the same.
    mutating func sessionProblem(_ json: ForeignJSON) throws(Obstacle) -> SessionProblem? {
        guard var members = Members(json, at: "/problem") else {
            leave(json, at: "/problem")
            return nil
        }
        let known = known
        let type = member("type", in: &members) { json in
            json.string.flatMap { OutsideTextScreen.isProblemType($0, known: known) ? $0 : nil }
        }
        var problem = SessionProblem(type: type ?? "about:blank")
        problem.status = member("status", in: &members, ProblemStatus.read)
        problem.title = outsideText("title", in: &members)
        problem.detail = outsideText("detail", in: &members)
        problem.originalDetail = outsideText("originalDetail", in: &members)
        if let json = members.read("operation") {
            do {
                problem.acknowledge = try operation(json, at: "/problem/operation")
            } catch .wrongShape {
                leave(json, at: "/problem/operation")
            }
        }
        keep(members)
        return problem
    }

    private mutating func outsideText(_ name: String, in members: inout Members) -> OutsideText? {
        member(name, in: &members, \.string).map { screened($0) }
    }
}
