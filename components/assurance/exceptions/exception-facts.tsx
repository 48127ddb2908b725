// The details of an exception request, for the person who decides on it.
import { Facts } from "@/components/ui/head/facts";
import { ProofTime } from "@/components/ui/time/time";
import type { ExceptionLine } from "@/server/surfaces/trpc/types";

export function ExceptionFacts({ line }: { readonly line: ExceptionLine }) {
  return (
    <Facts
      facts={[
        ["Found", line.found],
        ["Reason", line.reason],
        ["Compensating control", line.measure],
        ["Residual risk", line.risk],
        ["Asked", <ProofTime key="asked" at={line.askedAt} />],
        ["Expires", <ProofTime key="expires" at={line.validUntil} />],
      ]}
    />
  );
}
