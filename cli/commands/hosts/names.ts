// `reclaim hosts names`: what each source calls a machine, and names that a person confirms (docs/machine-names.md).
import { contract } from "@/server/contract/contract";
import { command, derived } from "@/cli/define/command";
import { arg, choice, host, needed, opt, usually } from "@/cli/define/values";
import type { Column } from "@/cli/output/printer";
import {
  confirmText,
  kindWords,
  nameText,
  placeWords,
  sourceWords,
  standingWords,
  withdrawText,
} from "@/server/domain/hosts/names/names";
import type { HostNamesView } from "@/server/surfaces/trpc/types";
import { confirm } from "@/cli/shell";

type Name = HostNamesView["names"][number];

const columns: readonly Column<Name>[] = [
  { name: "name", value: (row) => row.kind, text: (row) => kindWords[row.kind] },
  { name: "value", value: (row) => row.value, whole: true },
  { name: "source", value: (row) => row.source, text: (row) => placeWords[row.source] },
  {
    name: "standing",
    value: (row) => row.standing,
    text: (row) => standingWords[row.standing],
    tone: ({ standing }) => (standing === "differs" ? "failed" : null),
  },
  { name: "first seen", value: (row) => row.firstSeenAt },
  { name: "last seen", value: (row) => row.lastSeenAt },
  { name: "confirmed by", value: ({ confirmed }) => confirmed?.by ?? null },
  { name: "confirmed", value: ({ confirmed }) => confirmed?.at ?? null, extra: true },
  { name: "reason", value: ({ confirmed }) => confirmed?.reason ?? null, extra: true },
];

export const names = [
  derived("hosts names", {
    of: "names.ofHost",
    args: { host },
    input: ({ host: { id } }) => ({ hostId: id }),
    rows: ({ names: rows }) => rows,
    shape: contract.names.ofHost.output.unwrap().shape.names,
    columns,
    none: () => "Nothing has told a name of this host yet.",
  }),
  command("hosts confirm-names", {
    title: contract.names.confirm.title,
    uses: ["names.ofHost", "names.confirm"],
    args: { host },
    options: { reason: needed(opt("<text>", "why, for example the BIOS update or the RMA number")) },
    run: async (shell, { host: { id: hostId, name }, reason }) => {
      const { client, printer } = shell;
      const { pending, refusal, evidence } = await client.names.ofHost.query({ hostId });
      // Otherwise the server says why not.
      if (pending.length > 0 && refusal === null)
        await confirm(
          shell,
          [
            ...pending.map(
              ({ source, names: told, agrees }) =>
                `${sourceWords[source]}: ${told.map(nameText).join(", ")}; the same as before: ${agrees.map(nameText).join(", ")}`,
            ),
            confirmText,
          ],
          `Is this the same machine as ${name}?`,
        );
      const { confirmed } = await client.names.confirm.mutate({ hostId, evidence, reason });
      printer.say(`${name}: ${confirmed.join(", ")} ${confirmed.length === 1 ? "is" : "are"} confirmed`);
    },
  }),
  command("hosts withdraw-name", {
    title: contract.names.withdraw.title,
    uses: ["names.withdraw"],
    args: { host, value: arg("<name>", "serial number or system UUID that was confirmed") },
    options: {
      kind: usually(choice("<kind>", "what the name is", ["serial", "uuid"]), "serial"),
      reason: needed(opt("<text>", "why it is not a name of this machine")),
    },
    run: async (shell, { host: { id: hostId, name }, value, kind, reason }) => {
      await confirm(shell, [withdrawText], `Withdraw ${nameText({ kind, value })} of ${name}?`);
      const { withdrawn } = await shell.client.names.withdraw.mutate({ hostId, kind, value, reason });
      shell.printer.say(
        `${name}: ${withdrawn.join(", ")} ${withdrawn.length === 1 ? "is" : "are"} withdrawn`,
      );
    },
  }),
];
