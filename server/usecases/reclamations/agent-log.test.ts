// Which lines of the log a reclamation shows.
import { describe, expect, it } from "vitest";
import { logOf, logPieces } from "@/server/usecases/reclamations/agent-log";

const at = new Date("2026-11-22T12:00:00Z");
const piece = (bootEpoch: number, text: string) => ({ bootEpoch, at, text });

describe("the log of a reclamation", () => {
  it("is the newest boot's, oldest line first", () => {
    const log = logOf([piece(3, "c\n"), piece(3, "a\n\nb\n"), piece(2, "of the boot before\n")]);
    expect(log.bootEpoch).toBe(3);
    expect(log.lines.map(({ text }) => text)).toEqual(["a", "b", "c"]);
    expect(log.total).toBe(3);
  });

  it("has no total where more was logged than was read, and shows the last 200 lines", () => {
    const full = Array.from({ length: logPieces }, (_, index) =>
      piece(3, `${"x\n".repeat(9)}piece ${logPieces - index}\n`),
    );
    const log = logOf(full);
    expect(log.total).toBeNull();
    expect(log.lines).toHaveLength(200);
    expect(log.lines.at(-1)?.text).toBe(`piece ${logPieces}`);
  });

  it("is empty before an agent logged", () => {
    expect(logOf([])).toEqual({ bootEpoch: null, total: 0, lines: [] });
  });
});
