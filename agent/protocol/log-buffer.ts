// Buffers log lines and sends them in a quiet moment, but only once there is a warning or an error: a run without any costs no request.
import { logPieceLimitBytes } from "@/server/domain/agents/protocol";
import type { Server } from "@/agent/protocol/server";

const maxLines = 2_000;

export class LogBuffer {
  #lines: string[] = [];
  #sequence = 0;
  #worthSending = false;

  add(level: "info" | "warn" | "error", line: string): void {
    this.#worthSending ||= level !== "info";
    this.#lines.push(line.slice(0, 4_000));
    // If there are too many, the oldest are dropped.
    if (this.#lines.length > maxLines) this.#lines.shift();
  }

  async flush(server: Server): Promise<void> {
    if (!this.#worthSending) return;
    this.#worthSending = false;
    while (this.#lines.length > 0) {
      let bytes = 0;
      const fitting = this.#lines.findIndex(
        (line) => (bytes += Buffer.byteLength(line) + 1) > logPieceLimitBytes / 2,
      );
      const piece = this.#lines.splice(0, fitting === -1 ? this.#lines.length : Math.max(1, fitting));
      this.#sequence += 1;
      await server.logs({ sequence: this.#sequence, text: `${piece.join("\n")}\n` });
    }
  }
}
