// `reclaim attestation …` for measured boot: what no bundle expects, the bundles, a new one, and one that is trusted less (docs/attestation.md).
import { InvalidArgumentError } from "commander";
import { contract } from "@/server/contract/contract";
import { act, command, list } from "@/cli/define/command";
import { arg, choice, found, host, needed, opt, parsed, reason } from "@/cli/define/values";
import { CommandError } from "@/cli/exit-codes";
import type { Column, Part, Printer } from "@/cli/output/printer";
import { confirm } from "@/cli/shell";
import {
  bundleStandingText,
  measurementStateText,
  measurementWords,
  readRegisters,
  registerText,
} from "@/server/domain/attestation/measurement-text";
import type { BundleLine, HostAttestationView, PendingGroup } from "@/server/surfaces/trpc/types";

type Measured = NonNullable<HostAttestationView["measurement"]>;
type Register = Measured["values"][number];

const registerColumns = ({ closest }: Measured): readonly Column<Register>[] => {
  const difference = (pcr: number) => closest?.differences.find((each) => each.pcr === pcr);
  return [
    { name: "register", value: ({ pcr }) => pcr },
    { name: "holds", value: ({ pcr }) => registerText(pcr) },
    { name: "value", value: ({ value }) => value, whole: true },
    {
      name: "closest bundle",
      value: ({ pcr }) => {
        const found = difference(pcr);
        if (closest === null) return null;
        return found === undefined ? "same" : (found.expected ?? "any value");
      },
      tone: ({ pcr }) => ((difference(pcr)?.expected ?? null) === null ? null : "failed"),
      whole: true,
    },
  ];
};

/** What `attestation show` says of the newest boot that was asked for a quote. */
export function measurementParts(
  measured: HostAttestationView["measurement"],
  printer: Printer,
): readonly Part[] {
  const state = measured?.state ?? "notAsked";
  const facts: Part = {
    title: "Measured boot",
    facts: [
      [
        "measured boot",
        { text: measurementStateText[state], tone: state === "MeasuringFailed" ? "failed" : null },
      ],
      ["because", measured === null ? null : measurementWords(measured)],
      [
        "measured",
        measured === null || measured.measuredAt === null ? null : printer.time(measured.measuredAt),
      ],
      ["all values", measured?.digest ?? null],
      [
        "bundle",
        measured === null || measured.bundle === null
          ? null
          : `${measured.bundle.name}, ${measured.bundle.state.toLowerCase()}`,
      ],
      ["closest bundle", measured?.closest?.bundle.name ?? null],
      ["events", measured === null || measured.events === null ? null : String(measured.events.length)],
    ],
  };
  return measured === null || measured.values.length === 0
    ? [facts]
    : [facts, { title: "Registers", table: printer.table(measured.values, registerColumns(measured)) }];
}

const pendingColumns: readonly Column<PendingGroup>[] = [
  { name: "manufacturer", value: (row) => row.manufacturer },
  { name: "model", value: (row) => row.model },
  { name: "site", value: (row) => row.site },
  { name: "hosts", value: (row) => row.hosts },
  { name: "for example", value: (row) => row.host.name, whole: true },
  { name: "since", value: (row) => row.since, text: (row, printer) => printer.age(row.since) },
  { name: "all values", value: (row) => row.digest, extra: true },
];

const bundleColumns: readonly Column<BundleLine>[] = [
  { name: "bundle", value: (row) => row.name, whole: true },
  {
    name: "state",
    value: ({ standing }) => bundleStandingText[standing],
    tone: ({ standing }) => (standing === "Retired" || standing === "Revoked" ? "failed" : null),
  },
  { name: "manufacturer", value: (row) => row.manufacturer },
  { name: "model", value: (row) => row.model },
  { name: "site", value: (row) => row.site },
  { name: "registers", value: ({ values }) => values.map(({ pcr }) => pcr).join(",") },
  { name: "hosts", value: (row) => row.hosts },
  { name: "requested by", value: (row) => row.requestedBy, extra: true },
  { name: "approved by", value: (row) => row.approvedBy, extra: true },
  { name: "id", value: (row) => row.id, extra: true },
];

/** By id or name. Two of a name are told apart by their ids. */
const bundle = found(arg("<bundle>", "its name, or its id"), async ({ client }, text) => {
  const { bundles } = await client.attestation.overview.query();
  const [line, other] = bundles.filter(({ id, name }) => id === text || name === text);
  if (line === undefined) throw new CommandError("notFound", `There is no bundle ${text}.`);
  if (other !== undefined)
    throw new CommandError("usage", `Several bundles have the name ${text}. Give the id of one (-o wide).`);
  return line;
});

function registersOf(text: string): number[] {
  const registers = readRegisters(text);
  if (registers === undefined)
    throw new InvalidArgumentError("It takes numbers of registers, such as 0,2,4,7,9.");
  return registers;
}

export const measuredBoot = [
  list("attestation pending", {
    of: "attestation.overview",
    title: "measurements that no bundle expects, by hardware and values",
    rows: "pending",
    columns: pendingColumns,
    none: "No measurements wait for a bundle.",
  }),
  list("attestation bundles", {
    of: "attestation.overview",
    title: "the bundles: values that boots of one hardware should measure",
    rows: "bundles",
    columns: bundleColumns,
    none: "No bundles.",
  }),
  command("attestation promote", {
    title: contract.attestation.promote.title,
    uses: ["attestation.ofHost", "attestation.promote"],
    args: { host },
    options: {
      name: needed(opt("<text>", "the bundle's name")),
      registers: parsed(
        "<numbers>",
        "such as 0,2,4,7,9; all that were measured, if it is not given",
        registersOf,
      ),
      reason,
    },
    examples: [
      "attestation promote gpu-a-0001 --name 'R750 1.8.2, image 7' --registers 0,2,4,7,9 --reason 'watched its boot'",
    ],
    run: async (shell, { host: { id: hostId, name: hostName }, name, registers, reason: why }) => {
      const { client, printer } = shell;
      const { measurement } = await client.attestation.ofHost.query({ hostId });
      const values = measurement?.values ?? [];
      // Without a measurement the server says why not.
      const pcrs = registers ?? (values.length === 0 ? [4, 9] : values.map(({ pcr }) => pcr));
      const digest = measurement?.digest ?? "0".repeat(64);
      if (measurement?.digest != null)
        await confirm(
          shell,
          values
            .filter(({ pcr }) => pcrs.includes(pcr))
            .map(({ pcr, value }) => `register ${pcr}, ${registerText(pcr)}: ${value}`),
          `Request the bundle ${name} of what boot ${measurement.bootEpoch} of ${hostName} measured?`,
        );
      await client.attestation.promote.mutate({ hostId, digest, pcrs, name, reason: why });
      printer.say(`${name}: the bundle waits for another person's approval (reclaim approvals list).`);
    },
  }),
  act("attestation demote", {
    of: "attestation.demote",
    args: { bundle },
    options: {
      to: needed(choice("<state>", "what it becomes", ["Obsolete", "Retired", "Revoked"])),
      reason,
    },
    input: ({ bundle: { id }, to, reason: why }) => ({ bundle: id, state: to, reason: why }),
    asks: ({ bundle: { name, hosts }, to }) => [
      [
        `Hosts that it decides about now: ${hosts}.`,
        ...(to === "Obsolete"
          ? []
          : ["Those that no other bundle passes fail, and Ready ones leave allocation."]),
      ],
      `Make the bundle ${name} ${to.toLowerCase()}?`,
    ],
    said: ({ bundle: { name }, to }, { failed, leftReady }) =>
      `${name}: ${to.toLowerCase()}. Hosts that fail: ${failed}; of these left Ready: ${leftReady}.`,
  }),
];
