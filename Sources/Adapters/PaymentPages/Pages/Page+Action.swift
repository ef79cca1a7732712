package import Inspection
internal import SwedbankPay

extension Page {
    /// Returns the page that a browser shows for a client action.
    ///
    /// - Parameters:
    ///   - action: The action, with its values in the clear.
    ///   - callbackScheme: The custom scheme that a return to the app may have.
    ///   - allowsInsecureLoopback: Whether `http` to this machine is accepted, for sandboxes.
    /// - Returns: The page.
    /// - Throws: ``PageError`` for a kind of action that has no page, and for values of which none
    ///   can be made.
    package static func showing(
        _ action: ActionView,
        callbackScheme: String?,
        allowsInsecureLoopback: Bool
    ) throws(PageError) -> Page {
        switch action.kind {
        case .load3DSMethod:
            try .threeDSMethod(
                TaskForm(action, allowsInsecureLoopback: allowsInsecureLoopback),
                allowsInsecureLoopback: allowsInsecureLoopback
            )
        case .show3DS:
            try .challenge(
                TaskForm(action, allowsInsecureLoopback: allowsInsecureLoopback),
                allowsInsecureLoopback: allowsInsecureLoopback
            )
        case .showMenu:
            try .menu(
                PaymentMenu(action),
                callbackScheme: callbackScheme,
                allowsInsecureLoopback: allowsInsecureLoopback
            )
        case .checkIn:
            try .checkIn(CheckIn(action), allowsInsecureLoopback: allowsInsecureLoopback)
        case .launchApp, .authorizeWallet:
            throw .malformed(member: "kind", reason: "this kind of action has no page")
        }
    }
}
