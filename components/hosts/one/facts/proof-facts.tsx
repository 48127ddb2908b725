// What is proven of a host, and how many of its gates are satisfied and what the others are.
import { StandingLabel } from "@/components/assurance/standing";
import type { HostDetail } from "@/server/surfaces/trpc/types";

/** The standing of a Ready host: any other is in use, being cleaned or with a person, and says so itself. */
export const proofFacts = ({
  state,
  standing,
  counts,
}: Pick<HostDetail, "state" | "standing" | "counts">) => [
  ...(state === "Ready" ? [{ term: "Standing", words: <StandingLabel standing={standing} /> }] : []),
  ...(counts.gates === 0
    ? []
    : [
        {
          term: "Gates",
          words: counts.gateWords,
        },
      ]),
];
