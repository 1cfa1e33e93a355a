"""What a trial of scripts/lab missed."""


class Misses:
    """A sentence for each; printed as it comes."""

    def __init__(self):
        self.sentences = []

    def check(self, is_kept, sentence):
        if not is_kept:
            self.sentences.append(sentence)
            print(f"MISSED: {sentence}", flush=True)
