// `reclaim attestation`: the identity of a host's TPM, how its boot was measured, and a new key that a person accepts (docs/attestation.md).
import { contract } from "@/server/contract/contract";
import { command, show } from "@/cli/define/command";
import { measurementParts } from "@/cli/commands/hosts/measured-boot";
import { host, needed, opt } from "@/cli/define/values";
import type { Part, Printer } from "@/cli/output/printer";
import { acceptanceText, certificateText, makeText, tpmStateText } from "@/server/domain/attestation/text";
import type { HostAttestationView } from "@/server/surfaces/trpc/types";
import { confirm } from "@/cli/shell";

function sections(
  { mode, state, cause, words, key, accepted, toldAt, bootEpoch, measurement }: HostAttestationView,
  printer: Printer,
): readonly Part[] {
  return [
    {
      facts: [
        ["attestation", mode],
        ["TPM", { text: tpmStateText[state], tone: state === "changed" ? "failed" : null }],
        ["cause", cause],
        ["because", words],
        ["told", toldAt === null ? null : `${printer.time(toldAt)}, boot ${bootEpoch ?? 0}`],
        ["key", key?.digest ?? null],
        ["proven", key === null || key.activatedAt === null ? null : printer.time(key.activatedAt)],
        ["certificate", key === null ? null : certificateText(key.certificate)],
        ["made as", key === null ? null : makeText(key.certificate)],
        ["host's key", accepted === null ? null : accepted.digest],
        [
          "accepted",
          accepted === null
            ? null
            : `${acceptanceText[accepted.as]}${accepted.by === null ? "" : ` (${accepted.by})`}, ${printer.time(accepted.at)}, boot ${accepted.bootEpoch}`,
        ],
        [
          "last proven",
          accepted === null || accepted.provenAt === null
            ? null
            : `${printer.time(accepted.provenAt)}, boot ${accepted.provenEpoch ?? 0}`,
        ],
      ],
    },
    ...measurementParts(measurement, printer),
  ];
}

export const attestation = [
  show("attestation show", {
    of: "attestation.ofHost",
    args: { host },
    input: ({ host: { id } }) => ({ hostId: id }),
    parts: sections,
  }),
  command("attestation accept-key", {
    title: contract.attestation.acceptKey.title,
    uses: ["attestation.ofHost", "attestation.acceptKey"],
    args: { host },
    options: { reason: needed(opt("<text>", "why, for example an RMA number")) },
    run: async (shell, { host: { id: hostId, name }, reason }) => {
      const { client, printer } = shell;
      const { key, accepted, state } = await client.attestation.ofHost.query({ hostId });
      const digest = key?.digest ?? "0".repeat(64);
      // In any other state the server says why not, or that nothing is to be done.
      if (state === "changed")
        await confirm(
          shell,
          [`new key: ${digest}`, `the host's key until now: ${accepted?.digest ?? "none"}`],
          `Accept the new endorsement key of ${name}?`,
        );
      await client.attestation.acceptKey.mutate({ hostId, digest, reason });
      printer.say(`${name}: ${digest} counts as its key`);
    },
  }),
];
