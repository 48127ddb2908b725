// Notices: maintenance, retirement and replacement that the provider announces (docs/repair.md#notices).
import { z } from "zod";
import { act, hostId, list, moment, read, record, tone } from "@/server/contract/define";
import { noticeEnds, noticeKinds, noticeScopes, noticeStandings } from "@/server/domain/break-fix/notice";
import { neededText, ticketText } from "@/server/domain/break-fix/ticket";

/** A reference such as `MN-7K3Q9DX2M1`, or an id. */
const notice = z.string().trim().min(1).max(64);
const made = record({ id: z.string(), ref: z.string() });

export const noticeRow = record({
  id: z.string(),
  ref: z.string(),
  kind: z.enum(noticeKinds),
  scope: z.enum(noticeScopes),
  site: z.string().nullable(),
  /** Only for the provider's people; null for others. */
  rack: z.string().nullable(),
  host: z.string().nullable(),
  immediate: z.boolean(),
  startsAt: z.date(),
  endsAt: z.date().nullable(),
  standing: z.enum(noticeStandings),
  standingWords: z.string(),
  tone,
  message: z.string(),
  /** Internal; empty for tenants. */
  note: z.string(),
  endedAt: z.date().nullable(),
  createdBy: z.string(),
  createdAt: z.date(),
  updatedAt: z.date(),
  /** How many instances are on affected machines; for a tenant, only its own. */
  concerned: z.number(),
  /** The first 20 by name, unless `allInstances` is set. */
  instances: list(record({ id: z.string(), name: z.string(), hostId: z.string() })),
  /** Who acknowledged it; a tenant sees only itself. */
  acknowledged: list(record({ tenant: z.string(), by: z.string(), at: z.date() })),
  /** The reader's tenant has not acknowledged it yet. */
  mayAcknowledge: z.boolean(),
});
export type NoticeRow = z.infer<typeof noticeRow>;

export const notices = {
  list: read({
    title:
      "notices of maintenance, retirement and replacement; a tenant sees those of machines it holds or held at the time",
    right: "notice.read",
    input: z.strictObject({
      status: z.enum(["open", "ended", "all"]).default("open"),
      hostId: hostId.optional(),
      /** The last notice of the previous page. */
      after: z.guid("must be the id of a notice").optional(),
      allInstances: z.boolean().default(false),
      limit: z.int().min(1).max(500).default(200),
    }),
    output: list(noticeRow),
  }),
  create: act({
    title: "announces maintenance, retirement or replacement of a host, a rack or a site",
    right: "notice.write",
    action: "notice.create",
    input: z.strictObject({
      kind: z.enum(noticeKinds),
      target: z.union([
        z.strictObject({ hostId }),
        z.strictObject({ site: neededText(128), rack: neededText(128) }),
        z.strictObject({ site: neededText(128) }),
      ]),
      /** Null: now. */
      startsAt: moment.nullable().default(null),
      endsAt: moment.nullable().default(null),
      message: neededText(2048),
      note: ticketText(2048).default(""),
    }),
    output: made,
  }),
  change: act({
    title: "changes the times or the text of a notice",
    right: "notice.write",
    action: "notice.change",
    input: z.strictObject({
      notice,
      startsAt: moment.optional(),
      endsAt: moment.nullable().optional(),
      message: neededText(2048).optional(),
      note: ticketText(2048).optional(),
    }),
    output: made,
  }),
  end: act({
    title: "ends a notice, as done or cancelled",
    right: "notice.write",
    action: "notice.end",
    input: z.strictObject({ notice, as: z.enum(noticeEnds) }),
    output: made,
  }),
  acknowledge: act({
    title: "acknowledges a notice for the tenant",
    right: "notice.acknowledge",
    action: "notice.acknowledge",
    input: z.strictObject({ notice }),
    output: made,
  }),
};
