import Hummingbird

/// Reads the body of each request before anything else is done with it, and resets a connection
/// whose body does not come.
struct BodyReading: RouterMiddleware {
    typealias Input = Request
    typealias Output = Response
    typealias Context = SandboxRequestContext

    /// The maximum size of a body in bytes.
    let bytesLimit: Int
    /// The time within which the whole body has to arrive.
    let timeLimit: Duration

    @concurrent func handle(
        _ request: Request,
        context: SandboxRequestContext,
        next: @concurrent (Request, SandboxRequestContext) async throws -> Response
    ) async throws -> Response {
        let connection = context.connection
        let deadline = Task {
            try await Task.sleep(for: timeLimit)
            await connection.reset()
        }
        defer { deadline.cancel() }
        var whole = request
        do {
            whole.body = RequestBody(buffer: try await request.body.collect(upTo: bytesLimit))
        } catch {
            return Reply.problem(.contentTooLarge).response
        }
        deadline.cancel()
        return try await next(whole, context)
    }
}
