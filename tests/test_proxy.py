"""The proxy that the README shows, by its configuration: two processes, TLS, a class."""

import http.client
import os
import re
import shutil
import socket
import ssl
import subprocess
import time
from contextlib import ExitStack
from pathlib import Path

import psutil
import pytest
from playwright.sync_api import expect

from tests.browser import app_server, needs_chromium, pick, settled, window

NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
REQUIRED = os.environ.get("WORDVEIL_BROWSER") == "required"

pytestmark = [
    needs_chromium,
    pytest.mark.browser,
    pytest.mark.skipif(NGINX is None and not REQUIRED, reason="nginx is not installed"),
]

README = Path(__file__).parents[1] / "README.md"
SECRET = "Zebrazon"
LIMIT = 200 * 2**20


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def configuration(folder, port, servers):
    """The README's configuration with other ports, a certificate, and a log in a folder."""
    (block,) = re.findall(r"```nginx\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    ours = {
        "127.0.0.1:8501;": f"{servers[0]};",
        "127.0.0.1:8502;": f"{servers[1]};",
        "listen 443 ssl;": f"listen 127.0.0.1:{port} ssl; ssl_certificate {folder}/cert.pem; "
        f"ssl_certificate_key {folder}/key.pem;",
        "/var/log/nginx/wordveil.log": f"{folder}/wordveil.log",
    }
    for theirs, here in ours.items():
        assert block.count(theirs) == 1, theirs
        block = block.replace(theirs, here)
    paths = "".join(
        f"{name}_temp_path {folder}/{name};"
        for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    return (
        f"daemon off; pid {folder}/pid; error_log {folder}/error.log info;\n"
        f"{'user root;' if os.geteuid() == 0 else ''}\nevents {{}}\n"
        f"http {{ access_log {folder}/access.log; {paths}\n{block}\n}}\n"
    )


class Proxy:
    """An address, the addresses behind it, and the folder of all logs."""

    def __init__(self, folder, port, servers):
        self.folder, self.port, self.servers = folder, port, servers
        self.address = f"https://127.0.0.1:{port}"

    def behind(self):
        """How many websockets each process holds."""
        ports = [int(each.rsplit(":", 1)[1]) for each in self.servers]
        held = [
            c.laddr.port
            for c in psutil.net_connections("tcp")
            if c.status == psutil.CONN_ESTABLISHED
        ]
        return [held.count(port) for port in ports]

    def logs(self):
        return b"".join(f.read_bytes() for f in self.folder.glob("*.log"))


@pytest.fixture(scope="module")
def proxy(tmp_path_factory):
    folder = tmp_path_factory.mktemp("proxy")
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj",
         "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1",
         "-keyout", "key.pem", "-out", "cert.pem"],
        cwd=folder, check=True, capture_output=True,
    )  # fmt: skip
    with ExitStack() as stack:
        servers = []
        for number in range(2):
            log = stack.enter_context((folder / f"app{number}.log").open("wb"))
            url = stack.enter_context(
                app_server(log, WORDVEIL_CACHE=str(folder / "cache"), PYTHONUNBUFFERED="1")
            )
            servers.append(url.removeprefix("http://"))
        here = Proxy(folder, free_port(), servers)
        (folder / "nginx.conf").write_text(configuration(folder, here.port, servers))
        process = stack.enter_context(
            subprocess.Popen([NGINX, "-p", str(folder), "-c", str(folder / "nginx.conf")])
        )
        stack.callback(process.terminate)
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline:
            assert process.poll() is None, (folder / "error.log").read_text()
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", here.port)) == 0:
                    break
        yield here


@pytest.fixture(scope="module")
def visit_by_proxy(browser, proxy):
    contexts = []

    def visit(path, ready):
        context = window(browser, ignore_https_errors=True)
        contexts.append(context)
        page = context.new_page()
        page.goto(f"{proxy.address}/")  # a server's first visitor
        expect(page.get_by_role("heading", name="WordVeil")).to_be_visible()
        page.goto(f"{proxy.address}/{path}")
        expect(page.locator(ready).first).to_be_visible()
        settled(page)
        return page

    yield visit
    for context in contexts:
        context.close()


def request(proxy, method, path, length=0, **headers):
    """The status and the cookies of a request of which only the header is sent."""
    trusted = ssl.create_default_context(cafile=str(proxy.folder / "cert.pem"))
    connection = http.client.HTTPSConnection("127.0.0.1", proxy.port, context=trusted, timeout=120)
    connection.putrequest(method, path)
    for name, value in ({"Content-Length": str(length)} | headers).items():
        connection.putheader(name.replace("_", "-"), value)
    connection.endheaders()
    response = connection.getresponse()
    connection.close()
    return response.status, "; ".join(response.headers.get_all("Set-Cookie", []))


def test_a_class_across_both_processes_by_tls(visit_by_proxy, proxy):
    teacher = visit_by_proxy("teach", "text=Start a class")
    teacher.get_by_role("button", name="Start a class").click()
    expect(teacher.get_by_text("here now")).to_be_visible()
    pick(teacher, "Everyone sees", "Lesson 1 · Deniability · ① Predict")
    link = teacher.locator("[data-testid=stCode]").first
    expect(link).to_contain_text(f"{proxy.address}/learn?class=")
    code = re.search(r"class=([A-Z]{4})", link.inner_text())[1]
    students, number = [], 0
    while number < 8 and (number < 3 or 0 in proxy.behind()):  # a hash of a random cookie decides
        students.append(visit_by_proxy(f"learn?class={code}&lesson=1", "fieldset"))
        number += 1
    assert 0 not in proxy.behind()
    for student in students:
        student.get_by_role("radio", name="61 to 80 %").check()
        student.get_by_role("button", name="Keep my answer").click()
        expect(student.locator("p.sent")).to_be_visible()
    expect(teacher.get_by_text(f"{number} students joined")).to_be_visible()
    expect(teacher.get_by_text(f"{number} of {number} have answered")).to_be_visible()


def test_a_browser_stays_with_one_process(proxy):
    status, set_cookie = request(proxy, "GET", "/_stcore/health")
    assert status == 200
    cookie = re.search(r"wordveil=([0-9a-f]{32}); Path=/; HttpOnly; Secure", set_cookie)[1]
    for _ in range(3):
        _, again = request(proxy, "GET", "/_stcore/health", Cookie=f"wordveil={cookie}")
        assert f"wordveil={cookie};" in again


def test_the_limit_of_uploads_is_the_apps(proxy):
    path = "/_stcore/upload_file/session/file"
    assert request(proxy, "PUT", path, LIMIT + 1)[0] == 413
    trusted = ssl.create_default_context(cafile=str(proxy.folder / "cert.pem"))
    head = f"PUT {path} HTTP/1.1\r\nHost: x\r\nContent-Length: {LIMIT}\r\n\r\n"
    with (
        socket.create_connection(("127.0.0.1", proxy.port), timeout=120) as plain,
        trusted.wrap_socket(plain, server_hostname="127.0.0.1") as secure,
    ):
        secure.sendall(head.encode())
        secure.settimeout(2)
        with pytest.raises(TimeoutError):  # not refused: the proxy waits for the file
            secure.recv(1)


def test_no_text_is_in_the_proxys_log_also_when_a_process_is_gone(visit_by_proxy, proxy):
    page = visit_by_proxy(f"perturb?text={SECRET}+was+here", ".wv-version")
    expect(page.get_by_role("textbox", name="Your text")).to_have_value(f"{SECRET} was here")
    gone = next(
        psutil.Process(c.pid)
        for c in psutil.net_connections("tcp")
        if c.status == psutil.CONN_LISTEN and f"127.0.0.1:{c.laddr.port}" == proxy.servers[0]
    )
    gone.kill()
    gone.wait()
    for _ in range(8):  # some of them belonged to the process that is gone
        assert request(proxy, "GET", f"/?text={SECRET}")[0] == 200
    assert SECRET.encode() not in proxy.logs()
