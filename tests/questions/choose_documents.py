#!/usr/bin/env python3
"""Choose 40 SKILL.md documents from the corpus, reproducibly.

Rule: all files called SKILL.md under the folder that the argument names, sorted by relative path, whose
frontmatter has a non-empty name and description; every document whose name
occurs more than once is left out, and so are descriptions under 40 characters.
Then random.Random(20261124).sample(list, 40), printed in sorted order.
"""
import json, os, random, re, sys
from collections import Counter
import yaml


def frontmatter(text):
    text = text.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    m = re.match(r"\s*---[ \t]*\n(.*?)\n---[ \t]*(?:\n|$)", text, re.S)
    return m.group(1) if m else None


def tolerant(block):
    """YAML if it parses to a mapping, else line-based key: value."""
    try:
        d = yaml.safe_load(block)
        if isinstance(d, dict):
            return d
    except yaml.YAMLError:
        pass
    d, key = {}, None
    for line in block.split("\n"):
        m = re.match(r"([A-Za-z_][\w-]*):[ \t]*(.*)$", line)
        if m:
            key, v = m.group(1), m.group(2).strip()
            if re.fullmatch(r"[|>][+-]?\d*", v):
                v = ""
            if len(v) > 1 and v[0] == v[-1] and v[0] in "'\"":
                v = v[1:-1]
            d[key] = v
        elif key and line[:1] in " \t" and line.strip():
            d[key] = (d[key] + " " + line.strip()).strip()
    return d


def load(corpus):
    paths = []
    for base, dirs, files in os.walk(corpus):
        paths += [os.path.relpath(os.path.join(base, f), corpus) for f in files if f == "SKILL.md"]
    docs = []
    for p in sorted(paths):
        text = open(os.path.join(corpus, p), encoding="utf-8", errors="replace").read()
        block = frontmatter(text)
        if block is None:
            continue
        d = tolerant(block)
        name, desc = d.get("name"), d.get("description")
        if not isinstance(name, str) or not isinstance(desc, str):
            continue
        name, desc = name.strip(), " ".join(desc.split())
        if name and desc:
            docs.append({"path": p, "name": name, "description": desc, "triggers": d.get("triggers")})
    return docs


def choose(docs):
    n = Counter(d["name"] for d in docs)
    pool = [d for d in docs if n[d["name"]] == 1 and len(d["description"]) >= 40]
    picked = random.Random(20261124).sample(pool, 40)
    return pool, sorted(picked, key=lambda d: d["path"])


if __name__ == "__main__":
    docs = load(sys.argv[1])
    pool, picked = choose(docs)
    print(f"{len(docs)} documents read, {len(pool)} in the pool, {len(picked)} chosen", file=sys.stderr)
    json.dump(picked, sys.stdout, ensure_ascii=False, indent=1)
    print()
