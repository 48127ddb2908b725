// `reclaim verify` in this process, with files only: its output and exit codes.
import { writeFileSync } from "node:fs";
import { Socket } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { createCommand } from "@/cli/testing/command";
import type { TestCommand } from "@/cli/testing/command";
import { certificatePdf } from "@/server/domain/assurance/certificates/pdf/certificate-pdf";
import { buildReceipt } from "@/server/domain/assurance/certificates/receipt";
import { sampleBundle } from "@/server/domain/assurance/certificates/testing/sample-bundle";
import { createTimeStampAuthority } from "@/server/jobs/testing/time-stamp-authority";

let command: TestCommand;
beforeAll(() => {
  command = createCommand();
});
afterAll(() => command.remove());

const file = (name: string, text: string | Uint8Array): string => {
  const path = join(command.folder, name);
  writeFileSync(path, text);
  return path;
};

it("says what a certificate proves, and who signed it", async () => {
  const { bundle, key } = sampleBundle();
  const ended = await command.run(["verify", file("good.json", bundle), "--key", key]);
  expect({ ...ended, stdout: `${ended.stdout}${ended.stderr}` }).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(
      /Host 7XKQ2D3[^]*Drive D1 \(PM9A3\): sanitized, nvme-sanitize-crypto \(purge\)[^]*Not proven[^]*Signed by reclaim.test\/audit-log/,
    ),
  });
});

it.each([
  ["of a demo site", { demo: true }],
  ["of non-conformance", { outcome: "abandoned" }],
])("ends in its own way for one %s", async (_what, kind) => {
  const { bundle, key } = sampleBundle(kind);
  expect(await command.run(["verify", file("other.json", bundle), "--key", key])).toMatchObject({ code: 11 });
});

it("ends in the same way for the receipt of a demo", async () => {
  const { bundle, key } = sampleBundle({
    demo: true,
    change: (said) =>
      buildReceipt(said, { id: said.predicate.certificate.id, sha256: "0".repeat(64) }) ?? said,
  });
  const ended = await command.run(["verify", file("demo-receipt.json", bundle), "--key", key]);
  expect({ ...ended, stdout: `${ended.stdout}${ended.stderr}` }).toMatchObject({
    code: 11,
    stdout: expect.stringContaining("demo site"),
  });
});

it("never ends well without a key that one trusts, nor with another's", async () => {
  const [{ bundle }, other] = [sampleBundle(), sampleBundle()];
  const path = file("unknown.json", bundle);
  expect(await command.run(["verify", path])).toMatchObject({ code: 10 });
  const ended = await command.run(["verify", path, "--key", other.key]);
  expect({ ...ended, stdout: `${ended.stdout}${ended.stderr}` }).toMatchObject({
    code: 9,
    stdout: expect.stringContaining("none of the keys that you trust"),
  });
});

it("trusts the keys that were added", async () => {
  const { bundle, key, checkpoint } = sampleBundle();
  expect(await command.run(["trust", "add", key])).toMatchObject({ code: 0 });
  expect((await command.run(["trust", "list", "-o", "json"])).stdout).toContain(key);
  const path = file("trusted.json", bundle);
  expect(await command.run(["verify", path])).toMatchObject({ code: 0 });
  const kept = file("kept", checkpoint);
  expect(await command.run(["verify", path, "--checkpoint", kept])).toMatchObject({ code: 0 });
  const forked = file("forked", sampleBundle().checkpoint);
  expect(await command.run(["verify", path, "--checkpoint", forked])).toMatchObject({ code: 9 });
});

it("checks a PDF by the bundle in it, and says when its pages are others", async () => {
  const { bundle, key } = sampleBundle();
  const pdf = (await certificatePdf(bundle, "https://reclaim.test/reclamations/1")) ?? new Uint8Array();
  const good = await command.run(["verify", file("good.pdf", pdf), "--key", key]);
  expect({ ...good, stdout: `${good.stdout}${good.stderr}` }).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/leads to https:\/\/reclaim.test\/reclamations\/1[^]*Signed by/),
  });
  const changed = await command.run(["verify", file("bad.pdf", Buffer.concat([pdf, pdf])), "--key", key]);
  expect({ ...changed, stdout: `${changed.stdout}${changed.stderr}` }).toMatchObject({
    code: 9,
    stdout: expect.stringContaining("not those that its bundle makes"),
  });
});

it("needs no network: no connection is opened, for a bundle or for a PDF", async () => {
  const connect = vi.spyOn(Socket.prototype, "connect").mockImplementation(() => {
    throw new Error("the network is off");
  });
  const { bundle, key } = sampleBundle();
  const pdf = (await certificatePdf(bundle, "https://reclaim.test/reclamations/1")) ?? new Uint8Array();
  for (const path of [file("offline.json", bundle), file("offline.pdf", pdf)])
    expect(await command.run(["verify", path, "--key", key])).toMatchObject({ code: 0 });
  expect(connect).not.toHaveBeenCalled();
  connect.mockRestore();
});

it("checks a PDF with a time stamp in it, which openssl checks too", async () => {
  const authority = createTimeStampAuthority();
  const { bundle, key } = sampleBundle();
  const signature = Buffer.from(JSON.parse(bundle).envelope.signatures[0].sig, "base64");
  const timestamp = Buffer.from(authority.stamp(signature)).toString("base64");
  const stamped = JSON.stringify({ ...JSON.parse(bundle), timestamp });
  const pdf = (await certificatePdf(stamped, "https://reclaim.test/reclamations/1")) ?? expect.fail("no PDF");
  expect(await command.run(["verify", file("stamped.pdf", pdf), "--key", key])).toMatchObject({ code: 0 });
  const text = Buffer.from(pdf).toString("utf8");
  const inside = /stream\n(\{"mediaType":.*\})\nendstream/.exec(text)?.[1] ?? "";
  expect(inside).toBe(stamped);
  const stamp = Buffer.from(JSON.parse(inside).timestamp, "base64");
  expect(authority.verifies(stamp, signature)).toBe(true);
  expect(authority.verifies(stamp, signature.subarray(1))).toBe(false);
  authority.remove();
  const raw = Buffer.from(pdf).toString("latin1");
  const changed = raw.replace(timestamp, `A${timestamp.slice(1)}`);
  expect(changed === raw).toBe(false);
  const other = await command.run([
    "verify",
    file("other-stamp.pdf", Buffer.from(changed, "latin1")),
    "--key",
    key,
  ]);
  expect({ ...other, stdout: `${other.stdout}${other.stderr}` }).toMatchObject({
    code: 9,
    stdout: expect.stringContaining("not those that its bundle makes"),
  });
});
