// What cleaning knows about a host: its hardware, what its agent offers, and the priorities that apply to it.
import { hasMemoryDevices } from "@/server/domain/hosts/device-memory/device-memory";
import { sql } from "kysely";
import { z } from "zod";
import { queryRows } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";
import { storedManagers } from "@/server/domain/agents/protocol";
import type { HardwareManager, OfferedStep } from "@/server/domain/agents/protocol";
import { storedPolicy } from "@/server/domain/cleaning/policy/policy";
import type { Policy } from "@/server/domain/cleaning/policy/policy";
import { overrideScopes } from "@/server/domain/cleaning/plan/priorities";
import type { StepOverride } from "@/server/domain/cleaning/plan/priorities";
import type { KnownHardware } from "@/server/domain/cleaning/steps/step";
import { storedDevice, storedInventory } from "@/server/domain/hosts/inventory/inventory";
import { noPlatformFacts, outOfBandSerials, storedFacts } from "@/server/domain/hosts/inventory/platform";
import { readSkuInForce } from "@/server/usecases/hosts/skus/sku-in-force";
import type { SkuInForce } from "@/server/usecases/hosts/skus/sku-in-force";
import { storedComponents } from "@/server/domain/hosts/inventory/sku";
import { storedState } from "@/server/domain/lifecycle/states";
import type { StoredState } from "@/server/domain/lifecycle/states";
import { freezeDevices } from "@/server/domain/cleaning/sanitization/known-devices";
import type { Reader } from "@/server/db/prisma";

export interface KnownHost {
  readonly id: string;
  readonly name: string;
  /** Null until its BMC was read. */
  readonly serial: string | null;
  readonly state: StoredState;
  readonly stateVersion: string;
  readonly traits: readonly string[];
  readonly automatedClean: boolean | null;
  readonly hardwareType: string;
  readonly site: { readonly id: string; readonly name: string };
  readonly sku: { readonly id: string; readonly name: string } | null;
  readonly policy: Policy;
  /** Null if neither its BMC nor an agent has reported hardware yet. */
  readonly known: KnownHardware | null;
  /** The agent that registered last, even if it is no longer there. */
  readonly agent: {
    readonly version: string;
    readonly reportedAt: Date;
    readonly managers: readonly HardwareManager[];
  } | null;
  readonly overrides: readonly StepOverride[];
}

/** Every step that the agent of a host offers. */
export const offeredBy = (managers: readonly HardwareManager[]): readonly OfferedStep[] =>
  managers.flatMap(({ steps }) => steps);

interface OverrideRow {
  readonly scope: string;
  readonly interface: string;
  readonly step: string;
  readonly priority: number;
}

/** The database allows no other scope. */
export const toOverrides = (rows: readonly OverrideRow[]): readonly StepOverride[] =>
  rows.flatMap(({ scope, interface: stepInterface, step, priority }) =>
    overrideScopes.flatMap((known): StepOverride[] =>
      known === scope ? [{ scope: known, interface: stepInterface, step, priority }] : [],
    ),
  );

/** Every step that the host's newest agent offers, even if it is no longer there. */
export async function readOffered(reader: SqlReader, hostId: string): Promise<readonly OfferedStep[]> {
  const [agent] = await queryRows(
    reader,
    sql<{ managers: unknown }>`
    SELECT hardware_managers AS managers FROM agent_session WHERE host_id = ${hostId}::uuid ORDER BY boot_epoch DESC LIMIT 1`,
  );
  return offeredBy(storedManagers.catch([]).parse(agent?.managers));
}

/** Null if there is no such host. Throws on a policy that this version does not know. */
export async function readKnownHost(reader: Reader, hostId: string): Promise<KnownHost | null> {
  const host = await readHost(reader, hostId);
  if (host === null || host.run === null) return null;
  const { state, stateVersion } = host.run;
  // Sequential, because a transaction has a single connection.
  const agent = await readAgent(reader, hostId);
  const overrides = await reader.stepOverride.findMany({
    where: { scopeId: { in: [host.id, host.site.id, ...(host.sku === null ? [] : [host.sku.id])] } },
  });
  const policy = await readPolicy(reader, host.site);
  const wanted = await readSkuInForce(reader, host.id);
  return {
    id: host.id,
    name: host.name,
    serial: host.serial,
    state: storedState(state),
    stateVersion: String(stateVersion),
    traits: host.traits,
    automatedClean: host.automatedClean,
    hardwareType: host.hardwareType,
    site: { id: host.site.id, name: host.site.name },
    sku: host.sku === null ? null : { id: host.sku.id, name: host.sku.name },
    policy,
    known: knownHardware({ ...host, wanted }, policy),
    agent,
    overrides: toOverrides(overrides),
  };
}

const readHost = (reader: Reader, hostId: string) =>
  reader.host.findUnique({
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
      sku: { select: { id: true, name: true } },
      inventories: { select: { source: true, body: true } },
    },
  });

async function readAgent(reader: Reader, hostId: string): Promise<KnownHost["agent"]> {
  const session = await reader.agentSession.findFirst({
    where: { hostId },
    orderBy: { bootEpoch: "desc" },
    select: { agentVersion: true, registeredAt: true, hardwareManagers: true },
  });
  return (
    session && {
      version: session.agentVersion,
      reportedAt: session.registeredAt,
      managers: storedManagers.catch([]).parse(session.hardwareManagers),
    }
  );
}

/** The policy in force at a site. */
async function readPolicy(
  reader: Reader,
  site: { readonly id: string; readonly policyVersion: number },
): Promise<Policy> {
  const { body } = await reader.sitePolicy.findUniqueOrThrow({
    where: { siteId_version: { siteId: site.id, version: site.policyVersion } },
    select: { body: true },
  });
  return storedPolicy.parse(body);
}

const bmcBody = z.looseObject({
  storage: z.array(storedDevice).catch([]),
  platform: storedFacts.catch(noPlatformFacts),
});

interface StoredHardware {
  readonly hardwareType: string;
  readonly inventories: readonly { readonly source: string; readonly body: unknown }[];
  readonly wanted: SkuInForce | null;
}

/** Merges both sources; null if neither can be read. */
function knownHardware(
  { hardwareType, inventories, wanted }: StoredHardware,
  policy: Policy,
): KnownHardware | null {
  const bodyOf = (from: string): unknown => inventories.find(({ source }) => source === from)?.body;
  const bmc = bmcBody.safeParse(bodyOf("bmc")).data;
  const agent = storedInventory.safeParse(bodyOf("agent")).data;
  if (bmc === undefined && agent === undefined) return null;
  const platform = bmc?.platform ?? noPlatformFacts;
  const devices = freezeDevices(bmc?.storage ?? [], agent?.storage ?? [], [], outOfBandSerials(platform), {
    rules: policy.sanitization.excludedMedia,
  });
  return {
    hardwareType,
    storage: devices.expected,
    infiniband: agent?.infiniband ?? [],
    memoryDevices: hasMemoryDevices(agent?.parts),
    platform,
    baseline: storedComponents.safeParse(wanted?.components).data?.baseline ?? null,
    images: wanted?.images ?? [],
    tpm: agent?.tpm ?? null,
  };
}
