import Foundation
import HTTPTypes
import ServiceFixtures
import TestSupport
import Testing

@testable import Service

/// The endpoints are those of the published description, and the roles those that it names.
@Suite struct RouteTests {
    @Test func `the description has each endpoint, with its roles, and no other`() throws {
        var described: Set<String> = []
        for operation in try Self.operations() {
            let path = operation.path.replacing(/\{[^}]+\}/, with: "*").dropFirst()
            described.insert("\(operation.method.uppercased()) \(path): \(operation.text)")
        }
        #expect(described == Set(Route.allCases.map(Self.words)))
    }

    /// The operations of the description: method, path and the text of each.
    private static func operations() throws -> [(method: String, path: String, text: String)] {
        let data = try Data(contentsOf: URL(filePath: ServiceWorld.contract.path))
        let document = try JSONSerialization.jsonObject(with: data) as? [String: Any]
        let paths = try #require(document?["paths"] as? [String: [String: [String: Any]]])
        return paths.flatMap { path, methods in
            methods.map { ($0.key, path, $0.value["description"] as? String ?? "") }
        }
    }

    /// The rows of the page's table of roles, and the endpoints that each stands for.
    private static let rows: [String: [Route]] = [
        "views, streams of a session": [.showSession, .sessionStream],
        "lists, stories, time lines, diagrams, reports, states": [
            .listSessions, .story, .timeline, .diagram, .reportPage, .states, .state,
        ],
        "statistics": [.statistics],
        "search, money at risk": [.search, .moneyAtRisk],
        "logs of sessions": [.sessionEvents],
        "proofs": [.proof],
        "open, make payers' tokens": [
            .openSession, .openCheckout, .createPayerToken, .requestWithKey, .requestOfReference,
        ],
        "checkouts: instrument, hand over and back, callbacks": [
            .chooseInstrument, .handOver, .handBack, .callback, .orderCallback,
        ],
        "attempts, menu, reports, pages, returns": [
            .attempt, .menu, .report, .page, .returned,
        ],
        "retry": [.retry],
        "abort, read again": [.abort, .refetch],
        "stored payment tokens": [.listStoredTokens, .deleteStoredToken],
        "close, resolve unknown money": [.close, .resolve],
        "capture, reverse, cancel, adopt a lost order": [.transact, .adoptOrder],
        "notes": [.addNote],
        "metrics": [.metrics],
        "the feed of all sessions": [.events, .eventStream],
    ]

    @Test func `the page's table says who may do what`() throws {
        let page = try String(
            contentsOf: URL(filePath: ServiceWorld.contract.path)
                .deletingLastPathComponent().deletingLastPathComponent()
                .appending(path: "Documentation/http-api.md"),
            encoding: .utf8
        )
        let table = page.split(separator: "\n").filter { $0.hasPrefix("| ") }.map { row in
            row.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
                .map { $0.trimmingCharacters(in: .whitespaces) }
        }
        let head = try #require(table.first { $0.contains("viewer") })
        for (name, routes) in Self.rows {
            let row = try #require(table.first { $0[0] == name }, "\(name)")
            let told = Set(zip(head, row).dropFirst().filter { !$0.1.isEmpty }.map(\.0))
            for route in routes {
                let may = Set(route.roles?.map(\.rawValue) ?? [])
                #expect(told == may.union(route.isForPayer ? ["payer"] : []), "\(route)")
            }
        }
        let listed = Set(Self.rows.values.flatMap(\.self))
        #expect(listed == Set(Route.allCases.filter { $0.roles != nil && $0 != .myself }))
    }

    private static func words(_ route: Route) -> String {
        var text = ""
        if route == .myself {
            text = "Roles: any."
        } else if let roles = route.roles {
            let names = roles.map(\.rawValue).sorted().joined(separator: ", ")
            text = "Roles: \(names)\(route.isForPayer ? ", the payer" : "")."
        }
        return "\(route.method.rawValue) \(route.path): \(text)"
    }

    @Test(arguments: [
        "", "v1/sessions", "/v1//sessions", "/v1/sessions/", "/v1/sessions/..", "/v1/%2e%2e/x",
        "/v1/sessions/a%00b", "/v1/sessions/%ff", "/v2/sessions", "/v1/sessions/a/b/c/d/e",
        "/" + String(repeating: "a", count: 300),
    ])
    func `a path that is none of the endpoints' leads nowhere`(path: String) {
        #expect(throws: ServiceProblem.self) { _ = try Route.find(.get, path) }
    }

    @Test(arguments: [
        ("/v1/sessions/x/abort", [HTTPRequest.Method.post]), ("/v1/sessions", [.post, .get]),
    ])
    func `an address with other methods says which it has`(
        path: String,
        methods: [HTTPRequest.Method]
    ) throws {
        let error = #expect(throws: ServiceProblem.self) { _ = try Route.find(.delete, path) }
        #expect(error?.status == 405)
        #expect(error?.allowedMethods == methods)
        let allow = error?.response(for: nil).head.headerFields[.allow]
        #expect(allow == methods.map(\.rawValue).joined(separator: ", "))
    }
}
