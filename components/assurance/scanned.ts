// Which of the chosen hosts the serial numbers belong to that were read at the machines.
import { isSerial } from "@/server/domain/procedures/record";

export interface ChosenHost {
  readonly id: string;
  readonly name: string;
  readonly serial: string | null;
}

export interface Scanned {
  /** With the number as it was read. */
  readonly found: readonly (ChosenHost & { readonly read: string })[];
  readonly missing: readonly ChosenHost[];
  /** Of none of them. */
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
