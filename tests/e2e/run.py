#!/usr/bin/env python3
"""Runs the tests of this folder against real servers, one after the other, and ends with a line of its own:
`N passed, N failed, N skipped`. Arguments: parts of test names; none = all. Exit status 1 when one failed."""
import os
import sys
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))


class Result(unittest.TestResult):
    """A line per test; the text of a failure at once."""

    def __init__(self):
        super().__init__()
        self.passed = 0
        self.begun = 0.0

    @staticmethod
    def say(word, test, text=""):
        print(f"{word:5} {test.id() if hasattr(test, 'id') else test}{text}", flush=True)

    def startTest(self, test):
        super().startTest(test)
        self.begun = time.monotonic()

    def took(self):
        return f" ({time.monotonic() - self.begun:.1f} s)"

    def addSuccess(self, test):
        super().addSuccess(test)
        self.passed += 1
        self.say("ok", test, self.took())

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self.say("FAIL", test, f"{self.took()}\n{self.failures[-1][1]}")

    def addError(self, test, err):
        super().addError(test, err)
        self.say("FAIL", test, f"\n{self.errors[-1][1]}")

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err:
            found = self.failures if issubclass(err[0], test.failureException) else self.errors
            self.say("FAIL", subtest, f"\n{found[-1][1]}")

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self.say("skip", test, f": {reason}")


def each_test(suite):
    for item in suite:
        if isinstance(item, unittest.TestSuite):
            yield from each_test(item)
        else:
            yield item


def main(words):
    sys.path.insert(0, HERE)
    found = unittest.defaultTestLoader.discover(HERE, pattern="test_*.py", top_level_dir=HERE)
    wanted = [t for t in each_test(found) if not words or any(w in t.id() for w in words)]
    result = Result()
    unittest.TestSuite(wanted).run(result)
    failed = len(result.failures) + len(result.errors)
    for test, text in result.failures + result.errors:  # once more: the end of a long list is what one reads
        result.say("FAIL", test, f"\n{text}")
    print(f"{result.passed} passed, {failed} failed, {len(result.skipped)} skipped", flush=True)
    return 1 if failed or not wanted else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
