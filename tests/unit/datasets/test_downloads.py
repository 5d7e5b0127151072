"""Downloads from a server of our own: whole, resumed, from a mirror, damaged, refused; and archives that mean harm."""

import gzip
import hashlib
import io
import logging
import tarfile
import threading
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from truerank.datasets._core import archives
from truerank.datasets._core.archives import Archive, find
from truerank.datasets._core.downloads import Resumed, bar, from_address
from truerank.datasets._core.reading import content as reading
from truerank.datasets._core.reading.content import content
from truerank.errors import UserError

CONTENT = bytes(range(256)) * 4096
SOME = 1 << 18
SHA = f"sha256:{hashlib.sha256(CONTENT).hexdigest()}"


class Server(ThreadingHTTPServer):
    """Serves CONTENT; ``fails_after`` bytes it hangs up, with ``tag`` it lets a download go on."""

    fails_after = None
    tag = '"v1"'
    content = CONTENT

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked = []
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()  # looks whether it is to end

    @property
    def address(self):
        return f"http://127.0.0.1:{self.server_port}/data.zip"


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        server = self.server
        server.asked.append(self.headers.get("Range"))
        if self.path != "/data.zip":
            return self.send_error(404)
        start = 0
        if self.headers.get("Range") and self.headers.get("If-Range") == server.tag:
            start = int(self.headers["Range"].removeprefix("bytes=").removesuffix("-"))
            if start >= len(server.content):
                return self.send_error(416)
        self.send_response(206 if start else 200)
        if server.tag:
            self.send_header("ETag", server.tag)
        self.send_header("Content-Length", str(len(server.content) - start))
        self.end_headers()
        self.wfile.write(server.content[start : server.fails_after])

    def log_message(self, *_):
        pass


@pytest.fixture
def server():
    with Server() as running:
        yield running
        running.shutdown()


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.delenv("TRUERANK_DATA", raising=False)
    monkeypatch.setattr(archives, "cache_folder", lambda: tmp_path / "cache")
    return tmp_path / "cache"


def archive(address, checksum=SHA, mirrors=()):
    return Archive("data.zip", "data", checksum, address, from_address, mirrors)


def test_a_download_is_whole_checked_and_kept(server, cache, caplog):
    caplog.set_level(logging.INFO)
    for _ in range(2):
        found = find(archive(server.address), marker="x")
        assert found.path.read_bytes() == CONTENT
        assert found.notes == {"origin": "data.zip", "archive_checksum": SHA}
    assert server.asked == [None]
    assert [path.name for path in cache.iterdir()] == ["data.zip"]
    assert "data.zip [##############################] 1.0 of 1.0 MB" in caplog.text


def test_a_download_that_broke_off_goes_on(server, cache):
    server.fails_after = SOME
    with pytest.raises(UserError, match="could not be downloaded"):
        find(archive(server.address), marker="x")
    assert (cache / "data.zip.part").stat().st_size == SOME
    server.fails_after = None
    assert find(archive(server.address), marker="x").path.read_bytes() == CONTENT
    assert server.asked == [None, f"bytes={SOME}-"]
    assert [path.name for path in cache.iterdir()] == ["data.zip"]


@pytest.mark.parametrize("now", ['"v2"', None], ids=["another version", "no version"])
def test_a_download_of_a_file_that_changed_starts_again(server, cache, now):
    server.fails_after, server.content = SOME, b"old" * 400_000
    with pytest.raises(UserError):
        find(archive(server.address), marker="x")
    server.fails_after, server.content, server.tag = None, CONTENT, now
    assert find(archive(server.address), marker="x").path.read_bytes() == CONTENT
    assert server.asked == [None, f"bytes={SOME}-"]


def test_a_download_that_was_all_there_but_not_kept(server, tmp_path):
    download = Resumed(tmp_path / "data.zip.part")
    download.part.write_bytes(CONTENT)
    download.mark.write_text(f'{server.address}\n"v1"')
    download(server.address, tmp_path / "data.zip", None)
    assert (tmp_path / "data.zip").read_bytes() == CONTENT
    assert server.asked == [f"bytes={len(CONTENT)}-", None]


def test_a_mirror_serves_when_the_first_address_does_not(server, cache):
    gone = server.address.replace("data.zip", "gone.zip")
    assert find(archive(gone, mirrors=(server.address,)), marker="x").path.read_bytes() == CONTENT


def test_a_wrong_download_is_refused_and_nothing_is_kept(server, cache):
    server.content = b"wrong" * 100
    with pytest.raises(UserError, match="wrong checksum"):
        find(archive(server.address), marker="x")
    assert list(cache.iterdir()) == []


def test_no_server_is_one_sentence(server, cache):
    gone = server.address.replace("data.zip", "gone.zip")
    with pytest.raises(UserError) as failure:
        find(archive(gone, mirrors=("http://127.0.0.1:9/data.zip",)), marker="x")
    sentence = str(failure.value)
    assert "\n" not in sentence
    for part in ("data.zip could not be downloaded", gone, "127.0.0.1:9", "download it yourself", "TRUERANK_DATA"):
        assert part in sentence


def test_without_a_published_checksum_the_first_is_recorded_and_held_to(server, cache):
    unpublished = archive(server.address, checksum=None)
    assert find(unpublished, marker="x").checksum == SHA
    assert (cache / "data.zip.sha256").read_text() == SHA.removeprefix("sha256:")
    find(unpublished, marker="x")
    assert len(server.asked) == 1
    (cache / "data.zip").write_bytes(b"damaged")
    assert find(unpublished, marker="x").path.read_bytes() == CONTENT
    assert len(server.asked) == 2


def test_the_bar():
    assert bar(5_000_000, 10_000_000) == "[###############...............] 5.0 of 10.0 MB"
    assert bar(0, 10_000_000).startswith("[..............................]")
    assert bar(2_500_000, None) == "2.5 MB"


# Archives that mean harm


@pytest.fixture
def small_limits(monkeypatch):
    monkeypatch.setattr(reading, "HARMLESS", 100_000)


def bomb(path):
    zeros = bytes(50_000_000)
    if path.suffix == ".zip":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("a.csv", zeros)
    elif path.name.endswith(".tar.gz"):
        with tarfile.open(path, "w:gz") as archive:
            for name in ("passed_over.csv", "a.csv"):
                entry = tarfile.TarInfo(name)
                entry.size = len(zeros)
                archive.addfile(entry, io.BytesIO(zeros))
    else:
        path.write_bytes(gzip.compress(zeros))
    return path


@pytest.mark.parametrize("name", ["a.zip", "a.csv.gz", "a.tar.gz"])
def test_a_bomb_is_not_unpacked(tmp_path, small_limits, name):
    path = bomb(tmp_path / name)
    with pytest.raises(UserError, match=r"unpacks to more than [\d,]+ bytes, which no valid file of its size does"):
        content(path, "a.csv" if name == "a.tar.gz" else None)


def test_a_file_that_shrinks_well_is_no_bomb(tmp_path, small_limits):
    lines = b"user,item\n" + b"".join(b"%d,%d\n" % (n % 7, n % 11) for n in range(50_000))
    (tmp_path / "a.csv.gz").write_bytes(gzip.compress(lines))
    assert (tmp_path / "a.csv.gz").stat().st_size * 20 < len(lines)
    assert content(tmp_path / "a.csv.gz")[0] == lines


def test_names_and_links_of_an_archive_lead_nowhere(tmp_path):
    (tmp_path / "secret").write_text("secret")
    folder = tmp_path / "folder"
    folder.mkdir()
    with tarfile.open(folder / "a.tar.gz", "w:gz") as archive:
        for name in ("../evil.csv", "/tmp/evil.csv"):
            entry = tarfile.TarInfo(name)
            entry.size = 3
            archive.addfile(entry, io.BytesIO(b"bad"))
        link = tarfile.TarInfo("a.csv")
        link.type, link.linkname = tarfile.SYMTYPE, "../secret"
        archive.addfile(link)
    with zipfile.ZipFile(folder / "a.zip", "w") as archive:
        archive.writestr("../evil.csv", "bad")
    assert content(folder / "a.zip") == (b"bad", "evil.csv")
    assert content(folder / "a.tar.gz", "../evil.csv") == (b"bad", "evil.csv")
    with pytest.raises(UserError, match=r"unknown member .a\.csv."):
        content(folder / "a.tar.gz", "a.csv")
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["a.tar.gz", "a.zip", "folder", "secret"]


@pytest.mark.parametrize("name", ["a.tar", "a.tar.gz"])
def test_the_only_file_of_a_tar_needs_no_name_and_one_of_several_does(tmp_path, name):
    def packed(*names):
        with tarfile.open(tmp_path / name, "w:gz" if name.endswith("gz") else "w") as archive:
            folder = tarfile.TarInfo("data")
            folder.type = tarfile.DIRTYPE
            archive.addfile(folder)
            for each in names:
                entry = tarfile.TarInfo(each)
                entry.size = len(each)
                archive.addfile(entry, io.BytesIO(each.encode()))
        return tmp_path / name

    assert content(packed("./data/._a.csv", "./data/a.csv")) == (b"./data/a.csv", "a.csv")
    with pytest.raises(UserError, match=r"holds 2 files \(data/a.csv, data/b.csv\), expected one; set `member`"):
        content(packed("data/a.csv", "data/b.csv"))
    assert content(tmp_path / name, "data/b.csv") == (b"data/b.csv", "b.csv")
    with pytest.raises(UserError, match=r"unknown member"):
        content(packed())


@pytest.mark.parametrize(
    "data",
    [b"", b"no archive", gzip.compress(b"no tar", mtime=0), gzip.compress(b"x" * 999, mtime=0)[:20]],
    ids=range(4),
)
def test_a_damaged_tar_is_told(tmp_path, data):
    (tmp_path / "a.tar.gz").write_bytes(data)
    with pytest.raises(UserError, match=r"a\.tar\.gz"):
        content(tmp_path / "a.tar.gz", "a.csv")
