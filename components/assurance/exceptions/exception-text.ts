// Labels for exceptions. Pure.
import { confirmedText } from "@/server/domain/access/passkeys";
import type { ExceptionLine } from "@/server/surfaces/trpc/types";

/** What is let through: "storageSanitized, drive S1". */
export const letThrough = ({ gate, drive }: Pick<ExceptionLine, "gate" | "drive">): string =>
  drive === null ? gate : `${gate}, drive ${drive}`;

/** The same with its host. */
export const formatException = (line: Pick<ExceptionLine, "gate" | "drive" | "host">): string =>
  `${letThrough(line)} on ${line.host.name}`;

/** What the host does after approval; a host waiting for assurance continues by itself. */
export const goesOnText = (gate: ExceptionLine["gate"]): string =>
  gate === "assuranceSigned"
    ? "Once approved, a host that waits for procedures continues by itself. Retry one that has stopped; it does not start over."
    : "Once approved, retry the host. It continues where it stopped, and is checked again in a new boot.";

const because = (reason: string | null): string => (reason === null || reason === "" ? "" : `: ${reason}`);

/** The status, who decided, and why it was voided. */
export function formatExceptionStanding(
  line: Pick<ExceptionLine, "standing" | "decidedBy" | "decidedWith" | "decidedReason" | "voided" | "own">,
): string {
  const by = `${line.decidedBy ?? "nobody"}${confirmedText(line.decidedWith)}`;
  switch (line.standing) {
    case "waits":
      return line.own ? "pending: another person decides" : "pending";
    case "approved":
      return `approved by ${by}`;
    case "superseded":
      return "no longer needed: the host became Ready without it";
    case "rejected":
      return `rejected by ${by}${because(line.decidedReason)}`;
    case "ended":
      return line.decidedBy === null ? "expired before a decision" : `expired; approved by ${by}`;
    case "void":
      return `void${because(line.voided)}`;
  }
}
