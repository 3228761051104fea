"""A server on loopback that does what servers should not do."""

import contextlib
import http.server
import ssl
import threading
import time

CONTENT = b"what was asked for\n" * 1000


class Handler(http.server.BaseHTTPRequestHandler):
    """Each path names a way to answer."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        self.server.seen.append((self.path, dict(self.headers)))
        name, _, rest = self.path.removeprefix("http://proxied.invalid").strip("/").partition("/")
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            getattr(self, f"answer_{name}", self.answer_missing)(rest)

    def start(self, status=200, **headers):
        self.send_response(status)
        for key, value in headers.items():
            self.send_header(key.replace("_", "-"), str(value))
        self.send_header("Connection", "close")
        self.end_headers()

    def answer_missing(self, _):
        self.start(404, Content_Length=len(CONTENT))
        self.wfile.write(CONTENT)

    def answer_good(self, _):
        self.start(Content_Length=len(CONTENT))
        self.wfile.write(CONTENT)

    def answer_broken(self, _):
        self.start(500, Content_Length=0)

    def answer_empty(self, _):
        self.start(Content_Length=0)

    def answer_redirect(self, count):
        count = int(count)
        self.start(302, Location=f"/redirect/{count - 1}" if count > 1 else "/good", Content_Length=0)

    def answer_loop(self, _):
        self.start(301, Location="/loop", Content_Length=0)

    def answer_elsewhere(self, _):
        self.start(302, Location=self.server.elsewhere, Content_Length=0)

    def answer_truncated(self, _):
        self.start(Content_Length=len(CONTENT))
        self.wfile.write(CONTENT[:1000])

    def answer_endless(self, _):
        self.start()
        while True:
            self.wfile.write(CONTENT)

    def answer_huge(self, _):
        self.start(Content_Length=10 ** 15)
        self.wfile.write(CONTENT)

    def answer_slow(self, _):
        self.start(Content_Length=len(CONTENT))
        for i in range(0, len(CONTENT), 1900):
            self.wfile.write(CONTENT[i:i + 1900])
            time.sleep(0.1)

    def answer_stuck(self, _):
        self.start(Content_Length=len(CONTENT))
        self.wfile.write(CONTENT[:1000])
        self.server.over.wait()


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_):
        pass

    def asked(self, path):
        """How often."""
        return sum(1 for seen, _ in self.seen if seen == path)


@contextlib.contextmanager
def serving(certificate=None, key=None, elsewhere=""):
    server = Server(("127.0.0.1", 0), Handler)
    server.seen, server.elsewhere, server.over = [], elsewhere, threading.Event()
    scheme = "http"
    if certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        server.socket = context.wrap_socket(server.socket, server_side=True)
        scheme = "https"
    server.url = f"{scheme}://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, args=[0.02])
    thread.start()
    try:
        yield server
    finally:
        server.over.set()
        server.shutdown()
        server.server_close()
        thread.join()
