// Parses the host record that a claim returns, with policies by their keys and documents in their columns.
import { z } from "zod";
import { keyedPolicy } from "@/server/db/hot/host/policy-cache";
import { trusted } from "@/server/domain/hosts/record/column";
import { siteFacts } from "@/server/domain/hosts/record/host";
import { reclamationView } from "@/server/domain/hosts/record/reclamation";
import { agentInventory, hostView } from "@/server/domain/hosts/record/view";
import type { HostView } from "@/server/domain/hosts/record/view";
import type { StorageDevice } from "@/server/domain/hosts/inventory/inventory";
import { noPlatformFacts } from "@/server/domain/hosts/inventory/platform";
import type { PlatformFacts } from "@/server/domain/hosts/inventory/platform";
import type { ContentRecord } from "@/server/domain/cleaning/sanitization/content";
import type { PartsReport } from "@/server/domain/hosts/parts/part";
import type { UnresolvedStorage } from "@/server/domain/cleaning/sanitization/known-devices";

type StoredContent = Omit<ContentRecord, "read">;

/** When the content was last read has its own column: it changes in each final boot, and the rest only with an erase. */
const contentColumns = {
  content: trusted<StoredContent>().nullable(),
  contentRead: trusted<NonNullable<ContentRecord["read"]>>().nullable(),
};

function withContent<T extends { content: StoredContent | null; contentRead: ContentRecord["read"] }>({
  contentRead: read,
  ...row
}: T) {
  return { ...row, content: row.content === null ? null : { ...row.content, read } };
}

/** The drives are null in an inventory of an earlier version without a list of drives. */
const bmcInventory = z.object({
  storage: z.array(trusted<StorageDevice>()).nullable(),
  unresolved: z.array(trusted<UnresolvedStorage>()).nullable(),
  earlier: z.array(trusted<StorageDevice>()).nullable(),
  platform: trusted<PlatformFacts>().nullable(),
});

/** The members that the claim returns in a different form from what handlers see. */
const claimedRow = hostView.omit({ agent: true, platform: true }).extend({
  site: siteFacts.extend({ policy: keyedPolicy }),
  reclamation: reclamationView
    .extend({ policy: keyedPolicy, ...contentColumns })
    .transform(withContent)
    .nullable(),
  lastReady: reclamationView
    .pick({ devices: true, platform: true })
    .extend(contentColumns)
    .transform(withContent)
    .nullable(),
  inventory: z.object({
    bmc: bmcInventory.nullable(),
    memoryDevices: z.boolean().nullish(),
    bmcParts: trusted<PartsReport>().nullish(),
    agent: agentInventory.nullable(),
  }),
});

/** Turns a claimed row into what handlers see. */
export const claimedView = claimedRow.transform(
  ({ inventory: { bmc, bmcParts, memoryDevices, agent }, ...view }): HostView => ({
    ...view,
    inventory: {
      bmc: bmc?.storage ?? null,
      bmcUnresolved: bmc?.unresolved ?? [],
      bmcEarlier: bmc?.earlier ?? [],
      bmcParts: bmcParts ?? null,
      memoryDevices: memoryDevices ?? null,
      agent,
    },
    platform: { ...noPlatformFacts, ...bmc?.platform },
    agent: view.lastAgent?.bootEpoch === view.run.bootEpoch ? view.lastAgent : null,
  }),
);
