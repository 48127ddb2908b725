// What cleaning knows of one host: its hardware, what its agent offers, and the priorities that count for it.
import { z } from "zod";
import { hardwareManager } from "@/server/domain/agents/protocol";
import type { OfferedStep } from "@/server/domain/agents/protocol";
import { storedPolicy } from "@/server/domain/cleaning/policy";
import type { Policy } from "@/server/domain/cleaning/policy";
import { overrideScopes } from "@/server/domain/cleaning/plan/priorities";
import type { StepOverride } from "@/server/domain/cleaning/plan/priorities";
import type { KnownHardware } from "@/server/domain/cleaning/steps/step";
import { hardwareInventory, storageDevice } from "@/server/domain/inventory/inventory";
import { noPlatformFacts, outOfBandSerials, platformFacts } from "@/server/domain/inventory/platform";
import { skuComponents } from "@/server/domain/inventory/sku";
import { isState } from "@/server/domain/lifecycle/states";
import type { State } from "@/server/domain/lifecycle/states";
import { freezeDevices } from "@/server/domain/sanitization/known-devices";
import type { Reader } from "@/server/db/prisma";

export const managerList = z.array(hardwareManager);
export type Manager = z.infer<typeof hardwareManager>;

export interface KnownHost {
  readonly id: string;
  readonly name: string;
  /** Null before its BMC was read. */
  readonly serial: string | null;
  readonly state: State;
  readonly stateVersion: string;
  readonly traits: readonly string[];
  readonly automatedClean: boolean | null;
  readonly hardwareType: string;
  readonly site: { readonly id: string; readonly name: string };
  readonly sku: { readonly id: string; readonly name: string } | null;
  readonly policy: Policy;
  /** Null: neither its BMC nor an agent reported what is in it yet. */
  readonly known: KnownHardware | null;
  /** Of the newest agent that registered; also while none is there now. */
  readonly agent: {
    readonly version: string;
    readonly reportedAt: Date;
    readonly managers: readonly Manager[];
  } | null;
  readonly overrides: readonly StepOverride[];
}

/** Every step that the agent of a host offers. */
export const offeredBy = (managers: readonly Manager[]): readonly OfferedStep[] =>
  managers.flatMap(({ steps }) => steps);

interface OverrideRow {
  readonly scope: string;
  readonly interface: string;
  readonly step: string;
  readonly priority: number;
}

/** The database lets no other scope in. */
export const toOverrides = (rows: readonly OverrideRow[]): readonly StepOverride[] =>
  rows.flatMap(({ scope, interface: stepInterface, step, priority }) =>
    overrideScopes.flatMap((known): StepOverride[] =>
      known === scope ? [{ scope: known, interface: stepInterface, step, priority }] : [],
    ),
  );

const bmcBody = z.looseObject({
  storage: z.array(storageDevice).catch([]),
  platform: platformFacts.catch(noPlatformFacts),
});

/** Null when there is no such host. Throws on a state or policy that this version does not know. */
export async function readKnownHost(reader: Reader, hostId: string): Promise<KnownHost | null> {
  const host = await reader.host.findUnique({
    where: { id: hostId },
    select: {
      id: true,
      name: true,
      serial: true,
      traits: true,
      automatedClean: true,
      hardwareType: true,
      run: { select: { state: true, stateVersion: true } },
      site: { select: { id: true, name: true, policyVersion: true } },
      sku: { select: { id: true, name: true, components: true } },
      inventories: { select: { source: true, body: true } },
    },
  });
  if (host === null || host.run === null) return null;
  const { state, stateVersion } = host.run;
  if (!isState(state)) throw new Error(`host ${hostId} is in the unknown state ${state}`);
  // One after the other: inside a transaction there is one connection.
  const agent = await reader.agentSession.findFirst({
    where: { hostId },
    orderBy: { bootEpoch: "desc" },
    select: { agentVersion: true, registeredAt: true, hardwareManagers: true },
  });
  const overrides = await reader.stepOverride.findMany({
    where: { scopeId: { in: [host.id, host.site.id, ...(host.sku === null ? [] : [host.sku.id])] } },
  });
  const inForce = await reader.sitePolicy.findUniqueOrThrow({
    where: { siteId_version: { siteId: host.site.id, version: host.site.policyVersion } },
    select: { body: true },
  });
  const byBmc = host.inventories.find(({ source }) => source === "bmc");
  const byAgent = hardwareInventory.safeParse(
    host.inventories.find(({ source }) => source === "agent")?.body,
  );
  const bmc = bmcBody.safeParse(byBmc?.body);
  const nothing = !bmc.success && !byAgent.success;
  const site = storedPolicy.parse(inForce.body);
  const rules = site.sanitization.excludedMedia;
  const components = host.sku === null ? null : skuComponents.safeParse(host.sku.components);
  return {
    id: host.id,
    name: host.name,
    serial: host.serial,
    state,
    stateVersion: String(stateVersion),
    traits: host.traits,
    automatedClean: host.automatedClean,
    hardwareType: host.hardwareType,
    site: { id: host.site.id, name: host.site.name },
    sku: host.sku === null ? null : { id: host.sku.id, name: host.sku.name },
    policy: site,
    known: nothing
      ? null
      : {
          hardwareType: host.hardwareType,
          storage: freezeDevices(
            bmc.success ? bmc.data.storage : [],
            byAgent.success ? byAgent.data.storage : [],
            [],
            bmc.success ? outOfBandSerials(bmc.data.platform) : [],
            { rules },
          ).expected,
          infiniband: byAgent.success ? byAgent.data.infiniband : [],
          platform: bmc.success ? bmc.data.platform : noPlatformFacts,
          baseline: components?.success === true ? (components.data.baseline ?? null) : null,
        },
    agent:
      agent === null
        ? null
        : {
            version: agent.agentVersion,
            reportedAt: agent.registeredAt,
            managers: managerList.catch([]).parse(agent.hardwareManagers),
          },
    overrides: toOverrides(overrides),
  };
}
