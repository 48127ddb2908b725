// Resets the secure-boot keys to the vendor's, proven by the databases that the BMC shows (docs/adr/0064-the-next-way.md).
import { pathOfLink, secureBootResource } from "@/server/hardware/redfish/resources/resources";
import type { StepProgress } from "@/server/hardware/interfaces";
import { entriesOf, secureBootDatabases } from "@/server/hardware/redfish/steps/baseline-firmware";
import { done, failed, stepMaker } from "@/server/hardware/redfish/steps/step-code";
import { unsupported } from "@/server/hardware/redfish/steps/stopped";
import type { StepClient } from "@/server/hardware/redfish/steps/step-client";
import { sentTask, taskOf, whenCompleted } from "@/server/hardware/redfish/steps/tasks";

async function secureBoot(session: StepClient) {
  const path = pathOfLink((await session.system()).SecureBoot);
  if (path === null) throw unsupported("the system has no secure boot");
  return session.get(path, secureBootResource);
}

/** The databases that allow something to start. The revocation list (`dbx`) can only forbid. */
const granting: readonly string[] = ["PK", "KEK", "db"];

interface Compared {
  readonly name: string;
  /** The entries found, and those expected. */
  readonly found: readonly string[];
  readonly wanted: readonly string[];
}

/**
 * Compares each of these databases with the vendor's own (`dbDefault` and the like), or else with what the SKU's baseline names.
 * Stops the step if there is nothing to compare with: a reset that cannot be confirmed is not a success.
 */
async function compare(session: StepClient): Promise<readonly Compared[]> {
  const rows = await secureBootDatabases(session);
  const shown = (name: string) => rows?.find(({ body }) => (body.DatabaseId ?? body.Id) === name);
  const ids = async (name: string): Promise<readonly string[] | null> => {
    const row = shown(name);
    return row === undefined ? null : (await entriesOf(session, row)).map(({ id }) => id);
  };
  const compared: Compared[] = [];
  for (const name of granting) {
    const found = await ids(name);
    if (found === null) continue;
    const wanted = (await ids(`${name}Default`)) ?? session.step.known.baseline?.bmc?.secureBoot?.[name];
    if (wanted === undefined)
      throw unsupported(
        `the BMC shows no ${name}Default and the SKU's baseline names nothing of ${name}: that the keys were reset could not be confirmed`,
      );
    compared.push({ name, found, wanted });
  }
  if (compared.length === 0)
    throw unsupported(
      "the BMC shows no secure-boot databases: that the keys were reset could not be confirmed",
    );
  return compared;
}

async function keysRead(session: StepClient): Promise<StepProgress> {
  const { body } = await secureBoot(session);
  if (body.SecureBootMode === "SetupMode")
    return failed("the keys were reset, but the system is in SetupMode: it has no platform key");
  const other = (await compare(session)).filter(
    ({ found, wanted }) => found.length !== wanted.length || wanted.some((id) => !found.includes(id)),
  );
  // safety: bmc: secure-boot keys that were reset are read back (always)
  if (other.length === 0)
    return done(`the keys are the vendor's; the mode reads ${body.SecureBootMode ?? "nothing"}`);
  return failed(
    `the keys were reset, but ${other.map(({ name, found, wanted }) => `${name} has ${found.length} entries that differ from the vendor's ${wanted.length}`).join(", ")}`,
  );
}

export const resetSecureBootKeys = stepMaker({
  begin: async (session) => {
    const { body, path } = await secureBoot(session);
    const target = body.Actions?.["#SecureBoot.ResetKeys"]?.target;
    if (target === undefined) throw unsupported(`${path} offers no SecureBoot.ResetKeys action`);
    // Do not send a reset that could not be confirmed.
    await compare(session);
    const sent = taskOf(
      session,
      await session.change("POST", target, { ResetKeysType: "ResetAllKeysToDefault" }),
    );
    return sent.task === null
      ? keysRead(session)
      : { kind: "running", handle: sent, percent: null, message: "the keys are being reset" };
  },
  check: (session, handle) => whenCompleted(session, sentTask.parse(handle), () => keysRead(session)),
});
