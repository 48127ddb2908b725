// Boots that say something of their initrd and boots that do not, recorded with two versions of iPXE's way to hand it over.
import { expect, it } from "vitest";
import { coversInitrd } from "@/server/domain/attestation/measured/covers-initrd";
import { readEventLog, replayEvents, unexplained } from "@/server/domain/attestation/measured/event-log";
import ipxe from "@/server/domain/attestation/measured/testing/ipxe-2019.json";
import ovmf from "@/server/domain/attestation/measured/testing/ovmf.json";

const eventsOf = ({ eventLog }: typeof ovmf) => readEventLog(Buffer.from(eventLog, "base64"));

it("an initrd that was handed over by LoadFile2 is in register 9", () => {
  expect(coversInitrd(eventsOf(ovmf), ovmf.pcrs)).toBe(true);
});

it("one that iPXE of 2019 handed over is in no register, although the log leads to all of them", () => {
  const events = eventsOf(ipxe);
  expect(unexplained(events, ipxe.pcrs)).toEqual([]);
  expect(events.filter(({ pcr }) => pcr === 9).map(({ text }) => text)).toEqual([
    "LOADED_IMAGE::LoadOptions",
  ]);
  expect(coversInitrd(events, ipxe.pcrs)).toBe(false);
});

it("a log that names it proves nothing, unless it leads to register 9", () => {
  const named = eventsOf(ovmf).find(({ text }) => text === "Linux initrd");
  if (named === undefined) throw new Error("not recorded");
  expect(coversInitrd([...eventsOf(ipxe), named], ipxe.pcrs)).toBe(false);
  expect(coversInitrd(eventsOf(ovmf), { ...ovmf.pcrs, 9: "0".repeat(64) })).toBe(false);
  expect(coversInitrd(eventsOf(ovmf), { 4: ovmf.pcrs[4] })).toBe(false);
  expect(coversInitrd([], {})).toBe(false);
});

it("proves nothing of a command line that was not measured", () => {
  const events = eventsOf(ovmf).filter(({ text }) => text !== "LOADED_IMAGE::LoadOptions");
  const { "9": value } = replayEvents(events);
  expect(coversInitrd(events, { ...ovmf.pcrs, 9: value ?? "" })).toBe(false);
});

it.each([{ pcr: 8 }, { type: "EV_IPL" }, { text: "another" }])("no other event counts (%o)", (change) => {
  const events = eventsOf(ovmf).map((each) => (each.text === "Linux initrd" ? { ...each, ...change } : each));
  expect(coversInitrd(events, ovmf.pcrs)).toBe(false);
});
