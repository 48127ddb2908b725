// Compares the history of each ended reclamation with its digest in the audit log. Pure.
import { z } from "zod";
import type { Finding } from "@/server/domain/audit-log/self-audit/findings";
import { historyDigest, reclamationHistory } from "@/server/domain/reclamations/history-digest";

export interface EndedReclamation {
  readonly id: string;
  readonly hostId: string;
  /** As it is in the database now. */
  readonly history: unknown;
  /** What the events of its end say, in the order of their numbers. The first counts: a later one may have been written to hide a change. */
  readonly logged: readonly unknown[];
  /** It ended long enough ago, under a release that logs digests. */
  readonly due: boolean;
  /** Why there is no digest yet, as noted by the job that logs them. */
  readonly trouble: string | null;
}

export type Compared = "matches" | "notDue" | "undigested" | Finding;

const loggedDigest = z.object({ form: z.literal(1), sha256: z.string() });

const finding = (
  kind: "changedHistory" | "missingDigest",
  { id, hostId }: { readonly id: string; readonly hostId: string | null },
  detail: string,
  says: string,
): Finding => ({ kind, key: `${kind}:${id}:${detail}`, hostId, reclamationId: id, says });

/** `undigested`: it ended before digests were logged, so nothing shows whether it was changed since. */
export function compareHistory(ended: EndedReclamation, endedBeforeDigests: boolean): Compared {
  const [first, ...more] = ended.logged;
  if (first === undefined) {
    if (endedBeforeDigests) return "undigested";
    // safety: self-audit: a history without a digest is told of (always)
    if (!ended.due) return "notDue";
    return finding(
      "missingDigest",
      ended,
      "none",
      `has ended, but the audit log has no digest of it${ended.trouble === null ? "" : `: ${ended.trouble}`}`,
    );
  }
  const logged = loggedDigest.safeParse(first);
  const other = more.find((each) => loggedDigest.safeParse(each).data?.sha256 !== logged.data?.sha256);
  if (!logged.success)
    return finding("changedHistory", ended, "unreadable", "has a digest that cannot be read");
  const history = reclamationHistory.safeParse(ended.history);
  if (!history.success)
    return finding("changedHistory", ended, "no history", "has a history that cannot be read");
  const { sha256 } = historyDigest(history.data);
  // safety: self-audit: a history that was changed is told of
  if (sha256 !== logged.data.sha256)
    return finding("changedHistory", ended, sha256.slice(0, 32), changedText(first, ended.history));
  return other === undefined
    ? "matches"
    : finding(
        "changedHistory",
        ended,
        `second digest:${loggedDigest.safeParse(other).data?.sha256.slice(0, 32) ?? "unreadable"}`,
        "has a second, different digest in the audit log",
      );
}

const counted = z.object({ transitions: z.int(), stepRuns: z.int() });

/** What is known of the difference, which is the number of rows. */
function changedText(logged: unknown, history: unknown): string {
  const was = counted.safeParse(logged).data;
  const is = reclamationHistory.parse(history);
  const differences = [
    ["transition", was?.transitions, is.transitions.length] as const,
    ["step run", was?.stepRuns, is.stepRuns.length] as const,
  ].flatMap(([noun, before, now]) =>
    before === undefined || before === now ? [] : [`${noun}s: ${before} then, ${now} now`],
  );
  return `has changed since it ended (${differences.length === 0 ? "a transition, a step run or the reclamation itself reads otherwise" : differences.join("; ")})`;
}

/** An event says that the reclamation ended, but it is gone or open. */
export const lostReclamation = (id: string): Finding =>
  finding(
    "changedHistory",
    { id, hostId: null },
    "gone",
    "has ended as the audit log says, but is gone or open again",
  );
