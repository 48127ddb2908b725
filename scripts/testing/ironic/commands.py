# commands.py FILE: runs the command in FILE many times, each time in a separate process that is forked with the client's
# modules already loaded, because loading them is most of a command's processor time
# (docs/adr/0035-cheap-tests.md).
# Reads one line of JSON per run (args, env, input) and answers with one line (code, out, said), one run at a time.
import importlib
import json
import os
import runpy
import selectors
import sys
import tempfile
import traceback


def load(names):
    """What a command has loaded, for those after it. Modules of shells take the arguments when they are loaded."""
    for name in names:
        if name.endswith(".shell"):
            continue
        try:
            importlib.import_module(name)
        except Exception:  # a part of another module, which made it
            continue


def become(file, asked):
    """The command, from its first line to its end; gives its exit code."""
    os.environ.clear()
    os.environ.update(asked["env"])
    sys.argv = [file, *asked["args"]]
    try:
        runpy.run_path(file, run_name="__main__")
        return 0
    except SystemExit as ended:
        if ended.code is None or isinstance(ended.code, int):
            return ended.code or 0
        print(ended.code, file=sys.stderr)
        return 1
    except BaseException:
        traceback.print_exc()
        return 1


def run(file, asked):
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as loaded:
        given.write(asked["input"].encode())
        given.seek(0)
        pipes = [os.pipe(), os.pipe()]
        child = os.fork()
        if child == 0:
            for fd, source in enumerate([given.fileno(), *(writes for _, writes in pipes)]):
                os.dup2(source, fd)
            code = become(file, asked)
            sys.stdout.flush()
            sys.stderr.flush()
            loaded.write(json.dumps(sorted(sys.modules)).encode())
            loaded.flush()
            os._exit(code & 0xFF)
        for _, writes in pipes:
            os.close(writes)
        out, said = read([reads for reads, _ in pipes])
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        loaded.seek(0)
        load(set(json.loads(loaded.read() or b"[]")) - set(sys.modules))
    return {"code": code, "out": out.decode(errors="replace"), "said": said.decode(errors="replace")}


def read(pipes):
    """What comes until both are closed: of the first, and of both as it came."""
    out, said = b"", b""
    with selectors.DefaultSelector() as selector:
        for pipe in pipes:
            selector.register(pipe, selectors.EVENT_READ)
        while selector.get_map():
            for key, _ in selector.select():
                piece = os.read(key.fd, 65536)
                if piece == b"":
                    selector.unregister(key.fd)
                    os.close(key.fd)
                said += piece
                if key.fd == pipes[0]:
                    out += piece
    return out, said


def main(file):
    sys.argv = [file]  # its name is that of its help
    requests, answers = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w")
    for line in requests:
        print(json.dumps(run(file, json.loads(line))), file=answers, flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
