import EventLog

@testable import MerchantBackend
@testable import Sandbox
@testable import SwedbankPay
@testable import SwedbankPayHTTP
@testable import workflowctl

extension FuzzTarget {
    /// A scenario file of the sandbox.
    static let scenario = FuzzTarget(
        name: "scenario",
        maximumLength: 8192,
        growths: Growth.json + [
            .repeating(
                "{},",
                after: #"{"name":"n","operations":{"get-payment":["#,
                before: "{}]}}"
            ),
            .repeating(
                "{{",
                after: #"{"name":"n","operations":{"get-payment":[{"text":""#,
                before: "\"}]}}"
            ),
            .repeating(
                "{{base}}",
                after: #"{"name":"n","operations":{"get-payment":[{"text":""#,
                before: "\"}]}}"
            ),
            .repeating(
                #"{"rel":"*","kind":"reset"},"#,
                after: #"{"name":"n","order":{"faults":["#,
                before: "{}]}}"
            ),
        ],
        check: { bytes throws(Broken) in
            let file: ScenarioFile
            do throws(ScenarioFileError) {
                file = try ScenarioFile.read(bytes)
            } catch {
                try hold(
                    "\(error)".utf8.count <= bytes.count + 300,
                    "an error is no longer than the file"
                )
                // A fault that is not one of the syntax is one of the content, and has a position.
                try hold(
                    !error.place.isEmpty || error.reason.contains("JSON")
                        || error.reason.contains("bytes"),
                    "an error says where"
                )
                return false
            }
            try hold(!file.name.isEmpty, "a scenario has a name")
            try hold(
                JSONReading.depth(bytes) <= JSONSyntax.depthLimit,
                "the bound on depth is kept"
            )
            let steps = file.scenario.script.steps.values.flatMap(\.self)
            try hold(steps.count <= Script.limit, "the bound on steps is kept")
            let longest = Duration.milliseconds(BodyReader.longestDelayMilliseconds)
            for step in steps {
                try hold((.zero...longest).contains(step.after), "the bound on delays is kept")
            }
            for case .delay(let delay) in file.scenario.faults.map(\.kind) {
                try hold((.zero...longest).contains(delay), "the bound on delays is kept")
            }
            try hold((try? ScenarioFile.read(bytes)) == file, "the same file is read again")
            return true
        }
    )

    /// Rows that a host overrides in the problem catalogue.
    static let catalogue = FuzzTarget(
        name: "catalogue",
        maximumLength: 8192,
        growths: [
            .repeating(#"{"slug":"systemerror","delaySeconds":1},"#, after: "[", before: "{}]"),
            Growth(name: "many rows") { length in
                let rows = (0..<max(1, length / 180)).map {
                    #"{"slug":"x\#($0)","family":"f","actor":"psp","class":"terminal","retrySameRequest":false,"#
                        + #""newAttempt":"no","askFirst":false,"payerMessage":"p","operatorMessage":"o"}"#
                }
                return Array(("[" + rows.joined(separator: ",") + "]").utf8)
            },
        ],
        check: { bytes throws(Broken) in
            let (changed, changes): (ProblemCatalogue, [ProblemCatalogue.Change])
            do throws(ProblemCatalogueError) {
                (changed, changes) = try ProblemCatalogue.bundled.overriding(by: bytes)
            } catch {
                try hold("\(error)".utf8.count <= 2000, "an error is short")
                return false
            }
            try hold(changes.count <= CatalogueRow.maximumRows, "the bound on rows is kept")
            try hold(
                changed.rows.count <= ProblemCatalogue.bundled.rows.count + changes.count,
                "a row adds one at the most"
            )
            try hold(
                changed.version.hasPrefix(ProblemCatalogue.bundled.version + "+"),
                "it is told"
            )
            for row in changed.rows {
                let advice = changed.advice(type: row.type, status: row.status, instrument: nil)
                try hold(changed.rows.contains { $0.advice == advice }, "each row is found")
            }
            return true
        }
    )

    /// A configuration file of the command line.
    static let configuration = FuzzTarget(
        name: "configuration",
        maximumLength: 4096,
        check: { bytes throws(Broken) in
            // That member names another file.
            guard !Secrecy.occurs("problemsFile", in: bytes), !bytes.contains(UInt8(ascii: "\\"))
            else { return false }
            var configuration = Configuration()
            do throws(Failure) {
                let reader = ConfigurationReader()
                let document = try reader.members(
                    of: try reader.document(bytes),
                    at: "the configuration"
                )
                try reader.read(
                    document.filter { $0.name != "profiles" },
                    into: &configuration
                )
                // Every profile on top of the common part.
                for profiles in document where profiles.name == "profiles" {
                    for profile in try reader.members(of: profiles.value, at: "profiles") {
                        let section = try reader.members(of: profile.value, at: "a profile")
                        try reader.read(section, into: &configuration)
                    }
                }
            } catch {
                // The error quotes the name of an unknown member, but never a value.
                if !error.message.contains("there is no member") {
                    try Canary.isAbsent(from: "\(error)")
                }
                try hold(error.status == .configuration && error.hint != nil, "it says what to do")
                return false
            }
            let times = [
                configuration.session.requestDeadline,
                configuration.session.cardRequestDeadline,
                configuration.session.retryBudget, configuration.session.session,
                configuration.session.attempt,
            ]
            try hold(
                times.allSatisfy { $0 > .zero && $0 <= DurationArgument.longest },
                "every limit is a time"
            )
            try hold(configuration.session.tries > 0, "there is at least one try")
            return true
        }
    )

    /// A payment order, its items, or a consumer, from files and callers.
    static let paymentOrder = FuzzTarget(
        name: "payment-order",
        maximumLength: 16_384,
        growths: [
            .repeating("{},", after: #"{"paymentorder":{"orderItems":["#, before: "{}]}}"),
            .repeating(
                #"{"name":"a","quantity":0.0001},"#,
                after: #"{"orderItems":["#,
                before: "{}]}"
            ),
        ],
        check: { bytes throws(Broken) in
            let items = try? PaymentOrderDocument.readItems(bytes)
            if let items {
                let again = try? PaymentOrderDocument.readItems(
                    Array(PaymentOrderDocument.text(of: items).utf8)
                )
                try hold(again == items, "items are read back as they were")
            }
            if let consumer = try? PaymentOrderDocument.readConsumer(bytes) {
                let text = PaymentOrderDocument.text(of: consumer)
                let again = try? PaymentOrderDocument.readConsumer(Array(text.utf8))
                try hold(again == consumer, "a consumer is read back as it was")
            }
            let order: SwedbankPay.PaymentOrder
            do throws(PaymentOrderError) {
                order = try PaymentOrderDocument.read(bytes)
            } catch {
                try hold(
                    error.problems.count <= PaymentOrderDocument.Limits().problems,
                    "the bound on problems is kept"
                )
                return items != nil
            }
            let text = PaymentOrderDocument.text(of: order)
            try hold(
                (try? PaymentOrderDocument.read(text)) == order,
                "an order is read back as it was"
            )
            try hold(
                !text.contains("initiatingSystemUserAgent"),
                "what only answers hold is never sent"
            )
            let problems = order.problems(under: OrderRules(allowsInsecureLoopback: false))
            try hold(
                problems == order.problems(under: OrderRules(allowsInsecureLoopback: false)),
                "it is judged alike"
            )
            return true
        }
    )
}
