internal import Adapters
internal import ArgumentParser
internal import EventLog
internal import Glibc
internal import Inspection
internal import Logging

/// Runs the program: arguments in, exit status out.
@main struct Program {
    static func main() {
        // A closed pipe ends the output, not the process in the middle of an append.
        signal(SIGPIPE, SIG_IGN)
        // Exceeding the limit of a file's size is an error of the store, like a full disk.
        signal(SIGXFSZ, SIG_IGN)
        // A core dump would contain what the log seals.
        MemoryDisclosure.forbid()
        // Before there are threads: no library may write the secrets of connections to a file.
        _ = TLSSecretsFile.wasWanted
        Signals.block()
        exit(run(Array(CommandLine.arguments.dropFirst())).rawValue)
    }

    private static func run(_ arguments: [String]) -> ExitStatus {
        let ordered = ArgumentOrder.commandFirst(arguments)
        var command: any ParsableCommand
        do {
            command = try Workflowctl.parseAsRoot(ordered)
        } catch {
            return explain(error, about: arguments)
        }
        guard let command = command as? any Command else {
            do {
                try command.run()
                return .done
            } catch {
                return explain(error, about: arguments)
            }
        }
        let format: LogFormat
        do throws(Failure) {
            format = try LogFormat.read(Invocation.processEnvironment())
            try LocalTime.use(zone: command.global.timeZone)
        } catch {
            messages.write(error)
            return error.status
        }
        let level = format.level(isVerbose: command.global.verbose)
        let diagnostics = messages
        LoggingSystem.bootstrap { label in
            format.handler(label: label, level: level, sink: diagnostics)
        }
        do {
            let loop = try UVLoop(name: "workflowctl")
            var invocation = Invocation.process(
                on: loop,
                color: command.global.color,
                messages: format
            )
            let pager = Pager.start(
                for: command,
                output: invocation.output,
                environment: invocation.environment
            )
            if let pager { invocation.output = invocation.output.passing(to: pager.write) }
            let status = run(command, in: invocation)
            pager?.finish()
            loop.shutdown()
            guard let lost = LostOutput.failure else { return status }
            invocation.diagnostics.write(lost)
            return status == .done ? lost.status : status
        } catch {
            messages.write("error: \(error) [loop.unavailable]\n")
            return .unavailable
        }
    }

    /// Runs a command on the loop while this thread waits for its end or for a signal.
    private static func run(_ command: any Command, in invocation: Invocation) -> ExitStatus {
        let end = CommandEnd()
        let task = invocation.loop.spawn {
            let status: ExitStatus
            do throws(Failure) {
                if !type(of: command).mayReveal { try command.global.refuseReveal() }
                try command.refuseBadArguments()
                status = try await perform(command, in: invocation)
            } catch {
                invocation.printError(error, asJSON: command.global.json)
                status = error.status
            }
            end.reach(status)
        }
        Signals.watch {
            guard end.interrupt() else { _exit(ExitStatus.interrupted.rawValue) }
            task.cancel()
        }
        return end.wait()
    }

    /// Performs a command on the sessions that its arguments name.
    private static func perform(
        _ command: some Command,
        in invocation: Invocation
    ) async throws(Failure) -> ExitStatus {
        try await SessionNames.resolve(in: command, invocation).perform(in: invocation)
    }

    /// Prints help, a version, a completion script, or an error in the arguments.
    private static func explain(_ error: any Error, about arguments: [String]) -> ExitStatus {
        let text = Workflowctl.fullMessage(for: error)
        let code = Workflowctl.exitCode(for: error)
        guard code != .success else {
            guard text == BuildFacts.text, VersionReport.isWanted(by: arguments) else {
                sink(STDOUT_FILENO).write(CommonOptions.shortened(text, for: arguments) + "\n")
                return .done
            }
            return printVersions(asJSON: arguments.contains("--json"))
        }
        let message = Workflowctl.message(for: error).rewriting("\n  - ", as: " ")
        let value = InvalidValue(message: message)
        let unknown = Suggestion.unknownCommand(in: arguments)
        let words = unknown.map { "there is no command '\($0.words)'" } ?? clause(message)
        let failure = Failure.usage(
            "arguments",
            SecretArguments.masked(words, arguments: arguments, except: value?.shown),
            hint: value?.hint ?? unknown?.hint
                ?? "run 'workflowctl help' for a list of commands, or add --help to a command for its options"
        )
        let diagnostics = messages
        diagnostics.write(failure)
        if arguments.contains("--json") {
            let line = JSONDocument.text(failure.json) + "\n"
            diagnostics.write(document: Array(line.utf8), isJSON: true)
        }
        return .usage
    }

    /// Writes the argument parser's message in the form of all errors: without a capital letter and
    /// a period.
    private static func clause(_ sentence: String) -> String {
        let text = sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence
        guard text.dropFirst().first?.isLowercase == true else { return text }
        return text.prefix(1).lowercased() + text.dropFirst()
    }

    /// Prints the version report.
    private static func printVersions(asJSON: Bool) -> ExitStatus {
        let report = VersionReport()
        let output = sink(STDOUT_FILENO)
        guard asJSON else {
            output.write(report.text + "\n")
            return .done
        }
        let text = JSONDocument.text(report.json, indented: output.isTerminal) + "\n"
        output.write(document: Array(text.utf8), isJSON: true)
        return .done
    }

    /// Returns a sink for a descriptor of the process, without colors.
    private static func sink(_ descriptor: Int32) -> Sink {
        .descriptor(descriptor, color: .never, environment: [:])
    }

    /// The sink for messages before there is an invocation; an unknown form is written as text.
    private static var messages: Sink {
        let format = (try? LogFormat.read(Invocation.processEnvironment())) ?? .text
        return .messages(format, color: .never, environment: [:])
    }
}
