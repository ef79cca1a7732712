import Adapters
import Console
import EventLog
import Foundation
import HTTPTypes
import Inspection
import Service
import ServiceFixtures
import SwedbankPay
import Testing
import Workflow

/// Somebody with a browser that keeps cookies, at the console of a service.
final class Visitor {
    let world: ServiceWorld
    let console: Console
    private(set) var cookies: [String: String] = [:]
    /// The browser's preferred languages.
    var languages = "en"

    init(_ world: ServiceWorld, at console: Console? = nil) {
        (self.world, self.console) = (world, console ?? Console(of: world.node.api))
    }

    /// A page, as a browser sees it.
    struct Shown {
        var status: Int
        var fields: HTTPFields
        var text: String

        /// The text that people read: without markup and with plain blanks.
        var words: String {
            text.replacing(#/<[^>]*>/#, with: " ")
                .replacing(#/&#(\d+);/#) { match in
                    Int(match.1).flatMap(UnicodeScalar.init).map { String(Character($0)) } ?? ""
                }
                .replacingOccurrences(of: "&amp;", with: "&")
                .replacingOccurrences(of: "&quot;", with: "\"")
                .replacing(#/\s+/#, with: " ")
        }

        /// The addresses of the links.
        var links: [String] {
            text.matches(of: #/href="([^"]*)"/#).map {
                String($0.1).replacingOccurrences(of: "&amp;", with: "&")
            }
        }
    }

    /// Signs in with the token of a role, or with another one.
    @discardableResult
    func signIn(as token: String) async throws -> Shown {
        try await send("/console/sign-in", ["token": world.tokens[token] ?? token])
    }

    /// Opens a page.
    func open(
        _ path: String,
        _ fields: HTTPFields = [:],
        from source: String? = nil
    ) async throws
        -> Shown
    {
        try await request(.get, path, [], fields, from: source)
    }

    /// Sends a form as a page of the console does.
    func send(
        _ path: String,
        _ form: [String: String],
        site: String? = "same-origin"
    ) async throws -> Shown {
        let pairs = form.sorted { $0.key < $1.key }.map { name, value in
            "\(name)=\(value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")"
        }
        var fields: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
        if let site { fields[try #require(HTTPField.Name("Sec-Fetch-Site"))] = site }
        return try await request(.post, path, Array(pairs.joined(separator: "&").utf8), fields)
    }

    private func request(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ body: [UInt8],
        _ fields: HTTPFields,
        from source: String? = nil
    ) async throws -> Shown {
        var head = HTTPRequest(
            method: method,
            scheme: "https",
            authority: "pay.example",
            path: path,
            headerFields: fields
        )
        head.headerFields[.acceptLanguage] = languages
        if !cookies.isEmpty {
            head.headerFields[.cookie] =
                cookies.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
                .joined(separator: "; ")
        }
        let response = try #require(
            await console.respond(to: head, body: body, from: source ?? "127.0.0.1")
        )
        for cookie in response.head.headerFields[values: .setCookie] {
            let pair = cookie.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1)
            cookies[String(pair[0])] = pair.count > 1 ? String(pair[1]) : nil
        }
        guard case .whole(let bytes) = response.body else {
            return Shown(
                status: response.head.status.code,
                fields: response.head.headerFields,
                text: ""
            )
        }
        return Shown(
            status: response.head.status.code,
            fields: response.head.headerFields,
            text: String(decoding: bytes, as: UTF8.self)
        )
    }

    /// Changes a cookie as its owner could.
    func change(_ name: String, _ change: (String) -> String) throws {
        cookies[name] = change(try #require(cookies[name]))
    }
}

extension ServiceWorld {
    /// Runs a test with somebody who is signed in with the token of a role.
    static func visit(
        as role: String,
        _ body: (ServiceWorld, Visitor) async throws -> Void
    ) async throws {
        try await with { world in
            let visitor = Visitor(world)
            #expect(try await visitor.signIn(as: role).status == 303)
            try await body(world, visitor)
        }
    }

    /// Changes the store as somebody could who writes its file.
    func alter(_ sql: String) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["sqlite3", folder.appending(path: "payments.db").path, sql]
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
    }
}
