/// The options of the command line.
struct Options: Sendable {
    /// Whether to make payments for a while instead of opening many sessions.
    var isSoak = false
    /// The number of open sessions.
    var sessions = 100_000
    /// The number of polled sessions; `nil` means a twentieth, at most 5,000.
    var polledSessions: Int?
    /// The polling interval of a session in seconds.
    var interval = 10
    /// The duration of each stage of the outage in seconds.
    var stage = 20
    /// The duration of the soak test in minutes.
    var minutes = 10.0
    /// The number of payments begun per second.
    var rate = 50
    /// The path of the JSON; `-` is standard output.
    var json: String?

    /// The number of polled sessions.
    var polled: Int { polledSessions ?? min(max(sessions / 20, 1), 5000) }

    static let usage = """
        usage: load [--sessions N] [--polled N] [--interval SECONDS] [--stage SECONDS] [--json FILE]
               load soak [--minutes M] [--rate PAYMENTS-A-SECOND] [--json FILE]

        Opens that many sessions on one engine over HTTP against the sandbox in another process, kills the
        engine, takes everything up again, and lets the PSP be slow, gone and back. With 'soak': pays for a
        while and watches memory, files and threads.
        """

    /// Parses the arguments; returns `nil` when they are invalid.
    init?(_ arguments: [String]) {
        var rest = arguments[...]
        if rest.first == "soak" {
            isSoak = true
            rest = rest.dropFirst()
        }
        while let argument = rest.popFirst() {
            guard let value = rest.popFirst() else { return nil }
            switch argument {
            case "--json": json = value
            case "--minutes":
                guard let number = Double(value), number > 0, number < 10_000 else { return nil }
                minutes = number
            default:
                guard let number = Int(value), (1...10_000_000).contains(number) else { return nil }
                switch argument {
                case "--sessions": sessions = number
                case "--polled": polledSessions = number
                case "--interval": interval = number
                case "--stage": stage = number
                case "--rate": rate = number
                default: return nil
                }
            }
        }
        guard polled <= sessions else { return nil }
    }
}
