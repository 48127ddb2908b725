// Matches serial numbers scanned at the machines to the selected hosts.
import { isSerial } from "@/server/domain/assurance/procedures/record";

export interface ChosenHost {
  readonly id: string;
  readonly name: string;
  readonly serial: string | null;
}

export interface Scanned {
  /** Each with the serial number as scanned. */
  readonly found: readonly (ChosenHost & { readonly read: string })[];
  readonly missing: readonly ChosenHost[];
  /** Serial numbers that match none of the hosts. */
  readonly unknown: readonly string[];
}

/** One serial number per line, as scanners send them. Pure. */
export function scannedHosts(hosts: readonly ChosenHost[], text: string): Scanned {
  const lines = text
    .split(/[\s,;]+/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const readOf = ({ serial }: ChosenHost) => lines.find((line) => isSerial(line, serial));
  return {
    found: hosts.flatMap((host) => {
      const read = readOf(host);
      return read === undefined ? [] : [{ ...host, read }];
    }),
    missing: hosts.filter((host) => readOf(host) === undefined),
    unknown: lines.filter((line) => !hosts.some(({ serial }) => isSerial(line, serial))),
  };
}
