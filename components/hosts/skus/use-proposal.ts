"use client";
// What a reference host would provide as a baseline, and what was selected of it.
import { useQuery } from "@tanstack/react-query";
import { z } from "zod";
import { useTRPC } from "@/components/trpc/trpc";
import { maxBiosSettings } from "@/server/domain/hosts/inventory/baseline";
import { bmcPartNames } from "@/server/domain/hosts/inventory/bmc-settings";
import type { SkuProposalView } from "@/server/surfaces/trpc/types";

/** Form field rules. */
export const biosNames = z
  .array(z.string())
  .max(maxBiosSettings, `At most ${maxBiosSettings} BIOS attributes`);
export const noNames: never[] = [];
export const bmcChosen = z.array(z.enum(bmcPartNames));
export const noParts: never[] = [];

/** The revisions that were read, so that the server refuses if they have changed since. */
export const revisionsOf = (proposal: SkuProposalView | undefined) => ({
  biosRevision: proposal?.biosRevision ?? undefined,
  bmcRevision: proposal?.bmcRevision ?? undefined,
});

/** @param hostId empty: no host */
export function useProposal(hostId: string) {
  const trpc = useTRPC();
  return useQuery(trpc.skus.propose.queryOptions({ hostId }, { enabled: hostId !== "" }));
}
