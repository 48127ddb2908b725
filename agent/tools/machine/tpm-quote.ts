// What a machine's TPM signs about its boot, and the firmware's log of it (docs/adr/0150-measured-boot.md).
import { given, refused } from "@/agent/tools/machine/program/answers";
import { programs } from "@/agent/tools/machine/program/paths";
import type { Files } from "@/agent/tools/machine/program/files";
import { afterAll, type TpmSession } from "@/agent/tools/machine/tpm-session";
import { maxEventLogBytes } from "@/server/domain/attestation/limits";
import type { Answer, TpmTools } from "@/agent/tools/tools";

const digestBytes = 32;

/** `tpm2_quote -F values`: the values of the registers one after another, in ascending order. Null: not one for each. Pure. */
export function readValues(bytes: Uint8Array, pcrs: readonly number[]): Record<string, string> | null {
  if (bytes.length !== pcrs.length * digestBytes) return null;
  const values = Buffer.from(bytes);
  return Object.fromEntries(
    pcrs
      .toSorted((a, b) => a - b)
      .map((pcr, place) => [
        String(pcr),
        values.subarray(place * digestBytes, (place + 1) * digestBytes).toString("hex"),
      ]),
  );
}

const security = "/sys/kernel/security";
const logFolder = `${security}/tpm0`;
const log = "binary_bios_measurements";

/** No folder: the kernel found no log. A log that cannot be read is not taken for none, and neither is a file system that is not mounted. */
async function readEventLog(files: Files): Promise<Answer<Uint8Array | null>> {
  const command = `read ${logFolder}/${log}`;
  const mounted = await files.list(security);
  if (mounted === null || mounted.length === 0) return refused(command, `${security} is not mounted`);
  if (!mounted.includes("tpm0")) return given(command, null);
  const names = await files.list(logFolder);
  if (names !== null && !names.includes(log)) return given(command, null);
  const bytes = await files.read(`${logFolder}/${log}`);
  if (bytes === null) return refused(command, `${logFolder}/${log} cannot be read`);
  return bytes.length > maxEventLogBytes
    ? refused(
        command,
        `the event log has ${bytes.length} bytes, and at most ${maxEventLogBytes} are accepted`,
      )
    : given(command, bytes);
}

export const quoteTools = ({ files, at, tpm }: TpmSession): Pick<TpmTools, "eventLog" | "quote"> => ({
  quote: (nonce, pcrs) => {
    const what = ["-c", at("ak.ctx"), "-l", `sha256:${pcrs.join(",")}`, "-g", "sha256"];
    const fresh = ["-q", Buffer.from(nonce).toString("hex")];
    const output = ["-m", at("quote"), "-s", at("quote.sig"), "-o", at("quote.pcrs"), "-F", "values"];
    return afterAll([() => tpm(programs.tpm2Quote, ...what, ...fresh, ...output)], async () => {
      const message = await files.read(at("quote"));
      const signature = await files.read(at("quote.sig"));
      const values = await files.read(at("quote.pcrs"));
      const read = values === null ? null : readValues(values, pcrs);
      return message === null || signature === null || read === null
        ? null
        : { message, signature, pcrs: read };
    });
  },
  eventLog: () => readEventLog(files),
});
