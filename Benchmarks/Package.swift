// swift-tools-version: 6.2

import PackageDescription

// The same settings as the measured package.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let package = Package(
    name: "payment-workflow-benchmarks",
    dependencies: [
        .package(name: "payment-workflow", path: ".."),
        // The vocabulary of HTTP in the transport of the measured package.
        .package(url: "https://github.com/apple/swift-http-types", from: "1.5.1"),
        // The server for comparison with the service.
        .package(
            url: "https://github.com/hummingbird-project/hummingbird",
            from: "2.28.1",
            traits: []
        ),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    ],
    targets: [
        .systemLibrary(
            name: "CSQLiteBare",
            pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"])]
        ),
        // The PostgreSQL client for comparison.
        .systemLibrary(
            name: "CPQBare",
            pkgConfig: "libpq",
            providers: [.apt(["libpq-dev"])]
        ),
        // The HTTP client for comparison: libcurl on libuv in plain C.
        .target(
            name: "CBareClient",
            linkerSettings: [.linkedLibrary("uv"), .linkedLibrary("curl")]
        ),
        // What both programs below share: processes, the engine with everything around it, the
        // machine.
        .target(
            name: "Measuring",
            dependencies: [
                "CMeasure",
                .product(name: "EventLog", package: "payment-workflow"),
                .product(name: "SwedbankPay", package: "payment-workflow"),
                .product(name: "Workflow", package: "payment-workflow"),
                .product(name: "Adapters", package: "payment-workflow"),
            ],
            swiftSettings: strict
        ),
        // The processor's clocks, whose types more than one module of the platform claims to
        // define.
        .target(name: "CMeasure"),
        .executableTarget(
            name: "bench",
            dependencies: [
                "CBareClient", "CMeasure", "CPQBare", "CSQLiteBare", "Measuring",
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "EventLog", package: "payment-workflow"),
                .product(name: "Inspection", package: "payment-workflow"),
                .product(name: "SwedbankPay", package: "payment-workflow"),
                .product(name: "Workflow", package: "payment-workflow"),
                .product(name: "Adapters", package: "payment-workflow"),
                .product(name: "Sandbox", package: "payment-workflow"),
            ],
            swiftSettings: strict
        ),
        // One kind of work on a recorded log, whose instructions 'scripts/count-instructions'
        // counts.
        .executableTarget(
            name: "instructions",
            dependencies: [
                .product(name: "Adapters", package: "payment-workflow"),
                .product(name: "EventLog", package: "payment-workflow"),
                .product(name: "Inspection", package: "payment-workflow"),
                .product(name: "SwedbankPay", package: "payment-workflow"),
            ],
            swiftSettings: strict
        ),
        // Many sessions for a long time, and a PSP that fails meanwhile: 'make load' and 'make
        // soak'.
        .executableTarget(
            name: "load",
            dependencies: [
                "CMeasure", "Measuring",
                .product(name: "EventLog", package: "payment-workflow"),
                .product(name: "SwedbankPay", package: "payment-workflow"),
                .product(name: "Workflow", package: "payment-workflow"),
                .product(name: "Adapters", package: "payment-workflow"),
                .product(name: "Sandbox", package: "payment-workflow"),
            ],
            swiftSettings: strict
        ),
    ]
)
