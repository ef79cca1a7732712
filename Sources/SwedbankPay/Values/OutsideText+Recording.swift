package import EventLog

extension OutsideText {
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
            guard !OutsideTextScreen.isHarmless(own: name) else {
                recorded[name] = OutsideText(recording: text, with: keys, in: &secrets)
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
        self.init(recording: text, isReference: true, with: keys, in: &secrets)
    }

    /// Whether a merchant's reference is recorded in the clear, so that its sessions are found by
    /// it.
    package static func isPlain(reference text: String) -> Bool {
        text.utf8.allSatisfy(\.isASCIIDigit)
            || OutsideTextScreen.isHarmless(own: text, isReference: true)
    }
}
