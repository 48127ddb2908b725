// Policies are parsed as C2SP tlog-policy defines them, and a proof without the quorum is rejected.
import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { checkProof } from "@/server/domain/audit-log/check-proof";
import { parseCheckpoint } from "@/server/domain/audit-log/checkpoint";
import { GrowingTree, leafHash } from "@/server/domain/audit-log/merkle";
import { formatKey, signatureLine, verifierKey } from "@/server/domain/audit-log/note";
import { askedWitnesses, parsePolicy, policyOfKeys } from "@/server/domain/audit-log/policy";
import type { Policy } from "@/server/domain/audit-log/policy";
import { inclusionRanges, proofHashes } from "@/server/domain/audit-log/proofs";
import { cosign, signCheckpoint } from "@/server/domain/audit-log/signing";
import type { LogSigner } from "@/server/domain/audit-log/signing";
import { newSigner, testEntries, testOrigin } from "@/server/domain/audit-log/testing/memory-log";
import { formatProof } from "@/server/domain/audit-log/tlog-proof";

const log = newSigner();
const witnesses = ["X1", "X2", "X3", "Y1"].map((name): LogSigner => {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  return { key: verifierKey(`${name}.test/w`, "cosignEd25519", publicKey), secret: privateKey };
});
const keyOf = (name: string): string => {
  const found = witnesses.find(({ key }) => key.name === `${name}.test/w`);
  return found === undefined ? "" : formatKey(found.key);
};
const lines = (...more: readonly string[]): string =>
  [
    "# Who watches the log",
    "",
    `log ${formatKey(log.key)}`,
    `witness X1 ${keyOf("X1")} https://x.test/one/`,
    ` \twitness X2 ${keyOf("X2")}  https://x.test/one`,
    `witness X3 ${keyOf("X3")}`,
    `witness Y1 ${keyOf("Y1")} http://y.test`,
    ...more,
    "",
  ].join("\n");
const policyOf = (...more: readonly string[]): Policy => {
  const parsed = parsePolicy(lines(...more));
  if (!parsed.ok) throw new Error(parsed.why);
  return parsed.policy;
};
const nested = ["group X 2 X1 X2 X3", "group Y any Y1", "group both all X Y", "quorum both"];

it("a policy names the witnesses that are asked, by address", () =>
  expect(askedWitnesses(policyOf(...nested))).toEqual([
    { url: "https://x.test/one", keys: [witnesses[0]?.key, witnesses[1]?.key] },
    { url: "http://y.test", keys: [witnesses[3]?.key] },
  ]));

it.each([
  ["no quorum", [], /no quorum line/],
  ["a second quorum", ["quorum none", "quorum X1"], /^line 9: is a second quorum/],
  ["an unknown quorum", ["quorum Z"], /Z is not defined above/],
  ["an unknown word", ["watch X1", "quorum none"], /watch is not log/],
  ["a name again", ["group X1 any X2", "quorum none"], /uses the name X1 again/],
  ["a key of a witness again", [`witness Z ${keyOf("X1")}`, "quorum none"], /key of a witness again/],
  ["a key of a log again", [`log ${formatKey(log.key)}`, "quorum none"], /key of a log again/],
  ["the key of a log as a witness", [`witness Z ${formatKey(log.key)}`, "quorum none"], /must be: witness/],
  ["the key of a witness as a log", [`log ${keyOf("X1")}`, "quorum none"], /must be: log/],
  ["a group named none", ["group none any X1", "quorum none"], /uses the name none/],
  ["none as a member", ["group G any none", "quorum none"], /none is not defined above/],
  ["too high a threshold", ["group G 3 X1 X2", "quorum G"], /must be: group/],
  ["a threshold of 0", ["group G 0 X1 X2", "quorum G"], /must be: group/],
  ["a group of nobody", ["group G any", "quorum G"], /must be: group/],
  ["a member of two groups", ["group G any X1", "group H any X1", "quorum G"], /already a member/],
  ["a member twice", ["group G any X1 X1", "quorum G"], /already a member/],
  ["a group of later members", ["group G any H", "group H any X1", "quorum G"], /H is not defined above/],
  ["no address", [`witness Z ${keyOf("X1").replace("X1", "Z")} x`, "quorum none"], /./],
  ["a control character", ["quorum none\r"], /control character/],
] as const)("with %s there is no policy", (_what, more, why) =>
  expect(parsePolicy(lines(...more))).toEqual({ ok: false, why: expect.stringMatching(why) as unknown }),
);

describe("a proof", () => {
  const entries = testEntries(7);
  const hashes = entries.map((entry) => leafHash(entry));
  const treeOf = (leaves: readonly Uint8Array[]): GrowingTree => {
    const tree = new GrowingTree();
    for (const leaf of leaves) tree.append(leaf);
    return tree;
  };
  const note = signCheckpoint(testOrigin, { size: 7, root: treeOf(hashes).root() }, [log]);
  const path = proofHashes(inclusionRanges(3, 7), ({ height, position }) =>
    treeOf(hashes.slice(position * 2 ** height, (position + 1) * 2 ** height)).root(),
  );
  const checkpoint = parseCheckpoint(note);
  const cosigned = (...names: readonly string[]): string =>
    witnesses
      .filter(({ key }) => names.some((name) => key.name.startsWith(name)))
      .map((one) => (checkpoint === null ? "" : signatureLine(cosign(checkpoint, one, new Date(5_000)))))
      .join("");
  const check = (policy: Policy, more = "", entry = entries[3] ?? Buffer.of(), index = 3) =>
    checkProof(entry, formatProof(index, path, `${note}${more}`), policy);

  it("shows its event, who signed, and who watched", async () =>
    expect(await check(policyOf(...nested), cosigned("X1", "X3", "Y1"))).toEqual({
      faults: [],
      index: 3,
      size: 7,
      origin: testOrigin,
      signer: log.key,
      witnesses: ["X1", "X3", "Y1"],
    }));
  it("of a signer that nobody vouches for says so", async () =>
    expect(await check(policyOfKeys([]))).toMatchObject({ faults: [], signer: null }));

  const many = policyOf(...nested);
  it.each([
    ["too few of a group", check(many, cosigned("X1", "Y1")), /fewer witnesses/],
    ["nobody of a group", check(many, cosigned("X1", "X2", "X3")), /fewer witnesses/],
    ["one signature twice", check(many, cosigned("X1", "Y1") + cosigned("X1")), /fewer witnesses/],
    ["no witness", check(policyOf("quorum X2"), cosigned("X1")), /fewer witnesses/],
    ["a forged cosignature", check(policyOf("quorum none"), forge(cosigned("X1"))), /X1 does not verify/],
    ["another event", check(many, cosigned("X", "Y"), entries[4]), /not the proof of this event/],
    ["another number", check(many, cosigned("X", "Y"), entries[3], 4), /not the proof of this event/],
    ["another key", check(policyOfKeys([newSigner().key])), /none of the trusted keys/],
    ["no form", checkProof(Buffer.of(), "x", many), /not a proof/],
  ])("with %s proves nothing", async (_what, checked, why) =>
    expect((await checked).faults).toContainEqual(expect.stringMatching(why)),
  );

  /** Changes its time by a second. */
  function forge(line: string): string {
    const [, name = "", encoded = ""] = /^— (\S+) (\S+)\n$/u.exec(line) ?? [];
    const bytes = Buffer.from(encoded, "base64");
    bytes[11] = (bytes[11] ?? 0) ^ 1;
    return `— ${name} ${bytes.toString("base64")}\n`;
  }
});
