import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Service

/// The endpoints are those of the published description, and the roles those that it names.
@Suite struct RouteTests {
    @Test func `the description has each endpoint, with its roles, and no other`() throws {
        var described: Set<String> = []
        for operation in try ServiceContract.operations() {
            let path = operation.path.replacing(/\{[^}]+\}/, with: "*").dropFirst()
            described.insert("\(operation.method.uppercased()) \(path): \(operation.text)")
        }
        #expect(described == Set(Route.allCases.map(Self.words)))
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

    @Test func `an address with another method says which it has`() throws {
        let error = #expect(throws: ServiceProblem.self) {
            _ = try Route.find(.delete, "/v1/sessions/x/abort")
        }
        #expect(error?.status == 405)
        #expect(error?.allowedMethod == .post)
    }
}
