/// What keeps the rules of a payment, and what is told of a log, deterministic: no clock, chance, thread, task or outside
/// world in them.
enum Purity {
    /// The targets that are guarded: the rules, and what explains a log to people.
    static let targets = ["Sources/SwedbankPay/", "Sources/Inspection/"]

    /// The folders of the rules whose code decides, and nothing else.
    static let folders = [
        "Values", "Commands", "Decide", "Events", "Evolve", "Effects", "Projections", "Journal",
        "Engine", "Requests",
    ]

    /// The engine's shell: it owns tasks and carries values between the core and the ports.
    static func isShell(_ path: String) -> Bool {
        path.contains("/Engine/PaymentEngine") || isWorker(path)
    }

    /// The worker beside the engine that tells the PSP: like the engine's shell it owns tasks; what it sends and when is
    /// decided by `EventLoggingOutbox`, which is none.
    private static func isWorker(_ path: String) -> Bool {
        ["EventLogger.swift", "EventLogger+Sessions.swift", "EventLogger+Progress.swift"]
            .contains { path.hasSuffix("/Engine/" + $0) }
    }

    /// Files that describe ports: what an adapter does may take its time.
    static let ports: Set<String> = [
        "Engine/EnginePorts.swift", "Engine/PaymentProvider.swift", "Journal/EventStore.swift",
        "Journal/KeyVault.swift", "Journal/DeliveryStore.swift", "Engine/BeaconSender.swift",
    ]

    /// What the engine's shell may import: how it goes is told to whoever the host chose.
    static let telemetry: Set<String> = ["Logging", "CoreMetrics", "Tracing"]

    /// What else may be imported, and where: by the files that need it and by no others.
    static let imports: [String: Set<String>] = [
        "Crypto": [
            "Values/TaskKey+Snapshot.swift", "Journal/SessionKeys.swift",
            "Journal/Records/HashChain.swift", "Journal/Checkpoints/MerkleHash.swift",
            "Journal/Checkpoints/CheckpointKeys.swift", "Text/Markup.swift",
        ],
        "FoundationEssentials": [
            "Journal/Records/LogLine.swift", "Journal/Canonical/JSONValue+Parsing.swift",
            "Journal/SessionKeys.swift", "Text/Markup.swift",
        ],
    ]

    /// What a file of a guarded target has that it must not have.
    static func findings(in file: TextFile) -> [Finding] {
        let code = SwiftCode.only(of: file.text)
        let target = targets.first { file.path.hasPrefix($0) } ?? ""
        let place = String(file.path.dropFirst(target.count))
        var found = file.matches(of: /\bimport\s+.*/, in: code).filter { finding in
            let module = finding.what.split(separator: " ").last.map(String.init) ?? ""
            if isShell(file.path), telemetry.contains(module) { return false }
            if target == "Sources/Inspection/", module == "SwedbankPay" { return false }
            return !(imports[module]?.contains(place) ?? false)
        }
        guard !isShell(file.path) else { return found }
        found += file.matches(
            of: /\b(?:Date|UUID|Calendar|ContinuousClock|SuspendingClock|DispatchTime)\b/,
            in: code
        )
        found += file.matches(
            of: /\b(?:SystemRandomNumberGenerator|randomElement|shuffled?)\b|\.random\(/,
            in: code
        )
        found += file.matches(
            of: /\b(?:Task|TaskGroup|Mutex|Atomic|NSLock|DispatchQueue|Thread|AsyncStream)\b/,
            in: code
        )
        found += file.matches(
            of: /\b(?:FileManager|ProcessInfo|URLSession|FileHandle|print|getenv|Process)\s*\(/,
            in: code
        )
        found += file.matches(of: /(?:nonisolated\(unsafe\)|@unchecked)/, in: code)
        found += file.matches(of: /^\s*(?:(?:public|package|final)\s+)*actor\s/, in: code)
        if !ports.contains(place) {
            found += file.matches(of: /\b(?:async|await)\b/, in: code)
        }
        return found
    }
}
