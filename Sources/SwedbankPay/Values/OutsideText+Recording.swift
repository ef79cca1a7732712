package import EventLog

extension OutsideText {
    /// The prefixes of addresses that are not secret: types of problems are addresses by nature.
    package static let harmlessAddresses = [ProblemCatalogue.typePrefix]

    /// Creates text as it is recorded: sealed when it contains anything that looks like a secret.
    package init(
        recording text: String,
        as style: MaskStyle,
        with keys: SessionKeys,
        in secrets: inout SecretTable
    ) {
        self.init(
            recording: text,
            as: style,
            sparing: Self.harmlessAddresses,
            with: keys,
            in: &secrets
        )
    }

    /// The host's own notes as they are recorded; if the name of one may be secret, both name and
    /// text are sealed, under a numbered name.
    package static func recorded(
        _ notes: [String: String],
        with keys: SessionKeys,
        in secrets: inout SecretTable
    ) -> [String: OutsideText] {
        var recorded: [String: OutsideText] = [:]
        var unnamed = 0
        for (name, text) in notes.sorted(by: { $0.key < $1.key }) {
            guard
                SecretFinder.findsAnything(in: name, style: .text, sparing: harmlessAddresses)
            else {
                recorded[name] = OutsideText(recording: text, as: .text, with: keys, in: &secrets)
                continue
            }
            unnamed += 1
            let both = secrets.seal("\(name)=\(text)", with: keys)
            recorded["sealed-\(unnamed)"] = .sealed(both)
        }
        return recorded
    }

    /// Creates a merchant's reference as it is recorded.
    ///
    /// Sessions are found by their reference, so it is sealed only when it looks like a personal
    /// number or address; digits alone are an order number.
    package init(
        recordingReference text: String,
        with keys: SessionKeys,
        in secrets: inout SecretTable
    ) {
        guard !text.utf8.allSatisfy(\.isASCIIDigit) else {
            self = .plain(text)
            return
        }
        self.init(recording: text, as: .word, with: keys, in: &secrets)
    }
}
