// The end of what the agent of the newest boot logged.
import type { ReclamationDetail } from "@/server/contract/answers/reclamation";

/** Pieces that are read: more than the lines shown, as a rule. */
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
  // Of a full read nobody knows what came before it.
  const total = pieces.length === logPieces ? null : lines.length;
  return { bootEpoch, total, lines: lines.slice(-logLines) };
}
