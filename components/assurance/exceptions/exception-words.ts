// Words of exceptions. Pure.
import type { ExceptionLine } from "@/server/surfaces/trpc/types";

/** What is let through: "storageSanitized, drive S1". */
export const letThrough = ({ gate, drive }: Pick<ExceptionLine, "gate" | "drive">): string =>
  drive === null ? gate : `${gate}, drive ${drive}`;

/** The same with its host. */
export const exceptionWords = (line: Pick<ExceptionLine, "gate" | "drive" | "host">): string =>
  `${letThrough(line)} of ${line.host.name}`;

/** How a host goes on after the approval; one that waits for people needs nobody to start it. */
export const goesOnWords = (gate: ExceptionLine["gate"]): string =>
  gate === "assuranceSigned"
    ? "After the approval a host that waits for procedures goes on by itself; retry one that has stopped. It does not start over."
    : "After the approval, retry the host: it goes on without starting over, and is read again in a new boot.";

const because = (reason: string | null): string => (reason === null || reason === "" ? "" : `: ${reason}`);

/** How it stands, with who decided and why it counts no more. */
export function standingWords(
  line: Pick<ExceptionLine, "standing" | "decidedBy" | "decidedReason" | "voided" | "own">,
): string {
  switch (line.standing) {
    case "waits":
      return line.own ? "waits for another person" : "waits for a decision";
    case "approved":
      return `approved by ${line.decidedBy ?? "nobody"}`;
    case "rejected":
      return `rejected by ${line.decidedBy ?? "nobody"}${because(line.decidedReason)}`;
    case "ended":
      return line.decidedBy === null
        ? "ended before anybody decided"
        : `ended; approved by ${line.decidedBy}`;
    case "void":
      return `void${because(line.voided)}`;
  }
}
