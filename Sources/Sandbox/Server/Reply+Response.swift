import Hummingbird
import NIOCore

extension Reply {
    /// The size of one streamed chunk: 64 KiB.
    private static let chunkBytes = 64 * 1024

    /// The response in the HTTP server's form.
    var response: Response {
        var fields = HTTPFields()
        fields[.location] = location
        fields[.retryAfter] = retryAfterSeconds.map { String($0) }
        fields[.cacheControl] = "no-store"
        fields[.contentSecurityPolicy] = contentSecurityPolicy
        if isShared { fields[.accessControlAllowOrigin] = "*" }
        let status = HTTPResponse.Status(code: self.status)
        switch body {
        case .none:
            return Response(status: status, headers: fields)
        case .json(let document):
            fields[.contentType] = "application/json; charset=utf-8"
            return Response(status: status, headers: fields, body: bytes(document.bytes))
        case .problem(let document):
            fields[.contentType] = "application/problem+json"
            return Response(status: status, headers: fields, body: bytes(document.bytes))
        case .html(let text):
            fields[.contentType] = "text/html; charset=utf-8"
            return Response(status: status, headers: fields, body: bytes(Array(text.utf8)))
        case .script(let text):
            fields[.contentType] = "application/javascript; charset=utf-8"
            return Response(status: status, headers: fields, body: bytes(Array(text.utf8)))
        case .raw(let text, let type):
            fields[.contentType] = type
            return Response(status: status, headers: fields, body: bytes(Array(text.utf8)))
        case .filler(let count):
            fields[.contentType] = "application/json; charset=utf-8"
            return Response(status: status, headers: fields, body: filler(count))
        }
    }

    private func bytes(_ bytes: [UInt8]) -> ResponseBody {
        ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
    }

    /// One long JSON string, sent without a length.
    private func filler(_ count: Int) -> ResponseBody {
        ResponseBody { writer in
            try await writer.write(ByteBuffer(string: "{\"filler\":\""))
            let chunk = ByteBuffer(repeating: UInt8(ascii: "x"), count: Self.chunkBytes)
            var remaining = count
            while remaining > 0 {
                try await writer.write(chunk)
                remaining -= Self.chunkBytes
            }
            try await writer.write(ByteBuffer(string: "\"}"))
            try await writer.finish(nil)
        }
    }
}
