// What a boot measured, for tests: events in the form of the firmware's log, and the values that they lead to.
import { createHash } from "node:crypto";
import type { PcrValues } from "@/server/domain/attestation/measurement";
import { le32 } from "@/server/simulator/host/tpm/bytes";
import { registersOf } from "@/server/simulator/host/tpm/event-log";
import type { BootEvent } from "@/server/simulator/host/tpm/event-log";

const digestOf = (text: string) => createHash("sha256").update(text).digest();
const tagged = (name: string): Buffer => {
  const text = Buffer.from(`${name}\0`, "latin1");
  return Buffer.concat([le32(0x8f3b22ec, text.length), text]);
};
/** What was measured, in the form of the firmware's log. `initrd`: as the kernel's stub calls it. */
export const eventsOf = (text: string, initrd = "Linux initrd"): readonly BootEvent[] => [
  ...[0, 4, 7].map((register) => ({
    register,
    type: 8,
    data: Buffer.from("x"),
    digest: digestOf(text + register),
  })),
  {
    register: 9,
    type: 6,
    data: tagged("LOADED_IMAGE::LoadOptions"),
    digest: digestOf(`${text} command line`),
  },
  { register: 9, type: 6, data: tagged(initrd), digest: digestOf(`${text} initrd`) },
];
export const measuredOf = (events: readonly BootEvent[]): PcrValues => {
  const registers = registersOf(events);
  return Object.fromEntries([0, 4, 7, 9].map((pcr) => [String(pcr), registers[pcr]?.toString("hex") ?? ""]));
};
