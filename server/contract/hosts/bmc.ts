// Tests of hosts' BMCs: whether Reclaim can work with them (docs/hardware.md#test-bmc).
import { z } from "zod";
import { act, hostId, list, read, record } from "@/server/contract/define";
import { bmcCheck, bmcVerdicts } from "@/server/domain/hardware/bmc-report";

const bmcReport = record({
  at: z.date(),
  /** Where the BMC was; null: the host had no address. */
  address: z.string().nullable(),
  verdict: z.enum(bmcVerdicts),
  checks: list(bmcCheck),
});

const bmcTest = record({
  /** When the next one was requested; null: none is. */
  wantedAt: z.date().nullable(),
  /** Null: never tested, or not to be read. */
  report: bmcReport.nullable(),
  /** When the last test was made, if this release cannot read its report; null: it can, or there is none. */
  unreadableAt: z.date().nullable(),
});
export type BmcTest = z.infer<typeof bmcTest>;

export const bmc = {
  get: read({
    title: "the last test of a host's BMC, and whether one is requested",
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
  testEnrolment: act({
    title: "has the BMCs of an enrolment's hosts tested that have not been Ready",
    right: "host.edit",
    action: "host.testBmcs",
    input: z.strictObject({ id: z.guid("must be the id of an enrolment") }),
    output: record({ asked: z.number() }),
  }),
};
