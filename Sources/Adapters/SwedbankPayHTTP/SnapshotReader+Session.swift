internal import EventLog
internal import SwedbankPay

/// Reads the session as a whole.
extension SnapshotReader {
    /// Reads a response.
    ///
    /// - Parameters:
    ///   - json: The body.
    ///   - knownURLs: The order's addresses from an earlier response, for redirects when this one
    ///     has none.
    ///   - plaintexts: The plaintexts of the sealed ones among them.
    /// - Returns: The snapshot.
    /// - Throws: ``SnapshotRefusal``; for a first response also when a member that decides whether
    ///   the order can be paid at all has the wrong type: a session ends because of what the PSP
    ///   says, not because of what cannot be read.
    mutating func snapshot(
        _ json: ForeignJSON,
        knownURLs: OrderURLs?,
        of plaintexts: SecretTable = SecretTable()
    ) throws(SnapshotRefusal) -> Snapshot {
        guard var output = Members(json, at: ""), let body = output.read("paymentSession"),
            var session = Members(body, at: "/paymentSession")
        else { throw .noPaymentSession }
        do {
            return try read(&output, &session, knownURLs: knownURLs, of: plaintexts)
        } catch {
            switch error {
            case .wrongShape: throw .noPaymentSession
            case .refused(let refusal): throw refusal
            }
        }
    }

    private mutating func read(
        _ output: inout Members,
        _ session: inout Members,
        knownURLs: OrderURLs?,
        of plaintexts: SecretTable
    ) throws(Obstacle) -> Snapshot {
        var snapshot = Snapshot()
        let known = knownURLs ?? OrderURLs()
        let before = known.clear(in: plaintexts)
        if knownURLs?.complete == nil, knownURLs?.cancel == nil {
            try requireReadable(output["operations"], session["methods"])
        }
        let told = try orderURLs(in: &session, known: before)
        snapshot.urls = told.recorded(
            knowing: known,
            of: plaintexts,
            with: keys,
            in: &secrets
        )
        urls = told.completed(by: before)
        snapshot.culture = member("culture", in: &session, name)
        snapshot.instrumentMode = member("instrumentModePaymentMethod", in: &session, methodName)
        try readSettings(in: &session, into: &snapshot)
        readParticulars(in: &session, into: &snapshot)
        snapshot.operations = try operations(in: &output)
        snapshot.methods = try elements(
            of: "methods",
            in: &session,
            limit: limits.methods,
            called: "methods"
        ) { reader, json, path throws(Obstacle) in try reader.method(json, at: path) }
        if let problem = output.read("problem") {
            snapshot.problem = try sessionProblem(problem)
        }
        keep(session)
        keep(output)
        if !leftovers.isEmpty {
            snapshot.unknown = seal(
                leftText.prefix(bytes: limits.unknownBytes)
            )
        }
        return snapshot
    }

    /// Refuses a first response whose lists are not lists: the payer's choices would be unknown.
    private func requireReadable(_ lists: ForeignJSON?...) throws(Obstacle) {
        for case let list? in lists where list != .null && list.array == nil { throw .wrongShape }
    }

    private mutating func orderURLs(
        in session: inout Members,
        known: PlaintextOrderURLs
    ) throws(Obstacle) -> PlaintextOrderURLs {
        guard let json = session.read("urls") else { return PlaintextOrderURLs() }
        guard var members = Members(json, at: session.pointer("urls")) else {
            guard known.complete != nil, known.cancel != nil else { throw .wrongShape }
            leave(json, at: session.pointer("urls"))
            return PlaintextOrderURLs()
        }
        var urls = PlaintextOrderURLs()
        urls.complete = try address("completeUrl", in: &members, known: known.complete)
        urls.cancel = try address("cancelUrl", in: &members, known: known.cancel)
        urls.payment = try address("paymentUrl", in: &members, known: known.payment)
        urls.termsOfService = member("termsOfServiceUrl", in: &members, Self.address)
        urls.hosts = try elements(
            of: "hostUrls",
            in: &members,
            limit: limits.elements,
            called: "hostUrls"
        ) { _, json, _ throws(Obstacle) in
            guard let address = Self.address(json) else { throw .wrongShape }
            return address
        }
        keep(members)
        return urls
    }

    /// Reads an address that paying requires: unless the address is known already, a value of the
    /// wrong type is an error, whereas an absent one is not.
    private mutating func address(
        _ name: String,
        in members: inout Members,
        known: String?
    ) throws(Obstacle) -> String? {
        if known == nil, let json = members[name], json != .null, json.string == nil {
            throw .wrongShape
        }
        return member(name, in: &members, Self.address)
    }

    private mutating func readSettings(
        in session: inout Members,
        into snapshot: inout Snapshot
    ) throws(Obstacle) {
        guard let json = session.read("settings") else { return }
        guard var members = Members(json, at: session.pointer("settings")) else {
            leave(json, at: session.pointer("settings"))
            return
        }
        if members["enabledPaymentMethods"]?.array != nil {
            snapshot.enabledMethods = try elements(
                of: "enabledPaymentMethods",
                in: &members,
                limit: limits.elements,
                called: "enabledPaymentMethods"
            ) { reader, json, _ throws(Obstacle) in
                guard let name = reader.methodName(json) else { throw .wrongShape }
                return name
            }
        }
        snapshot.particulars.allowsCustomLogo = member(
            "allowCustomLogo",
            in: &members,
            \.lenientBool
        )
        snapshot.particulars.allowsCustomStyling = member(
            "allowCustomStyling",
            in: &members,
            \.lenientBool
        )
        snapshot.particulars.integration = member("integration", in: &members, name)
        snapshot.particulars.traceID = member("traceId", in: &members, Self.traceID)
        keep(members)
    }

    private mutating func readParticulars(
        in session: inout Members,
        into snapshot: inout Snapshot
    ) {
        snapshot.particulars.currency = member("currency", in: &session, name)
        snapshot.particulars.payeeName = member("payeeName", in: &session, plain)
        snapshot.particulars.paymentMethod = member("paymentMethod", in: &session, methodName)
        let bound = limits.textBytes
        if let id = member("id", in: &session, { Self.bounded($0, by: bound) }) {
            snapshot.particulars.id = seal(id)
        }
        if let text = member("description", in: &session, { Self.bounded($0, by: bound) }) {
            snapshot.particulars.description = screened(text)
        }
    }

    func methodName(_ json: ForeignJSON) -> PaymentMethodName? {
        name(json).map(PaymentMethodName.init(rawValue:))
    }

    private static func bounded(_ json: ForeignJSON, by bytes: Int) -> String? {
        json.string.flatMap { $0.utf8.count <= bytes ? $0 : nil }
    }

    /// An address of the order: not empty, a single line, and of a length that addresses have.
    private static func address(_ json: ForeignJSON) -> String? {
        guard let text = json.string, !text.isEmpty,
            text.utf8.count <= SessionAddress.maximumLength,
            !text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F })
        else { return nil }
        return text
    }

    /// An identifier for the PSP's support: letters, digits and hyphens.
    private static func traceID(_ json: ForeignJSON) -> String? {
        guard let text = json.string, (1...64).contains(text.utf8.count),
            text.utf8.allSatisfy({
                $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "-")
            })
        else { return nil }
        return text
    }
}
