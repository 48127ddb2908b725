// How a try is described: completed, refused with a code that the table knows, or ended without a reason.
import { expect, it } from "vitest";
import { result, tries } from "@/server/domain/cleaning/sanitization/testing/device-results";
import { tryLines, formatVerification } from "@/server/usecases/reclamations/device-tries";

const lineOf = (changes: Parameters<typeof tries>[1]) =>
  tryLines(2, result("S", { tries: tries("nvme-sanitize-block", changes) }))[0];

it("names the code by its standard and what it means", () =>
  expect(lineOf({ completed: false, exitCode: 1, code: { bus: "nvme", sct: 0, sc: 2 } })).toMatchObject({
    attempt: 2,
    code: expect.stringMatching(/02h.*: \S/),
    refused: expect.stringMatching(/\S/),
  }));
it("says what is known of one without a code", () => {
  expect(lineOf({ completed: false, exitCode: 5 })).toMatchObject({
    code: null,
    refused: "the command ended with exit code 5",
  });
  expect(lineOf({ completed: false, exitCode: 0 })?.refused).toMatch(/did not report completion/);
});
it("refuses nothing that completed", () => expect(lineOf({})).toMatchObject({ code: null, refused: null }));
it("says of a verification where it was read", () => {
  const read = result("S").verification;
  expect(formatVerification(read)).not.toContain("media");
  const probe = { areas: "1/9/512", written: "Bw", read: "Bw", found: "Ag", renewed: false };
  expect(formatVerification(read, probe)).toMatch(/, 1 of 3 canaries left$/);
  expect(formatVerification(read, { ...probe, written: "" })).toMatch(/, no canary written$/);
  expect(formatVerification(read && { ...read, kind: "media-verification" })).toMatch(
    /, media verification$/,
  );
});
