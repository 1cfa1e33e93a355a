"""What a test process says of itself, read from Swift Testing's event stream (`--event-stream-output-path`, version 0)."""
import json


class Test:
    """A test function: `identifier` is Swift Testing's, with file, line and column at its end."""

    def __init__(self, identifier, display_name=None):
        self.identifier = identifier
        self.display_name = display_name
        self.result = None
        self.lines = []

    @property
    def name(self):
        """Module, suites and function, as --filter, the quarantine and people name it."""
        return self.identifier.rpartition("/")[0]

    @property
    def title(self):
        says = self.display_name and self.display_name not in self.name
        return f"{self.name} “{self.display_name}”" if says else self.name


class EventStream:
    """The tests of a process, as far as it has come; `read` takes in what was written since."""

    def __init__(self, path):
        self.path = path
        self.tests = {}
        # Identifiers of suites and tests.
        self.names = []
        self.is_over = False
        # How many cases of each test are under way, the test that began last at the end.
        self.running = {}
        # How many tests and cases have ended: while this does not grow, nothing has.
        self.ended = 0
        # Issues that belong to no test: recorded on a thread of its own, or while a suite was prepared.
        self.stray = []
        self.news = []
        self.position = 0
        self.rest = b""

    def read(self):
        """Returns the lines that say what went wrong since the last call."""
        self.news = []
        try:
            with open(self.path, "rb") as file:
                file.seek(self.position)
                data = file.read()
        except FileNotFoundError:
            return []
        self.position += len(data)
        *lines, self.rest = (self.rest + data).split(b"\n")
        for line in lines:
            if line:
                self.take(json.loads(line))
        return self.news

    def take(self, record):
        payload = record["payload"]
        if record["kind"] == "test":
            self.names.append(payload["id"])
            if payload["kind"] == "function":
                self.tests[payload["id"]] = Test(payload["id"], payload.get("displayName"))
            return
        kind, texts = payload["kind"], [message["text"] for message in payload.get("messages", [])]
        test = self.tests.get(payload.get("testID"))
        if kind == "issueRecorded" and not payload["issue"]["isKnown"]:
            self.news += texts
            (test.lines if test else self.stray).extend(texts)
        elif kind == "testCaseStarted" and test:
            self.running[test.identifier] = self.running.pop(test.identifier, 0) + 1
        elif kind in ("testEnded", "testCaseEnded"):
            self.ended += 1
            if test and kind == "testCaseEnded":
                self.running[test.identifier] -= 1
            if test and kind == "testEnded":
                failed = any(message["symbol"] == "fail" for message in payload["messages"])
                test.result = "failed" if failed else "passed"
                test.lines += texts
        elif kind == "testSkipped" and test:
            test.result = "skipped"
        elif kind == "runEnded":
            self.is_over = True

    def under_way(self):
        """The tests of which cases are under way, the one that began last first: that is where a process died or hangs, most likely."""
        return [self.tests[identifier] for identifier, count in reversed(self.running.items()) if count > 0]

    def with_result(self, result):
        return [test for test in self.tests.values() if test.result == result]
