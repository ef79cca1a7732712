/// What keeps the rules of a payment deterministic: they use no clock, randomness, thread, task or
/// outside world.
enum Purity {
    /// The targets of decisions and explanations, and the ports around them.
    static let targets = ["EventLog", "Workflow", "SwedbankPay", "Inspection"]

    /// The engine's shell, which owns tasks and passes values between the core and the ports.
    static func isShell(_ path: String) -> Bool {
        path.contains("/Workflow/Shell/") || path.contains("/SwedbankPay/Engine/PaymentEngine")
            || path.contains("/SwedbankPay/Relation/PaymentEngine")
            || path.hasSuffix("/SwedbankPay/Engine/ProviderPort.swift") || isWorker(path)
    }

    /// Returns whether a path is that of the worker that reports to the PSP.
    ///
    /// Like the engine's shell it owns tasks; what it sends and when is decided by
    /// `EventLoggingOutbox`, which is not a worker.
    private static func isWorker(_ path: String) -> Bool {
        ["EventLogger.swift", "EventLogger+Sessions.swift", "EventLogger+Progress.swift"]
            .contains { path.hasSuffix("/Telemetry/" + $0) }
    }

    /// Files that describe ports: an adapter's work may take time.
    static let ports: Set<String> = [
        "EventLog/Store/EventStore.swift", "EventLog/Store/DeliveryStore.swift",
        "EventLog/Store/StreamStore.swift", "EventLog/Store/SessionIndex.swift",
        "EventLog/Store/FactsStore.swift", "EventLog/Store/SearchStore.swift",
        "EventLog/Store/LogFeed.swift", "EventLog/Store/LeaseStore.swift",
        "EventLog/Sealing/KeyVault.swift", "SwedbankPay/Engine/PaymentProvider.swift",
        "SwedbankPay/Telemetry/BeaconSender.swift", "SwedbankPay/Rules/FactsStore+Payments.swift",
    ]

    /// Values that are shared until they are changed: each says beside the attribute why that is
    /// safe.
    static let boxes: Set<String> = ["SwedbankPay/Rules/Boxed.swift"]

    /// What the engine's shell may import to report to the host's telemetry.
    static let telemetry: Set<String> = ["Logging", "CoreMetrics", "Tracing"]

    /// What may be imported from other packages, and where: only by the files that need it.
    static let imports: [String: Set<String>] = [
        "Crypto": [
            "EventLog/Sealing/SessionKeys.swift", "EventLog/Chain/HashChain.swift",
            "EventLog/Checkpoints/MerkleHash.swift", "EventLog/Checkpoints/CheckpointKeys.swift",
            "SwedbankPay/Values/TaskKey+Snapshot.swift", "Inspection/Text/Markup.swift",
        ],
        // For Unicode's composed form, which only a part of the standard library has that is not
        // published.
        "Swift": ["EventLog/Values/SyntaxText.swift"],
        "FoundationEssentials": [
            "EventLog/Records/LogLine.swift", "EventLog/Sealing/OutsideTextScreen+Own.swift",
            "EventLog/Sealing/SessionKeys.swift",
            "Inspection/Text/Markup.swift",
        ],
    ]

    /// Returns what a file of these targets contains but must not.
    static func findings(in file: TextFile) -> [Finding] {
        let code = SwiftCode.only(of: file.text)
        let place = String(file.path.dropFirst("Sources/".count))
        var found = file.matches(of: /\bimport\s+.*/, near: ["import"], in: code).filter {
            finding in
            let module = finding.what.split(separator: " ").last.map(String.init) ?? ""
            if isShell(file.path), telemetry.contains(module) { return false }
            // Which of them a target may import, the manifest says, and the build checks.
            if targets.contains(module) { return false }
            return !(imports[module]?.contains(place) ?? false)
        }
        guard !isShell(file.path) else { return found }
        found += file.matches(
            of: /\b(?:Date|UUID|Calendar|ContinuousClock|SuspendingClock|DispatchTime)\b/,
            near: ["Date", "UUID", "Calendar", "Clock", "DispatchTime"],
            in: code
        )
        found += file.matches(
            of: /\b(?:SystemRandomNumberGenerator|randomElement|shuffled?)\b|\.random\(/,
            near: ["RandomNumberGenerator", "randomElement", "shuffle", ".random("],
            in: code
        )
        found += file.matches(
            of: /\b(?:Task|TaskGroup|Mutex|Atomic|NSLock|DispatchQueue|Thread|AsyncStream)\b/,
            near: ["Task", "Mutex", "Atomic", "NSLock", "DispatchQueue", "Thread", "AsyncStream"],
            in: code
        )
        found += file.matches(
            of: /\b(?:FileManager|ProcessInfo|URLSession|FileHandle|print|getenv|Process)\s*\(/,
            near: [
                "FileManager", "ProcessInfo", "URLSession", "FileHandle", "print", "getenv",
                "Process",
            ],
            in: code
        )
        if !boxes.contains(place) {
            found += file.matches(
                of: /(?:nonisolated\(unsafe\)|@unchecked)/,
                near: ["nonisolated", "@unchecked"],
                in: code
            )
        }
        found += file.matches(
            of: /^\s*(?:(?:public|package|final)\s+)*actor\s/,
            near: ["actor"],
            in: code
        )
        if !ports.contains(place) {
            found += file.matches(
                of: /\b(?:async|await)\b/,
                near: ["async", "await"],
                in: code
            )
        }
        return found
    }
}
