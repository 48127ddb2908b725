// `reclaim site authorities`: the certificate authorities in a site's document, one line per certificate.
import type { SiteView } from "@/server/surfaces/trpc/types";
import { formatFingerprint } from "@/server/domain/hardware/certificate";
import { list } from "@/cli/define/command";
import { siteArg } from "@/cli/define/values";
import type { Column } from "@/cli/output/printer";

const expiryText = { expired: "expired", soon: "renew", later: "valid" } as const;

const columns: readonly Column<SiteView["authorities"][number]>[] = [
  { name: "name", value: ({ name }) => name },
  { name: "used for", value: ({ usedFor }) => usedFor.join(", ") },
  { name: "subject", value: ({ subject }) => subject },
  { name: "valid until", value: ({ validTo }) => validTo.slice(0, 10) },
  { name: "state", value: ({ expiry }) => expiryText[expiry], whole: true },
  { name: "sha256", value: ({ sha256 }) => formatFingerprint(sha256) },
];

export const authorities = list("site authorities", {
  of: "site.get",
  title: "the certificate authorities of a site, the next to expire first",
  args: { site: siteArg },
  input: ({ site: { name } }) => ({ site: name }),
  rows: "authorities",
  columns,
  none: ({ given: { site }, first: { document } }) =>
    `Site ${site.name} has no authorities of its own: those of the server's system are trusted (bmcTrust: ${document.bmcTrust}).`,
});
