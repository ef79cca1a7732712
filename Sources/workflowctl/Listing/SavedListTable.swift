internal import EventLog
internal import Inspection
internal import SwedbankPay

/// A table of saved lists and their options.
struct SavedListTable: Explanation {
    let lists: [SavedLists.List]

    init(_ saved: SavedLists) { lists = saved.lists }

    var json: JSONValue {
        .array(
            lists.map { list in
                ["name": .string(list.name), "options": .array(list.words.map { .string($0) })]
            }
        )
    }

    func text(for form: TextForm) -> StyledText {
        Table(columns: ["name", "options"], rows: lists.map { [$0.name, $0.text] }).text(for: form)
    }
}
