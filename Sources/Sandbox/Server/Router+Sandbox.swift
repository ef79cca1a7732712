import Hummingbird
import NIOCore

/// The sandbox's routes.
struct SandboxRoutes: Sendable {
    let provider: Provider
    let configuration: SandboxConfiguration

    /// The router with all routes of the sandbox.
    func router() -> Router<SandboxRequestContext> {
        let router = Router(context: SandboxRequestContext.self)
        router.add(
            middleware: BodyReading(
                bytesLimit: configuration.maximumBodyBytes,
                timeLimit: configuration.idleLimit
            )
        )
        addOrders(to: router)
        addConsumers(to: router)
        addTokens(to: router)
        addSessions(to: router)
        addPayer(to: router)
        addMenu(to: router)
        addControl(to: router)
        addSettlement(to: router)
        return router
    }

    /// Responds with the result of `work`, or with its problem document.
    func respond(_ work: () async throws(ProblemDetail) -> Reply) async -> Response {
        do {
            return try await work().response
        } catch {
            return Reply.problem(error).response
        }
    }

    /// The request's body, which ``BodyReading`` has read.
    func bytes(of request: Request) async throws(ProblemDetail) -> [UInt8] {
        do {
            let buffer = try await request.body.collect(upTo: configuration.maximumBodyBytes)
            return Array(buffer.readableBytesView)
        } catch {
            throw .contentTooLarge
        }
    }

    /// The request's body as JSON.
    func json(of request: Request) async throws(ProblemDetail) -> JSON {
        let bytes = try await bytes(of: request)
        let type = request.headers[.contentType]?.lowercased() ?? ""
        guard type.hasPrefix("application/json") else { throw .unsupportedMediaType }
        guard let document = JSON(bytes: bytes) else {
            throw .inputError([FieldProblem(name: "body", description: "is not JSON")])
        }
        return document
    }

    /// The request's body as an HTML form.
    func form(of request: Request) async throws(ProblemDetail) -> [String: String] {
        FormText.fields(try await bytes(of: request))
    }

    /// The fields of the query.
    func query(of request: Request) -> [String: String] {
        FormText.fields((request.uri.query ?? "").utf8)
    }
}
