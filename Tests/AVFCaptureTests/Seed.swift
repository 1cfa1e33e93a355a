// Seed: deleted by the first real suite.
