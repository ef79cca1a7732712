import EventLog
import Foundation
import HTTPTypes
import Inspection
import SwedbankPay
import TestSupport
import Testing

@testable import PaymentPages

@Suite struct PageTests {
    private let hostile = "\"><script>alert(1)</script>&'`\u{2028}\n=+"

    private func form(
        _ fields: [TaskForm.Field] = [.init(name: "creq", value: "abc")],
        url: String = "https://acs.example/challenge?a=1&b=2"
    ) throws -> TaskForm {
        try TaskForm(url: url, fields: fields)
    }

    @Test func `a field's name and value cannot break out of their attributes`() throws {
        let form = try form([.init(name: hostile, value: hostile)])
        let html = try Page.challenge(form).html
        #expect(!html.contains("alert(1)</script>"))
        #expect(!html.contains("\"><script>a"))
        #expect(
            html.contains(
                "value=\"&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;&#39;&#96;\u{2028}&#10;=+\""
            )
        )
        #expect(html.contains("action=\"https://acs.example/challenge?a=1&amp;b=2\""))
    }

    @Test func `data for a script cannot close the script element that holds it`() throws {
        var menu = Self.menu
        menu.style = .object([.init("</script><script>x", .string("<!--\u{2028}&"))])
        let html = try Page.menu(menu).html
        #expect(!html.contains("</script><script>x"))
        #expect(!html.contains("<!--"))
        #expect(
            html.contains(#"{"\u003c/script\u003e\u003cscript\u003ex":"\u003c!--\u2028\u0026"}"#)
        )
        #expect(html.components(separatedBy: "</script>").count == 3)
    }

    @Test(.feature("O-27")) func `the texts of a page are escaped`() throws {
        let words = PageWords(language: hostile, title: hostile, progress: hostile, goOn: hostile)
        let html = try Page.challenge(form(), words: words).html
        #expect(html.components(separatedBy: "<script").count == 3)
        #expect(throws: PageError.self) {
            try Page.challenge(form(), words: PageWords(title: "\u{0}"))
        }
    }

    @Test func `every page allows only its own script by default, and a menu also the PSP's`()
        throws
    {
        let pages = [
            try Page.challenge(form()), try Page.challenge(form(), place: .here),
            try Page.challenge(form(), place: .frame(limit: .seconds(10))),
            try Page.threeDSMethod(form()), try Page.menu(Self.menu),
            try Page.notification(.completed(cRes: "x")),
        ]
        for page in pages {
            let policy = page.contentSecurityPolicy
            #expect(policy.hasPrefix("default-src 'none'; script-src 'sha256-"))
            #expect(policy.contains("base-uri 'none'"))
            #expect(policy.contains("frame-ancestors 'self'"))
            #expect(!policy.contains("unsafe"))
            #expect(!policy.contains("https:;") && !policy.contains(" *"))
            // The data and the script follow the markup, which has no script of its own.
            let parts = page.html.components(separatedBy: "<script")
            #expect(parts.count == 3)
            #expect(!parts[0].contains(/\son[a-z]+\s*=/))
            let script = parts[2].dropFirst().components(separatedBy: "</script>")[0]
            let psp = page.baseURL == nil ? "" : " https://ecom.psp.example"
            let own = Markup.policySource(allowing: script)
            #expect(policy.contains("; script-src \(own)\(psp); "))
            let inDocument = policy.prefix(policy.count - "; frame-ancestors 'self'".count)
            #expect(page.html.contains("content=\"\(Markup.escaped(String(inDocument)))\""))
            #expect(page.headers[.cacheControl] == "no-store")
            let names = [.contentType, .contentSecurityPolicy, HTTPField.Name.referrerPolicy]
            #expect(names.allSatisfy { page.headers.contains($0) })
        }
    }

    @Test func `a challenge may be posted to the issuer and nowhere else`() throws {
        let policy = try Page.challenge(form()).contentSecurityPolicy
        #expect(policy.contains("form-action https://acs.example;"))
        #expect(policy.contains("frame-src 'none'"))
        #expect(policy.contains("connect-src 'none'"))
        let trusting = try Page.challenge(form(), trustedOrigins: ["https://acs.bank.example"])
        #expect(
            trusting.contentSecurityPolicy
                .contains("form-action https://acs.example https://acs.bank.example;")
        )
    }

    @Test func `the hidden 3DS method frame may also load the origin that its message names`()
        throws
    {
        let message = #"{"threeDSMethodNotificationURL":"https://3ds.example:8443/done?x=1","a":1}"#
        for encoded in [Data(message.utf8).base64EncodedString(), "not base64 at all"] {
            let form = try form([.init(name: "threeDSMethodData", value: encoded)])
            let policy = try Page.threeDSMethod(form).contentSecurityPolicy
            let expected =
                encoded.hasPrefix("not")
                ? "frame-src https://acs.example;"
                : "frame-src https://acs.example https://3ds.example:8443;"
            #expect(policy.contains(expected))
        }
    }

    @Test(arguments: [
        "javascript:alert(1)", "http://acs.example/", "https://a;b/", "//acs.example/x", "",
        "https://user@acs.example/", "https://acs.example'/", "https://[::1]/", "data:text/html,x",
        "https://acs.example\n/", "https://å.example/",
    ])
    func `an address that no payer should be sent to is refused in a page`(address: String) {
        #expect(throws: PageError.self) {
            try TaskForm(url: address, fields: [], allowsInsecureLoopback: true)
        }
        var menu = Self.menu
        menu.script = address
        #expect(throws: PageError.self) { try Page.menu(menu) }
        let reporting = PageReporting(resultURL: address)
        #expect(throws: PageError.self) { try Page.challenge(form(), reporting: reporting) }
    }

    @Test func `plain http is accepted for loopback only, and only where it is allowed`() throws {
        let local = "http://127.0.0.1:8080/acs"
        #expect(throws: PageError.self) { try TaskForm(url: local, fields: []) }
        let form = try TaskForm(url: local, fields: [], allowsInsecureLoopback: true)
        let policy = try Page.challenge(form).contentSecurityPolicy
        #expect(policy.contains("form-action http://127.0.0.1:8080;"))
    }

    @Test func `a form that cannot be sent unchanged is refused, naming the member`() throws {
        func failure(_ make: () throws -> TaskForm) -> PageError? {
            do { _ = try make() } catch { return error as? PageError }
            return nil
        }
        let url = "https://acs.example/"
        let reasons = [
            failure { try TaskForm(url: url, method: "PUT", fields: []) },
            failure { try TaskForm(url: url, contentType: "application/json", fields: []) },
            failure { try TaskForm(url: url, fields: [.init(name: "a", value: "\u{0}")]) },
            failure { try TaskForm(url: url, fields: [.init(name: "_charset_", value: "")]) },
            failure { try TaskForm(url: url, fields: [.init(name: "", value: "x")]) },
            failure {
                let field = TaskForm.Field(name: "a", value: "b")
                return try TaskForm(url: url, fields: Array(repeating: field, count: 65))
            },
            failure {
                let value = String(repeating: "a", count: TaskForm.maximumBytes)
                return try TaskForm(url: url, fields: [.init(name: "a", value: value)])
            },
        ]
        let names = reasons.map { $0.map { "\($0)".prefix { $0 != " " } } ?? "accepted" }
        #expect(
            names == ["method", "contentType", "fields", "fields", "fields", "fields", "fields"]
        )
        #expect(throws: PageError.tooMany(member: "fields", limit: 64)) {
            try TaskForm(
                url: url,
                fields: Array(repeating: .init(name: "a", value: ""), count: 65)
            )
        }
    }

    @Test func `a form sent with GET keeps the address's own query`() throws {
        let form = try TaskForm(
            url: "https://acs.example/c?x=%2B1&y=a+b",
            method: "get",
            contentType: "application/x-www-form-urlencoded; charset=UTF-8",
            fields: [.init(name: "creq", value: "abc")]
        )
        #expect(form.fields.map(\.name) == ["x", "y", "creq"])
        #expect(form.fields.map(\.value) == ["+1", "a b", "abc"])
    }

    @Test func `no description shows the contents of a page`() throws {
        let secret = "s3cr3t-value"
        let form = try TaskForm(
            url: "https://acs.example/\(secret)",
            fields: [.init(name: "creq", value: secret)]
        )
        var menu = Self.menu
        menu.script = "https://psp.example/\(secret)"
        let page = try Page.menu(menu)
        let response = ChallengeResult.completed(cRes: secret)
        let navigation = try MenuNavigation(menu)
        var dumped = ""
        dump(form, to: &dumped)
        dump(page, to: &dumped)
        dump(menu, to: &dumped)
        dump(response, to: &dumped)
        let texts = ["\(form)", "\(page)", "\(menu)", "\(response)", "\(navigation)", dumped]
        #expect(texts.allSatisfy { !$0.contains(secret) && !$0.contains("acs.example") })
        #expect(page.html.contains(secret))
    }

    static let menu = PaymentMenu(
        script: "https://ecom.psp.example/script/abc",
        baseURL: "https://shop.example/",
        completeURL: "https://shop.example/complete",
        cancelURL: "https://shop.example/cancel",
        paymentURL: "https://shop.example/pay?id=7f0c",
        termsOfServiceURL: "https://shop.example/terms.pdf"
    )
}
