"""Files that are almost right: sound ones, with pieces changed, doubled, left out or replaced by noise."""

import gzip
import io
import json
import zipfile

import pandas as pd
from hypothesis import strategies as st

ROWS = [("ann", "10", 4.5, 7), ("bob", "9", 1.0, 8), ("ann", "9", 3.0, 12), ("çelik", "a b", 2.5, 2**40)]
CSV = "u,i,r,t\n" + "".join(",".join(map(str, row)) + "\n" for row in ROWS)
TREC = "".join(f"{u.replace(' ', '')} Q0 {i.replace(' ', '')} {n} {r} tag\n" for n, (u, i, r, _) in enumerate(ROWS))
QRELS = "".join(f"{u} 0 {i.replace(' ', '')} {r:.0f}\n" for u, i, r, _ in ROWS)
NESTED = json.dumps({u: {i: r} for u, i, r, _ in ROWS}, indent=1)
ATOMIC = {
    "inter": "user_id:token\titem_id:token\trating:float\ttimestamp:float\n"
    + "".join("\t".join(map(str, row)) + "\n" for row in ROWS),
    "user": "user_id:token\tage:float\tjob:token\tlikes:token_seq\tplace:float_seq\n"
    "ann\t24\tcook\ta b\t1 2\nbob\t\t\t\t\n",
}
REVIEW = "{'user': %r, 'work': %r, 'stars': %r, 'unixtime': %r}\n"
REVIEWS = "reviews = {}\n" + "".join("reviews[('x', 'y')] = " + REVIEW % row for row in ROWS) + REVIEW % ROWS[0]
NASTY = [
    *(b'"', b'""', b"\x00", b"\xff", b"\xef\xbb\xbf", b"\r", b"\n", b"\r\n", b",", b"::", b"\t", b"\x1f", b" "),
    *(b"nan", b"-inf", b"1e999", b"9" * 400, b"0x10", b"1_000", b"-0", b"1e-400", b"9223372036854775808"),
    *("\u2028\x85\u0661\ud83d".encode("utf-8", "surrogatepass"), b"=1+1", b"A" * 5000, b"PAR1", b"PK\x03\x04"),
    *(b" " * 20_000, b"9" * 20_000, b'{"a": ', b"[[", b"NaN", b"{}", b"null"),
    *(b";", b"|", b'\\"', b"-1", b"1200000000", b"1200000000000", b"2016-04-20", b"2016-02-30T25:61Z", b"\xff\xfe"),
    *(rb"\ud83d", rb"\U0000d83d", b"0x" + b"f" * 5000),
]


def parquet():
    stream = io.BytesIO()
    pd.DataFrame(ROWS, columns=["u", "i", "r", "t"]).to_parquet(stream, index=False)
    return stream.getvalue()


def zipped(data, name="ratings.csv"):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo(name), data)
    return stream.getvalue()


TIMES = {
    "s": ["1200000000", "0", "", "-86400"],
    "ms": ["1200000000123", "0", "-864000000000", "1200000000000.5"],
    "us": ["1200000000123456", "", "0", "1.2e15"],
    "ns": ["1200000000123456789", "1200000000123456789", "0", ""],
    "iso8601": ["2016-04-20", "1969-12-31 23:59:59.5", "2016-04-20T10:00:00+05:30", "2016-04-20T10:00Z"],
}


def table(separator, times, quote=""):
    """The rows as text, with other times."""
    rows = [("u", "i", "r", "t"), *((*row[:3], time) for row, time in zip(ROWS, times, strict=True))]
    return "".join(separator.join(f"{quote}{field}{quote}" for field in row) + "\n" for row in rows)


SOUND = {
    "r.csv": CSV.encode(),
    "s.csv": table(";", TIMES["ms"], '"').encode("latin-1"),
    "p.txt": table("|", TIMES["iso8601"]).encode("utf-16"),
    "us.csv": table(",", TIMES["us"]).encode(),
    "ns.txt": table("\t", TIMES["ns"]).encode(),
    "q.csv": table(";", TIMES["s"], '"').replace("bob", '\\"bob').encode("latin-1"),
    "r.tsv": CSV.replace(",", "\t").encode(),
    "r.dat": CSV.replace(",", "::").encode(),
    "r.run": TREC.encode(),
    "r.qrels": QRELS.encode(),
    "r.json": NESTED.encode(),
    "r.parquet": parquet(),
    "r.csv.gz": gzip.compress(CSV.encode(), mtime=0),
    "r.zip": zipped(CSV.encode()),
}


@st.composite
def changed(draw, data, most=4):
    """Draw ``data`` with up to ``most`` pieces replaced: by nasty words, noise, nothing, or a piece twice."""
    for _ in range(draw(st.integers(1, most))):
        start = draw(st.integers(0, len(data)))
        end = draw(st.integers(start, min(len(data), start + draw(st.sampled_from([0, 1, 3, 20, 10_000])))))
        copied = st.just(data[start:end] * 2)
        piece = draw(st.one_of(st.sampled_from(NASTY), st.binary(max_size=8), st.just(b""), copied))
        data = data[:start] + piece + data[end:]
    return data


@st.composite
def one_changed(draw, texts):
    """Draw name -> content, of which one has pieces replaced."""
    sound = {name: text.encode() for name, text in texts.items()}
    name = draw(st.sampled_from(list(sound)))
    return sound | {name: draw(changed(sound[name]))}


@st.composite
def files(draw):
    """Draw a name and content: a changed file of some kind, before or after packing, or nothing but noise."""
    name = draw(st.sampled_from(list(SOUND)))
    source = SOUND["r.csv"] if name in ("r.csv.gz", "r.zip") and draw(st.booleans()) else SOUND[name]
    data = draw(st.one_of(changed(source), changed(source), st.binary(max_size=200)))
    if source is not SOUND[name]:
        data = gzip.compress(data, mtime=0) if name == "r.csv.gz" else zipped(data)
    return name, data


VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.floats(),
    st.text(max_size=12),
    st.sampled_from(["ndcg", "popularity", "ials", "uniform", "{dataset}", "../..", "/", "all", "a" * 300, "é\x00"]),
    st.lists(st.one_of(st.integers(), st.text(max_size=3), st.none()), max_size=3),
    st.dictionaries(st.one_of(st.text(max_size=4), st.integers(), st.none()), st.integers(), max_size=2),
)
KEYS = st.one_of(
    st.text(max_size=6), st.integers(), st.booleans(), st.none(), st.sampled_from(["kind", "seed", "tune"])
)


@st.composite
def spoiled(draw, config):
    """Change one to three places of a config in place: another value, another key, or none."""
    for _ in range(draw(st.integers(1, 3))):
        node = config
        while True:
            keys = list(node) if isinstance(node, dict) else list(range(len(node)))
            if not keys:
                break
            key = draw(st.sampled_from(keys))
            if isinstance(node[key], (dict, list)) and draw(st.integers(0, 3)):
                node = node[key]
                continue
            act = draw(st.sampled_from(["set", "delete", "add"]))
            if act == "delete":
                del node[key]
            elif act == "set":
                node[key] = draw(VALUES)
            elif isinstance(node, dict):
                node[draw(KEYS)] = draw(VALUES)
            else:
                node.append(draw(VALUES))
            break
    return config
