"""Attacks on who looks at a log on a terminal."""
import hashlib
import json

from world import attack, expect

STEERING = ("QZ\x1b[31mZQ\x1b]0;title\x07\u009b2J\u0085\u202e\u2066\u061c\u200b\u200f\ufeff"
            "\u2028\u2029\x7f\r\b\nQ\tZ")

COMMANDS = (
    ["explain"], ["timeline"], ["replay"], ["replay", "--check"], ["replay", "--what-if"], ["bisect"],
    ["diagram"], ["report-html"], ["redact"], ["verify"], ["explain", "--json"],
    ["timeline", "--json"],
)


def hostile(text):
    """The log with control characters in its reference, and chained anew."""
    previous, lines = b"\0" * 32, ""
    for line in text.splitlines():
        record = json.loads(line)["record"]
        if record["type"] == "opened":
            record["data"]["reference"] = "order" + STEERING
        record["meta"]["build"] = STEERING
        canonical = json.dumps(
            record, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
        own = hashlib.sha256(previous + canonical).digest()
        lines += json.dumps({"hash": own.hex(), "prev": previous.hex(), "record": record, "seals": []},
                            sort_keys=True, separators=(",", ":"), ensure_ascii=False) + "\n"
        previous = own
    return lines


def looked_at(world, runs):
    for result in json.loads(world.tool("hostile_terminal.py", data=json.dumps(runs))):
        line = " ".join(result["argv"][1:])
        expect(result["found"] == [], f"{line[:60]!r} lets through {result['found'][:1]}")
        expect(result["bytes"] > 0, f"{line[:60]!r} said nothing")


@attack("terminal-log", "write control characters into a log that somebody looks at")
def terminal_log(world):
    world.session(world.sandbox())
    path = world.folder + "/hostile.ndjson"
    with open(path, "w") as file:
        file.write(hostile(world.run("export")[1]))
    runs = [{"argv": [world.program, command[0], path, *command[1:]]} for command in COMMANDS]
    other = ["--store", "sqlite:" + world.folder + "/other.db"]
    world.run(*other, "import", path)
    for command in (["list", "--imported"], ["list", "--imported", "--json"], ["export"]):
        runs.append({"argv": [world.program, *other, *command]})
    looked_at(world, runs)


@attack("terminal-arguments", "give a command control characters in a path, an option and a value")
def terminal_arguments(world):
    runs = [{"argv": [world.program, *words]} for words in (
        ["explain", STEERING], ["show", STEERING], ["--" + STEERING], [STEERING],
        ["list", "--store", STEERING], ["open", STEERING], ["schema", STEERING],
    )]
    looked_at(world, runs)


@attack("formula-cells", "write a spreadsheet's formula into a reference, to be piped into a table")
def formula_cells(world):
    address = world.order(world.sandbox())
    world.run("open", address, "--reference", "=cmd|'/c calc'!A1")
    for command in (["list"], ["find", "cmd"]):
        for line in world.run(*command)[1].splitlines():
            expect(not any(cell[:1] in "=@" and cell for cell in line.split("\t")), repr(line))
