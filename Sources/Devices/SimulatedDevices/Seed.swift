// Seed: deleted by the first real file of SimulatedDevices.
