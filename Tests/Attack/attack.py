#!/usr/bin/env python3
"""Runs attacks against the built program; prints one line per attack with its result.

    attack.py PROGRAM [NAME…]

The status is 1 when a defence failed. Everything happens on this machine, in a temporary folder.
The attacks are in the files beside this one; each is a function with the decorator `attack`.
Standard library only.
"""
import os
import sys
import tempfile
import traceback

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import answers  # noqa: E402  the modules register their attacks
import callers  # noqa: E402
import places  # noqa: E402
import records  # noqa: E402
import rows  # noqa: E402
import service  # noqa: E402
import stores  # noqa: E402
import terminals  # noqa: E402
from world import ATTACKS, Broken, World  # noqa: E402

MODULES = (answers, callers, places, records, rows, service, stores, terminals)


def run(attack, program):
    with tempfile.TemporaryDirectory(prefix="attack-") as folder:
        world = World(program, folder)
        try:
            attack.body(world)
            return "held"
        except Broken as fault:
            return f"BROKEN: {fault}"
        except Exception:  # The adversary itself failed: nothing is proven.
            traceback.print_exc()
            return "BROKEN: the attack could not be carried out"
        finally:
            world.end()


def main():
    program, wanted = os.path.abspath(sys.argv[1]), sys.argv[2:]
    broken = 0
    for attack in ATTACKS:
        if wanted and attack.name not in wanted:
            continue
        result = run(attack, program)
        broken += result.startswith("BROKEN")
        print(f"{attack.name:<24} {attack.tried:<72} {result}", flush=True)
    sys.exit(1 if broken else 0)


main()
