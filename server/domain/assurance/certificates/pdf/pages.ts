// The text of a certificate's PDF, page by page, in the fields of the sample certificate of NIST SP 800-88 Rev. 2: one page for the host, one per drive
// (docs/assurance/certificates.md#as-a-pdf). Text only; draw.ts lays it out.
import { makerOf } from "@/server/domain/assurance/certificates/device-entry";
import { isWhole, receiptOf } from "@/server/domain/assurance/certificates/statement";
import type {
  AnyStatement,
  ReceiptStatement,
  WholeStatement,
} from "@/server/domain/assurance/certificates/statement";

/** Null: not recorded. Such fields are shown too, because an incomplete form must not look like a complete one. */
export type Field = readonly [label: string, value: string | null];

export interface Section {
  readonly heading: string;
  readonly fields: readonly Field[];
  readonly lines: readonly string[];
}

export interface Page {
  readonly title: string;
  readonly subtitle: string;
  readonly sections: readonly Section[];
}

const titles = {
  certificate: "Certificate of sanitization",
  withExceptions: "Certificate of sanitization, with exceptions",
  notSanitized: "Statement of a host that was not sanitized",
  nonConformance: "Record of non-conformance",
  demo: "Statement of a demo site: certifies nothing",
  receipt: "Receipt of sanitization",
  receiptWithExceptions: "Receipt of sanitization, with exceptions",
  receiptNotSanitized: "Receipt of a machine that was not sanitized",
} as const;

const section = (heading: string, fields: readonly Field[], lines: readonly string[] = []): Section => ({
  heading,
  fields,
  lines,
});

/** No section if there are no lines. */
const linesOf = (heading: string, lines: readonly string[]): readonly Section[] =>
  lines.length === 0 ? [] : [section(heading, [], lines)];

const place = (parts: readonly (string | null)[]): string => parts.filter((part) => part !== null).join(", ");

/** The host's location as text; null: unknown. */
function whereIs({ site, rack, slot }: WholeStatement["predicate"]["host"]): string | null {
  const known = [
    ["site", site],
    ["rack", rack],
    ["slot", slot],
  ].flatMap(([what, value]) => (value == null ? [] : [`${what} ${value}`]));
  return known.length === 0 ? null : known.join(", ");
}

const yesNo = (value: boolean): string => (value ? "yes" : "no");

type Gates = readonly { readonly gate: string; readonly status: string; readonly reason?: string }[];
const gateLines = (gates: Gates): readonly string[] =>
  gates.map(({ gate, status, reason }) => `${gate}: ${status}${reason === undefined ? "" : `. ${reason}`}`);

type AnyDevice = ReceiptStatement["predicate"]["devices"][number];

const summary = ({ serial, model, result, method, technique }: AnyDevice): string =>
  `${serial} (${model}): ${result}${technique === null ? "" : `, ${method ?? "no method"}, ${technique}`}`;

/** A drive's asset tag is never recorded, but the form has a field for it. */
const mediaFields = (device: AnyDevice): readonly Field[] => [
  ["Manufacturer", makerOf(device)],
  ["Model", device.model],
  ["Serial number", device.serial],
  ["Asset tag", null],
  ["Media type", device.media],
  ["Capacity", device.capacityBytes === null ? null : `${device.capacityBytes} bytes`],
];

const methodFields = (device: AnyDevice): readonly Field[] => [
  ["Result", device.result],
  ["Method", device.method],
  ["Technique", device.technique],
  [
    "Judged by",
    device.standard === null
      ? null
      : place([
          device.standard,
          device.techniqueTable === null ? null : `table of techniques ${device.techniqueTable}`,
        ]),
  ],
  ["Ended", device.at],
];

const verificationFields = ({ verification }: AnyDevice): readonly Field[] =>
  verification === null
    ? [["Verification", null]]
    : [
        ["Verification", verification.kind],
        ["Samples", `${verification.samples} (${verification.bytes} bytes)`],
        ["Mismatches", String(verification.mismatches)],
        ["Outcome", verification.result],
      ];

function drivePage(
  device: WholeStatement["predicate"]["devices"][number],
  { host, form, reclamation, certificate }: WholeStatement["predicate"],
): Page {
  return {
    title: `Drive ${device.serial}`,
    subtitle: `${titles[certificate.type]} ${certificate.id}`,
    sections: [
      section("Media", [
        ...mediaFields(device),
        ["Firmware", device.firmware],
        ["Source", place([`host ${host.serial}`, whereIs(host)])],
        ["Slot", device.slot],
        ["Known by", device.knownBy.length === 0 ? null : device.knownBy.join(", ")],
        ["Classification", form.classification],
      ]),
      section("Sanitization", [
        ...methodFields(device),
        ["Tool", device.tool === null ? null : `${device.tool.name} ${device.tool.version}`],
        ["Reason", device.reason],
        ["SHA-256 of the report", device.reportSha256],
      ]),
      section("Verification", verificationFields(device)),
      ...linesOf(
        "Commands, with the answer of the drive",
        device.commands.map(
          ({ technique, command, startedAt, endedAt, status, completed }) =>
            `${technique}: ${command}. ${startedAt} to ${endedAt}. ${status}, ${completed ? "completed" : "not completed"}`,
        ),
      ),
      section("Destination and person", [
        ["Destination", form.destination],
        ["Sanitized and verified by", form.sanitizedBy.name],
        ["Title", form.sanitizedBy.title],
        ["Location", form.sanitizedBy.location],
        ["Contact", form.sanitizedBy.contact],
        ["Date", device.at ?? reclamation.endedAt],
        ["Signature", "electronic, see the first pages"],
      ]),
    ],
  };
}

type Exceptions = WholeStatement["predicate"]["exceptions"];

/** Form 1 has only who and why. */
const endText = (each: Exceptions[number]): string =>
  "until" in each
    ? `. Holds until ${each.until ?? "?"}. Measure: ${each.measure ?? "not recorded"}. Risk that is left: ${each.risk ?? "not recorded"}`
    : "";

const exceptionLines = (exceptions: Exceptions): readonly string[] =>
  exceptions.map((each) => {
    const { gate, serial, reason, askedBy, approvedBy } = each;
    return `${place([gate, serial])}: ${reason}. Asked for by ${askedBy.name}, ${askedBy.at}; approved by ${approvedBy.name}, ${approvedBy.at}${endText(each)}`;
  });

const listLines = (said: WholeStatement["predicate"]): readonly string[] => [
  ...said.dispositions.map(
    ({ serial, kind, reason, by, at }) => `${serial}: ${kind}, stated by ${by}, ${at}. ${reason}`,
  ),
  ...said.excluded.map(({ serial, model, reason }) => `${serial} (${model}): excluded. ${reason}`),
  ...said.unexpected.map((serial) => `${serial}: unexpected, seen by the agent only`),
  ...said.missing.map(({ serial, model, knownBy }) => `${serial} (${model}): missing. Known by ${knownBy}`),
];

const procedureLines = (procedures: WholeStatement["predicate"]["procedures"]): readonly string[] =>
  procedures.map(
    ({ procedure, version, recordedBy, signedOffBy, evidence }) =>
      `${procedure}, version ${version}: recorded by ${recordedBy.name}, ${recordedBy.at}; signed off by ${signedOffBy.name}, ${signedOffBy.at}${evidence.length === 0 ? "" : `. Evidence: ${evidence.join(", ")}`}`,
  );

const bootLines = (boots: WholeStatement["predicate"]["boots"]): readonly string[] =>
  boots.map(
    ({ number, openedAt, restartedAt, registeredAt, agentVersion, image, imageSha256 }) =>
      `Boot ${number}: asked for ${openedAt ?? "at no known time"}, restarted ${restartedAt ?? "not seen"}, registered ${registeredAt ?? "not"}. Agent ${agentVersion ?? "unknown"}, image ${image ?? "unknown"}${imageSha256 === null ? "" : `, SHA-256 ${imageSha256}`}`,
  );

const machineFields = ({ host, form }: WholeStatement["predicate"]): readonly Field[] => [
  ["Manufacturer", host.manufacturer],
  ["Model", host.model],
  ["Serial number", host.serial],
  ["Asset tag", host.assetTag],
  ["Name", host.name],
  ["System UUID", host.systemUuid],
  ["SKU", host.sku],
  ["Source", whereIs(host)],
  ["Classification", form.classification],
];

/** Which bundle, in which boot, and who agreed on it. */
function measuredField(said: WholeStatement["predicate"]): readonly Field[] {
  const measured = "measuredBoot" in said ? said.measuredBoot : null;
  if (measured === null) return [];
  const { boot, measuredAt, bundle } = measured;
  return [
    [
      "Measured boot",
      `boot ${boot} at ${measuredAt}, bundle ${bundle.name}, requested by ${bundle.requestedBy} and approved by ${bundle.approvedBy}`,
    ],
  ];
}

const reclamationFields = (said: WholeStatement["predicate"]): readonly Field[] => {
  const { reclamation, policy, certificate, agentIdentity } = said;
  return [
    ["Reclamation", `${reclamation.number} (${reclamation.id})`],
    ["Cause", reclamation.kind],
    ["Instance", reclamation.instanceId],
    ["Tenant", reclamation.tenantId],
    ["Started", reclamation.startedAt],
    ["Ended", reclamation.endedAt],
    ["Outcome", reclamation.outcome],
    ...(reclamation.message === null ? [] : [["Message", reclamation.message] as const]),
    ["Policy", `version ${policy.version}, SHA-256 ${policy.sha256}`],
    ["Standard and level", policy.standard === null ? null : place([policy.standard, policy.level])],
    ["Agent identity", agentIdentity],
    ...measuredField(said),
    ["Written at the end", yesNo(certificate.atTheEnd)],
    ["Issuer", certificate.issuer],
  ];
};

function hostPage(said: WholeStatement["predicate"]): Page {
  const { certificate, form, reclamation } = said;
  return {
    title: titles[certificate.type],
    subtitle: certificate.id,
    sections: [
      ...linesOf("Exceptions", exceptionLines(said.exceptions)),
      section("Host", machineFields(said)),
      section("Reclamation", reclamationFields(said)),
      section("Sanitized and verified by", [
        ["Name", form.sanitizedBy.name],
        ["Title", form.sanitizedBy.title],
        ["Location", form.sanitizedBy.location],
        ["Contact", form.sanitizedBy.contact],
        ["Date", reclamation.endedAt],
        ["Verification method", form.verificationMethod],
        ["Destination", form.destination],
      ]),
      ...linesOf("Drives", said.devices.map(summary)),
      ...linesOf("Other drives", listLines(said)),
      ...linesOf("Gates", gateLines(said.gates)),
      ...linesOf("Procedures", procedureLines(said.procedures)),
      ...linesOf("Boots", bootLines(said.boots)),
      ...linesOf("What this does not say", said.limits),
    ],
  };
}

function receiptPages({ predicate: said }: ReceiptStatement): readonly Page[] {
  const title = titles[receiptOf(said.certificate.type)];
  const of = `${title} ${said.receipt.id}`;
  return [
    {
      title,
      subtitle: said.receipt.id,
      sections: [
        section("Machine", [
          ["Serial number", said.machine.serial],
          ["Instance", said.instanceId],
          ["Tenant", said.tenantId],
          ["Ended", said.endedAt],
          ["Issuer", said.receipt.issuer],
          ["Of certificate", `${said.certificate.id}, ${said.certificate.type}`],
          ["SHA-256 of its statement", said.certificate.sha256],
        ]),
        ...linesOf("Drives", said.devices.map(summary)),
        ...linesOf("Gates", gateLines(said.gates)),
        ...linesOf("What this does not say", said.limits),
      ],
    },
    ...said.devices.map((device) => ({
      title: `Drive ${device.serial}`,
      subtitle: of,
      sections: [
        section("Media", mediaFields(device)),
        section("Sanitization", methodFields(device)),
        section("Verification", verificationFields(device)),
      ],
    })),
  ];
}

/** The document's title. It contains no text that people wrote, because it also goes into the metadata. */
export const titleOf = (said: AnyStatement): string =>
  isWhole(said)
    ? `${titles[said.predicate.certificate.type]} ${said.predicate.certificate.id}`
    : `${titles[receiptOf(said.predicate.certificate.type)]} ${said.predicate.receipt.id}`;

/** The host first, then each drive. */
export const pagesOf = (said: AnyStatement): readonly Page[] =>
  isWhole(said)
    ? [hostPage(said.predicate), ...said.predicate.devices.map((device) => drivePage(device, said.predicate))]
    : receiptPages(said);
