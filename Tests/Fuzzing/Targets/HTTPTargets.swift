internal import HTTPTypes

@testable import Adapters
@testable import SwedbankPay
@testable import SwedbankPayHTTP
@testable import UVTransport

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
            for field in all {
                try hold(!field.description.utf8.contains(0x0A), "no line end is in a field")
                try hold(
                    field.value.utf8.first != 0x20 && field.value.utf8.last != 0x20,
                    "blanks around a value do not count"
                )
            }
            let response = TransportResponse(
                status: 503,
                headers: all,
                body: [],
                protocolVersion: "HTTP/1.1",
                duration: .zero
            )
            if let last = all.last {
                let name = HTTPField.Name(last.name.rawName.uppercased())
                try hold(name.map { response.headers.contains($0) } == true, "it is found")
                try hold(response.headers == all, "fields are kept as they are")
            }
            let maximum = ResponseLimits().retryAfter
            let wait = RetryAfter.duration(in: all, maximum: maximum)
            if let wait {
                try hold(wait >= .zero && wait <= maximum, "the bound on waits is kept")
            }
            if let lifetime = CacheLifetime.read(all) {
                try hold(
                    lifetime > .zero && lifetime <= CacheLifetime.longest,
                    "the bound on caching is kept"
                )
                let forbids = all[values: .cacheControl].contains {
                    $0.lowercased().split(separator: ",").contains {
                        $0.filter { $0 != " " } == "no-store"
                    }
                }
                try hold(!forbids, "what must not be kept is not kept")
            }
            _ = ContentType.isProblem(all.lastValue(of: .contentType))
            let problem = APIProblem(response, limits: ResponseLimits())
            try Canary.isAbsent(from: "\(problem)")
            return !all.isEmpty
        }
    )

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
