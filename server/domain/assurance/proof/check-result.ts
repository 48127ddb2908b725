// What a check of a file found, in words and as one of four verdicts: for `reclaim verify` and the console. Pure.
import { standingText } from "@/server/domain/assurance/standing";
import type { Standing } from "@/server/domain/assurance/standing";
import { typeText } from "@/server/domain/assurance/certificates/type-text";
import type { VerifiedCertificate } from "@/server/domain/assurance/certificates/verify";
import { tallyOf } from "@/server/domain/assurance/proof/pack/layout";
import type { VerifiedPack } from "@/server/domain/assurance/proof/pack/verify-pack";
import { tallyText } from "@/server/domain/assurance/proof/tally-text";

export const verdicts = ["holds", "notPlain", "unknownSigner", "tampered"] as const;
export type Verdict = (typeof verdicts)[number];

/** With which `reclaim verify` ends. */
export const verdictExit = {
  holds: 0,
  tampered: 9,
  unknownSigner: 10,
  notPlain: 11,
} as const satisfies Record<Verdict, number>;

export interface CheckResult {
  readonly verdict: Verdict;
  /** The verdict in one sentence. */
  readonly says: string;
  /** What the file states, the most important first, and who signed it. */
  readonly lines: readonly string[];
  readonly faults: readonly { readonly what: string; readonly why: string }[];
}

const noSigner = "It is consistent. Who signed it is not known.";

const tampered = (faults: CheckResult["faults"]): CheckResult => ({
  verdict: "tampered",
  says: `It does not verify: ${[...new Set(faults.map(({ what }) => what))].slice(0, 5).join(", ")}.`,
  lines: [],
  faults,
});

/** Of a certificate or receipt. */
export function certificateResult(verified: VerifiedCertificate): CheckResult {
  const { faults, statement, type, signer, index, size, witnesses, digest } = verified;
  if (faults.length > 0 || statement === null || type === null) return tampered(faults);
  const { predicate } = statement;
  const serial = "host" in predicate ? predicate.host.serial : predicate.machine.serial;
  const ended = "host" in predicate ? predicate.reclamation.endedAt : predicate.endedAt;
  const lines = [
    typeText[type],
    `Host ${serial}, ended ${ended ?? "?"}, SHA-256 ${digest ?? ""}.`,
    ...predicate.devices.map(
      (device) =>
        `Drive ${device.serial} (${device.model}): ${device.result}${device.technique === null ? "" : `, ${device.technique} (${device.method ?? "no level"})`}.`,
    ),
    `Event ${index} of a log of ${size} events.`,
    ...witnesses.map((name) => `Cosigned by ${name}.`),
    ...predicate.limits.map((limit) => `Not proven: ${limit}`),
  ];
  if (signer === null) return { verdict: "unknownSigner", says: noSigner, lines, faults };
  return {
    verdict: type === "certificate" || type === "receipt" ? "holds" : "notPlain",
    says: typeText[type],
    lines: [...lines, `Signed by ${signer.name}, key ${signer.id}.`],
    faults,
  };
}

/** Not plainly proven, in the order and words of the tally: "5 with exceptions, 1 not sanitized". */
const others: readonly (readonly [Standing, string])[] = [
  ["provenWithExceptions", "with exceptions"],
  ["notSanitized", standingText.notSanitized.toLowerCase()],
  ["notProven", standingText.notProven.toLowerCase()],
  ["notChecked", standingText.notChecked.toLowerCase()],
];

/** "214 of 214 hold; 5 with exceptions, 1 not sanitized". */
export function heldText({ held, certificates }: Pick<VerifiedPack, "held" | "certificates">): string {
  const holding = Object.values(held).reduce((sum, count) => sum + count, 0);
  const parts = others.flatMap(([standing, words]) =>
    held[standing] === 0 ? [] : `${held[standing]} ${words}`,
  );
  return `${holding} of ${certificates} hold${parts.length === 0 ? "" : `; ${parts.join(", ")}`}`;
}

export function packResult(verified: VerifiedPack): CheckResult {
  const { faults, index, held, madeBy, madeAt, size, signer } = verified;
  if (faults.length > 0 || index === null) return { ...tampered(faults), lines: [`${heldText(verified)}.`] };
  const tally = tallyOf(index.returns);
  const lines = [
    `${heldText(verified)}.`,
    `${index.selection}: ${tallyText(tally)}.`,
    ...index.returns
      .filter(({ certificate }) => certificate === null)
      .map(
        (row) =>
          `No signed file: ${row.instance ?? row.reclamation ?? row.id}, host ${row.host ?? row.serial ?? row.hostId}, returned ${row.returnedAt}: ${standingText[row.standing].toLowerCase()}.`,
      ),
    `Made by ${madeBy ?? "nobody named"} at ${madeAt ?? "?"}. One checkpoint of ${size} events covers all.`,
  ];
  if (signer === null) return { verdict: "unknownSigner", says: noSigner, lines, faults };
  const plain = held.proven === tally.returns;
  return {
    verdict: plain ? "holds" : "notPlain",
    says: plain
      ? `All of it is proven: ${tallyText(tally)}.`
      : `Not all of it is plainly proven: ${tallyText(tally)}.`,
    lines: [...lines, `Signed by ${signer.name}, key ${signer.id}.`],
    faults,
  };
}
