import NIOCore
import NIOPosix

/// Posts a callback over plain HTTP to this machine.
///
/// It writes one HTTP/1.1 request and reads no more than the status of the response.
enum CallbackSender {
    /// The time limit for a merchant's response.
    static let timeLimit = Duration.seconds(10)

    /// The maximum size of a response head in bytes.
    static let headLimit = 16 * 1024

    /// Returns the status of the merchant's response; 0 when there was none.
    static func post(_ body: String, to address: CallbackAddress) async -> Int {
        await withTaskGroup(of: Int?.self) { group in
            group.addTask { (try? await exchange(body, with: address)) ?? 0 }
            group.addTask {
                try? await Task.sleep(for: timeLimit)
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first ?? 0
        }
    }

    private static func exchange(_ body: String, with address: CallbackAddress) async throws -> Int
    {
        let channel = try await ClientBootstrap(
            group: MultiThreadedEventLoopGroup.singleton
        )
        .connectTimeout(.seconds(5))
        .connect(host: address.host, port: address.port) { channel in
            channel.eventLoop.makeCompletedFuture {
                try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
            }
        }
        return try await channel.executeThenClose { inbound, outbound in
            try await outbound.write(ByteBuffer(string: request(body, to: address)))
            var head = ""
            for try await part in inbound {
                head += String(decoding: part.readableBytesView, as: UTF8.self)
                if head.utf8.contains("\r\n".utf8) || head.utf8.count > headLimit { break }
            }
            return status(of: head)
        }
    }

    private static func request(_ body: String, to address: CallbackAddress) -> String {
        let host = address.host.unicodeScalars.contains(":") ? "[\(address.host)]" : address.host
        return "POST \(address.target) HTTP/1.1\r\nHost: \(host):\(address.port)\r\n"
            + "User-Agent: sandbox\r\nAccept: */*\r\nConnection: close\r\n"
            + "Content-Type: application/json; charset=utf-8\r\n"
            + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    /// The status in the first line of a response; 0 when there is none.
    static func status(of head: String) -> Int {
        let words = (head.pieces(between: "\r\n").first ?? "").pieces(between: " ")
        guard words.count >= 2, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]) else {
            return 0
        }
        return status
    }
}
