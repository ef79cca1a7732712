internal import EventLog
internal import Inspection

extension ShownText? {
    /// Returns the value of a member; `nil` when the action has none.
    ///
    /// - Throws: ``PageError/malformed(member:reason:)`` when it is masked.
    func clear(_ member: String) throws(PageError) -> String? {
        guard let self else { return nil }
        return try self.clear(member)
    }
}

extension ShownText {
    /// Returns the value of a member.
    ///
    /// - Throws: ``PageError/malformed(member:reason:)`` when it is masked.
    func clear(_ member: String) throws(PageError) -> String {
        guard let clear else {
            throw .malformed(
                member: member,
                reason: "it is masked; read the action with its secrets disclosed"
            )
        }
        return clear
    }
}
