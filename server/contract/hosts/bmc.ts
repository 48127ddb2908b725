// Tests of hosts' BMCs: whether Reclaim can work with them (docs/hardware.md#test-bmc).
import { z } from "zod";
import { act, hostId, list, read, reason, record } from "@/server/contract/define";
import { bmcResetPhases } from "@/server/domain/hardware/bmc-reset";
import { bmcCheck, bmcVerdicts } from "@/server/domain/hardware/bmc-report";

const bmcReport = record({
  at: z.date(),
  /** Where the BMC was; null: the host had no address. */
  address: z.string().nullable(),
  verdict: z.enum(bmcVerdicts),
  checks: list(bmcCheck),
});

const bmcReset = record({
  phase: z.enum(bmcResetPhases),
  requestedAt: z.date(),
  requestedBy: z.string(),
  reason: z.string(),
  /** What the BMC was asked for, of Redfish's ResetType; null: nothing was sent. */
  type: z.string().nullable(),
  sentAt: z.date().nullable(),
  /** When it was first seen without an answer. */
  awayAt: z.date().nullable(),
  endedAt: z.date().nullable(),
  says: z.string().nullable(),
  todo: z.string().nullable(),
});
export type BmcReset = z.infer<typeof bmcReset>;

const bmcTest = record({
  /** When the next one was requested; null: none is. */
  wantedAt: z.date().nullable(),
  /** Null: never tested, or not to be read. */
  report: bmcReport.nullable(),
  /** When the last test was made, if this release cannot read its report; null: it can, or there is none. */
  unreadableAt: z.date().nullable(),
  /** The last restart of the BMC that a person asked for; null: none was. */
  reset: bmcReset.nullable(),
});
export type BmcTest = z.infer<typeof bmcTest>;

export const bmc = {
  get: read({
    title: "the last test of a host's BMC and its last reset, and whether one is requested",
    right: "host.read",
    input: z.strictObject({ hostId }),
    output: bmcTest,
  }),
  test: act({
    title: "has a host's BMC tested: asks it what Reclaim needs of it, and changes nothing",
    right: "host.edit",
    action: "host.testBmc",
    input: z.strictObject({ hostId }),
    /** `waits`: it is tested later, because now a drive may be erasing or a repair system has the host. */
    output: record({ waits: z.boolean() }),
  }),
  reset: act({
    title: "has a host's BMC restarted, which keeps its settings; asking twice restarts it once",
    right: "host.power",
    action: "host.resetBmc",
    input: z.strictObject({ hostId, reason }),
    output: record({ accepted: z.literal(true) }),
  }),
  testEnrolment: act({
    title: "has the BMCs of an enrolment's hosts tested that have not been Ready",
    right: "host.edit",
    action: "host.testBmcs",
    input: z.strictObject({ id: z.guid("must be the id of an enrolment") }),
    output: record({ asked: z.number() }),
  }),
};
