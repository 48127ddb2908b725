// `reclaim attestation …` in the form of NICo's command, for programs that read it: NVIDIA's acceptance suite does (docs/api.md#nvidias-acceptance-suite).
import { z } from "zod";
import { contract } from "@/server/contract/contract";
import type { Answer } from "@/cli/call";
import { command, derived } from "@/cli/define/command";
import type { Shell } from "@/cli/shell";
import { measurementStates } from "@/server/domain/attestation/measurement";

type PlatformPage = Answer<"hosts.platform">;

/** NICo's name for a row of measured boot. */
const machine = z.object({ machine_id: z.string(), state: z.enum(measurementStates) });

/** NICo's rows are a machine and one of its outcomes. */
const spdmRow = z.tuple([z.string(), z.enum(["SPDM_ATT_PASSED", "SPDM_ATT_FAILED"])]);

const perPage = 1000;

/** One row for each machine: a component that was not proven, or measured something else, fails it. */
async function spdmRows(client: Shell["client"]): Promise<z.infer<typeof spdmRow>[]> {
  const passed = new Map<string, boolean>();
  for (let cursor: string | null = null; ;) {
    const page: PlatformPage = await client.hosts.platform.query({
      item: "measurements",
      cursor,
      limit: perPage,
    });
    for (const { hostId, item, verdict } of page.rows)
      if (item.startsWith("measurements "))
        passed.set(hostId, (passed.get(hostId) ?? true) && verdict === "same");
    if (page.nextCursor === null) break;
    cursor = page.nextCursor;
  }
  return [...passed].map(([id, isPassed]) => [id, isPassed ? "SPDM_ATT_PASSED" : "SPDM_ATT_FAILED"]);
}

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
    title:
      "machines whose baseline names measurements of components (SPDM), by whether all of them were as it says",
    uses: ["hosts.platform"],
    shape: z.array(spdmRow),
    run: async ({ client, printer }) => {
      const rows = await spdmRows(client);
      printer.list(
        rows,
        [
          { name: "machine", value: ([id]) => id, whole: true },
          { name: "outcome", value: ([, outcome]) => outcome },
        ],
        "No host with measurements of components in its baseline was cleaned yet.",
      );
    },
  }),
];
