import Adapters
import Foundation
import HTTPTypes

/// A request that reached the test's web server.
struct SiteRequest: Equatable {
    let method: String
    let path: String
    let body: String
    let contentType: String
    let origin: String
    let referer: String
}

extension Browser {
    /// Serves a page at a path of the web server.
    func serve(_ page: Page, at path: String) async throws {
        try await serve(path, page.html, headers: page.headers.map { ($0.name.rawName, $0.value) })
    }

    /// Serves a document at a path.
    func serve(
        _ path: String,
        _ body: String = "<!doctype html><title>-</title><p>here</p>",
        status: Int = 200,
        headers: [(String, String)] = [("Content-Type", "text/html; charset=utf-8")],
        behaviour: String? = nil
    ) async throws {
        try await perform(
            "serve",
            [
                "path": .text(path), "body": .text(body), "status": .number(Double(status)),
                "headers": .list(headers.map { .list([.text($0.0), .text($0.1)]) }),
                "behaviour": behaviour.map { .text($0) } ?? .null,
            ]
        )
    }

    /// Opens an address.
    func open(_ url: String, scripts: Bool = true) async throws {
        try await perform("open", ["url": .text(url), "scripts": .bool(scripts)])
    }

    /// Waits until an expression is true, in the frame whose address contains a text.
    @discardableResult
    func wait(
        for expression: String,
        in frame: String? = nil,
        seconds: Double = 15
    ) async throws -> Answer {
        try await perform(
            "wait",
            [
                "for": .text(expression), "frame": frame.map { .text($0) } ?? .null,
                "seconds": .number(seconds),
            ]
        )
    }

    /// Returns the value of an expression.
    func evaluate(_ expression: String, in frame: String? = nil) async throws -> Answer {
        try await perform(
            "evaluate",
            ["expression": .text(expression), "frame": frame.map { .text($0) } ?? .null]
        )
    }

    /// Clicks the element that a selector finds.
    func click(_ selector: String, in frame: String? = nil) async throws {
        try await perform(
            "click",
            ["selector": .text(selector), "frame": frame.map { .text($0) } ?? .null]
        )
    }

    /// Returns the page's last report, with its reason.
    func told() async throws -> String {
        let expression =
            "document.documentElement.dataset.event + ' ' + "
            + "document.documentElement.dataset.reason"
        return try await evaluate(expression).text.trimmingCharacters(in: .whitespaces)
    }

    /// Waits until the page reports an event.
    func wait(toldBy event: String, seconds: Double = 15) async throws {
        try await wait(
            for: "document.documentElement.dataset.event === '\(event)'",
            seconds: seconds
        )
    }

    /// Returns all requests to the web server so far.
    func requests(to path: String? = nil) async throws -> [SiteRequest] {
        try await perform("requests").list.map {
            SiteRequest(
                method: $0["method"]?.text ?? "",
                path: $0["path"]?.text ?? "",
                body: String(
                    decoding: Data(base64Encoded: $0["body"]?.text ?? "") ?? Data(),
                    as: UTF8.self
                ),
                contentType: $0["contentType"]?.text ?? "",
                origin: $0["origin"]?.text ?? "",
                referer: $0["referer"]?.text ?? ""
            )
        }.filter { path == nil || $0.path.prefix { $0 != "?" } == path ?? "" }
    }

    /// Blocks requests to these addresses from now on.
    func block(_ urls: [String]) async throws {
        try await perform("block", ["urls": .list(urls.map { .text($0) })])
    }

    /// Returns every address to which any frame has navigated.
    func navigations() async throws -> [String] {
        try await perform("navigations").list.map(\.text)
    }

    /// Sets the window's size, the color scheme, and whether the page is printed.
    func look(width: Double, height: Double, dark: Bool = false, paper: Bool = false) async throws {
        try await perform(
            "look",
            [
                "width": .number(width), "height": .number(height), "dark": .bool(dark),
                "print": .bool(paper),
            ]
        )
    }

    /// Presses a key a number of times.
    func press(_ key: String, times: Int = 1) async throws {
        for _ in 0..<times { try await perform("press", ["key": .text(key)]) }
    }

    /// Returns the browser's console, which includes what a policy refused.
    func console() async throws -> [String] {
        try await perform("console").list.map(\.text)
    }

    /// The web server's address under another name, which is another origin for a browser.
    var issuer: String { site.replacingOccurrences(of: "127.0.0.1", with: "localhost") }
}

/// Runs a test with a browser of its own.
func withBrowser(_ act: (Browser) async throws -> Void) async throws {
    let browser = try await Browser.start()
    do {
        try await act(browser)
    } catch {
        await browser.end()
        throw error
    }
    await browser.end()
}
