// What a simulated host shows of its boots: quotes and logs that the real rules accept, the same ones for hosts that are the same, and each scripted fault.
import { describe, expect, it } from "vitest";
import { measuredPcrs } from "@/server/domain/attestation/limits";
import { coversInitrd } from "@/server/domain/attestation/measured/covers-initrd";
import { readEventLog, replayEvents, unexplained } from "@/server/domain/attestation/measured/event-log";
import { verifyQuote } from "@/server/domain/attestation/measured/verify-quote";
import { faultsBody, type measuredBootModes } from "@/server/simulator/faults";
import { blueprint } from "@/server/simulator/fleet/blueprint";
import { hardwareTime, instantSpeed } from "@/server/simulator/hardware-time";
import type { StartedImage } from "@/server/simulator/host/ipxe";
import { SimulatedHost } from "@/server/simulator/host/simulated-host";
import { simulatedTools } from "@/server/simulator/host/tools";
import type { Answer } from "@/agent/tools/tools";

const time = hardwareTime(instantSpeed);
const hostOf = (index: number) => new SimulatedHost(blueprint(index, 1), 1, time, () => Promise.resolve());
/** By the order of vendors in a fleet. */
const dell = () => hostOf(0);
const anotherDell = () => hostOf(2);
const lenovo = () => hostOf(1);

const image: StartedImage = {
  kernel: "http://images.test/7/vmlinuz",
  commandLine: "initrd=initrd.img reclaim.server=http://reclaim.test",
  initrd: "http://images.test/7/initrd.img",
};
const withDigest = (digest: string): StartedImage => ({
  ...image,
  commandLine: `${image.commandLine} reclaim.initrd_sha256=${digest.repeat(32)}`,
});

const { signal } = new AbortController();
function valueOf<Value>({ value, status }: Answer<Value>): Value {
  if (value === null) throw new Error(status);
  return value;
}

/** One boot of the host, and what its TPM and its kernel say of it. */
async function boot(host: SimulatedHost, nonce: string, started = image) {
  const { tpm } = simulatedTools(host, started, signal);
  const { attestationKey } = valueOf(await tpm.makeKeys("ecc"));
  const request = { nonce: Buffer.from(nonce), pcrs: measuredPcrs };
  const quote = valueOf(await tpm.quote(request.nonce, request.pcrs));
  const { value: eventLog } = await tpm.eventLog();
  const events = eventLog === null ? [] : readEventLog(eventLog);
  return {
    pcrs: quote.pcrs,
    events,
    replayed: replayEvents(events),
    verify: () => verifyQuote(attestationKey, request, { ...quote, eventLog }),
  };
}

/** Registers whose values differ. */
const differing = (
  one: Readonly<Record<string, string>>,
  other: Readonly<Record<string, string>>,
): readonly number[] => measuredPcrs.filter((pcr) => one[pcr] !== other[pcr]);

describe("a boot of a simulated host", () => {
  it("has a quote that is accepted, and a log that leads to all of its registers", async () => {
    for (const host of [dell(), lenovo(), hostOf(4)]) {
      const { pcrs, events, replayed, verify } = await boot(host, "nonce");
      expect(verify()).toMatchObject({ pcrs, restartCount: 0, safe: true });
      expect(differing(pcrs, replayed)).toEqual([]);
      expect(unexplained(events, pcrs)).toEqual([]);
      expect(coversInitrd(events, pcrs)).toBe(true);
      expect(Object.keys(pcrs)).toHaveLength(measuredPcrs.length);
    }
  });

  it("says to people what was started", async () => {
    const { events } = await boot(dell(), "nonce");
    expect(events.filter(({ pcr }) => pcr === 4).map(({ text }) => text)).toEqual([
      "Calling EFI Application from Boot Option",
      null,
      "ipxe.efi",
      "vmlinuz",
    ]);
  });

  it("measures the same in each boot, and on each host of the model", async () => {
    const host = dell();
    const { pcrs } = await boot(host, "first");
    expect((await boot(host, "second")).pcrs).toEqual(pcrs);
    expect((await boot(anotherDell(), "third")).pcrs).toEqual(pcrs);
    expect(differing((await boot(lenovo(), "fourth")).pcrs, pcrs)).toEqual([0, 1, 2, 7]);
  });

  it("counts resets, and its clock goes on", async () => {
    const host = dell();
    const first = (await boot(host, "first")).verify();
    host.lastResetAt = new Date(Date.parse(host.lastResetAt) + 75_000).toISOString();
    const second = (await boot(host, "second")).verify();
    expect(second.resetCount).toBeGreaterThan(first.resetCount);
    expect(BigInt(second.clock)).toBeGreaterThanOrEqual(BigInt(first.clock));
  });

  it.each<[string, readonly number[], (host: SimulatedHost) => void]>([
    [
      "a BIOS update",
      [0],
      ({ platform }) => (platform.firmware = { "/redfish/v1/UpdateService/FirmwareInventory/BIOS": "9.9" }),
    ],
    ["an update of something else", [], ({ platform }) => (platform.firmware = { "/x/BMC": "9.9" })],
    [
      "secure boot",
      [7],
      ({ platform }) => (platform.others = { "/x/SecureBoot": { SecureBootEnable: true } }),
    ],
    ["a deleted platform key", [7], ({ platform }) => (platform.secureBootMode = "SetupMode")],
    ["keys that were reset", [], ({ platform }) => (platform.secureBootMode = "UserMode")],
    [
      "a certificate of a tenant",
      [7],
      ({ platform }) =>
        (platform.others = { "/x/SecureBoot/SecureBootDatabases/db/Certificates/1": { Fingerprint: "t" } }),
    ],
  ])("shows %s in the registers %j", async (_what, registers, change) => {
    const [host, { pcrs }] = [dell(), await boot(dell(), "nonce")];
    change(host);
    expect(differing((await boot(host, "nonce")).pcrs, pcrs)).toEqual(registers);
  });

  it("shows another image", async () => {
    const { pcrs } = await boot(dell(), "nonce", withDigest("ab"));
    const other = await boot(dell(), "nonce", {
      ...withDigest("ab"),
      kernel: "http://images.test/8/vmlinuz",
    });
    expect(differing(other.pcrs, pcrs)).toEqual([4]);
    expect(differing((await boot(dell(), "nonce", withDigest("cd"))).pcrs, pcrs)).toEqual([9]);
  });
});

describe("a fault of a boot", () => {
  const withFault = (mode: (typeof measuredBootModes)[number]) => {
    const host = dell();
    host.script(faultsBody.parse({ measuredBoot: { mode } }));
    return host;
  };

  it.each([
    ["otherImage", 4],
    ["changedFirmware", 0],
  ] as const)("%s: another value, which the log leads to, in register %i", async (mode, register) => {
    const { pcrs } = await boot(dell(), "nonce");
    const faulty = await boot(withFault(mode), "nonce");
    faulty.verify();
    expect(differing(faulty.pcrs, pcrs)).toEqual([register]);
    expect(unexplained(faulty.events, faulty.pcrs)).toEqual([]);
  });

  it("forgedLog: the log tells of our kernel, and does not lead to register 4", async () => {
    const good = await boot(dell(), "nonce");
    const faulty = await boot(withFault("forgedLog"), "nonce");
    faulty.verify();
    expect(faulty.events).toEqual(good.events);
    expect(unexplained(faulty.events, faulty.pcrs)).toEqual([4]);
  });

  it("replaysQuote: the quote of an earlier boot, or one that was made before anybody asked", async () => {
    const host = dell();
    const { pcrs } = await boot(host, "earlier");
    host.script({ measuredBoot: { mode: "replaysQuote" } });
    for (const faulty of [await boot(host, "later"), await boot(withFault("replaysQuote"), "later")]) {
      expect(faulty.verify).toThrow(/another nonce/);
      expect(faulty.pcrs).toEqual(pcrs);
    }
  });

  it("noEventLog: no log", async () => {
    const faulty = await boot(withFault("noEventLog"), "nonce");
    faulty.verify();
    expect(faulty.events).toEqual([]);
  });

  it("silent: no quote", async () => {
    await expect(boot(withFault("silent"), "nonce")).rejects.toThrow(/Esys_Quote/);
  });

  it("shows at the host's next start, and is over at the next one after it was cleared", async () => {
    const host = dell();
    const { tpm } = simulatedTools(host, image, signal);
    host.script({ measuredBoot: { mode: "noEventLog" } });
    expect((await tpm.eventLog()).value).not.toBeNull();
    expect((await boot(host, "nonce")).events).toEqual([]);
    host.script({ measuredBoot: null });
    expect((await boot(host, "nonce")).events).not.toEqual([]);
  });
});
