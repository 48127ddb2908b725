// Quotes over real HTTP on a real database: what is measured, by which bundle it is judged, and what is refused.
import { createHash } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { flushSecurityEvents } from "@/server/db/security-events";
import { countMeasured } from "@/server/db/hot/fleet/metrics-read";
import type { PcrValues } from "@/server/domain/attestation/measurement";
import { eventLogOf, registersOf } from "@/server/simulator/host/tpm/event-log";
import type { BootEvent } from "@/server/simulator/host/tpm/event-log";
import type { SimulatedTpm } from "@/server/simulator/host/tpm/simulated-tpm";
import { addBundle } from "@/server/surfaces/machine/testing/bundle-rows";
import { machineServer } from "@/server/surfaces/machine/testing/file-fixture";
import { addHost, openWindow, type TestHost } from "@/server/surfaces/machine/testing/machine-rows";
import { base64, bodyOf, tpmCalls, tpmWith } from "@/server/surfaces/machine/testing/tpm-calls";

const fixture = machineServer({ longPollMs: 600 });
const { call, contest, proven } = tpmCalls(fixture);

beforeAll(async () => {
  await fixture.query(
    `UPDATE site_policy SET body = jsonb_set(body, '{attestation}', '"required"') WHERE site_id = $1`,
    [fixture.siteId],
  );
});

const eventOf = (register: number, text: string): BootEvent => ({
  ...{ register, type: 8, data: Buffer.from(text) },
  digest: createHash("sha256").update(text).digest(),
});
const firmware = (version: string): readonly BootEvent[] =>
  [0, 1, 2, 3, 4, 5, 6, 7].map((register) => eventOf(register, `${version} ${register}`));
/** Without being in the firmware's log, as Linux' stub does it. */
const stub = [eventOf(9, "command line and initrd")];

type Asked = NonNullable<Awaited<ReturnType<typeof proven>>["quote"]>;
interface Made {
  readonly events: readonly BootEvent[];
  readonly log: Buffer | null;
  readonly nonce: Uint8Array;
}

function quoteOf(tpm: SimulatedTpm, { nonce, pcrs }: Asked, change: Partial<Made> = {}) {
  const events = change.events ?? firmware("1");
  const registers = registersOf([...events, ...stub]);
  const made = tpm.quote(change.nonce ?? Buffer.from(nonce, "base64"), pcrs, registers, { ms: 5, resets: 1 });
  if (made === null) throw new Error("no attestation key");
  const log = change.log === undefined ? eventLogOf(events) : change.log;
  return {
    ...{ kind: "quote", message: base64(made.message), signature: base64(made.signature), pcrs: made.pcrs },
    eventLog: log === null ? null : base64(log),
  };
}

async function asked(host: TestHost, tpm: SimulatedTpm) {
  const { token, quote } = await proven(host, tpm);
  if (quote === null) throw new Error("no quote was asked for");
  return { token, quote };
}

/** Boots, registers, proves and is measured. */
async function measured(host: TestHost, tpm: SimulatedTpm, change: Partial<Made> = {}) {
  const { token, quote } = await asked(host, tpm);
  return { token, quote, ...(await call("quote", token, quoteOf(tpm, quote, change))) };
}

const measurementOf = async (host: TestHost) =>
  (
    await fixture.query<Record<string, unknown>>(
      "SELECT boot_epoch, state, problem, bundle_id, measured_at IS NOT NULL AS measured, pcrs, event_log IS NOT NULL AS log, facts FROM host_measurement WHERE host_id = $1",
      [host.id],
    )
  )[0];
const eventsOf = async (host: TestHost) => {
  await flushSecurityEvents();
  return fixture.query("SELECT kind FROM security_event WHERE host_id = $1 ORDER BY first_at, kind", [
    host.id,
  ]);
};

const valuesOf = (events: readonly BootEvent[]): PcrValues =>
  Object.fromEntries(
    registersOf([...events, ...stub])
      .slice(0, 10)
      .map((value, pcr) => [String(pcr), value.toString("hex")]),
  );

const bundle = (pcrs: PcrValues, state = "Active", decision: string | null = "approved") =>
  addBundle(fixture, pcrs, state, decision);

describe("a boot", () => {
  it("is measured, and waits for a bundle", async () => {
    const host = await addHost(fixture);
    const answer = await measured(host, tpmWith(true), { events: firmware("waits") });
    expect(answer.body).toEqual({ accepted: true, message: "PendingBundle" });
    expect(await measurementOf(host)).toMatchObject({
      ...{ boot_epoch: 1, state: "PendingBundle", problem: null, bundle_id: null, measured: true, log: true },
      ...{ pcrs: valuesOf(firmware("waits")), facts: { clock: "5", resetCount: 1 } },
    });
  });

  it("passes by a bundle that two people agreed on, with all of its values", async () => {
    const host = await addHost(fixture);
    const tpm = tpmWith(true);
    const all = valuesOf(firmware("1"));
    const state = async () => {
      await measured(host, tpm);
      return (await measurementOf(host))?.["state"];
    };
    await bundle(all, "Active", null);
    await bundle(all, "Active", "rejected");
    await bundle({ ...all, "0": valuesOf(firmware("2"))["0"] ?? "" });
    expect(await state()).toBe("PendingBundle");
    const id = await bundle({ "4": all["4"] ?? "", "9": all["9"] ?? "" });
    expect(await state()).toBe("Measured");
    expect(await measurementOf(host)).toMatchObject({ boot_epoch: 2, bundle_id: id });
    await bundle(all, "Retired");
    expect(await state()).toBe("Measured");
    await bundle({ "4": all["4"] ?? "", "9": all["9"] ?? "", "7": all["7"] ?? "" }, "Revoked");
    expect(await state()).toBe("MeasuringFailed");
  });

  it.each<readonly [string, RegExp, Partial<Made>]>([
    ["another nonce", /nonce/, { nonce: Buffer.alloc(32) }],
    ["an event log of another boot", /event log does not lead/, { log: eventLogOf(firmware("other")) }],
    ["an event log that is none", /./, { log: Buffer.from("no log") }],
  ])("is not measured by a quote with %s, and that is a security event", async (_what, why, change) => {
    const host = await addHost(fixture);
    const answer = await measured(host, tpmWith(true), change);
    expect(answer.body).toMatchObject({ accepted: false, message: expect.stringMatching(why) });
    expect(await measurementOf(host)).toMatchObject({
      state: "MeasuringFailed",
      measured: false,
      pcrs: null,
    });
    expect(await eventsOf(host)).toEqual([{ kind: "tpmIdentityForged" }]);
  });

  it("is not measured by the quote of its boot before", async () => {
    const host = await addHost(fixture);
    const tpm = tpmWith(true);
    const before = await asked(host, tpm);
    const old = quoteOf(tpm, before.quote);
    const now = await asked(host, tpm);
    expect((await call("quote", now.token, old)).body).toMatchObject({ accepted: false });
    expect(await measurementOf(host)).toMatchObject({ boot_epoch: 2, state: "MeasuringFailed" });
  });

  it("is not measured by the key of another TPM", async () => {
    const host = await addHost(fixture);
    const [own, other] = [tpmWith(true), tpmWith(true)];
    const { token, quote } = await asked(host, own);
    bodyOf(other);
    const answer = await call("quote", token, quoteOf(other, quote));
    expect(answer.body).toMatchObject({ accepted: false, message: expect.stringMatching(/signature/) });
  });

  it("is measured once, also where its first quote was refused", async () => {
    const host = await addHost(fixture);
    const tpm = tpmWith(true);
    const { token, quote } = await measured(host, tpm, { nonce: Buffer.alloc(32) });
    expect((await call("quote", token, quoteOf(tpm, quote))).body).toMatchObject({ code: "notAsked" });
    const second = await measured(await addHost(fixture), tpmWith(true));
    expect((await call("quote", second.token, { kind: "none", message: "m" })).body).toMatchObject({
      code: "notAsked",
    });
  });

  it("is not measured by a key that its TPM has not proven yet", async () => {
    const host = await addHost(fixture);
    const tpm = tpmWith(true);
    const { token, quote } = await asked(host, tpm);
    await fixture.query("UPDATE host_tpm SET activated_at = NULL WHERE host_id = $1", [host.id]);
    expect((await call("quote", token, quoteOf(tpm, quote))).body).toMatchObject({ code: "notAsked" });
  });

  it("says why it has no quote", async () => {
    const host = await addHost(fixture);
    const { token } = await asked(host, tpmWith(true));
    await call("quote", token, { kind: "none", message: "tpm2_quote answered 1" });
    expect(await measurementOf(host)).toMatchObject({
      ...{ state: "MeasuringFailed", problem: "the agent sent no quote: tpm2_quote answered 1" },
    });
    expect(await eventsOf(host)).toEqual([]);
  });

  it("without a log is measured, because its quote proves the values", async () => {
    const host = await addHost(fixture);
    expect((await measured(host, tpmWith(true), { log: null })).body).toMatchObject({ accepted: true });
    expect(await measurementOf(host)).toMatchObject({ measured: true, log: false });
  });

  it("is counted by its state", async () => {
    const counted = async (state: string) =>
      (await countMeasured(fixture.pool)).find((row) => row.state === state)?.hosts ?? 0;
    const before = await counted("MeasuringFailed");
    await measured(await addHost(fixture), tpmWith(true), { nonce: Buffer.alloc(32) });
    expect(await counted("MeasuringFailed")).toBe(before + 1);
    const unasked = await counted("notAsked");
    await addHost(fixture);
    expect(await counted("notAsked")).toBe(unasked + 1);
  });

  it("wakes its host", async () => {
    const host = await addHost(fixture);
    const run = async () =>
      (
        await fixture.query<{ wake_seq: bigint }>("SELECT wake_seq FROM host_run WHERE host_id = $1", [
          host.id,
        ])
      )[0]?.wake_seq;
    const tpm = tpmWith(true);
    const { token, quote } = await asked(host, tpm);
    const before = await run();
    await call("quote", token, quoteOf(tpm, quote));
    expect(Number(await run())).toBe(Number(before) + 1);
  });
});

describe("no quote counts", () => {
  it("of a boot that is contested meanwhile, or over", async () => {
    const tpm = tpmWith(true);
    const host = await addHost(fixture);
    const { token, quote } = await asked(host, tpm);
    await contest(host);
    expect((await call("quote", token, quoteOf(tpm, quote))).body).toMatchObject({ code: "attestationOver" });
    const other = await addHost(fixture);
    const older = await asked(other, tpm);
    await openWindow(fixture, other);
    expect((await call("quote", older.token, quoteOf(tpm, older.quote))).status).toBe(409);
    for (const one of [host, other])
      expect(await measurementOf(one)).toMatchObject({ state: "Discovered", measured: false });
  });
});
