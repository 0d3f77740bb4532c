"""Code without language types: the standard library and packages of Debian. `nacre check` must not crash on it, and
must report nothing but what fails for certain.

    python3 bench/library.py NACRE FOLDER

FOLDER gets the packages, the first time; without apt-get only the standard library is read.
"""

import collections
import json
import os
import resource
import shutil
import subprocess
import sys
import sysconfig

PACKAGES = """python3-attr python3-bs4 python3-certifi python3-chardet python3-click python3-colorama python3-dateutil
python3-decorator python3-distlib python3-django python3-docutils python3-filelock python3-flask python3-html5lib
python3-idna python3-jinja2 python3-jsonschema python3-mako python3-markdown python3-networkx python3-packaging
python3-pip python3-ply python3-pygments python3-requests python3-setuptools python3-six python3-sphinx
python3-tornado python3-urllib3 python3-werkzeug""".split()


def fetch(folder):
    """Unpacks the packages that are not there yet; gives the folders of those that are."""
    os.makedirs(folder, exist_ok=True)
    for package in PACKAGES:
        target = os.path.join(folder, package)
        if os.path.isdir(target) or not shutil.which("apt-get"):
            continue
        if subprocess.run(["apt-get", "download", "-q", package], cwd=folder, capture_output=True, check=False).returncode:
            continue
        deb = next((name for name in os.listdir(folder) if name.startswith(package + "_")), None)
        if deb:
            subprocess.run(["dpkg-deb", "-x", os.path.join(folder, deb), target], check=True)
            os.remove(os.path.join(folder, deb))
    return [os.path.join(folder, p) for p in PACKAGES if os.path.isdir(os.path.join(folder, p))]


def python_files(folders):
    for folder in folders:
        for where, inner, names in os.walk(folder):
            inner[:] = sorted(inner)
            if folder == sysconfig.get_path("stdlib") == where:
                inner[:] = [name for name in inner if name not in ("dist-packages", "site-packages")]
            yield from (os.path.join(where, name) for name in sorted(names) if name.endswith(".py"))


def check(nacre, files):
    """(findings, seconds of CPU, whether it crashed) of the files, in batches that a command line can hold."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    findings, crashed = [], False
    for begin in range(0, len(files), 500):
        done = subprocess.run([nacre, "check", "--no-config", "--select", "Y,T,X,J,S006", "--format", "json", *files[begin:begin + 500]],
                              capture_output=True, text=True, timeout=600, check=False)
        try:
            findings += json.loads(done.stdout)["findings"]
        except (ValueError, KeyError):
            crashed = True
        crashed |= done.returncode < 0
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return findings, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, crashed


def main(nacre, folder):
    status = 0
    for name, folders in (("the standard library", [sysconfig.get_path("stdlib")]), ("packages", fetch(folder))):
        files = list(python_files(folders))
        if not files:
            print(f"{name}: none here, skipped")
            continue
        findings, seconds, crashed = check(nacre, files)
        codes = collections.Counter(finding["code"] for finding in findings)
        shown = ", ".join(f"{count} {code}" for code, count in sorted(codes.items())) or "none"
        print(f"{name}: {len(folders)} folders, {len(files)} files, {seconds:.2f} s of CPU, "
              f"{'CRASHED' if crashed else 'no crash'}, findings: {shown}")
        for finding in findings[:40]:
            finding["line"] = finding["begin"]["line"]
            print("  {file}:{line}: {message} [{code}]".format(**finding))
        status |= crashed
    return status


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
