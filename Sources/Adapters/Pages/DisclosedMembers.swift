package import EventLog
package import Inspection
internal import SwedbankPay

/// Reads the members of an action that are in the clear.
package struct DisclosedMembers {
    private let members: [(name: String, value: ActionView.Value)]

    package init(_ action: ActionView) { members = action.members }

    /// A text; `nil` when the action has none.
    ///
    /// - Throws: ``PageError/malformed(member:reason:)`` when it is masked.
    package func text(_ name: String) throws(PageError) -> String? {
        guard case .text(let text)? = value(name) else { return nil }
        return try Self.clear(text, name)
    }

    /// The fields of a form.
    package func fields(_ name: String) throws(PageError) -> [TaskForm.Field] {
        guard case .fields(let fields)? = value(name) else { throw .missing(member: name) }
        var result: [TaskForm.Field] = []
        for field in fields {
            result.append(.init(name: field.name, value: try Self.clear(field.value, name)))
        }
        return result
    }

    /// A whole number.
    package func number(_ name: String) -> Int64? {
        guard case .number(let number)? = value(name) else { return nil }
        return number
    }

    /// Whether a Boolean is present and true.
    package func flag(_ name: String) -> Bool {
        guard case .bool(let flag)? = value(name) else { return false }
        return flag
    }

    /// A value as the PSP gave it.
    package func json(_ name: String) -> JSONValue? {
        guard case .json(let json)? = value(name) else { return nil }
        return json
    }

    private func value(_ name: String) -> ActionView.Value? {
        members.first { $0.name == name }?.value
    }

    private static func clear(_ text: String, _ name: String) throws(PageError) -> String {
        guard !Disclosure.isMasked(text) else {
            throw .malformed(
                member: name,
                reason: "it is masked; read the action with its secrets disclosed"
            )
        }
        return text
    }
}

extension Disclosure {
    /// Whether a text is the mask shown in place of a sealed value.
    static func isMasked(_ text: String) -> Bool { text.hasPrefix("•••") }
}
