extension FaultedExchange {
    /// Carries the call out as a step of the order's script wants it.
    func run(_ step: Step, method: String, body: Result<JSON, ProblemDetail>) async -> Ending {
        switch step.answer {
        case .normal:
            let reply = await perform(method: method, body: body)
            return await answer(reply, reply.outcome, after: step.after)
        case .problem(let problem):
            let imposed = problem.problem
            let reply = await perform(method: method, body: body, imposing: imposed)
            return await answer(reply, "problem-" + imposed.slug, after: step.after)
        case .refusal(let problem, let seconds):
            if step.takesEffect { _ = await perform(method: method, body: body) }
            var reply = Reply.problem(problem.problem)
            reply.retryAfterSeconds = seconds
            return await answer(reply, problem.slug, after: step.after)
        case .literal(let literal):
            if step.takesEffect { _ = await perform(method: method, body: body) }
            let reply = await provider.reply(literal, to: call)
            return await answer(reply, "scripted", after: step.after)
        case .disturbed(let kind):
            let fault = Fault(
                rel: call.rel,
                calls: .every,
                kind: kind,
                takesEffect: step.takesEffect
            )
            let reply =
                fault.isCarriedOut ? await perform(method: method, body: body) : .noContent
            try? await Task.sleep(for: step.after)
            return await disturb(reply, by: fault)
        }
    }

    private func answer(_ reply: Reply, _ outcome: String, after delay: Duration) async -> Ending {
        await record(reply.status, outcome)
        if delay > .zero { try? await Task.sleep(for: delay) }
        return .answer(reply)
    }
}

extension Provider {
    /// The literal answer of a step.
    func reply(_ answer: LiteralAnswer, to call: OrderCall) -> Reply {
        do {
            var order = try order(call.order)
            let reply = order.reply(answer, at: moment)
            keep(order)
            return reply
        } catch {
            return .problem(error)
        }
    }
}
