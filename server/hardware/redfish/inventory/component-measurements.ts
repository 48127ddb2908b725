// What GPUs, network cards and others measured of themselves, through their BMC (Redfish ComponentIntegrity, SPDMGetSignedMeasurements). A component signs
// its measurements together with a nonce that is made here for each request, so a BMC that keeps old ones shows nothing.
import { randomBytes } from "node:crypto";
import { z } from "zod";
import { SpdmFault } from "@/server/domain/attestation/spdm/reader";
import { capturedValues, measuredValues, verifyMeasurements } from "@/server/domain/attestation/spdm/verify";
import type { ProvenMeasurements } from "@/server/domain/attestation/spdm/verify";
import type { MeasurementsByComponent } from "@/server/domain/hosts/inventory/platform";
import type { ComponentRead } from "@/server/domain/hosts/platform/reading";
import type { RedfishAnswer } from "@/server/hardware/redfish/client/client";
import { optionalLink, pathOf, text } from "@/server/hardware/redfish/resources/references";
import { optionalAction, pathOfLink } from "@/server/hardware/redfish/resources/resources";
import { phaseOf, taskReading, taskResource } from "@/server/hardware/redfish/resources/task";
import { otherUsers } from "@/server/hardware/redfish/steps/baseline";
import type { Resource, StepClient } from "@/server/hardware/redfish/steps/step-client";
import { StepFailed, StepStopped } from "@/server/hardware/redfish/steps/stopped";

const optional = <T extends z.ZodType>(schema: T) => schema.nullish().catch(null);

const component = z.object({
  Id: text,
  ComponentIntegrityType: text,
  ComponentIntegrityEnabled: optional(z.boolean()),
  SPDM: optional(
    z.object({
      IdentityAuthentication: optional(
        z.object({ ResponderAuthentication: optional(z.object({ ComponentCertificate: optionalLink })) }),
      ),
    }),
  ),
  Actions: optional(z.object({ "#ComponentIntegrity.SPDMGetSignedMeasurements": optionalAction })),
});
type Component = Resource<z.infer<typeof component>>;

const certificate = z.object({ CertificateString: text });

/** The result of the action (SPDMGetSignedMeasurementsResponse). */
const signed = z.object({ SignedMeasurements: z.string().min(1), HashingAlgorithm: text });
type Signed = z.infer<typeof signed>;

/** A task tells where its result is by a header that it was answered with (NVIDIA), or hands it out at its monitor (DSP0266, 13.2). */
const measuringTask = taskResource.extend({
  "@odata.id": text,
  "@odata.type": text,
  Payload: optional(z.object({ HttpHeaders: optional(z.array(z.string())) })),
});

const nonceBytes = 32;
/** The certificates of the maker. */
const makersSlot = 0;
/** A task that measures takes a few seconds; a component that did not end by then does not answer. */
const taskMs = 60_000;

const nameOf = ({ path, body }: Component): string => body.Id ?? path.split("/").at(-1) ?? path;

/** The components that measure themselves by SPDM; null: the BMC has no such list. */
async function allComponents(session: StepClient, path: string): Promise<readonly Component[] | null> {
  const found = await session.lookAll(path, component);
  return found?.filter(({ body }) => body.ComponentIntegrityType === "SPDM") ?? null;
}

const listPath = async (session: StepClient): Promise<string | null> =>
  pathOfLink((await session.root()).ComponentIntegrity);

const actionOf = ({ body }: Component): string | null => {
  const target = body.Actions?.["#ComponentIntegrity.SPDMGetSignedMeasurements"]?.target;
  return target === undefined ? null : pathOf(target);
};

/** Names of the components whose signed measurements the BMC hands out, and of those whose it does not; null: it lists none. */
export async function offeredComponents(
  session: StepClient,
): Promise<{ readonly signed: readonly string[]; readonly others: readonly string[] } | null> {
  const path = await listPath(session);
  const found = path === null ? null : await allComponents(session, path);
  if (found === null || found.length === 0) return null;
  const signs = (one: Component) => actionOf(one) !== null;
  return {
    signed: found.filter(signs).map(nameOf),
    others: found.filter((one) => !signs(one)).map(nameOf),
  };
}

/** Follows a task to its result. */
async function resultOf(session: StepClient, answer: RedfishAnswer): Promise<Signed> {
  const body = measuringTask.safeParse(answer.body).data;
  const monitor = answer.location === null ? null : pathOf(answer.location);
  const task = /^#Task\./.test(body?.["@odata.type"] ?? "") ? pathOf(body?.["@odata.id"] ?? "") : null;
  const place = task ?? monitor;
  if (answer.status !== 202 || place === null) throw new StepFailed("the BMC answers without measurements");
  const { ok, value } = await session.until(
    taskMs,
    async () => (await session.getNow(place, z.looseObject({}))).body,
    (found) => signed.safeParse(found).success || isOver(found),
  );
  const direct = signed.safeParse(value).data;
  if (direct !== undefined) return direct;
  const ended = measuringTask.parse(value);
  const { phase, words } = taskReading(place, ended);
  if (!ok || phase !== "completed") throw new StepFailed(`its measuring did not end: ${words}`);
  const told = ended.Payload?.HttpHeaders?.flatMap(
    (header) => /^Location: *(\S+)/i.exec(header)?.[1] ?? [],
  )[0];
  const result = told === undefined ? monitor : pathOf(told);
  if (result === null) throw new StepFailed("its task does not tell where the measurements are");
  // Every measuring of a component may leave its result at the same path.
  return (await session.getNow(result, signed)).body;
}

function isOver(found: unknown): boolean {
  const { TaskState, JobState, TaskStatus } = measuringTask.parse(found);
  const phase = phaseOf(TaskState ?? JobState ?? "", TaskStatus ?? null);
  return phase === "completed" || phase === "failed";
}

async function certificatesOf(session: StepClient, { body }: Component): Promise<string> {
  const path = pathOfLink(body.SPDM?.IdentityAuthentication?.ResponderAuthentication?.ComponentCertificate);
  if (path === null) throw new StepFailed("the BMC shows no certificate of it");
  return (await session.get(path, certificate)).body.CertificateString ?? "";
}

/** Throws StepFailed if its measurements are not proven. */
async function measured(session: StepClient, one: Component): Promise<ProvenMeasurements> {
  if (one.body.ComponentIntegrityEnabled === false)
    throw new StepFailed("its integrity check is switched off");
  const action = actionOf(one);
  if (action === null) throw new StepFailed("the BMC hands out no signed measurements of it");
  const certificates = await certificatesOf(session, one);
  const nonce = randomBytes(nonceBytes);
  // Without indices it is asked for all of its measurements.
  const answer = await session.ask(action, { Nonce: nonce.toString("hex"), SlotId: makersSlot });
  const { SignedMeasurements, HashingAlgorithm } =
    signed.safeParse(answer.body).data ?? (await resultOf(session, answer));
  try {
    return verifyMeasurements(
      {
        report: Buffer.from(SignedMeasurements, "base64"),
        hashingAlgorithm: HashingAlgorithm ?? null,
        certificates,
      },
      nonce,
      session.call.target.componentAuthorities ?? "",
      session.nowMs(),
    );
  } catch (error) {
    if (error instanceof SpdmFault) throw new StepFailed(error.message);
    throw error;
  }
}

/** The components of a service that serves this machine only: nothing tells whose component one is. Throws StepFailed otherwise. */
async function ownComponents(session: StepClient): Promise<readonly Component[] | null> {
  const path = await listPath(session);
  if (path === null) return null;
  // Nothing that they sign could count, so nothing is asked.
  if ((session.call.target.componentAuthorities ?? "") === "")
    throw new StepFailed("the site has no authority for components: add one with usedFor: [component]");
  const found = await allComponents(session, path);
  if (found === null || found.length === 0) return null;
  const others = await otherUsers(session);
  if (others !== null) throw new StepFailed(`whose components these are is not known: ${others}`);
  const names = found.map(nameOf);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw new StepFailed(`the BMC lists two components with the name ${twice}`);
  return found;
}

/** What one component measured, or why that is not known. A BMC that is gone tells nothing of any of them, so that is thrown. */
async function readOne(
  session: StepClient,
  one: Component,
): Promise<ProvenMeasurements | { readonly unknown: string }> {
  try {
    return await measured(session, one);
  } catch (error) {
    if (error instanceof StepFailed) return { unknown: error.message };
    if (error instanceof StepStopped && error.error.kind !== "unreachable")
      return { unknown: error.error.message };
    throw error;
  }
}

/** What the named components measured, each with why it is not known if it is not; null: the BMC lists none. */
export async function readComponents(
  session: StepClient,
  names: readonly string[],
): Promise<Readonly<Record<string, ComponentRead>> | null> {
  const all = await ownComponents(session);
  if (all === null) return null;
  const read: [string, ComponentRead][] = [];
  for (const one of all) {
    const name = nameOf(one);
    if (!names.includes(name)) continue;
    const found = await readOne(session, one);
    read.push([name, "unknown" in found ? found : { values: measuredValues(found) }]);
  }
  return Object.fromEntries(read);
}

/**
 * What a baseline takes of all components: values that are the same on every machine with this firmware. Null: the BMC lists none.
 * Throws StepFailed if one of them is not proven: a baseline without it would not notice it.
 */
export async function measurementsForBaseline(session: StepClient): Promise<MeasurementsByComponent | null> {
  const found = await ownComponents(session);
  if (found === null) return null;
  const taken: [string, Readonly<Record<string, string>>][] = [];
  for (const one of found) {
    const proven = await readOne(session, one);
    if ("unknown" in proven) throw new StepFailed(`${nameOf(one)}: ${proven.unknown}`);
    taken.push([nameOf(one), capturedValues(proven)]);
  }
  return Object.fromEntries(taken);
}
