internal import Adapters
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// An endpoint to which the service sends messages about payments.
struct WebhookConfiguration: Hashable, Sendable {
    /// Its name in metrics, messages and file names.
    var name: String
    /// The address of the receiver, which may contain a secret.
    var url: String
    /// The path of the file with the secrets that sign.
    var secretFile: String
    /// The kinds of messages that it receives.
    var kinds = Set(PaymentNotice.Kind.allCases)
    /// Whether the receiver may be in a private network.
    var allowsPrivate = false

    /// The maximum number of endpoints.
    static let limit = 16

    /// The name and the host, for people: the rest of the address may be a secret.
    var words: String { "\(name): \(AddressParts(url)?.host ?? "")" }
}

extension ConfigurationReader {
    /// Reads the endpoints as a whole: those of a profile replace the others.
    func readWebhooks(_ list: JSONValue.Member) throws(Failure) -> [WebhookConfiguration] {
        let place = path(of: list)
        guard case .array(let values) = list.value, values.count <= WebhookConfiguration.limit
        else {
            throw Self.wrong(
                "\(place) must be a list of at most \(WebhookConfiguration.limit) objects"
            )
        }
        var webhooks: [WebhookConfiguration] = []
        for (index, value) in values.enumerated() {
            let inner = ConfigurationReader(place: "\(place)[\(index)]")
            let webhook = try inner.webhook(try members(of: value, at: inner.place))
            guard !webhooks.contains(where: { $0.name == webhook.name }) else {
                throw Self.wrong("\(inner.place).name is the name of another webhook")
            }
            webhooks.append(webhook)
        }
        return webhooks
    }

    private func webhook(_ members: [JSONValue.Member]) throws(Failure) -> WebhookConfiguration {
        var (name, url, secretFile): (String?, String?, String?)
        var webhook = WebhookConfiguration(name: "", url: "", secretFile: "")
        for member in members {
            switch member.name {
            case "name": name = try webhookName(member)
            case "url": url = try webhookURL(member)
            case "secretFile": secretFile = try text(member)
            case "types": webhook.kinds = try kinds(member)
            case "allowPrivate": webhook.allowsPrivate = try flag(member)
            default:
                throw unknown(
                    member,
                    among: ["name", "url", "secretFile", "types", "allowPrivate"]
                )
            }
        }
        guard let name, let url, let secretFile else {
            throw Self.wrong("\(place) must have the members name, url and secretFile")
        }
        (webhook.name, webhook.url, webhook.secretFile) = (name, url, secretFile)
        return webhook
    }

    /// Reads a name, which is a part of file names.
    private func webhookName(_ member: JSONValue.Member) throws(Failure) -> String {
        let name = try text(member)
        guard (1...64).contains(name.utf8.count),
            name.utf8.allSatisfy({
                $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "-")
                    || $0 == UInt8(ascii: "_")
            })
        else {
            throw Self.wrong(
                "\(path(of: member)) must have 1 to 64 letters, digits, dashes or underscores"
            )
        }
        return name
    }

    /// Reads the address of a receiver, which no message quotes.
    ///
    /// Whether `http://` may be used for this machine is known only when the service runs.
    private func webhookURL(_ member: JSONValue.Member) throws(Failure) -> String {
        let url = try text(member)
        var reach = TransportConfiguration()
        reach.allowedHostSuffixes = TransportConfiguration.hosts(ofReceiver: url)
        reach.allowsInsecureLoopback = true
        guard reach.refusal(of: url) == nil else {
            throw Self.wrong(
                "\(path(of: member)) must be an https:// URL without a user or a fragment"
            )
        }
        return url
    }

    private func kinds(_ member: JSONValue.Member) throws(Failure) -> Set<PaymentNotice.Kind> {
        let names = try texts(member)
        var kinds: Set<PaymentNotice.Kind> = []
        for (index, name) in names.enumerated() {
            guard let kind = PaymentNotice.Kind(rawValue: name) else {
                throw Self.wrong(
                    "\(path(of: member))[\(index)] must be one of "
                        + PaymentNotice.Kind.allCases.map(\.rawValue).joined(separator: ", ")
                )
            }
            kinds.insert(kind)
        }
        guard !kinds.isEmpty else { throw Self.wrong("\(path(of: member)) must not be empty") }
        return kinds
    }
}

extension TransportConfiguration {
    /// The list of hosts for one receiver: its own, with its port.
    static func hosts(ofReceiver url: String) -> [String] {
        guard let parts = AddressParts(url), let host = parts.host else { return [] }
        return [host + (parts.port.nonEmpty.map { ":\($0)" } ?? "")]
    }
}
