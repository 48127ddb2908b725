// `reclaim attestation …` in the form of NICo's command, for programs that read it: NVIDIA's acceptance suite does (docs/api.md#nvidias-acceptance-suite).
import { z } from "zod";
import { contract } from "@/server/contract/contract";
import { command, derived } from "@/cli/define/command";
import { measurementStates } from "@/server/domain/attestation/measurement";

/** NICo's name for a row of measured boot. */
const machine = z.object({ machine_id: z.string(), state: z.enum(measurementStates) });

export const nicoAttestation = [
  derived("attestation measured-boot machine show", {
    of: "attestation.machines",
    title: contract.attestation.machines.title,
    rows: (machines): z.infer<typeof machine>[] =>
      machines.map(({ hostId, state }) => ({ machine_id: hostId, state })),
    shape: z.array(machine),
    columns: [
      { name: "machine", value: (row) => row.machine_id, whole: true },
      { name: "state", value: (row) => row.state },
    ],
    none: "No boot was asked for a quote.",
  }),
  command("attestation spdm list", {
    title: "machines by the outcome of their attestation with SPDM: none, because Reclaim does not do it",
    // NICo's rows are a machine and one of its outcomes.
    shape: z.array(z.tuple([z.string(), z.string()])),
    signedIn: false,
    run: ({ printer }) => printer.list([], [], "Reclaim attests no machine with SPDM."),
  }),
];
