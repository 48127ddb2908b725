// Verifying the whole log with the browser's file sources, by the same code as `reclaim audit verify`.
import { expect, it } from "vitest";
import { fromFolder, fromServer, ReadStopped } from "@/components/audit-log/verify/log-sources";
import { policyOfKeys } from "@/server/domain/audit-log/policy";
import { memoryLog, newSigner, testEntries } from "@/server/domain/audit-log/testing/memory-log";
import { verifyLog } from "@/server/domain/audit-log/verify-log";

const signer = newSigner();
const policy = policyOfKeys([signer.key]);
const log = memoryLog(testEntries(300), [signer]);
const lasting = new AbortController().signal;
const asked: string[] = [];
const serve =
  (files: ReadonlyMap<string, Uint8Array>): typeof fetch =>
  (input) => {
    const path = String(input);
    asked.push(path);
    const bytes = files.get(path.replace("/api/audit-log/", ""));
    return Promise.resolve(
      bytes === undefined ? new Response(null, { status: 404 }) : new Response(Uint8Array.from(bytes)),
    );
  };
const folderOf = (files: ReadonlyMap<string, Uint8Array>) =>
  [...files].map(([path, bytes]) => ({
    webkitRelativePath: `log/${path}`,
    arrayBuffer: () => Promise.resolve(Uint8Array.from(bytes).buffer),
  }));

it("reads the server's files, tells how far it is, and finds nothing in an honest log", async () => {
  const told: number[] = [];
  const verified = await verifyLog(fromServer(lasting, serve(log.files)), {
    policy,
    progress: (entries) => told.push(entries),
  });
  expect(verified).toMatchObject({ faults: [], size: 300, signer: { id: signer.key.id } });
  expect(told).toEqual([256, 300]);
  expect(asked).toContain("/api/audit-log/checkpoint");
});

it("names what is wrong in a folder", async () => {
  const files = new Map(log.files);
  const [path = "", bytes = new Uint8Array()] =
    [...files].find(([name]) => name.startsWith("tile/entries/")) ?? [];
  const changed = Buffer.from(bytes);
  changed.write("Eva", changed.indexOf("Ada"));
  files.set(path, changed);
  const { faults } = await verifyLog(fromFolder(folderOf(files), lasting), { policy });
  expect(faults[0]?.what).toContain("event 0");
  files.delete(path);
  expect((await verifyLog(fromFolder(folderOf(files), lasting), { policy })).faults).toContainEqual({
    what: path,
    why: "is missing",
  });
});

it("says that it stopped, and not that the log is wrong", async () => {
  const away: typeof fetch = () => Promise.reject(new TypeError("away"));
  const refused: typeof fetch = () => Promise.resolve(new Response(null, { status: 403 }));
  const ended = AbortSignal.abort();
  await expect(verifyLog(fromServer(lasting, away), { policy })).rejects.toThrow("does not answer");
  await expect(verifyLog(fromServer(lasting, refused), { policy })).rejects.toThrow("status 403");
  await expect(verifyLog(fromServer(ended, away), { policy })).rejects.toThrow("was stopped");
  await expect(verifyLog(fromFolder(folderOf(log.files), ended), { policy })).rejects.toThrow(ReadStopped);
});
