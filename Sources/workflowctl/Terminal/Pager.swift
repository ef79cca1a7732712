internal import Adapters
internal import EventLog
internal import Glibc
internal import Inspection

/// The program with which a person reads long output (`$PAGER`), between a command and the
/// terminal.
///
/// It is used only if `$PAGER` is set, the output is a terminal, and the command's output may be
/// long.
final class Pager: Sendable {
    private let process: pid_t
    private let input: Int32

    private init(process: pid_t, input: Int32) {
        self.process = process
        self.input = input
    }

    /// Starts the pager that the environment names.
    ///
    /// Returns `nil` when none is requested or it cannot be started: then the output goes to the
    /// terminal directly.
    static func start(
        for command: any Command,
        output: Sink,
        environment: [String: String]
    ) -> Pager? {
        guard command.isPaged, output.isTerminal, !command.global.json, !command.global.noPager,
            environment["TERM"] != "dumb",
            let line = environment["WORKFLOWCTL_PAGER"].nonEmpty ?? environment["PAGER"].nonEmpty,
            line != "cat", mayStart(line, environment)
        else { return nil }
        guard let ends = ChildProcess.pipeEnds() else { return nil }
        var variables = environment
        // As git does: less exits by itself when everything fits, and shows colors.
        variables["LESS"] = variables["LESS"].nonEmpty ?? "FRX"
        // Text of a log must not make less run a command, or write or open a file.
        variables["LESSSECURE"] = "1"
        // In this process group, so that it may read the terminal's keys.
        let process = try? ChildProcess.start(
            ["/bin/sh", "-c", line],
            input: ends.read,
            output: STDOUT_FILENO,
            diagnostics: STDERR_FILENO,
            variables: ChildProcess.variables(of: variables),
            hasOwnGroup: false
        )
        close(ends.read)
        guard let process else {
            close(ends.write)
            return nil
        }
        return Pager(process: process, input: ends.write)
    }

    /// Returns false when the line begins with the plain name of a missing program.
    ///
    /// The shell would print an error, and the output would be lost.
    private static func mayStart(_ line: String, _ environment: [String: String]) -> Bool {
        let name = line.prefix { $0 != " " }
        let isPlain = name.allSatisfy { $0.isLetter || $0.isNumber || "-_.+/".contains($0) }
        guard isPlain, !["exec", "command", "eval"].contains(name) else { return true }
        let folders =
            name.unicodeScalars.contains("/")
            ? [""] : (environment["PATH"] ?? "").pieces(between: ":")
        return folders.contains { folder in
            access(folder.isEmpty ? String(name) : "\(folder)/\(name)", X_OK) == 0
        }
    }

    /// Writes bytes; once the pager has ended they are discarded.
    func write(_ bytes: [UInt8]) { FileBytes.write(bytes, to: input) }

    /// Ends the input, and waits until the reader has quit.
    func finish() {
        close(input)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
    }
}
