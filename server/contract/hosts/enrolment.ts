// Enrolment of one host or thousands at once, and its progress (docs/enrolment.md).
import { z } from "zod";
import { seenCertificate } from "@/server/domain/hardware/certificate";
import { hostTexts } from "@/server/domain/hosts/enrolment/host-line";
import { lineFault } from "@/server/domain/hosts/enrolment/host-line";
import { maxHosts } from "@/server/domain/hosts/enrolment/list-rows";
import { longestCsv } from "@/server/domain/hosts/enrolment/parse-csv";
import { longestWorkbook } from "@/server/domain/hosts/enrolment/spreadsheet";
import {
  enrolmentActs,
  enrolmentGoals,
  enrolmentStages,
  firstContacts,
} from "@/server/domain/hosts/enrolment/progress";
import { hostRow } from "@/server/contract/hosts/hosts-answers";
import { act, added, list, nothing, paging, read, record } from "@/server/contract/define";

const enrolledLine = record({
  line: z.number(),
  name: z.string().nullable(),
  /** Null if not enrolled. */
  hostId: z.string().nullable(),
  faults: list(lineFault),
});
export type EnrolledLine = z.infer<typeof enrolledLine>;

const enrolled = record({
  /** Id of the enrolment; null after a dry run, and if no host could be enrolled. */
  id: z.string().nullable(),
  site: z.string(),
  enrolled: z.number(),
  refused: z.number(),
  lines: list(enrolledLine),
  /** What of the file was not read, such as the other sheets of a workbook; null: everything was. */
  notice: added(z.string().nullable()),
});
export type Enrolled = z.infer<typeof enrolled>;

const enrolmentHead = record({
  id: z.string(),
  site: z.string(),
  at: z.date(),
  byName: z.string(),
  goal: z.enum(enrolmentGoals),
  firstContact: z.enum(firstContacts),
  fileName: z.string().nullable(),
  /** Lines of the list, enrolled or refused. */
  lines: z.number(),
});
export type EnrolmentHead = z.infer<typeof enrolmentHead>;

const enrolmentLine = record({
  line: z.number(),
  name: z.string().nullable(),
  stage: z.enum(enrolmentStages),
  /** Null if not enrolled, or deleted since. */
  host: hostRow.nullable(),
  /** The identity that the host's BMC reported; null if not read yet. */
  identity: record({
    manufacturer: z.string().nullable(),
    model: z.string().nullable(),
    serial: z.string().nullable(),
    systemUuid: z.string().nullable(),
  }).nullable(),
  /** SHA-256 of the certificate that the BMC must show, as in `certificate_sha256`; null if none is pinned. */
  pinned: z.string().nullable(),
  /** The certificate that the BMC last showed; null if none yet, or if its address is http. */
  certificate: record({
    ...seenCertificate.shape,
    /** Reclaim may connect to the BMC. */
    confirmed: z.boolean(),
  }).nullable(),
  /** What is wrong, or what the host does. */
  says: z.string(),
  /** What to do; empty if nothing. */
  advice: z.string(),
  acts: list(z.enum(enrolmentActs)),
  faults: list(lineFault),
});
export type EnrolmentLine = z.infer<typeof enrolmentLine>;

/** Why hosts stopped. Hosts whose messages differ only in names and numbers share one reason. */
const stopReason = record({
  /** Name of the first of these hosts, by line. */
  name: z.string(),
  hosts: z.number(),
  says: z.string(),
  advice: z.string(),
  acts: list(z.enum(enrolmentActs)),
});
export type StopReason = z.infer<typeof stopReason>;

const enrolmentView = record({
  ...enrolmentHead.unwrap().shape,
  counts: z.record(z.enum(enrolmentStages), z.number()).readonly(),
  /** No host makes progress on its own any more. */
  over: z.boolean(),
  /** Reasons of all stopped hosts, most hosts first. */
  reasons: list(stopReason),
  rows: list(enrolmentLine),
  nextCursor: z.string().nullable(),
});
export type EnrolmentView = z.infer<typeof enrolmentView>;

export const enrolment = {
  enroll: act({
    title: "enrols one or many hosts, each with its own result, and brings them to Ready",
    right: "host.enroll",
    action: "host.enroll",
    input: z.strictObject({
      /** Name of the site. */
      site: z.string().min(1, "must be the name of a site").max(64),
      /** A file with the columns described in docs/enrolment.md. */
      csv: z.string().max(longestCsv, "is longer than 1 MB: split the file").optional(),
      /** Instead of CSV: a workbook (XLSX) with these columns in its first sheet that is not hidden, in base64. */
      workbook: z.base64().max(longestWorkbook, "is longer than 750 kB: split the list").optional(),
      /** Instead of a file: the cells of each host. */
      hosts: z.array(hostTexts).min(1).max(maxHosts).optional(),
      /** For all hosts without a credential of their own. */
      credential: z
        .strictObject({
          username: z.string().max(128).optional(),
          password: z.string().max(256).optional(),
          /** Name of a credential set of the site, instead of both. */
          set: z.string().max(64).optional(),
        })
        .default({}),
      /** Values of the secrets that the list names, as `env:NAME` and `file:path`. They are stored encrypted and never returned. */
      secrets: z.record(z.string().max(1_100), z.string().min(1).max(256)).default({}),
      firstContact: z.enum(firstContacts).default("confirm"),
      goal: z.enum(enrolmentGoals).default("ready"),
      fileName: z.string().trim().min(1).max(255).optional(),
      /** Checks everything without changing anything. */
      dryRun: z.boolean().default(false),
    }),
    output: enrolled,
  }),
  list: read({
    title: "the enrolments, newest first",
    right: "host.list",
    input: nothing,
    output: list(enrolmentHead),
  }),
  get: read({
    title: "one enrolment: the progress of its hosts, and what to do about those that stopped",
    right: "host.list",
    input: z.strictObject({
      id: z.guid("must be the id of an enrolment"),
      /** Only hosts at these stages; empty means all. */
      stages: z.array(z.enum(enrolmentStages)).max(enrolmentStages.length).default([]),
      ...paging(1000, 200),
    }),
    output: enrolmentView,
  }),
  retry: act({
    title:
      "verifies again the hosts of an enrolment that stopped in Enroll, with their BMCs' current credentials",
    right: "host.manage",
    action: "host.retryEnrolment",
    input: z.strictObject({
      id: z.guid("must be the id of an enrolment"),
      /** Only these hosts; defaults to all that stopped. */
      hostIds: z.array(z.guid("must be the id of a host")).min(1).max(maxHosts).optional(),
    }),
    output: record({ asked: z.number() }),
  }),
};
