@testable import Adapters
@testable import SwedbankPay

extension FuzzTarget {
    /// The header fields of a response.
    static let headers = FuzzTarget(
        name: "headers",
        maximumLength: 8192,
        growths: [
            .repeating("a: b\n"), .repeating("\n"), .repeating(":"), .repeating("a"),
            .repeating(" ", after: "a:", before: "b"),
            .repeating(" ", after: "Retry-After: ", before: "1"),
            .repeating("1", after: "Retry-After: "),
            .repeating("max-age=1,", after: "Cache-Control: "),
            .repeating("\"", after: "Cache-Control: "),
            .repeating("-", after: "Retry-After: a ", before: " b GMT"),
        ],
        check: { bytes throws(Broken) in
            var fields = HeaderFields()
            let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
            for line in lines {
                Array(line + [0x0D, 0x0A]).withUnsafeBytes { fields.append($0) }
            }
            let all = fields.all
            try hold(all.count <= lines.count, "a line is one field at the most")
            for (name, value) in all {
                let text = name + value
                try hold(!text.utf8.contains(0x0A), "no line end is in a field")
                try hold(
                    value.utf8.first != 0x20 && value.utf8.last != 0x20,
                    "blanks around a value do not count"
                )
            }
            let response = HTTPResponse(
                status: 503,
                headers: all,
                body: [],
                protocolVersion: "HTTP/1.1",
                duration: .zero
            )
            if let last = all.last {
                try hold(
                    response.header(last.name.uppercased()) != nil || !isASCII(last.name),
                    "it is found"
                )
            }
            let maximum = AnswerLimits().retryAfter
            let wait = RetryAfter.duration(
                response.header("Retry-After"),
                date: response.header("Date"),
                maximum: maximum
            )
            if let wait {
                try hold(wait >= .zero && wait <= maximum, "the bound on waits is kept")
            }
            if let lifetime = CacheLifetime.read(all) {
                try hold(
                    lifetime > .zero && lifetime <= CacheLifetime.longest,
                    "the bound on caching is kept"
                )
                let forbids = all.contains {
                    $0.name.lowercased() == "cache-control"
                        && $0.value.lowercased().split(separator: ",").contains {
                            $0.filter { $0 != " " } == "no-store"
                        }
                }
                try hold(!forbids, "what must not be kept is not kept")
            }
            _ = ContentType.isProblem(response.header("Content-Type"))
            let problem = APIProblem(response, limits: AnswerLimits())
            try Canary.isAbsent(from: "\(problem)")
            return !all.isEmpty
        }
    )

    private static func isASCII(_ text: String) -> Bool { text.utf8.allSatisfy { $0 < 0x80 } }

    /// The URL of a request.
    static let requestURL = FuzzTarget(
        name: "request-url",
        maximumLength: 2048,
        growths: [
            .repeating("a.", after: "https://", before: "payex.com/"),
            .repeating("a", after: "https://"),
            .repeating("1", after: "https://h:"), .repeating("/", after: "https:"),
        ],
        check: { bytes throws(Broken) in
            let text = String(decoding: bytes, as: UTF8.self)
            let url: RequestURL
            do {
                url = try RequestURL(reading: text)
            } catch {
                try Canary.isAbsent(from: "\(error)")
                return false
            }
            try hold(url.text.utf8.count <= RequestURL.maximumLength + 1, "the bound is kept")
            try hold((try? RequestURL(reading: url.text)) == url, "the one form reads the same")
            var known = KnownAuthorities()
            try hold(known.agree(on: url), "libcurl finds the same host")
            var configuration = TransportConfiguration()
            guard (try? configuration.check(url)) != nil else { return true }
            try hold(url.isSecure, "nothing is called without TLS")
            try hold(
                url.host == "payex.com" || url.host.hasSuffix(".payex.com")
                    || url.host == "swedbankpay.com" || url.host.hasSuffix(".swedbankpay.com"),
                "only permitted hosts are called"
            )
            configuration.allowedHostSuffixes = []
            try hold((try? configuration.check(url)) == nil, "without permission nobody is called")
            return true
        }
    )
}
