// swift-tools-version: 6.2

import PackageDescription

// Everywhere: the Swift 6 language mode and the upcoming features that make a boundary visible. A
// misspelt feature name is silently ignored, so `PackageTests` ask the compiler for each, and
// check that every target has these settings.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

// The engine, the log and the lock of the loop are generic, and are specialised in other modules.
// The compiler can only specialise them if it may look into the other module; without that, writing
// a record takes half as long again.
let specialised =
    strict + [.unsafeFlags(["-cross-module-optimization"], .when(configuration: .release))]

let package = Package(
    name: "payment-workflow",
    products: [
        .library(name: "Payments", targets: ["Payments"]),
        .library(name: "EventLog", targets: ["EventLog"]),
        .library(name: "Workflow", targets: ["Workflow"]),
        .library(name: "SwedbankPay", targets: ["SwedbankPay"]),
        .library(name: "Inspection", targets: ["Inspection"]),
        .library(
            name: "Adapters",
            targets: ["Adapters", "EventStores", "PaymentPages", "SwedbankPayHTTP", "UVTransport"]
        ),
        .library(name: "MerchantBackend", targets: ["MerchantBackend"]),
        .library(name: "Service", targets: ["Service"]),
        .library(name: "Console", targets: ["Console"]),
        .library(name: "Sandbox", targets: ["Sandbox"]),
        .library(name: "WorkflowTesting", targets: ["WorkflowTesting"]),
        .executable(name: "workflowctl", targets: ["workflowctl"]),
    ],
    dependencies: [
        // Cryptography: SHA-256 for the chain, AES-GCM and HMAC for sealed values.
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        // The logging, metrics and tracing front ends, so that the host chooses the back ends.
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
        // Argument parsing, help and shell completions of workflowctl.
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        // The vocabulary of HTTP: methods and header fields of what is sent to the PSP, and whole
        // requests and responses of the merchant backend, which any HTTP server of Swift can mount.
        .package(url: "https://github.com/apple/swift-http-types", from: "1.5.1"),
        // The HTTP server that the sandbox PSP and `serve` run on.
        .package(
            url: "https://github.com/hummingbird-project/hummingbird",
            from: "2.28.1",
            traits: []
        ),
        // Channel access below the HTTP server, for the connection resets that the sandbox injects.
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        // The tests run payments in a service group, as hosts do; no product needs it.
        .package(
            url: "https://github.com/swift-server/swift-service-lifecycle",
            from: "2.13.0"
        ),
    ],
    targets: [
        .systemLibrary(name: "CUV", pkgConfig: "libuv", providers: [.apt(["libuv1-dev"])]),
        .systemLibrary(
            name: "CCurl",
            pkgConfig: "libcurl",
            providers: [.apt(["libcurl4-openssl-dev"])]
        ),
        .systemLibrary(
            name: "CSQLite",
            pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"])]
        ),
        // Exported logs are compressed and read back by the name of their file: .gz and .zst.
        // Stores compress their records with Zstandard and a dictionary.
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        // The PSP's settlement reports are XML, alone or in workbooks.
        .systemLibrary(name: "CExpat", pkgConfig: "expat", providers: [.apt(["libexpat1-dev"])]),
        .systemLibrary(name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"])]),
        .systemLibrary(name: "CPQ", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .target(
            name: "EventLog",
            dependencies: [.product(name: "Crypto", package: "swift-crypto")],
            swiftSettings: specialised
        ),
        .target(
            name: "Workflow",
            dependencies: [
                "EventLog",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
            ],
            swiftSettings: specialised
        ),
        .target(
            name: "SwedbankPay",
            dependencies: [
                "EventLog", "Workflow",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ],
            swiftSettings: specialised
        ),
        // What people are shown of a log, whoever shows it: a command, a service or a page.
        .target(
            name: "Inspection",
            dependencies: [
                "EventLog", "SwedbankPay", "Workflow",
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            resources: [.embedInCode("Report/Page")],
            swiftSettings: strict
        ),
        // The PSP's settlement reports: their readers, the join with the logs, what is exported.
        .target(
            name: "Settlement",
            dependencies: [
                "EventLog", "SwedbankPay", "Workflow", "Inspection", "CExpat", "CZlib",
            ],
            swiftSettings: strict
        ),
        // The layers of `Adapters`, which exports them.
        .target(
            name: "UVTransport",
            dependencies: [
                "EventLog", "CUV", "CCurl",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            path: "Sources/Adapters/UVTransport",
            swiftSettings: specialised
        ),
        // The stores of the log, which know no payments and no PSP.
        .target(
            name: "EventStores",
            dependencies: [
                "EventLog", "UVTransport", "CUV", "CSQLite", "CPQ", "CZstd",
                .product(name: "CoreMetrics", package: "swift-metrics"),
            ],
            path: "Sources/Adapters/EventStores",
            swiftSettings: specialised
        ),
        .target(
            name: "PaymentPages",
            dependencies: [
                "EventLog", "SwedbankPay", "Workflow", "Inspection",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            path: "Sources/Adapters/PaymentPages",
            resources: [.embedInCode("Pages/Scripts")],
            swiftSettings: strict
        ),
        .target(
            name: "SwedbankPayHTTP",
            dependencies: [
                "EventLog", "SwedbankPay", "Workflow", "UVTransport",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Sources/Adapters/SwedbankPayHTTP",
            resources: [.embedInCode("Catalogue/problems.json")],
            swiftSettings: strict
        ),
        .target(
            name: "Adapters",
            dependencies: [
                "EventLog", "SwedbankPay", "Workflow", "Inspection", "UVTransport", "PaymentPages",
                "SwedbankPayHTTP", "EventStores", "CUV", "CSQLite", "CPQ", "CZstd",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
            ],
            exclude: ["EventStores", "PaymentPages", "SwedbankPayHTTP", "UVTransport"],
            swiftSettings: strict
        ),
        // The front door: what most services need, in a dozen types.
        .target(
            name: "Payments",
            dependencies: ["EventLog", "SwedbankPay", "Workflow", "Inspection", "Adapters"],
            swiftSettings: strict
        ),
        .target(
            name: "MerchantBackend",
            dependencies: [
                "EventLog", "SwedbankPay", "Workflow", "Inspection", "Adapters",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
            ],
            resources: [.embedInCode("Pages/plain.html")],
            swiftSettings: strict
        ),
        // The engine's API over HTTP, for clients in any language, without a server of its own.
        .target(
            name: "Service",
            dependencies: [
                "EventLog", "SwedbankPay", "Workflow", "Inspection", "Adapters",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict
        ),
        // The operators' pages on the service, without a server of their own.
        .target(
            name: "Console",
            dependencies: [
                "EventLog", "SwedbankPay", "Workflow", "Inspection", "Adapters", "Service",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            resources: [.embedInCode("Assets")],
            swiftSettings: strict
        ),
        .target(
            name: "Sandbox",
            dependencies: [
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "Logging", package: "swift-log"),
            ],
            resources: [.embedInCode("Scripts")],
            swiftSettings: strict
        ),
        .target(
            name: "WorkflowTesting",
            dependencies: ["EventLog", "SwedbankPay", "Workflow", "Inspection"],
            swiftSettings: strict
        ),
        // Gives workflowctl the names and versions of the packages that are in it.
        .plugin(name: "LinkedPackages", capability: .buildTool()),
        // Puts the schemas and scenarios into workflowctl.
        .plugin(name: "EmbeddedText", capability: .buildTool(), dependencies: ["embed-text"]),
        .executableTarget(name: "embed-text", path: "Plugins/embed-text", swiftSettings: strict),
        .executableTarget(
            name: "workflowctl",
            dependencies: [
                "EventLog", "SwedbankPay", "Workflow", "Inspection", "Adapters", "MerchantBackend",
                "Sandbox", "Service", "Console", "Settlement",
                "WorkflowTesting", "CSQLite", "CExpat", "CZlib", "CZstd",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                // TLS and HTTP/2 of `serve`: without them it could only be reached on its machine.
                .product(name: "HummingbirdHTTP2", package: "hummingbird"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict,
            plugins: ["LinkedPackages", "EmbeddedText"]
        ),
        // Programs to begin with; the tests run each.
        .executableTarget(
            name: "FirstPayment",
            dependencies: ["Payments"],
            path: "Examples/FirstPayment",
            packageAccess: false,
            swiftSettings: strict
        ),
        .executableTarget(
            name: "CrashAndRecover",
            dependencies: ["Payments"],
            path: "Examples/CrashAndRecover",
            packageAccess: false,
            swiftSettings: strict
        ),
        .executableTarget(
            name: "CheckoutAndCapture",
            dependencies: ["Payments", "SwedbankPay"],
            path: "Examples/CheckoutAndCapture",
            packageAccess: false,
            swiftSettings: strict
        ),
        .executableTarget(
            name: "Subscription",
            dependencies: ["Payments", "SwedbankPay"],
            path: "Examples/Subscription",
            packageAccess: false,
            swiftSettings: strict
        ),
        // The one that has an HTTP server, which its own manifest would name.
        .executableTarget(
            name: "Shop",
            dependencies: [
                "Payments", "Adapters", "SwedbankPay",
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            path: "Examples/Shop",
            packageAccess: false,
            swiftSettings: strict
        ),
        .executableTarget(
            name: "FlowUnderFaults",
            dependencies: ["Adapters", "SwedbankPay", "Workflow", "WorkflowTesting"],
            path: "Examples/FlowUnderFaults",
            packageAccess: false,
            swiftSettings: strict
        ),
        .executableTarget(
            name: "OwnWorkflow",
            dependencies: ["EventLog", "Workflow", "WorkflowTesting"],
            path: "Examples/OwnWorkflow",
            packageAccess: false,
            swiftSettings: strict
        ),
        // For all tests: the tags that say when a test runs, and the traits that say what it shows.
        .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: strict),
        .testTarget(
            name: "WorkflowTests",
            dependencies: [
                "TestSupport", "Inspection", "EventLog", "SwedbankPay", "Workflow",
                "WorkflowTesting",
            ],
            swiftSettings: strict
        ),
        // For tests of readers: kept logs, how somebody would alter them, another reader of JSON.
        .target(
            name: "LogFixtures",
            dependencies: ["Inspection", "EventLog", "SwedbankPay", "Workflow"],
            path: "Tests/LogFixtures",
            swiftSettings: strict
        ),
        .testTarget(
            name: "InspectionTests",
            dependencies: [
                "TestSupport",
                "Inspection", "Adapters", "LogFixtures", "EventLog", "SwedbankPay", "Workflow",
                "WorkflowTesting",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "SettlementTests",
            dependencies: [
                "TestSupport", "LogFixtures",
                "Settlement", "Inspection", "EventLog", "SwedbankPay", "Workflow", "CZlib",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "AdaptersTests",
            dependencies: [
                "TestSupport",
                "Adapters", "EventStores", "UVTransport", "PaymentPages", "SwedbankPayHTTP",
                "Inspection",
                "EventLog", "SwedbankPay", "Workflow", "WorkflowTesting", "Sandbox", "LogFixtures",
                "StoreWriter", "CSQLite",
                "CUV",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "MerchantBackendTests",
            dependencies: [
                "TestSupport",
                "MerchantBackend", "Adapters", "EventLog", "SwedbankPay", "Workflow", "Sandbox",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict
        ),
        // For tests of the service: a node of it on a real store, with the sandbox PSP over HTTP.
        .target(
            name: "ServiceFixtures",
            dependencies: [
                "TestSupport", "LogFixtures",
                "Service", "Adapters", "Inspection", "Sandbox", "EventLog", "SwedbankPay",
                "Workflow",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            path: "Tests/ServiceFixtures",
            swiftSettings: strict
        ),
        .testTarget(
            name: "ServiceTests",
            dependencies: [
                "TestSupport", "ServiceFixtures",
                "Service", "MerchantBackend", "Adapters", "Sandbox", "EventLog", "SwedbankPay",
                "Workflow",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "ConsoleTests",
            dependencies: [
                "TestSupport", "ServiceFixtures", "LogFixtures",
                "Console", "Service", "Adapters", "Sandbox", "Inspection", "EventLog",
                "SwedbankPay", "Workflow",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "SandboxTests",
            dependencies: [
                "TestSupport", "Sandbox", .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "ContractTests",
            dependencies: [
                "TestSupport",
                "Adapters", "LogFixtures", "EventLog", "SwedbankPay", "Workflow",
                "WorkflowTesting",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "SimulationTests",
            dependencies: [
                "TestSupport", "EventLog", "SwedbankPay", "Workflow", "WorkflowTesting",
            ],
            swiftSettings: strict
        ),
        // Sees only what is public, as somebody's own workflow does.
        .testTarget(
            name: "OwnWorkflowTests",
            dependencies: [
                "TestSupport", "OwnWorkflow", "Adapters", "EventLog", "Workflow", "WorkflowTesting",
            ],
            packageAccess: false,
            swiftSettings: strict
        ),
        .testTarget(
            name: "IntegrationTests",
            dependencies: [
                "TestSupport",
                "Payments", "Adapters", "EventStores", "MerchantBackend", "Inspection", "EventLog",
                "SwedbankPay",
                "Workflow",
                "WorkflowTesting",
                "Sandbox",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "WorkflowctlTests",
            dependencies: [
                "TestSupport",
                "workflowctl", "Adapters", "EventStores", "Sandbox", "Inspection", "LogFixtures",
                "EventLog",
                "SwedbankPay", "Workflow",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "BrowserTests",
            dependencies: [
                "TestSupport", "ServiceFixtures", "LogFixtures",
                "Console", "Service", "Adapters", "Sandbox", "Inspection", "EventLog",
                "SwedbankPay", "Workflow",
                "WorkflowTesting",
                "workflowctl",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: strict
        ),
        .testTarget(name: "ReadmeTests", dependencies: ["TestSupport"], swiftSettings: strict),
        // The front door, the code on pages, and the examples as processes that are killed.
        .testTarget(
            name: "PaymentsTests",
            dependencies: [
                "TestSupport",
                "Payments", "FirstPayment", "CrashAndRecover", "CheckoutAndCapture", "Subscription",
                "FlowUnderFaults", "OwnWorkflow", "Adapters", "MerchantBackend", "Sandbox",
                "Inspection", "EventLog", "SwedbankPay", "Workflow",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "TidyTests",
            dependencies: [
                "TestSupport", "EventLog", "SwedbankPay", "Workflow",
            ],
            swiftSettings: strict
        ),
        // Appends to a store until it is killed: the other process of the store's tests.
        .executableTarget(
            name: "StoreWriter",
            dependencies: ["Adapters", "EventLog", "SwedbankPay", "Workflow"],
            path: "Tests/StoreWriter",
            swiftSettings: strict
        ),
        // Every reader of bytes from outside, with inputs that are made to break it.
        .testTarget(
            name: "FuzzingTests",
            dependencies: [
                "TestSupport",
                "Adapters", "EventStores", "UVTransport", "PaymentPages", "SwedbankPayHTTP",
                "MerchantBackend",
                "Sandbox", "Settlement", "Inspection", "EventLog", "SwedbankPay", "Workflow",
                "LogFixtures",
                "workflowctl",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            path: "Tests/Fuzzing",
            exclude: ["Corpus.ndjson", "Regressions.ndjson", "words.txt"],
            swiftSettings: strict
        ),
        // Kills processes while they pay, and compares acknowledgements with the log and the
        // ledger.
        .executableTarget(
            name: "CampaignHost",
            dependencies: [
                "Adapters", "Inspection", "EventLog", "SwedbankPay", "Workflow",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            path: "Tests/Campaigns/Host",
            swiftSettings: strict
        ),
        .testTarget(
            name: "CampaignTests",
            dependencies: [
                "TestSupport",
                "CampaignHost", "workflowctl", "Adapters", "EventStores", "Inspection", "EventLog",
                "SwedbankPay",
                "Workflow",
            ],
            path: "Tests/Campaigns/Tests",
            swiftSettings: strict
        ),
        // The store that many nodes share, on a real server that the tests start and stop.
        .testTarget(
            name: "PostgreSQLTests",
            dependencies: [
                "TestSupport",
                "workflowctl", "CampaignHost", "Shop", "OwnWorkflow", "Adapters", "EventStores",
                "Sandbox",
                "Inspection",
                "LogFixtures", "EventLog", "SwedbankPay", "Workflow",
                "WorkflowTesting",
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
            ],
            swiftSettings: strict
        ),
        // The logs, metrics and traces of a host, which are kept in memory and searched for
        // secrets.
        .testTarget(
            name: "ObservationTests",
            dependencies: [
                "TestSupport",
                "Adapters", "Sandbox", "Inspection", "EventLog", "SwedbankPay", "Workflow",
                .product(name: "InMemoryLogging", package: "swift-log"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
                .product(name: "Instrumentation", package: "swift-distributed-tracing"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ],
            path: "Tests/Observation",
            swiftSettings: strict
        ),
        // Payments that support engineers are asked about, with the story that is told of each.
        .testTarget(
            name: "CaseTests",
            dependencies: [
                "TestSupport",
                "Adapters", "EventStores", "Inspection", "EventLog", "SwedbankPay", "Workflow",
                "WorkflowTesting",
                "workflowctl",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Tests/Cases",
            swiftSettings: strict
        ),
    ]
)

// For scripts/fuzz alone: our readers report to libFuzzer, at this path, where inputs lead them.
if let libFuzzer = Context.environment["FUZZING"] {
    package.targets.removeAll { $0.type == .test && $0.name != "FuzzingTests" }
    package.targets.first { $0.name == "FuzzingTests" }?.exclude.append("Replay")
    for target in package.targets where target.type != .system && target.name != "embed-text" {
        let isReader = target.type != .test
        target.swiftSettings? += [
            .define("FUZZING"),
            .unsafeFlags(["-enable-testing"] + (isReader ? ["-sanitize=fuzzer,address"] : [])),
        ]
    }
    package.targets.first { $0.name == "SwedbankPay" }?.linkerSettings = [
        .unsafeFlags(["-use-ld=lld", "-sanitize=address", libFuzzer])
    ]
}

// For the tests (scripts/test sets it): the targets that only compute are optimised in a debug
// build, too. Assertions, preconditions and `@testable` stay.
if Context.environment["OPTIMIZE_RULES"] != nil {
    let computing = [
        "EventLog", "Workflow", "SwedbankPay", "Inspection", "Settlement", "WorkflowTesting",
    ]
    for target in package.targets where computing.contains(target.name) {
        target.swiftSettings? += [.unsafeFlags(["-O"])]
    }
}

// For work on one part: only the test targets in TESTS, separated by commas, and what they depend
// on.
if let wanted = Context.environment["TESTS"]?.split(separator: ",").map(String.init) {
    var needed: Set<String> = []
    var open = wanted
    while let name = open.popLast() {
        guard needed.insert(name).inserted,
            let target = package.targets.first(where: { $0.name == name })
        else { continue }
        for dependency in target.dependencies {
            if case .byNameItem(let name, _) = dependency { open.append(name) }
        }
        if name == "workflowctl" { open += ["LinkedPackages", "EmbeddedText", "embed-text"] }
    }
    package.targets.removeAll { !needed.contains($0.name) }
    package.products = []
}
