internal import Foundation
internal import Measuring

/// Debian's nginx with a document of 3 KB, on a loopback port.
final class NginxProcess {
    /// The URL of the document.
    let url: String
    private let process: ChildProcess

    /// Starts nginx with its files in a directory.
    init(in directory: String, document: [UInt8]) throws {
        let path = ["/usr/sbin/nginx", "/usr/local/sbin/nginx"]
            .first { FileManager.default.isExecutableFile(atPath: $0) }
        guard let path else {
            throw ChildProcess.Failure(description: "nginx is missing: apt-get install nginx-light")
        }
        let port = Int.random(in: 20_000...29_999)
        try Data(document).write(to: URL(fileURLWithPath: directory + "/document.json"))
        let configuration = """
            daemon off; worker_processes 1; pid \(directory)/nginx.pid;
            error_log \(directory)/nginx-errors.log;
            events { worker_connections 4096; }
            http {
                access_log off; keepalive_requests 1000000000; keepalive_timeout 600s;
                default_type application/json; open_file_cache max=10;
                client_body_temp_path \(directory)/body; proxy_temp_path \(directory)/proxy;
                fastcgi_temp_path \(directory)/fastcgi; uwsgi_temp_path \(directory)/uwsgi;
                scgi_temp_path \(directory)/scgi;
                server { listen 127.0.0.1:\(port); root \(directory); }
            }
            """
        let file = directory + "/nginx.conf"
        try Data(configuration.utf8).write(to: URL(fileURLWithPath: file))
        url = "http://127.0.0.1:\(port)/document.json"
        process = try ChildProcess(
            path,
            ["-c", file, "-p", directory, "-e", directory + "/nginx-errors.log"]
        )
    }

    func stop() { process.stop() }

    /// A document such as the PSP's responses: JSON of 3 KB.
    static var document: [UInt8] {
        var text = #"{"paymentSession":{"operations":["#
        var number = 0
        while text.utf8.count < 2900 {
            number += 1
            text +=
                #"{"rel":"operation-\#(number)","method":"POST","href":"https://api.example/\#(number)"},"#
        }
        return Array((text + #"{}]}}"#).utf8)
    }
}
