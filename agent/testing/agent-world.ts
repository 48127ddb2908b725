// The minimum of a host that an agent can register with, and a server whose answers a test scripts.
import type { Command } from "@/server/domain/agents/protocol";
import type { HttpRequest, Surroundings } from "@/agent/surroundings";
import type { Answer, Tools } from "@/agent/tools/tools";

export const stepRunId = "7e57ab1e-0000-4000-8000-000000000001";
export const execute = (id: string, attempt = 1, step = "verify_mem_overwrite"): Command => ({
  kind: "execute",
  id,
  stepRunId,
  attempt,
  interface: "deploy",
  step,
  args: {},
  devices: [],
  erase: {
    techniques: { nvme: [], ssd: [], hdd: [], "raid-kit": [] },
    fallback: true,
    samplesPerDevice: 1,
    markersPerDevice: 0,
    noProgressTimeoutMs: 1,
  },
  journal: [],
  deadline: "2027-01-01T00:00:00Z",
});

export const done = <Value>(value: Value): Promise<Answer<Value>> =>
  Promise.resolve({ command: "tool", exitCode: 0, status: "", value });
export const none = <Value>(): Promise<Answer<Value>> =>
  Promise.resolve({ command: "/usr/bin/tool --x", exitCode: 3, status: "broken", value: null });

export interface World {
  readonly around: Surroundings;
  readonly requests: HttpRequest[];
  readonly slept: number[];
  readonly stop: AbortController;
  writes: number;
  restarts: number;
}

/** No drives, and no drives that could be treated. */
const noDrives = {
  nvme: {
    list: () => done([]),
    identify: none,
    namespaces: none,
    identifyNamespace: none,
    attach: none,
    remove: none,
    create: none,
    sanitize: none,
    sanitizeAndHold: none,
    exitMediaVerification: none,
    sanitizeLog: none,
    format: none,
    health: none,
  },
  disks: { list: () => done([]), port: none, overwrite: none, health: none, unfreeze: none },
  ata: {
    identify: none,
    sanitize: none,
    sanitizeStatus: none,
    unlock: none,
    setPassword: none,
    secureErase: none,
    disableSecurity: none,
  },
  scsi: { supported: none, sanitize: none, sanitizeStatus: none },
  kit: { members: none, volumes: none, removeVolume: none, formatLeft: none, format: none, health: none },
  blocks: { read: none, write: none },
} satisfies Partial<Tools>;

function leastTools({
  onWrite,
  onRestart,
  macs,
}: {
  readonly onWrite: () => void;
  readonly onRestart: () => void;
  readonly macs: readonly string[];
}): Tools {
  let memory = 0;
  return {
    versions: { nvme: "2", hdparm: "9", sg3utils: "1", mnvCli: "1" },
    ...noDrives,
    efi: {
      read: () => done(Uint8Array.of(7, 0, 0, 0, memory)),
      write: (_name, _guid, _attributes, data) => {
        memory = data[0] ?? 0;
        onWrite();
        return done<true>(true);
      },
    },
    mst: { list: () => done([]), reset: none, set: none, query: none },
    tpm: {
      ...{ found: none, clear: none, state: none, ownerKey: none, onRequest: none },
      ...{
        endorsementCertificates: none,
        makeKeys: none,
        activateCredential: none,
        quote: none,
        eventLog: none,
      },
    },
    system: {
      identity: () =>
        done({
          manufacturer: "M",
          product: "P",
          serial: "S",
          uuid: "7e57ab1e-0000-4000-8000-000000000002",
          biosVersion: "1",
        }),
      cpus: () => done([{ model: "C", cores: 1 }]),
      memoryBytes: () => done(1n),
      nics: () => done(macs.map((mac, index) => ({ name: `eth${index}`, mac, up: true }))),
      stress: none,
      testNic: none,
      restart: () => {
        onRestart();
        return done<true>(true);
      },
    },
    parts: { pci: () => done([]), gpus: none, memory: none },
    deviceMemory: { reset: none, write: none, read: none },
  };
}

/** `answer` is called for every request; an Error means that the connection failed. */
export function world(
  answer: (
    request: HttpRequest,
    count: number,
  ) => { status: number; body?: unknown } | Error | Promise<{ status: number; body?: unknown }>,
  macs: readonly string[] = ["02:00:00:00:00:01"],
): World {
  const stop = new AbortController();
  const requests: HttpRequest[] = [];
  const slept: number[] = [];
  const self: World = {
    requests,
    slept,
    stop,
    writes: 0,
    restarts: 0,
    around: {
      clock: {
        now: () => new Date(),
        sleep: async (ms) => {
          slept.push(ms);
          await new Promise((resolve) => setImmediate(resolve));
        },
      },
      chance: { bytes: (count) => new Uint8Array(count).fill(7) },
      http: async (request) => {
        // The site does not ask for the identity of TPMs.
        if (isCall(request, "/attestation/wanted")) return { status: 200, text: '{"identity":false}' };
        requests.push(request);
        const given = await answer(request, requests.filter(({ path }) => path === request.path).length);
        if (given instanceof Error) throw given;
        return { status: given.status, text: JSON.stringify(given.body ?? {}) };
      },
      tools: leastTools({ onWrite: () => (self.writes += 1), onRestart: () => (self.restarts += 1), macs }),
      log: () => undefined,
      signal: stop.signal,
    },
  };
  return self;
}

export const registered = (command: Command) => ({
  status: 200,
  body: { sessionToken: "session-of-this-boot-123", bootEpoch: 1, heartbeatMs: 1_000_000, command },
});
export const restart = { status: 200, body: { command: { kind: "restart", id: "end" } } };
export const isCall = (request: HttpRequest, name: string) =>
  request.path.split("?")[0]?.endsWith(name) ?? false;
export const bodyOf = (request: HttpRequest | undefined): unknown => JSON.parse(request?.body ?? "null");
