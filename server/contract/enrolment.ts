// Hosts that become known: one or thousands at once, and how far they are (docs/enrolment.md).
import { z } from "zod";
import { seenCertificate } from "@/server/domain/hardware/certificate";
import { hostTexts } from "@/server/domain/enrolment/host-line";
import { lineFault } from "@/server/domain/enrolment/host-line";
import { longestCsv, mostHosts } from "@/server/domain/enrolment/parse-csv";
import {
  enrolmentActs,
  enrolmentGoals,
  enrolmentStages,
  firstContacts,
} from "@/server/domain/enrolment/progress";
import { hostRow } from "@/server/contract/answers/hosts";
import { act, list, nothing, paging, read, record } from "@/server/contract/define";

const enrolledLine = record({
  line: z.number(),
  name: z.string().nullable(),
  /** Null: not enrolled. */
  hostId: z.string().nullable(),
  faults: list(lineFault),
});
export type EnrolledLine = z.infer<typeof enrolledLine>;

const enrolled = record({
  /** Of the enrolment; null after a dry run, and where no host could be enrolled. */
  id: z.string().nullable(),
  site: z.string(),
  enrolled: z.number(),
  refused: z.number(),
  lines: list(enrolledLine),
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
  /** Null: not enrolled, or deleted since. */
  host: hostRow.nullable(),
  /** What its BMC said that it is; null: not read yet. */
  identity: record({
    manufacturer: z.string().nullable(),
    model: z.string().nullable(),
    serial: z.string().nullable(),
    systemUuid: z.string().nullable(),
  }).nullable(),
  /** SHA-256 of the certificate that the BMC must show, as `certificate_sha256` takes it; null: none is pinned. */
  pinned: z.string().nullable(),
  /** What the BMC showed last; null: nothing yet, or its address is http. */
  certificate: record({
    ...seenCertificate.shape,
    /** The BMC may be talked to. */
    confirmed: z.boolean(),
  }).nullable(),
  /** What is wrong, or what it does. */
  says: z.string(),
  /** What to do; empty: nothing. */
  advice: z.string(),
  acts: list(z.enum(enrolmentActs)),
  faults: list(lineFault),
});
export type EnrolmentLine = z.infer<typeof enrolmentLine>;

/** Why hosts stopped: those with the same message, but for names and numbers, are one reason. */
const stopReason = record({
  /** Of the first of them, by line. */
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
  /** No host moves by itself now. */
  over: z.boolean(),
  /** Of all hosts that stopped, most hosts first. */
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
      /** By name. */
      site: z.string().min(1, "must be the name of a site").max(64),
      /** A file with the columns of docs/enrolment.md. */
      csv: z.string().max(longestCsv, "is longer than 1 MB: split the file").optional(),
      /** In place of a file: the cells of each host. */
      hosts: z.array(hostTexts).min(1).max(mostHosts).optional(),
      /** Of all hosts without one of their own. */
      credential: z
        .strictObject({
          username: z.string().max(128).optional(),
          password: z.string().max(256).optional(),
          /** A set of the site, by name, in place of both. */
          set: z.string().max(64).optional(),
        })
        .default({}),
      /** Values of the secrets that the list names, as `env:NAME` and `file:path`. They are stored encrypted, and never given out. */
      secrets: z.record(z.string().max(1_100), z.string().min(1).max(256)).default({}),
      firstContact: z.enum(firstContacts).default("confirm"),
      goal: z.enum(enrolmentGoals).default("ready"),
      fileName: z.string().trim().min(1).max(255).optional(),
      /** Checks everything, and changes nothing. */
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
      /** Only hosts at these stages; none: all. */
      stages: z.array(z.enum(enrolmentStages)).max(enrolmentStages.length).default([]),
      ...paging(1000, 200),
    }),
    output: enrolmentView,
  }),
  retry: act({
    title:
      "verifies the hosts of an enrolment that stopped in Enroll again, each with its BMC's credentials as they are now",
    right: "host.manage",
    action: "host.retryEnrolment",
    input: z.strictObject({
      id: z.guid("must be the id of an enrolment"),
      /** Only these; left out: all that stopped. */
      hostIds: z.array(z.guid("must be the id of a host")).min(1).max(mostHosts).optional(),
    }),
    output: record({ asked: z.number() }),
  }),
};
