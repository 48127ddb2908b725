// Which files a pack has, in which order, and what is said in its README (docs/assurance/proof.md#pack).
import { standings } from "@/server/domain/assurance/standing";
import type { Standing } from "@/server/domain/assurance/standing";
import type { IndexReturn, PackIndex } from "@/server/domain/assurance/proof/pack/index-form";
import { tallyText } from "@/server/domain/assurance/proof/tally-text";
import { headerOf } from "@/server/domain/assurance/proof/pack/tar";
import type { TallyCounts } from "@/server/domain/assurance/proof/tally-text";

export const packMediaType = "application/x-tar";

export const packFiles = {
  readme: "README.txt",
  index: "index.json",
  csv: "index.csv",
  made: "made.json",
  keys: "keys.txt",
  checkpoint: "checkpoint.txt",
} as const;

/** The name of its first file, with which no certificate and no PDF begins. */
const beginning = Buffer.from(headerOf(packFiles.readme, 0)).subarray(0, packFiles.readme.length + 1);

/** Whether a file begins like a pack. Pure. */
export const isPack = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.subarray(0, beginning.length)).equals(beginning);

const megabyte = 1024 * 1024;

/** The largest index of the most returns, and the largest certificate that can be read. */
const largest: Readonly<Record<string, number>> = {
  [packFiles.readme]: megabyte,
  [packFiles.index]: 64 * megabyte,
  [packFiles.csv]: 64 * megabyte,
  [packFiles.made]: megabyte,
  [packFiles.keys]: megabyte,
  [packFiles.checkpoint]: megabyte,
};

/** 0: no pack has such a file. Pure. */
export function maxBytesOf(name: string): number {
  if (Object.hasOwn(largest, name)) return largest[name] ?? 0;
  return /^certificates\/C-\d{1,15}\.(json|pdf)$/.test(name) ? 16 * megabyte : 0;
}

export const certificateFile = (number: string, form: "json" | "pdf"): string =>
  `certificates/${number}.${form}`;

/** The files of one return, in order. Pure. */
export const filesOf = ({ certificate }: IndexReturn, pdf: boolean): readonly string[] =>
  certificate === null
    ? []
    : [
        certificateFile(certificate.number, "json"),
        ...(pdf ? [certificateFile(certificate.number, "pdf")] : []),
      ];

/** Pure. */
export function tallyOf(returns: readonly { readonly standing: Standing }[]): TallyCounts {
  const count = (standing: Standing) => returns.filter((row) => row.standing === standing).length;
  const [proven, some, not, unproven, unchecked] = standings.map(count);
  return {
    returns: returns.length,
    ...{ proven: proven ?? 0, provenWithExceptions: some ?? 0, notSanitized: not ?? 0 },
    ...{ notProven: unproven ?? 0, notChecked: unchecked ?? 0 },
  };
}

/** In plain English, from the index alone. Pure. */
export function readmeText(index: PackIndex): string {
  const certified = index.returns.filter(({ certificate }) => certificate !== null).length;
  return `Proof of sanitization

What this is
  ${index.selection}
  ${tallyText(tallyOf(index.returns))}.
  ${certified} of them have a signed file here. Selected on ${index.selectedAt} from the log ${index.log}.

Files
  ${packFiles.index}, ${packFiles.csv}
      All returns that were selected, the oldest first, also those that are not proven. The same list, for programs and for spreadsheets.
  certificates/C-<number>.json${index.pdf ? " and .pdf" : ""}
      One signed statement each. The number is that of its entry in the log.
  ${packFiles.made}
      The entry of the log that says who made this pack and when, and which index it has.
  ${packFiles.checkpoint}
      The signed state of the log. It covers every certificate here and the entry in ${packFiles.made}.
  ${packFiles.keys}
      Public keys of the log, with the days on which each was in use. Do not trust them because they are here: compare them with
      those that the provider gave you over another channel.

How to check all of it, without an account and without a network
  reclaim verify FILE --key <key>
  FILE is this archive as you received it, and <key> a line of keys.txt that you have compared.

  Exit code 0: every file holds, and every return is proven.
  Exit code 11: every file holds, and not every return is plainly proven: with exceptions, not sanitized, not proven or not checked.
  Exit code 10: it is consistent, but you named no key that you trust.
  Exit code 9: something was changed, is missing, or was added.
`;
}
