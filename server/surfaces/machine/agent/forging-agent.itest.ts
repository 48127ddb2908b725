// An agent that is not of the measured image registers with a stolen boot token: whenever it comes and whatever it sends, it gets no further than that.
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { claimHosts } from "@/server/db/hot/host/claim";
import { whyUnmeasured } from "@/server/domain/attestation/measurement";
import type { PcrValues } from "@/server/domain/attestation/measurement";
import { activationAnswer, identityAnswer } from "@/server/domain/attestation/protocol";
import { tokenHash } from "@/server/domain/access/tokens";
import { eventLogOf, registersOf } from "@/server/simulator/host/tpm/event-log";
import type { BootEvent } from "@/server/simulator/host/tpm/event-log";
import type { SimulatedTpm } from "@/server/simulator/host/tpm/simulated-tpm";
import { bootTokenOf, registerBodyOf, runStep } from "@/server/surfaces/machine/testing/agent-session";
import { addBundle } from "@/server/surfaces/machine/testing/bundle-rows";
import { machineServer } from "@/server/surfaces/machine/testing/file-fixture";
import { post } from "@/server/surfaces/machine/testing/machine-fixture";
import { addHost, openWindow, type TestHost } from "@/server/surfaces/machine/testing/machine-rows";
import { base64, bodyOf, tpmCalls, tpmWith } from "@/server/surfaces/machine/testing/tpm-calls";

const fixture = machineServer({ longPollMs: 1 });
const { call } = tpmCalls(fixture);

const eventsOf = (program: string): readonly BootEvent[] =>
  [0, 1, 2, 3, 4, 5, 6, 7, 9].map((register) => ({
    ...{ register, type: 8, data: Buffer.from(program) },
    digest: createHash("sha256").update(`${program} ${register}`).digest(),
  }));
const image = eventsOf("our image");
const valuesOf = (events: readonly BootEvent[]): PcrValues =>
  Object.fromEntries(
    registersOf(events)
      .slice(0, 10)
      .map((value, pcr) => [String(pcr), value.toString("hex")]),
  );

let host: TestHost;
const own = tpmWith(true);
const another = tpmWith(true);
const software = tpmWith(false);
beforeAll(async () => {
  await fixture.query(
    `UPDATE site_policy SET body = jsonb_set(body, '{attestation}', '"required"') WHERE site_id = $1`,
    [fixture.siteId],
  );
  host = await addHost(fixture);
  await addBundle(fixture, valuesOf(image));
  expect(await bootAlone()).toBeNull();
});

/** A boot in which nobody but our agent registers. The first one makes the TPM the host's: without it any TPM would be. Returns why it gets no command. */
async function bootAlone() {
  const epoch = await openWindow(fixture, host);
  const session = await register(await bootTokenOf(fixture, host), "0".repeat(32));
  await attest(session ?? "", { tpm: own, signer: own, events: image });
  return whyUnmeasured((await claimed()).measurement, epoch);
}

/** The session; null: it was refused. */
async function register(bootToken: string, run: string): Promise<string | null> {
  const { body } = await post(fixture, "/agent/v1/register", bootToken, registerBodyOf(host, { run }));
  return typeof body["sessionToken"] === "string" ? body["sessionToken"] : null;
}

interface Told {
  /** The TPM that is shown; null: none. */
  readonly tpm: SimulatedTpm | null;
  /** The TPM whose key signs. */
  readonly signer: SimulatedTpm | null;
  readonly events: readonly BootEvent[];
  /** Sent in place of the quote. */
  readonly replayed?: object | null;
}

/** The quote that is asked for; null: the server wants none of this session. */
async function identify(session: string, tpm: SimulatedTpm) {
  const offered = await call("identity", session, bodyOf(tpm));
  const credential = offered.status === 200 ? identityAnswer.parse(offered.body).credential : null;
  if (credential === null) return null;
  const { blob, secret } = credential;
  const opened = tpm.activate({ blob: Buffer.from(blob, "base64"), secret: Buffer.from(secret, "base64") });
  const shown = await call("activation", session, { secret: base64(opened ?? Buffer.alloc(32)) });
  return shown.status === 200 ? (activationAnswer.parse(shown.body).quote ?? null) : null;
}

let lastQuote: object | null = null;

async function attest(session: string, { tpm, signer, events, replayed }: Told): Promise<void> {
  if (tpm === null) return void (await call("identity", session, { kind: "none", message: "no TPM" }));
  const asked = await identify(session, tpm);
  if (asked === null || signer === null) return;
  if (signer !== tpm) signer.makeKeys();
  const registers = registersOf(events);
  const made = signer.quote(Buffer.from(asked.nonce, "base64"), asked.pcrs, registers, { ms: 5, resets: 1 });
  if (made === null) throw new Error("no attestation key");
  const quote = {
    ...{ kind: "quote", message: base64(made.message), signature: base64(made.signature), pcrs: made.pcrs },
    eventLog: base64(eventLogOf(events.filter(({ register: pcr }) => pcr < 8))),
  };
  await call("quote", session, replayed ?? quote);
  if (tpm === own && events === image && signer === own) lastQuote = quote;
}

/** Everything that somebody with a boot token, and with root on the host or without it, can send. */
const forgeries: Readonly<Record<string, () => Told>> = {
  "a TPM in software that says what the image measures": () => ({
    ...{ tpm: software, signer: software, events: image },
  }),
  "another machine's TPM with a certificate": () => ({ tpm: another, signer: another, events: image }),
  "the host's TPM, which measured another program": () => ({
    ...{ tpm: own, signer: own, events: eventsOf("a tenant's system") },
  }),
  "the host's TPM, and values that another key signed": () => ({
    ...{ tpm: own, signer: another, events: image },
  }),
  "the host's TPM, and the quote of an earlier boot": () => ({
    ...{ tpm: own, signer: own, events: eventsOf("a tenant's system"), replayed: lastQuote },
  }),
  "the host's TPM, and no quote": () => ({ tpm: own, signer: null, events: image }),
  "no TPM": () => ({ tpm: null, signer: null, events: image }),
};
const kinds = Object.keys(forgeries);
/** `alone`: our agent never comes, for example because a tenant's system was started in its place. */
const orders = ["alone", "first", "at once", "last"] as const;

/** What the controller reads before each command. */
async function claimed() {
  await fixture.query("UPDATE host_run SET due_at = now(), lease_owner = NULL WHERE host_id = $1", [host.id]);
  const [claim] = await claimHosts(fixture.pool, randomUUID(), 1, 1);
  if (claim?.ok !== true) throw new Error("the host was not claimed");
  return claim.view;
}

interface Race {
  readonly forgerIn: boolean;
  readonly agentIn: boolean;
  readonly contested: boolean;
  readonly measured: boolean;
}

/** One boot: our agent has its token, and the forger stole it. Throws if the forger gets a command, or would get one. */
async function race(kind: string, order: (typeof orders)[number]): Promise<Race> {
  await fixture.query("UPDATE host_run SET command = NULL, command_epoch = NULL WHERE host_id = $1", [
    host.id,
  ]);
  const epoch = await openWindow(fixture, host);
  const bootToken = await bootTokenOf(fixture, host);
  const told = forgeries[kind]?.() ?? { tpm: null, signer: null, events: image };
  const [forger, agent] = [randomBytes(16).toString("hex"), randomBytes(16).toString("hex")];
  let forged: string | null;
  let ours: string | null;
  if (order === "at once")
    [forged, ours] = await Promise.all([register(bootToken, forger), register(bootToken, agent)]);
  else if (order === "alone") {
    [forged, ours] = [await register(bootToken, forger), null];
    if (forged !== null) await attest(forged, told);
  } else if (order === "first") {
    forged = await register(bootToken, forger);
    if (forged !== null) await attest(forged, told);
    ours = await register(bootToken, agent);
  } else {
    ours = await register(bootToken, agent);
    if (ours !== null) await attest(ours, { tpm: own, signer: own, events: image });
    if (whyUnmeasured((await claimed()).measurement, epoch) !== null)
      throw new Error(`${kind}: ours is not measured`);
    // What the controller then gives to our agent.
    await runStep(fixture, host);
    forged = await register(bootToken, forger);
  }
  if (ours !== null && order !== "last") await attest(ours, { tpm: own, signer: own, events: image });
  if (forged !== null && (order === "at once" || order === "last")) await attest(forged, told);

  const { agent: seen, measurement } = await claimed();
  const contested = seen === null || seen.contested;
  const measured = !contested && whyUnmeasured(measurement, epoch) === null;
  const [session] = await fixture.query<{ token_hash: Buffer }>(
    "SELECT token_hash FROM agent_session WHERE host_id = $1 AND boot_epoch = $2",
    [host.id, epoch],
  );
  const isForgers = forged !== null && session?.token_hash.equals(tokenHash(forged)) === true;
  if (measured && isForgers) throw new Error(`${kind}, ${order}: a command would go to the forger`);
  for (const token of [forged ?? bootToken, bootToken]) {
    const { status, body } = await post(fixture, "/agent/v1/poll", token, { working: null, finished: [] });
    const got = z.object({ command: z.object({ kind: z.string() }) }).safeParse(body).data?.command;
    if (status === 200 && got?.kind !== "none")
      throw new Error(`${kind}, ${order}: the forger got ${JSON.stringify(body["command"])}`);
  }
  return { forgerIn: forged !== null, agentIn: ours !== null, contested, measured };
}

async function races(count: number): Promise<readonly Race[]> {
  const seen: Race[] = [];
  for (let each = 0; each < count; each += 1)
    seen.push(
      await race(
        kinds[each % kinds.length] ?? "",
        orders[Math.floor(each / kinds.length) % orders.length] ?? "alone",
      ),
    );
  return seen;
}

describe("a forging agent with a stolen boot token", () => {
  it(
    "gets no command whatever it sends, without our agent, before it, after it and at once",
    { timeout: 300_000 },
    async () => {
      const seen = await races(kinds.length * orders.length);
      // Also where nobody else came, so that the boot was not contested.
      expect(seen.filter(({ forgerIn, contested }) => forgerIn && !contested)).toHaveLength(kinds.length);
      expect(seen.some(({ agentIn }) => agentIn)).toBe(true);
    },
  );

  it("leaves our agent alone once it is gone", async () => {
    expect(await bootAlone()).toBeNull();
  });

  it("gets none in 1,000 races", { tags: "all", timeout: 1_800_000 }, async () => {
    expect(await races(1_000)).toHaveLength(1_000);
  });
});
