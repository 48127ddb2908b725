// The last lines that the agent of the newest boot logged.
import type { ReclamationDetail } from "@/server/contract/reclamations/reclamation";

/** Number of pieces that are read; usually holds more lines than are shown. */
export const logPieces = 40;
const logLines = 200;

interface Piece {
  readonly bootEpoch: number;
  readonly at: Date;
  readonly text: string;
}

/** @param pieces newest first, at most `logPieces`. Pure. */
export function logOf(pieces: readonly Piece[]): ReclamationDetail["log"] {
  const bootEpoch = pieces[0]?.bootEpoch ?? null;
  const lines = pieces
    .filter((piece) => piece.bootEpoch === bootEpoch)
    .toReversed()
    .flatMap(({ at, text }) =>
      text
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => ({ at, text: line })),
    );
  // If the maximum was read, earlier lines may exist.
  const total = pieces.length === logPieces ? null : lines.length;
  return { bootEpoch, total, lines: lines.slice(-logLines) };
}
