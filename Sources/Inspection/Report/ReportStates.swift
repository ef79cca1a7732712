internal import EventLog
package import SwedbankPay

/// The session's view after every event, for a page that can show any of them.
///
/// A view changes little between events, so each of its rows is stored once and a view is a list of
/// rows.
package struct ReportStates {
    /// A member of a view that has a value.
    struct Row: Hashable {
        /// The path of the member, for example `methods[0].instrument`.
        var path: String
        /// The value as text.
        var value: String
    }

    /// The maximum length of a value in characters.
    static let valueLimit = 2000

    private(set) var rows: [Row] = []
    /// The indices of the rows after each event, starting before the first event.
    private(set) var views: [[Int]] = []
    /// The description of each event.
    private(set) var words: [String] = []
    private var numbers: [Row: Int] = [:]
    private let clock: DisplayClock

    /// Creates the views of a log, with times as the clock shows them.
    package init(_ log: SessionLog, by decider: SessionDecider, clock: DisplayClock = .utc) {
        self.clock = clock
        var state = SessionState(session: log.session)
        add(state, decider)
        let currency = log.currency
        for recorded in log.events {
            state.apply(recorded.event, at: recorded.at)
            add(state, decider)
            let type = EventCodec.typeName(of: recorded.event)
            words.append(
                Screen.safe("\(type): \(EventWords(recorded.event, currency: currency).words)")
            )
        }
    }

    /// The rows of the last view.
    var last: [Row] { (views.last ?? []).map { rows[$0] } }

    /// All rows and views as one JSON document.
    var json: String {
        JSONDocument.text(
            .object([
                .init(
                    "rows",
                    .array(rows.map { .array([.string($0.path), .string($0.value)]) })
                ),
                .init(
                    "views",
                    .array(views.map { .array($0.map { .integer(Int64($0)) }) })
                ),
                .init("words", .array(words.map { .string($0) })),
            ])
        )
    }

    private mutating func add(_ state: SessionState, _ decider: SessionDecider) {
        var found: [Row] = []
        flatten(
            SessionView(state, by: decider, disclosing: .masked).json,
            at: "",
            into: &found
        )
        views.append(
            found.map { row in
                if let number = numbers[row] { return number }
                let number = rows.count
                rows.append(row)
                numbers[row] = number
                return number
            }
        )
    }

    /// Lists the members with a value, in the order of the document; `lastSeq` is shown elsewhere.
    private func flatten(_ value: JSONValue, at path: String, into rows: inout [Row]) {
        switch value {
        case .null: return
        case .object(let members):
            for member in members where path != "" || member.name != "lastSeq" {
                let place = path.isEmpty ? member.name : "\(path).\(member.name)"
                flatten(member.value, at: place, into: &rows)
            }
        case .array(let values):
            for (index, value) in values.enumerated() {
                flatten(value, at: "\(path)[\(index)]", into: &rows)
            }
        case .bool(let flag): rows.append(row(path, flag ? "true" : "false"))
        case .integer(let number): rows.append(row(path, "\(number)"))
        case .string(let text): rows.append(row(path, Instant(text).map(clock.second) ?? text))
        }
    }

    private func row(_ path: String, _ value: String) -> Row {
        Row(path: Screen.safe(path), value: Screen.cut(Screen.safe(value), to: Self.valueLimit))
    }
}
