package import EventLog

/// The members of a wish or request for the PSP's page, side by side: what the mode doesn't need is absent.
private struct MenuMembers {
    var action: ActionID?
    var mode: MenuMode
    var script: Sealed?

    package func write(to writer: inout CanonicalWriter) {
        writer.object { writer in
            writer.member("action", action)
            switch mode {
            case .menu: writer.member("mode", "menu")
            case .restricted(let methods):
                writer.member("mode", "restricted")
                writer.members("paymentMethods", methods)
            case .instrument(let method):
                writer.member("mode", "instrument")
                writer.member("paymentMethod", method)
            }
            writer.member("script", script)
        }
    }

    init(action: ActionID? = nil, mode: MenuMode, script: Sealed? = nil) {
        self.action = action
        self.mode = mode
        self.script = script
    }

    init(from reader: inout CanonicalReader) throws(EventDecodingError) {
        var object = try reader.beginObject()
        action = try reader.find("action", in: &object)
        let name: String = try reader.require("mode", in: &object)
        let method: PaymentMethodName? = try reader.find("paymentMethod", in: &object)
        let methods: [PaymentMethodName]? = try reader.findList("paymentMethods", in: &object)
        script = try reader.find("script", in: &object)
        try reader.endObject(&object)
        switch name {
        case "menu": mode = .menu
        case "restricted":
            guard let methods else { throw .missing(member: "paymentMethods") }
            mode = .restricted(methods)
        case "instrument":
            guard let method else { throw .missing(member: "paymentMethod") }
            mode = .instrument(method)
        default: throw .unknownValue("MenuMode")
        }
    }
}

extension MenuChosen: CanonicalForm {
    package func write(to writer: inout CanonicalWriter) {
        MenuMembers(mode: mode).write(to: &writer)
    }

    package static func read(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> MenuChosen {
        MenuChosen(mode: try MenuMembers(from: &reader).mode)
    }
}

extension MenuRequested: CanonicalForm {
    package func write(to writer: inout CanonicalWriter) {
        MenuMembers(action: action, mode: mode, script: script).write(to: &writer)
    }

    package static func read(
        from reader: inout CanonicalReader
    ) throws(EventDecodingError) -> MenuRequested {
        let members = try MenuMembers(from: &reader)
        guard let action = members.action else { throw .missing(member: "action") }
        guard let script = members.script else { throw .missing(member: "script") }
        return MenuRequested(action: action, mode: members.mode, script: script)
    }
}
