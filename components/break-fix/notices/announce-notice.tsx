"use client";
// Announces maintenance, retirement or replacement of a host, a rack or a site.
import { useQuery } from "@tanstack/react-query";
import { z } from "zod";
import { useTRPC } from "@/components/trpc/trpc";
import { ActFormDialog } from "@/components/ui/dialogs/act-dialog";
import { DialogButton } from "@/components/ui/dialogs/dialog-button";
import { optionsOf } from "@/components/ui/form/fields";
import { noticeKinds, noticeScopes } from "@/server/domain/break-fix/notice";
import {
  messageText,
  noteText,
  noticeKindLabels,
  noticeSpecs,
} from "@/components/break-fix/notices/notice-text";
import { typedMoment } from "@/components/ui/form/schemas";

const schema = z
  .object({
    kind: z.enum(noticeKinds),
    scope: z.enum(noticeScopes),
    host: z.string().trim(),
    site: z.string(),
    rack: z.string().trim(),
    startsAt: typedMoment,
    endsAt: typedMoment,
    message: messageText,
    note: noteText,
  })
  .refine(({ scope, host }) => scope !== "host" || host !== "", { path: ["host"], error: "Enter a host" })
  .refine(({ scope, site }) => scope === "host" || site !== "", { path: ["site"], error: "Select a site" })
  .refine(({ scope, rack }) => scope !== "rack" || rack !== "", { path: ["rack"], error: "Enter a rack" });

const kindOptions = noticeKinds.map((kind) => ({ value: kind, label: noticeKindLabels[kind] }));
const scopeOptions = [
  { value: "host", label: "one host" },
  { value: "rack", label: "the hosts of a rack" },
  { value: "site", label: "the hosts of a site" },
];

const empty: z.input<typeof schema> = {
  ...{ kind: "maintenance", scope: "host" },
  ...{ host: "", site: "", rack: "", startsAt: "", endsAt: "", message: "", note: "" },
};

/** The button and its dialog. */
export const AnnounceNotice = () => (
  <DialogButton dialog={(onClose) => <AnnounceDialog onClose={onClose} />}>Announce…</DialogButton>
);

function AnnounceDialog({ onClose }: { onClose: () => void }) {
  const { data: scopes } = useQuery(useTRPC().cleaning.scopes.queryOptions());
  const sites = optionsOf((scopes?.sites ?? []).map(({ name }) => name));
  return (
    <ActFormDialog
      title="Announce a notice"
      consequence="Tenants that hold an affected machine see it. No host is moved."
      confirmWords="Announce notice"
      schema={schema}
      values={empty}
      fields={({ scope }) => ({
        kind: { label: "What", options: kindOptions },
        scope: { label: "For", options: scopeOptions },
        host: scope === "host" ? { label: "Host", mono: true } : null,
        site:
          scope === "host"
            ? null
            : { label: "Site", options: [{ value: "", label: "select a site" }, ...sites] },
        rack: scope === "rack" ? { label: "Rack", mono: true } : null,
        startsAt: { label: "From", aside: "empty: now", type: "datetime-local" },
        endsAt: { label: "Until", aside: "required for planned maintenance", type: "datetime-local" },
        ...noticeSpecs,
      })}
      send={async ({ scope, host, site, rack, ...words }, client) => {
        const target =
          scope === "host"
            ? { hostId: (await client.host.get.query({ host })).id }
            : scope === "rack"
              ? { site, rack }
              : { site };
        return client.notices.create.mutate({ ...words, target });
      }}
      said={({ ref }) => `${ref} announced.`}
      stale={(trpc) => [trpc.notices]}
      onClose={onClose}
    />
  );
}
