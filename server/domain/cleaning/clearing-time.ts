// How long the agent clears the memory of devices before it leaves out the rest (docs/adr/0144-device-memory.md).

/**
 * In ms, by the agent's own clock from the start of the step: a GPU takes 22 starts of NVIDIA's program, and a machine has up to 16. The step's time limit
 * is longer by that of any other step, so that what was cleared is reported.
 */
export const clearingMs = 50 * 60_000;
