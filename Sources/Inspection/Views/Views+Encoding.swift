internal import EventLog

extension SessionView: Encodable {
    /// Writes the view in its JSON form.
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension ActionView: Encodable {
    /// Writes the action in its JSON form.
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}
