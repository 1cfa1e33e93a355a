// Seed: deleted by the first real file of V4L2Devices.
