// The GPUs of a simulated host as components that measure themselves, as its BMC shows them (Redfish ComponentIntegrity): Dell's hands out the result of a task,
// as NVIDIA's does, the others answer at once. Each signs for itself.
import { createHash } from "node:crypto";
import { z } from "zod";
import { parseJson } from "@/server/domain/json";
import { fault, json, type BmcAnswer, type BmcRequest } from "@/server/simulator/bmc/answer";
import { partsOf } from "@/server/simulator/host/part-tools";
import type { SimulatedHost } from "@/server/simulator/host/simulated-host";
import { componentCertificates, componentKey } from "@/server/simulator/spdm/certificates";
import { spdmReport, type MeasuredValue } from "@/server/simulator/spdm/responder";

export const componentsPath = "/redfish/v1/ComponentIntegrity";
const tasksPath = "/redfish/v1/TaskService/Tasks";
const actionName = "ComponentIntegrity.SPDMGetSignedMeasurements";

const question = z.strictObject({
  Nonce: z.string().regex(/^[0-9a-f]{64}$/),
  MeasurementIndices: z.array(z.int()).optional(),
  SlotId: z.literal(0).optional(),
});

interface SimulatedComponent {
  readonly id: string;
  readonly serial: string;
  readonly firmware: string;
}

/** The GPUs that its BMC sees, whatever drivers do. */
const componentsOf = (host: SimulatedHost): readonly SimulatedComponent[] =>
  partsOf(host)
    .filter(({ kind, serial }) => kind === "gpu" && (serial ?? "") !== "")
    .map(({ slot, serial, firmware }) => ({
      id: `GPU_${slot.replaceAll(/[^0-9a-f]/gi, "_")}`,
      serial: serial ?? "",
      firmware: firmware ?? "",
    }));

/** Whether its BMC has such a list. */
export const hasComponents = (host: SimulatedHost): boolean => componentsOf(host).length > 0;

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/** Firmware that was changed measures otherwise, whatever version it shows. */
function valuesOf(host: SimulatedHost, { serial, firmware }: SimulatedComponent): readonly MeasuredValue[] {
  const isChanged = host.faults.quirks?.includes("changedComponent") === true;
  return [
    { index: 1, type: 0x86, value: Buffer.from(firmware) },
    { index: 2, type: 0x01, value: digest(`${isChanged ? "another" : "the maker's"} firmware ${firmware}`) },
    { index: 3, type: 0x00, value: digest("the maker's ROM") },
    { index: 4, type: 0x02, value: digest(`fuses of ${serial}`) },
  ];
}

/** What was measured last, by the path of the task that measured it. */
const results = new WeakMap<SimulatedHost, Map<string, string>>();

/** How often each task was looked at: it is running at the first looks. */
const looks = new WeakMap<SimulatedHost, Map<string, number>>();
const looksWhileRunning = 2;

function measure(host: SimulatedHost, one: SimulatedComponent, nonce: Buffer): string {
  const isReplayed = host.faults.quirks?.includes("replaysMeasurements") === true;
  const report = spdmReport({
    version: host.blueprint.vendor === "dell" ? 0x11 : 0x12,
    key: componentKey(one.serial),
    nonce: isReplayed ? Buffer.alloc(nonce.length, 1) : nonce,
    values: valuesOf(host, one),
    hash: "sha256",
  });
  return json({
    SignedMeasurements: report.toString("base64"),
    HashingAlgorithm: "TPM_ALG_SHA_256",
    SigningAlgorithm: "TPM_ALG_ECDSA_ECC_NIST_P256",
    Version: host.blueprint.vendor === "dell" ? "1.1.0" : "1.2.0",
  });
}

function resource(path: string, { id }: SimulatedComponent): string {
  return json({
    "@odata.id": path,
    "@odata.type": "#ComponentIntegrity.v1_2_1.ComponentIntegrity",
    Id: id,
    Name: `Integrity of ${id}`,
    ComponentIntegrityType: "SPDM",
    ComponentIntegrityTypeVersion: "1.1.0",
    ComponentIntegrityEnabled: true,
    SPDM: {
      IdentityAuthentication: {
        ResponderAuthentication: { ComponentCertificate: { "@odata.id": `${path}/Certificates/CertChain` } },
      },
    },
    Actions: { [`#${actionName}`]: { target: `${path}/Actions/${actionName}` } },
  });
}

const certificateBody = (path: string, serial: string): string =>
  json({
    "@odata.id": path,
    "@odata.type": "#Certificate.v1_5_0.Certificate",
    Id: "CertChain",
    Name: "Certificates of the component",
    CertificateType: "PEMchain",
    CertificateString: componentCertificates(serial),
  });

/** Null: the path is not one of them, or the host has no such component. */
export function answerOfComponents(
  { method, body }: BmcRequest,
  path: string,
  host: SimulatedHost,
): BmcAnswer | null {
  const all = componentsOf(host);
  if (all.length === 0) return null;
  if (method === "GET" && path === componentsPath)
    return {
      status: 200,
      body: json({
        "@odata.id": path,
        "@odata.type": "#ComponentIntegrityCollection.ComponentIntegrityCollection",
        Name: "Component integrity",
        Members: all.map(({ id }) => ({ "@odata.id": `${componentsPath}/${id}` })),
        "Members@odata.count": all.length,
      }),
    };
  const done = method === "GET" ? taskOrResult(path, host) : null;
  if (done !== null) return done;
  const one = all.find(
    ({ id }) => path === `${componentsPath}/${id}` || path.startsWith(`${componentsPath}/${id}/`),
  );
  if (one === undefined) return null;
  const place = `${componentsPath}/${one.id}`;
  if (method === "GET" && path === place) return { status: 200, body: resource(place, one) };
  if (method === "GET" && path === `${place}/Certificates/CertChain`)
    return { status: 200, body: certificateBody(path, one.serial) };
  if (method !== "POST" || path !== `${place}/Actions/${actionName}`) return null;
  const asked = parseJson(question, body);
  if (asked === null)
    return fault(400, "Base.1.8.ActionParameterValueFormatError", "Nonce must have 64 hexadecimal digits.");
  if (host.faults.quirks?.includes("deafComponent") === true && one === all[0])
    return fault(500, "Base.1.8.InternalError", "The component does not answer.");
  const result = measure(host, one, Buffer.from(asked.Nonce, "hex"));
  if (host.blueprint.vendor !== "dell") return { status: 200, body: result };
  return asTask(host, path, result);
}

/** 202 with a task, which tells by a header where its result is. */
function asTask(host: SimulatedHost, action: string, result: string): BmcAnswer {
  const kept = results.get(host) ?? new Map<string, string>();
  results.set(host, kept);
  const task = `${tasksPath}/SPDM-${kept.size + 1}`;
  kept.set(task, `${action}/data`);
  kept.set(`${action}/data`, result);
  const shown = { "@odata.id": task, "@odata.type": "#Task.v1_7_4.Task", Id: task, TaskState: "Running" };
  return { status: 202, headers: { location: `${task}/Monitor` }, body: json(shown) };
}

function taskOrResult(path: string, host: SimulatedHost): BmcAnswer | null {
  const found = results.get(host)?.get(path);
  if (found === undefined) return null;
  if (!path.startsWith(`${tasksPath}/`)) return { status: 200, body: found };
  const looked = looks.get(host) ?? new Map<string, number>();
  looks.set(host, looked);
  const before = looked.get(path) ?? 0;
  looked.set(path, before + 1);
  const isRunning = before < looksWhileRunning;
  return {
    status: 200,
    body: json({
      "@odata.id": path,
      "@odata.type": "#Task.v1_7_4.Task",
      Id: path,
      TaskState: isRunning ? "Running" : "Completed",
      TaskStatus: "OK",
      ...(isRunning
        ? {}
        : { Payload: { HttpHeaders: [`Location: ${found}`], HttpOperation: "POST", TargetUri: found } }),
    }),
  };
}
