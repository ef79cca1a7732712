import Foundation
import FoundationNetworking
import Testing

@testable import Sandbox

/// An HTTP response.
struct Answer: Sendable {
    let status: Int
    let url: String
    let headers: [String: String]
    let bytes: [UInt8]

    var json: JSON? { JSON(bytes: bytes) }
    var text: String { String(decoding: bytes, as: UTF8.self) }
}

/// A plain HTTP client without knowledge of the protocol.
enum HTTPClient {
    private static let session: URLSession = {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 20
        configuration.httpMaximumConnectionsPerHost = 64
        return URLSession(configuration: configuration)
    }()

    static func send(
        _ method: String,
        _ url: String,
        json: JSON? = nil,
        form: String? = nil,
        contentType: String? = nil,
        authorization: String? = nil,
        timeout: TimeInterval = 20
    ) async throws -> Answer {
        var request = URLRequest(url: try #require(URL(string: url)))
        request.httpMethod = method
        request.timeoutInterval = timeout
        if let json { request.httpBody = Data(json.bytes) }
        if let form { request.httpBody = Data(form.utf8) }
        let usual = form == nil ? "application/json" : "application/x-www-form-urlencoded"
        request.setValue(contentType ?? usual, forHTTPHeaderField: "Content-Type")
        if let authorization {
            request.setValue(authorization, forHTTPHeaderField: "Authorization")
        }
        let (data, response) = try await session.data(for: request)
        let http = try #require(response as? HTTPURLResponse)
        var headers: [String: String] = [:]
        for (name, value) in http.allHeaderFields {
            headers["\(name)".lowercased()] = "\(value)"
        }
        return Answer(
            status: http.statusCode,
            url: http.url?.absoluteString ?? "",
            headers: headers,
            bytes: Array(data)
        )
    }
}
