// Ends the bench's processes when the bench itself is gone, for whatever reason: its standard input closes then. Each input line is `+pid` or `-pid`.
import { createInterface } from "node:readline";

/** @type {Set<number>} */
const running = new Set();
createInterface({ input: process.stdin })
  .on("line", (line) => {
    const pid = Number(line.slice(1));
    if (line.startsWith("+")) running.add(pid);
    else running.delete(pid);
  })
  .on("close", () => {
    for (const pid of running) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        continue; // it has ended by itself
      }
    }
  });
