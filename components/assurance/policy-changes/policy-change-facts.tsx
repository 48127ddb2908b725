// What a requested site change would change, and the reason given.
import { ChangeList } from "@/components/sites/change-list";
import { Facts } from "@/components/ui/head/facts";
import { Time } from "@/components/ui/time/time";
import type { PolicyChangeLine } from "@/server/surfaces/trpc/types";

export function PolicyChangeFacts({ line }: { readonly line: PolicyChangeLine }) {
  return (
    <>
      <Facts
        facts={[
          ["Reason", line.reason === "" ? "none given" : line.reason],
          ["Asked", <Time key="asked" at={line.askedAt} />],
          ["Expires", <Time key="expires" at={line.validUntil} />],
        ]}
      />
      <ChangeList caption="What it changes" changes={line.changes} none="Nothing would change." whole />
    </>
  );
}
