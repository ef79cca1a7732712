extension FaultedExchange {
    /// Performs the request according to a step of the order's script.
    func run(_ step: Step, method: String, body: Result<JSON, ProblemDetail>) async -> Ending {
        switch step.response {
        case .normal:
            let reply = await perform(method: method, body: body)
            return await respond(reply, reply.outcome, after: step.after)
        case .problem(let problem):
            let imposed = problem.problem
            let reply = await perform(method: method, body: body, imposing: imposed)
            return await respond(reply, "problem-" + imposed.slug, after: step.after)
        case .refusal(let problem, let seconds):
            await takeEffect(step, method, body)
            var reply = Reply.problem(problem.problem)
            reply.retryAfterSeconds = seconds
            return await respond(reply, problem.slug, after: step.after)
        case .literal(let literal):
            await takeEffect(step, method, body)
            let reply = await provider.reply(literal, to: request)
            return await respond(reply, "scripted", after: step.after)
        case .disturbed(let kind):
            if case .act(let act, let isFirst) = kind {
                return await perform(method, body, with: act, isFirst: isFirst)
            }
            let fault = Fault(
                rel: request.rel,
                requests: .every,
                kind: kind,
                takesEffect: step.takesEffect,
                lateEffect: step.lateEffect
            )
            if let effect = fault.lateEffect {
                await provider.holdBack(request, method, body, until: effect)
            }
            let reply =
                fault.isCarriedOut ? await perform(method: method, body: body) : .noContent
            try? await Task.sleep(for: step.after)
            return await disturb(reply, by: fault)
        }
    }

    /// Performs the operation when the step says: now, later or never.
    private func takeEffect(
        _ step: Step,
        _ method: String,
        _ body: Result<JSON, ProblemDetail>
    ) async {
        if let effect = step.lateEffect {
            await provider.holdBack(request, method, body, until: effect)
        } else if step.takesEffect {
            _ = await perform(method: method, body: body)
        }
    }

    private func respond(_ reply: Reply, _ outcome: String, after delay: Duration) async -> Ending {
        await record(reply.status, outcome)
        if delay > .zero { try? await Task.sleep(for: delay) }
        return .response(reply)
    }
}

extension Provider {
    /// The literal response of a step.
    func reply(_ response: LiteralResponse, to request: OrderRequest) -> Reply {
        do {
            var order = try order(request.order)
            let reply = order.reply(response, at: moment)
            keep(order)
            return reply
        } catch {
            return .problem(error)
        }
    }
}
