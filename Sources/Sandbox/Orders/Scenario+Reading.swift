extension Scenario {
    private static let members: Set<String> = [
        "methods", "savedCards", "swishApprovalMilliseconds", "swishWaitsForPayer",
        "abortDuringAttempt", "abort", "customizing", "unknownMethods", "eventLogging",
        "acknowledgeProblems", "authenticateWallets", "walletBooleansAsText",
        "settlingMilliseconds", "acceptRepeatedStarts", "faults", "operations",
        "callbacks", "callbackDelayMilliseconds", "methodReversesAfterMilliseconds",
    ]

    /// Reads the `sandbox` member of an order, or the `order` member of a scenario file.
    static func read(from reader: inout BodyReader, at path: String) -> Scenario {
        var scenario = Scenario()
        guard let value = reader.value(path) else { return scenario }
        guard case .object(let object) = value else {
            reader.refuse(path, "must be a JSON object")
            return scenario
        }
        for name in object.keys.sorted() where !members.contains(name) {
            reader.refuseUnknown(name, in: path + ".")
        }
        scenario.methods = reader.optionalStrings("\(path).methods")
        scenario.savedCards = reader.optionalStrings("\(path).savedCards")
        if reader.optionalBool("\(path).swishWaitsForPayer") == true {
            scenario.swishApproval = .byPayer
        } else if let delay = reader.optionalMilliseconds("\(path).swishApprovalMilliseconds") {
            scenario.swishApproval = .after(delay)
        }
        scenario.settling = reader.optionalMilliseconds("\(path).settlingMilliseconds")
        scenario.methodReversal =
            reader.optionalMilliseconds("\(path).methodReversesAfterMilliseconds")
        switch reader.optionalString("\(path).abortDuringAttempt") {
        case nil, "allowed": break
        case "refused": scenario.refusesAbortDuringAttempt = true
        default: reader.refuse("\(path).abortDuringAttempt", "must be 'allowed' or 'refused'")
        }
        scenario.abort = reader.word("\(path).abort", ["offered", "refused", "absent"]) ?? .offered
        scenario.customizing =
            reader.word("\(path).customizing", ["normal", "ignored", "absent"]) ?? .normal
        scenario.unknownMethods =
            reader.word("\(path).unknownMethods", ["refused", "ignored"]) ?? .refused
        scenario.callbacks =
            reader.word(
                "\(path).callbacks",
                ["normal", "none", "late", "duplicated", "outOfOrder"]
            ) ?? .normal
        if let delay = reader.optionalMilliseconds("\(path).callbackDelayMilliseconds") {
            scenario.callbackDelay = delay
        }
        scenario.readFlags(from: &reader, at: path)
        for index in 0..<reader.count("\(path).faults") {
            if let fault = Fault.read(from: &reader, at: "\(path).faults.\(index)") {
                scenario.faults.append(fault)
            }
        }
        scenario.script = Script.read(from: &reader, at: "\(path).operations")
        return scenario
    }

    private mutating func readFlags(from reader: inout BodyReader, at path: String) {
        offersEventLogging = reader.optionalBool("\(path).eventLogging") ?? true
        acknowledgesProblems = reader.optionalBool("\(path).acknowledgeProblems") ?? true
        authenticatesWallets = reader.optionalBool("\(path).authenticateWallets") ?? false
        walletBooleansAsText = reader.optionalBool("\(path).walletBooleansAsText") ?? false
        acceptsRepeatedStarts = reader.optionalBool("\(path).acceptRepeatedStarts") ?? false
    }
}

extension BodyReader {
    /// The longest delay in a scenario, in milliseconds: one day.
    static let longestDelayMilliseconds = 86_400_000

    /// A delay in whole milliseconds; `nil` when absent or null.
    mutating func optionalMilliseconds(_ path: String) -> Duration? {
        guard let number = optionalInteger(path) else { return nil }
        guard (0...Self.longestDelayMilliseconds).contains(number) else {
            refuse(path, "must be 0 to \(Self.longestDelayMilliseconds) milliseconds")
            return nil
        }
        return .milliseconds(number)
    }

    /// One of a few words; `nil` when absent or null.
    mutating func word<Choice: RawRepresentable>(
        _ path: String,
        _ words: [String]
    )
        -> Choice?
    where Choice.RawValue == String {
        guard let text = optionalString(path) else { return nil }
        if let choice = Choice(rawValue: text) { return choice }
        refuse(path, "must be one of \(words.joined(separator: ", "))")
        return nil
    }
}
